/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WEB_H
#define GT_WEB_WEB_H

/* What all endpoints share. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/web.h>

#include "web/load.h"
#include "web/source.h"

struct gt_store;
struct gt_analysis;
struct gt_listings;
struct gt_minimap;

struct gt_web {
    gt_web_options options;
    /* Copies of texts of the options, from malloc; NULL where there is none. */
    char *name;
    char *page_directory;
    struct gt_web_source source;
    struct gt_store *store;
    struct gt_web_loading loading;
    /* Owned by the analyses; NULL until the first is asked for. */
    struct gt_analysis *analysis;
    /* The same of the listings of rows, and of the minimap. */
    struct gt_listings *listings;
    struct gt_minimap *minimap;
    /* Long work is to end. */
    atomic_bool stopping;
};

#endif
