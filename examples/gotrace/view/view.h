/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

/* What all endpoints of the view command share. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "../problem.h"
#include "facts.h"
#include "source.h"

enum {
    /* Repairs beyond these are only counted. */
    VIEW_REPAIRS_MAX = 100
};

/* How far the build thread is. It writes, and requests read, with `lock` held. */
struct view_progress {
    pthread_mutex_t lock;
    bool done;
    /* Of the input that was read: 0 to 1. */
    double fraction;
    uint64_t events;
    /* What ended the reading early, with its place; empty where nothing did. */
    char error[PROBLEM_TEXT_MAX];
    /* Texts from malloc. */
    char *repairs[VIEW_REPAIRS_MAX];
    size_t repair_count;
    uint64_t repairs_total;
    /* Of the header; 0 until it has been read. */
    uint32_t version;
    struct view_facts facts;
};

struct store;
struct analysis;
struct listings;
struct minimap;

struct view {
    struct view_source source;
    struct store *store;
    struct view_progress progress;
    /* Owned by the analyses; NULL until the first is asked for. */
    struct analysis *analysis;
    /* The same of the listings of rows, and of the minimap. */
    struct listings *listings;
    struct minimap *minimap;
    /* The thread that fills the store; build.c has it. */
    pthread_t builder;
    bool is_building;
    /* Long work is to end. */
    atomic_bool stopping;
    /* A directory that the page's files come from, for those who work on it; or NULL. */
    const char *web;
};

#endif
