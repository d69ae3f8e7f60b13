/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WEB_H
#define GT_WEB_WEB_H

/* The state of a viewer, which all endpoints share. */

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
    /* Copies of texts of the options, allocated with malloc, or NULL if the option is not set. */
    char *name;
    char *page_directory;
    struct gt_web_source source;
    struct gt_store *store;
    struct gt_web_loading loading;
    /* Owned by the module of analyses. It is NULL until the first analysis is requested. */
    struct gt_analysis *analysis;
    /* Likewise owned by the modules of listings and of the minimap. */
    struct gt_listings *listings;
    struct gt_minimap *minimap;
    /* The viewer is being closed, so long work must end. */
    atomic_bool stopping;
};

#endif
