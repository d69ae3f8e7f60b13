/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACEID_H
#define TRACEID_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TRACEID_LANES = 4,
    TRACEID_WORDS = 2,
    TRACEID_DIGITS = 32
};

/*
 * A name of a trace, made of its bytes: the same for ever and everywhere, and another one for other
 * bytes, unless somebody takes pains to find a trace that has it, too.
 */
struct traceid {
    uint64_t words[TRACEID_WORDS];
};

/* Sets `*id` and `*size` to those of the bytes of a file from its start. Does not move its offset.
 * Returns false, and sets errno, if it cannot be read. */
bool traceid_of(int fd, struct traceid *id, uint64_t *size);

/* Writes the id as hexadecimal digits, and a NUL. */
void traceid_format(const struct traceid *id, char text[TRACEID_DIGITS + 1]);

#endif
