/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_BENCH_FLOOR_H
#define TESTS_BENCH_BENCH_FLOOR_H

/*
 * The least that any reader of a trace has to do: walk all records and decode
 * every number in them, of events and of tables. It orders nothing, looks
 * nothing up, keeps nothing, and checks only that it stays within its bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct floor_result {
    /* Timed events, and all numbers that were decoded. */
    uint64_t events;
    uint64_t numbers;
    /* Of all those numbers, so that none can be left out. */
    uint64_t sum;
};

/*
 * Scans a whole trace, header included. False where it is no trace or ends
 * within a batch; damage within a batch only ends the batch.
 */
bool floor_scan(const uint8_t *data, size_t size, struct floor_result *result);

/* The same for what follows the header `go 1.version trace` of Go 1.21 and before. */
bool floor_scan_v1(const uint8_t *at, const uint8_t *end, unsigned version,
                   struct floor_result *result);

#endif
