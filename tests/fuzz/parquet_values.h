/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_PARQUET_VALUES_H
#define TESTS_FUZZ_PARQUET_VALUES_H

#include "fuzz/parquet.h"
#include "fuzz/thrift.h"

/* The encodings, by their numbers in the format. */
enum {
    PARQUET_PLAIN = 0,
    PARQUET_RLE = 3,
    PARQUET_DELTA = 5,
    PARQUET_DICTIONARY = 8
};

/* Encoded values. */
struct parquet_encoded {
    struct bytes bytes;
    int encoding;
    size_t count;
    enum parquet_kind kind;
};

uint32_t parquet_crc(const uint8_t *data, size_t size);

/* Decompresses a page, or copies it unless it is packed. Returns whether it has `size` bytes. */
bool parquet_unpack(uint8_t *to, size_t size, const uint8_t *from, size_t from_size, bool packed);

/* Decode page->count values. Return false if they are not valid. */
bool parquet_plain(struct parquet_encoded *page, struct parquet_value *values);
bool parquet_delta(struct parquet_encoded *page, unsigned bits, struct parquet_value *values);

/* Decodes `count` numbers of `width` bits, which take all bytes. */
bool parquet_hybrid(struct bytes *from, uint32_t *numbers, size_t count, unsigned width);

/* Orders values, as qsort does. */
int parquet_compare(const void *a, const void *b);

/* Whether a text is UTF-8. */
bool parquet_text_is_good(const uint8_t *text, size_t size);

#endif
