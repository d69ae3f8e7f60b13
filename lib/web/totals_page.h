/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TOTALS_PAGE_H
#define GT_WEB_TOTALS_PAGE_H

/* What the endpoints that serve totals have in common: parameters, and parts of answers. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/answer.h"
#include "web/json.h"
#include "web/query.h"
#include "web/ranking.h"
#include "web/record.h"
#include "web/totals.h"

enum {
    /* The default and the largest number of rows in an answer. */
    GT_TOTALS_PAGE_ROWS = 100,
    GT_TOTALS_PAGE_ROWS_MAX = 10000
};

/* The part of a list that a request asks for: "first" and "count". */
struct gt_totals_page_part {
    uint64_t first, count;
};

void gt_totals_page_part(struct gt_query *query, struct gt_totals_page_part *part);
/* Reads "first" and "count" like gt_totals_page_part, with the whole list as the default. */
void gt_totals_page_part_or_all(struct gt_query *query, struct gt_totals_page_part *part);
/*
 * Writes "total", which is the length of the whole list, and begins the list `key`. Returns the end
 * of the part: the caller writes the elements from part->first on that come before it.
 */
size_t gt_totals_page_start_part(struct gt_json *json, const char *key,
                                 const struct gt_totals_page_part *part, size_t total);

/* The order of a list: "sort" and "desc". */
struct gt_totals_page_order {
    /*
     * An enum gt_record_time, or GT_RECORD_TIMES plus the index of one of the endpoint's own
     * words. Not used if `is_block` or `is_range` is set.
     */
    uint32_t key;
    /* The list is sorted by the time of the reason or of the range called `name`. */
    bool is_block, is_range;
    uint32_t name;
    bool descending;
};

/*
 * Reads "sort" and "desc". The default is total time, the largest first. "sort" is the name of a
 * time, one of the `count` words, "block:REASON" or "range:NAME"; anything else fails.
 */
void gt_totals_page_order(struct gt_query *query, const struct gt_totals *totals,
                          const char *const *words, size_t count,
                          struct gt_totals_page_order *order);
/*
 * Returns the sort key of a record with these times. Must not be called if the key is one of the
 * endpoint's own words.
 */
int64_t gt_totals_page_key(const struct gt_totals_page_order *order,
                           const struct gt_record_times *times);

/*
 * The limits "latmin" and "latmax", both inclusive, in nanoseconds or in the form in which Go
 * writes durations.
 */
struct gt_totals_page_latency {
    bool is_asked;
    int64_t min, max;
};

void gt_totals_page_latency(struct gt_query *query, struct gt_totals_page_latency *latency);
bool gt_totals_page_fits(const struct gt_totals_page_latency *latency, int64_t length);

/* Reads "pc", which is hexadecimal. Returns false if it is absent. */
bool gt_totals_page_pc(struct gt_query *query, uint64_t *pc);

/*
 * Returns the totals. Returns NULL if they are not available or the query has failed; the request
 * has been answered then.
 */
const struct gt_totals *gt_totals_page_totals(struct gt_web *web, struct gt_query *query);

/* Writes the element of a list that a ranking calls `what`. Returns false if memory runs out. */
typedef bool gt_totals_page_item_fn(struct gt_json *json, const void *context, uint64_t what);

/*
 * Finishes a ranking, and writes "total" and the part of it that is asked for as the array `key`.
 * Returns false if `write_item` did.
 */
bool gt_totals_page_write_part(struct gt_json *json, const char *key, struct gt_ranking *ranking,
                               const struct gt_totals_page_part *part,
                               gt_totals_page_item_fn *write_item, const void *context);

/* Writes the key and [p50, p95, p99]. */
void gt_totals_page_write_percentiles(struct gt_json *json, const char *key, const int64_t *values);
/*
 * Writes "start" and "end". GT_RECORD_NONE is replaced by the start or end of the trace;
 * "has_start" and "has_end" are false then.
 */
void gt_totals_page_write_interval(struct gt_json *json, const struct gt_totals *totals,
                                   int64_t begin, int64_t end);
/* Writes "histogram", "p50", "p95", "p99" and "max". */
void gt_totals_page_write_lengths(struct gt_json *json, const struct gt_totals_lengths *lengths);

#endif
