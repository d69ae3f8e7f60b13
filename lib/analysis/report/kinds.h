/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_REPORT_KINDS_H
#define GT_ANALYSIS_REPORT_KINDS_H

/* The kinds of findings, in the order of gt_report_get_kind. */
enum {
    GT_KIND_BLOCKED_ON_LOCK,
    GT_KIND_LOCK_CONVOY,
    GT_KIND_GOROUTINE_STUCK,
    GT_KIND_GOROUTINE_GROWTH,
    GT_KIND_SCHEDULER_LATENCY,
    GT_KIND_CPU_SATURATED,
    GT_KIND_GC_CPU,
    GT_KIND_GC_ASSIST,
    GT_KIND_GC_STOP_THE_WORLD,
    GT_KIND_GC_TOO_OFTEN,
    GT_KINDS
};

/* The thresholds, in the order of gt_report_get_threshold. */
enum {
    GT_LIMIT_LOCK_SHARE,
    GT_LIMIT_LOCK_TIME,
    GT_LIMIT_CONVOY_TIME,
    GT_LIMIT_CONVOY_WAITERS,
    GT_LIMIT_STUCK_COUNT,
    GT_LIMIT_STUCK_START,
    GT_LIMIT_GROWTH_COUNT,
    GT_LIMIT_LATENCY_P99,
    GT_LIMIT_LATENCY_SHARE,
    GT_LIMIT_LATENCY_COUNT,
    GT_LIMIT_SATURATED_SHARE,
    GT_LIMIT_GC_CPU_SHARE,
    GT_LIMIT_ASSIST_SHARE,
    GT_LIMIT_ASSIST_TIME,
    GT_LIMIT_STOP_LONGEST,
    GT_LIMIT_STOP_SHARE,
    GT_LIMIT_GC_RATE,
    GT_LIMIT_GC_COUNT,
    GT_LIMIT_GC_HEAP,
    GT_LIMITS
};

/* The usual value of a threshold. */
double gt_report_limit_usual(unsigned limit);

#endif
