/* SPDX-License-Identifier: BSD-3-Clause */
#include "traceid.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TRACEID_WORD = 8,
    TRACEID_ROUND = TRACEID_LANES * TRACEID_WORD,
    /* A multiple of a round. */
    TRACEID_PIECE = 256 << 10
};

/* Odd numbers whose bits are random: digits of pi. */
static const uint64_t traceid_odd[TRACEID_LANES] = {
    UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707345), UINT64_C(0xa4093822299f31d1),
    UINT64_C(0x082efa98ec4e6c89)};

static uint64_t traceid_rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

/* A step that nothing is lost in, neither of the lane nor of the word. */
static uint64_t traceid_step(uint64_t lane, uint64_t word)
{
    return traceid_rotate(lane + word * traceid_odd[0], 31) * traceid_odd[1];
}

static uint64_t traceid_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < TRACEID_WORD; i++)
        word |= (uint64_t) bytes[i] << 8 * i;
    return word;
}

/* Takes whole rounds, in which each lane gets a word. */
static void traceid_take(uint64_t lanes[TRACEID_LANES], const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size; at += TRACEID_ROUND) {
        for (size_t i = 0; i < TRACEID_LANES; i++)
            lanes[i] = traceid_step(lanes[i], traceid_word(data + at + i * TRACEID_WORD));
    }
}

/* Spreads each bit over all. */
static uint64_t traceid_finish(uint64_t value)
{
    value = (value ^ value >> 32) * traceid_odd[2];
    value = (value ^ value >> 29) * traceid_odd[3];
    return value ^ value >> 32;
}

static struct traceid traceid_end(const uint64_t lanes[TRACEID_LANES], uint64_t size)
{
    struct traceid id;
    for (unsigned word = 0; word < TRACEID_WORDS; word++) {
        uint64_t value = size + traceid_odd[word];
        for (unsigned i = 0; i < TRACEID_LANES; i++)
            value = traceid_finish(traceid_step(value, lanes[(i + 2 * word) % TRACEID_LANES]));
        id.words[word] = value;
    }
    return id;
}

/* Reads until the piece is full or the file ends. Returns how much was read, or -1. */
static ssize_t traceid_read(int fd, uint8_t *piece, uint64_t from)
{
    size_t size = 0;
    while (size < TRACEID_PIECE) {
        ssize_t got = pread(fd, piece + size, TRACEID_PIECE - size, (off_t) (from + size));
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        size += got > 0 ? (size_t) got : 0;
    }
    return (ssize_t) size;
}

bool traceid_of(int fd, struct traceid *id, uint64_t *size)
{
    uint64_t lanes[TRACEID_LANES];
    ssize_t got;
    uint8_t *piece = malloc(TRACEID_PIECE);
    memcpy(lanes, traceid_odd, sizeof(lanes));
    *size = 0;
    if (!piece)
        return false;
    while ((got = traceid_read(fd, piece, *size)) > 0) {
        size_t whole = ((size_t) got + TRACEID_ROUND - 1) / TRACEID_ROUND * TRACEID_ROUND;
        memset(piece + got, 0, whole - (size_t) got);
        traceid_take(lanes, piece, whole);
        *size += (uint64_t) got;
    }
    free(piece);
    *id = traceid_end(lanes, *size);
    return got == 0;
}

void traceid_format(const struct traceid *id, char text[TRACEID_DIGITS + 1])
{
    snprintf(text, TRACEID_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, id->words[0], id->words[1]);
}
