/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_REPAIRS_H
#define TESTS_SUPPORT_REPAIRS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#define REPAIRS_MAX 16

/* What a reader told of its repairs: all are counted, and the first ones kept. */
struct repairs {
    size_t count;
    gt_status status[REPAIRS_MAX];
    uint64_t offset[REPAIRS_MAX];
};

/* Forgets what was told. Options of a lenient reader that tells `repairs`. */
gt_reader_options repairs_options(struct repairs *repairs);

/*
 * Reads a trace, damaged as it may be, with GT_READER_LENIENT.
 * Asserts that it comes to its end, and that all repairs are told. Returns 0 where times
 * rise and each event can follow those before it, or 1 with the first that
 * cannot printed under `name`.
 */
int repairs_check(const char *name, const uint8_t *data, size_t size, struct repairs *repairs);

/* Asserts that it returns 0. */
void repairs_check_sound(const uint8_t *data, size_t size, struct repairs *repairs);

#endif
