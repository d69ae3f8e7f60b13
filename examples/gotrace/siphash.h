/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIPHASH_H
#define SIPHASH_H

#include <stddef.h>
#include <stdint.h>

enum {
    SIPHASH_KEY_SIZE = 16
};

/*
 * SipHash-2-4 of Aumasson and Bernstein, "SipHash: a fast short-input PRF": without the key nobody
 * can tell what text has a hash, nor whether a guess is right.
 */
uint64_t siphash(const uint8_t key[SIPHASH_KEY_SIZE], const void *data, size_t size);

#endif
