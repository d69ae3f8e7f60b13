/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_USE_H
#define TESTS_SWEEP_USE_H

#include "sweep/run.h"

/*
 * A way to use the library: it opens what it needs with run->probe, adds its results to the run,
 * closes everything and sets run->status. If a failure is permanent it asserts that the next call
 * fails as well.
 */
struct use {
    const char *name;
    void (*run)(struct run *run, const struct use *use);
    /* For `run`. */
    uint64_t flags;
    uint32_t kind;
    uint32_t id;
    /* The status if a write fails. */
    gt_status unwritten;
};

/* Reading: strict and lenient, keeping. */
extern const struct use use_readers[];
extern const size_t use_reader_count;

/* Reading and writing records, in bytes and in text. */
extern const struct use use_raws[];
extern const size_t use_raw_count;

/* Validator, summary, profiles and pprof, utilisation, latencies. */
extern const struct use use_analyses[];
extern const size_t use_analysis_count;

/* Timeline, selector, emitter, JSON, parts. */
extern const struct use use_drawings[];
extern const size_t use_drawing_count;

#endif
