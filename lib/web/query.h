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
#define QUERY_TIME_MAX (INT64_C(1) << 61)

enum {
    QUERY_BINS_MAX = 4096,
    QUERY_TRACKS_MAX = 4096
};

struct query {
    const struct gt_request *request;
    struct gt_response *response;
    bool failed;
};

/* A part of the trace; start <= end. */
struct query_range {
    int64_t start, end;
};

struct query_tracks {
    uint32_t *list;
    size_t count;
};

void query_init(struct query *query, const struct gt_request *request,
                struct gt_response *response);

bool query_has(const struct query *query, const char *name);
/* Fails where it is absent. */
void query_need(struct query *query, const char *name);
/* Fails with `what`, as a handler finds out by itself. */
void query_fail(struct query *query, const char *name, const char *what);

void query_int(struct query *query, const char *name, int64_t min, int64_t max, int64_t *value);
void query_uint(struct query *query, const char *name, uint64_t min, uint64_t max, uint64_t *value);
/* 0 or 1. */
void query_bool(struct query *query, const char *name, bool *value);
/* Which of the `count` words it is. */
void query_word(struct query *query, const char *name, const char *const *words, size_t count,
                uint32_t *value);
/* Good for as long as the request is. */
void query_text(struct query *query, const char *name, gt_string *value);

/* A time in ns; decimals, of which a page's arithmetic may make some, are cut off. */
void query_time(struct query *query, const char *name, int64_t *value);
/* "start" and "end". */
void query_range(struct query *query, struct query_range *range);
/* The same; all of the trace where they are absent. Locks the store for a moment. */
void query_whole(struct query *query, struct store *store, struct query_range *range);
/* "view": an enum store_view. */
void query_view(struct query *query, uint32_t *view);
/* "bins": 1 to QUERY_BINS_MAX. */
void query_bins(struct query *query, size_t *bins);

/*
 * "tracks": numbers with commas between them, at most `max`. What is no track may be
 * among them. The list is for query_tracks_free, which NULL is fine for, too.
 */
void query_tracks(struct query *query, size_t max, struct query_tracks *tracks);
void query_tracks_free(struct query_tracks *tracks);

#endif
