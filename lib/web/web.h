/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WEB_H
#define GT_WEB_WEB_H

/* The state of a viewer, which all endpoints share. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/web.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/thread.h"
#include "web/load.h"
#include "web/notes.h"
#include "web/source.h"

struct gt_store;
struct gt_analysis;
struct gt_listings;
struct gt_minimap;

struct gt_web {
    /* All memory except that of the store, readers and similar objects, which count their own. */
    struct gt_mem mem;
    struct gt_thread_mutex mem_lock; /* of `mem` */
    gt_web_options options;
    /* The texts of the options and of the repairs. The loading thread alone adds to it. */
    struct gt_arena texts;
    /* The Content-Security-Policy of all answers. */
    const char *policy;
    struct gt_web_source source;
    struct gt_store *store;
    struct gt_web_loading loading;
    /* Owned by the module of analyses. It is NULL until the first analysis is requested. */
    struct gt_analysis *analysis;
    /* Likewise owned by the modules of listings and of the minimap. */
    struct gt_listings *listings;
    struct gt_minimap *minimap;
    struct gt_web_notes notes;
    /* The viewer is being closed, so long work must end. */
    atomic_bool stopping;
};

#endif
