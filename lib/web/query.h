/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_QUERY_H
#define GT_WEB_QUERY_H

/*
 * The parameters of a request. Each function leaves `*value` as it is where the
 * parameter is absent, and answers 400 where it makes no sense: `failed` is then true,
 * and what is asked after that changes nothing. So a handler asks for all it takes, and
 * looks at `failed` once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "store/store.h"
#include "web/request.h"
#include "web/response.h"

/* Times lie between these, so that the sum and the difference of any two are numbers. */
#define GT_QUERY_TIME_MAX (INT64_C(1) << 61)

enum {
    GT_QUERY_BINS_MAX = 4096,
    GT_QUERY_TRACKS_MAX = 4096
};

struct gt_query {
    const struct gt_request *request;
    struct gt_response *response;
    bool failed;
};

/* A part of the trace; start <= end. */
struct gt_query_range {
    int64_t start, end;
};

struct gt_query_tracks {
    uint32_t *list;
    size_t count;
};

void gt_query_init(struct gt_query *query, const struct gt_request *request,
                   struct gt_response *response);

bool gt_query_has(const struct gt_query *query, const char *name);
/* Fails where it is absent. */
void gt_query_need(struct gt_query *query, const char *name);
/* Fails with `what`, as a handler finds out by itself. */
void gt_query_fail(struct gt_query *query, const char *name, const char *what);

void gt_query_int(struct gt_query *query, const char *name, int64_t min, int64_t max,
                  int64_t *value);
void gt_query_uint(struct gt_query *query, const char *name, uint64_t min, uint64_t max,
                   uint64_t *value);
/* 0 or 1. */
void gt_query_bool(struct gt_query *query, const char *name, bool *value);
/* Which of the `count` words it is. */
void gt_query_word(struct gt_query *query, const char *name, const char *const *words, size_t count,
                   uint32_t *value);
/* Good for as long as the request is. */
void gt_query_text(struct gt_query *query, const char *name, gt_string *value);

/* A time in ns; decimals, of which a page's arithmetic may make some, are cut off. */
void gt_query_time(struct gt_query *query, const char *name, int64_t *value);
/* "start" and "end". */
void gt_query_range(struct gt_query *query, struct gt_query_range *range);
/* The same; all of the trace where they are absent. Locks the store for a moment. */
void gt_query_whole(struct gt_query *query, struct gt_store *store, struct gt_query_range *range);
/* "view": an enum gt_store_view. */
void gt_query_view(struct gt_query *query, uint32_t *view);
/* "bins": 1 to GT_QUERY_BINS_MAX. */
void gt_query_bins(struct gt_query *query, size_t *bins);

/*
 * "tracks": numbers with commas between them, at most `max`. What is no track may be
 * among them. The list is for gt_query_tracks_free, which NULL is fine for, too.
 */
void gt_query_tracks(struct gt_query *query, size_t max, struct gt_query_tracks *tracks);
void gt_query_tracks_free(struct gt_query_tracks *tracks);

#endif
