/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ASSETS_H
#define GT_WEB_ASSETS_H

#include <stddef.h>

/* A file of the page. `type` is its media type. */
struct gt_asset {
    const char *name;
    const char *type;
    const unsigned char *data;
    size_t size;
};

/*
 * The files of the page, which embed.c turns into C source at build time. The table ends with an
 * entry whose name is NULL.
 */
extern const struct gt_asset gt_asset_table[];

/* Differs whenever one of the files does. */
extern const char gt_asset_version[];

#endif
