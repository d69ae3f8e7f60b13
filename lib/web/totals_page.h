/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TOTALS_PAGE_H
#define GT_WEB_TOTALS_PAGE_H

/* What the endpoints of totals have in common: parameters, and parts of answers. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/json.h"
#include "web/query.h"
#include "web/ranking.h"
#include "web/record.h"
#include "web/totals.h"

enum {
    /* Rows in an answer. */
    GT_TOTALS_PAGE_ROWS = 100,
    GT_TOTALS_PAGE_ROWS_MAX = 10000
};

/* What part of a list is asked for: "first" and "count". */
struct gt_totals_page_part {
    uint64_t first, count;
};

void gt_totals_page_part(struct gt_query *query, struct gt_totals_page_part *part);

/* What a list is sorted by: "sort" and "desc". */
struct gt_totals_page_order {
    /* An enum gt_record_time, or GT_RECORD_TIMES and the number of one of the endpoint's words; ...
     */
    uint32_t key;
    /* ... or a name, of a reason or of a range. */
    bool is_block, is_range;
    uint32_t name;
    bool descending;
};

/*
 * Without "sort" it is by total time, the largest first. "block:REASON" and "range:NAME"
 * are sorts as well. Fails where it is none.
 */
void gt_totals_page_order(struct gt_query *query, const struct gt_totals *totals,
                          const char *const *words, size_t count,
                          struct gt_totals_page_order *order);
/* What a record with these times is sorted by, unless it is one of the endpoint's words. */
int64_t gt_totals_page_key(const struct gt_totals_page_order *order,
                           const struct gt_record_times *times);

/* "latmin" and "latmax", in nanoseconds or as Go writes them; both are included. */
struct gt_totals_page_latency {
    bool is_asked;
    int64_t min, max;
};

void gt_totals_page_latency(struct gt_query *query, struct gt_totals_page_latency *latency);
bool gt_totals_page_fits(const struct gt_totals_page_latency *latency, int64_t length);

/* "pc", in hexadecimal. False where it is absent. */
bool gt_totals_page_pc(struct gt_query *query, uint64_t *pc);

/* The totals, or NULL once it has answered that they are not there. */
struct gt_analysis_job *gt_totals_page_totals(void *view, struct gt_response *response,
                                              const struct gt_totals **totals);

typedef void gt_totals_page_write_fn(struct gt_json *json, const struct gt_totals *totals);

/* Answers with all of a kind: an object with one list, which `write_all` fills. */
void gt_totals_page_list(void *view, struct gt_response *response, const char *key,
                         gt_totals_page_write_fn *write_all);

/* The key, and 0x.. as a text, as not every number of 64 bits is one of JavaScript's. */
void gt_totals_page_write_pc(struct gt_json *json, const char *key, uint64_t pc);
/* The key, and [p50, p95, p99] */
void gt_totals_page_write_percentiles(struct gt_json *json, const char *key, const int64_t *values);
/*
 * "start" and "end", which are those of the trace where they are GT_RECORD_NONE, as
 * "has_start" and "has_end" say.
 */
void gt_totals_page_write_interval(struct gt_json *json, const struct gt_totals *totals,
                                   int64_t begin, int64_t end);
/* "histogram", "p50", "p95", "p99" and "max" */
void gt_totals_page_write_lengths(struct gt_json *json, const struct gt_totals_lengths *lengths);

/* Answers that there is none: 503. */
void gt_totals_page_no_memory(struct gt_response *response);

#endif
