/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_PPROF_MESSAGE_H
#define GT_ANALYSIS_PROFILE_PPROF_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>

enum {
    GT_PPROF_VARINT_MAX = 10,
    /* The largest is a sample with its locations, of which each takes five bytes at most. */
    GT_PPROF_MESSAGE_MAX = 8 * GT_STACK_MAX_FRAMES
};

/* A message of protocol buffers, or a part of one, as far as it is written. */
struct gt_pprof_message {
    size_t size;
    uint8_t bytes[GT_PPROF_MESSAGE_MAX];
};

/* Appends a number; the other functions append a field. */
void gt_pprof_varint(struct gt_pprof_message *message, uint64_t value);

/* A field with a number, left out where it is 0 as that is what it has without. */
void gt_pprof_number(struct gt_pprof_message *message, uint32_t field, uint64_t value);

/* The tag and length of a field that holds `size` bytes, which follow. */
void gt_pprof_header(struct gt_pprof_message *message, uint32_t field, size_t size);

/* A field that holds `inner`: a message, or numbers in a row. */
void gt_pprof_nested(struct gt_pprof_message *message, uint32_t field,
                     const struct gt_pprof_message *inner);

#endif
