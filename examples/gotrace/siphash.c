/* SPDX-License-Identifier: BSD-3-Clause */
#include "siphash.h"

enum {
    SIPHASH_WORD = 8,
    SIPHASH_ROUNDS = 2,
    SIPHASH_FINAL_ROUNDS = 4
};

static uint64_t siphash_rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

/* Reads up to eight bytes as a number, the lowest first. */
static uint64_t siphash_word(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t) bytes[i] << (8 * i);
    return word;
}

static void siphash_mix(uint64_t v[4], unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = siphash_rotate(v[1], 13) ^ v[0];
        v[3] = siphash_rotate(v[3], 16) ^ v[2];
        v[0] = siphash_rotate(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = siphash_rotate(v[1], 17) ^ v[2];
        v[3] = siphash_rotate(v[3], 21) ^ v[0];
        v[2] = siphash_rotate(v[2], 32);
    }
}

static void siphash_take(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    siphash_mix(v, SIPHASH_ROUNDS);
    v[0] ^= word;
}

uint64_t siphash(const uint8_t key[SIPHASH_KEY_SIZE], const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t low = siphash_word(key, SIPHASH_WORD);
    uint64_t high = siphash_word(key + SIPHASH_WORD, SIPHASH_WORD);
    uint64_t v[4] = {low ^ UINT64_C(0x736f6d6570736575), high ^ UINT64_C(0x646f72616e646f6d),
                     low ^ UINT64_C(0x6c7967656e657261), high ^ UINT64_C(0x7465646279746573)};
    size_t left = size;
    for (; left >= SIPHASH_WORD; left -= SIPHASH_WORD, bytes += SIPHASH_WORD)
        siphash_take(v, siphash_word(bytes, SIPHASH_WORD));
    siphash_take(v, siphash_word(bytes, left) | (uint64_t) size << 56);
    v[2] ^= 0xff;
    siphash_mix(v, SIPHASH_FINAL_ROUNDS);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
