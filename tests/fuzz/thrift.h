/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_THRIFT_H
#define TESTS_FUZZ_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads structures of Thrift in its compact protocol, as far as files of Parquet have them. It is
 * strict: fields rise, and there is nothing that such files do not need.
 */

/* Bytes that are read from their start to their end. After a failure it gives zeros only. */
struct bytes {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
};

/* Takes `size` bytes, or returns NULL if there are fewer. */
const uint8_t *bytes_take(struct bytes *from, uint64_t size);

/* Takes a number of `size` bytes, the lowest byte first. */
uint64_t bytes_little(struct bytes *from, unsigned size);
uint64_t bytes_varint(struct bytes *from);
int64_t bytes_zigzag(struct bytes *from);

enum thrift_type {
    THRIFT_TRUE = 1,
    THRIFT_FALSE = 2,
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_BINARY = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12
};

/* A field, or an element of a list. What is within it follows it. */
struct thrift_node {
    int64_t number; /* of THRIFT_I32 and THRIFT_I64 */
    const uint8_t *data;
    size_t size; /* of THRIFT_BINARY, in bytes; of THRIFT_LIST, in elements */
    size_t next; /* the index of what comes behind it and behind what is within it */
    uint32_t field;
    enum thrift_type type;
};

struct thrift {
    struct thrift_node *nodes;
    size_t count;
    size_t capacity;
};

/* Reads a structure as the first node. Returns false if it is not valid. */
bool thrift_read(struct thrift *thrift, struct bytes *from);
void thrift_free(struct thrift *thrift);

/* Returns a field of a structure, or NULL if it has no such field of this type. */
const struct thrift_node *thrift_field(const struct thrift *thrift, const struct thrift_node *node,
                                       uint32_t field, enum thrift_type type);

/* Returns the first element of a list or the one behind `node`; NULL if there is none. */
const struct thrift_node *thrift_first(const struct thrift *thrift, const struct thrift_node *list);
const struct thrift_node *thrift_next(const struct thrift *thrift, const struct thrift_node *list,
                                      const struct thrift_node *node);

/* Returns the number of a field, or `otherwise` if there is no such field. */
int64_t thrift_number(const struct thrift *thrift, const struct thrift_node *node, uint32_t field,
                      int64_t otherwise);

/* Whether a structure has no other fields than those whose bits are set. */
bool thrift_has_only(const struct thrift *thrift, const struct thrift_node *node, uint32_t fields);

#endif
