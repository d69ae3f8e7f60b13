/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ASSETS_H
#define GT_WEB_ASSETS_H

#include <stddef.h>

/* A file of the page. */
struct gt_asset {
    const char *name;
    const char *type;
    const unsigned char *data;
    size_t size;
};

/* Those of web/, which embed.c puts into the program; ends with one without a name. */
extern const struct gt_asset gt_asset_table[];

#endif
