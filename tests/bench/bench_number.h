/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_BENCH_NUMBER_H
#define TESTS_BENCH_BENCH_NUMBER_H

/* Numbers of a trace, decoded as fast as can be: short ones first. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NUMBER_MAX 10

/* A number of more than one byte, with NUMBER_MAX bytes to read. */
static inline const uint8_t *number_take_long(const uint8_t *at, uint64_t *number)
{
    uint64_t value = at[0] & 0x7f;
    unsigned i;

    for (i = 1; i < NUMBER_MAX; i++) {
        value |= (uint64_t) (at[i] & 0x7f) << (7 * i);
        if (at[i] < 0x80)
            break;
    }
    *number = value;
    return at + (i < NUMBER_MAX ? i + 1 : NUMBER_MAX);
}

/* The number at `at`, where NUMBER_MAX bytes can be read; returns what follows it. */
static inline const uint8_t *number_take_fast(const uint8_t *at, uint64_t *number)
{
    if (at[0] < 0x80) {
        *number = at[0];
        return at + 1;
    }
    if (at[1] < 0x80) {
        *number = (at[0] & 0x7fU) | (uint64_t) at[1] << 7;
        return at + 2;
    }
    if (at[2] < 0x80) {
        *number = (at[0] & 0x7fU) | (at[1] & 0x7fU) << 7 | (uint64_t) at[2] << 14;
        return at + 3;
    }
    return number_take_long(at, number);
}

/* The number at `*at`, and on to what follows it; false where it does not end before `end`. */
static inline bool number_take(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
    uint8_t bytes[NUMBER_MAX] = {0};
    size_t left = (size_t) (end - *at);
    const uint8_t *next;

    if (left >= NUMBER_MAX) {
        next = number_take_fast(*at, number);
    } else {
        memcpy(bytes, *at, left);
        next = *at + (number_take_fast(bytes, number) - bytes);
    }
    if (next > end)
        return false;
    *at = next;
    return true;
}

#endif
