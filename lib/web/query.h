/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_QUERY_H
#define GT_WEB_QUERY_H

/*
 * The parameters of a request. Each function leaves `*value` unchanged if the parameter is
 * absent. If the parameter is invalid, the function answers the request with status 400 and sets
 * `failed`; all later calls then have no effect. So a handler reads all its parameters first and
 * tests `failed` once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "store/store.h"
#include "web/request.h"
#include "web/response.h"

/*
 * Times are limited to less than this in both directions, so that the sum and the difference of
 * any two fit an int64_t.
 */
#define GT_QUERY_TIME_MAX (INT64_C(1) << 61)

enum {
    GT_QUERY_BINS_MAX = 4096,
    GT_QUERY_TRACKS_MAX = 4096
};

/* A request that is being answered. */
struct gt_query {
    const struct gt_request *request;
    struct gt_response *response;
    /* The body of a request that changes something, which is borrowed from the host. */
    gt_string body;
    /* The host lets this client change what it keeps. */
    bool may_change;
    bool failed;
    /* If set, is called with `held` once the request has been answered. */
    void (*release)(void *held);
    void *held;
};

/* A range of time in nanoseconds, with start <= end, whose length is at most INT64_MAX. */
struct gt_query_range {
    int64_t start, end;
};

/* All zeros if there are none. */
struct gt_query_tracks {
    struct gt_mem *mem;
    uint32_t *list;
    size_t count, capacity;
};

bool gt_query_has(const struct gt_query *query, const char *name);
/* Fails if the parameter is absent. */
void gt_query_need(struct gt_query *query, const char *name);
/* Fails with status 503 instead. */
void gt_query_no_memory(struct gt_query *query);
/* Fails with the text `what`, for errors that a handler detects by itself. */
void gt_query_fail(struct gt_query *query, const char *name, const char *what);

void gt_query_int(struct gt_query *query, const char *name, int64_t min, int64_t max,
                  int64_t *value);
void gt_query_uint(struct gt_query *query, const char *name, uint64_t min, uint64_t max,
                   uint64_t *value);
/* The parameter must be 0 or 1. */
void gt_query_bool(struct gt_query *query, const char *name, bool *value);
/* Finds a word in the list of `count` words. Sets `*index` to its index, and returns whether the
 * list contains it. */
bool gt_query_word_find(const char *const *words, size_t count, const char *word, uint32_t *index);
/* Sets `*value` to the index of the parameter in the list of `count` words. */
void gt_query_word(struct gt_query *query, const char *name, const char *const *words, size_t count,
                   uint32_t *value);
/*
 * The text is borrowed from the request and valid as long as that is. It ends in NUL. Returns
 * whether the parameter is present.
 */
bool gt_query_text(struct gt_query *query, const char *name, gt_string *value);

/* A time in nanoseconds. Decimals are cut off: a page's arithmetic may produce some. */
void gt_query_time(struct gt_query *query, const char *name, int64_t *value);
/* Reads "start" and "end". */
void gt_query_range(struct gt_query *query, struct gt_query_range *range);
/* Reads "start" and "end", with the whole trace as the default. Locks the store briefly for
 * reading. */
void gt_query_whole(struct gt_query *query, struct gt_store *store, struct gt_query_range *range);
/* Reads a range like gt_query_whole, from the parameters `first` and `last`. */
void gt_query_whole_of(struct gt_query *query, struct gt_store *store, const char *first,
                       const char *last, struct gt_query_range *range);
/* Reads "view" as an enum gt_store_view. */
void gt_query_view(struct gt_query *query, uint32_t *view);
/* Reads "bins", which is from 1 to GT_QUERY_BINS_MAX. */
void gt_query_bins(struct gt_query *query, size_t *bins);

/*
 * Reads "tracks": at most `max` numbers separated by commas. They need not be numbers of tracks
 * that exist. The caller frees the list with gt_query_tracks_free, which accepts an empty list as
 * well.
 */
void gt_query_tracks(struct gt_query *query, size_t max, struct gt_query_tracks *tracks);
/* Reads a list of numbers like gt_query_tracks, from the parameter `name`. */
void gt_query_numbers(struct gt_query *query, const char *name, size_t max,
                      struct gt_query_tracks *tracks);
void gt_query_tracks_free(struct gt_query_tracks *tracks);

#endif
