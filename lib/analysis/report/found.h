/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_REPORT_FOUND_H
#define GT_ANALYSIS_REPORT_FOUND_H

#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"

struct gt_report;

enum {
    GT_REPORT_SUBJECTS = 5
};

/* A range of time in a goroutine. It is empty if `end` is less than `start`. */
struct gt_report_span {
    int64_t goroutine;
    int64_t start;
    int64_t end;
};

#define GT_REPORT_NO_SPAN ((struct gt_report_span){GT_NO_GOROUTINE, 0, -1})

/* Sets `*longest` to the span if that is longer. */
void gt_report_span_keep(struct gt_report_span *longest, int64_t goroutine, int64_t start,
                         int64_t end);

/* What a finding is about: the numbers of texts and stacks, where 0 is none. */
struct gt_report_about {
    double figure;
    uint64_t count;
    uint32_t group;
    uint32_t detail;
    uint32_t stack;
    uint32_t other;
};

/* The subjects with the largest figures. */
struct gt_report_top {
    struct gt_report_about list[GT_REPORT_SUBJECTS];
    size_t count;
};

void gt_report_top_keep(struct gt_report_top *top, const struct gt_report_about *about);

struct gt_report_found {
    unsigned kind;
    double figure;
    double share;
    double excess;
    double rank; /* by which findings are sorted */
    struct gt_report_span example;
    struct gt_report_top top;
};

struct gt_report_findings {
    GT_ARRAY(struct gt_report_found) list;
    GT_ARRAY(uint32_t) order;
};

gt_status gt_report_found_add(struct gt_report *report, struct gt_report_found *found);

/* How many times as much as a threshold a value is. */
double gt_report_excess(const struct gt_report *report, double value, unsigned limit);

/* Puts the findings in order. */
gt_status gt_report_findings_sort(struct gt_report *report);

#endif
