/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_REPAIRS_H
#define TESTS_SUPPORT_REPAIRS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#define REPAIRS_MAX 16

/* The repairs that a reader reported: all are counted and hashed, and the first ones are kept. */
struct repairs {
    size_t count;
    uint64_t hash; /* of the messages and offsets */
    gt_status status[REPAIRS_MAX];
    uint64_t offset[REPAIRS_MAX];
};

/* Resets `repairs`, and returns options for a lenient reader that reports to it. */
gt_reader_options repairs_options(struct repairs *repairs);

/* Asserts that two readers reported the same repairs. */
void repairs_assert_equal(const struct repairs *actual, const struct repairs *expected);

/*
 * Reads a trace, however damaged, with GT_READER_LENIENT. Asserts that the reading gets to the end,
 * and that all repairs are reported. Returns 0 if times increase and each event can follow those
 * before it; otherwise 1, after it has printed the first event that cannot under `name`.
 */
int repairs_check(const char *name, const uint8_t *data, size_t size, struct repairs *repairs);

/* Asserts that it returns 0. */
void repairs_check_sound(const uint8_t *data, size_t size, struct repairs *repairs);

/*
 * The same for a trace of Go 1.21 or before, in which a strict reader accepts events that do not
 * follow from those before them. Asserts that a lenient reader reads exactly the same without
 * repairs if a strict one gets to the end, and that otherwise each event can follow those before
 * it, apart from the ones that a strict reader delivers as well and the first one with a repair.
 */
void repairs_check_like_strict(const uint8_t *data, size_t size, struct repairs *repairs);

#endif
