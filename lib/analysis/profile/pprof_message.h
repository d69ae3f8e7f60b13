/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_PPROF_MESSAGE_H
#define GT_ANALYSIS_PROFILE_PPROF_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>

enum {
    /* The largest message is a sample, with at most five bytes for each location. */
    GT_PPROF_MESSAGE_MAX = 8 * GT_STACK_MAX_FRAMES
};

/* A message of protocol buffers, or a part of one, that is being built. */
struct gt_pprof_message {
    size_t size;
    uint8_t bytes[GT_PPROF_MESSAGE_MAX];
};

/* Appends a number. */
void gt_pprof_varint(struct gt_pprof_message *message, uint64_t value);

/* Appends a field with a number. A field that is left out is 0, so a 0 is not written. */
void gt_pprof_number(struct gt_pprof_message *message, uint32_t field, uint64_t value);

/* Appends the tag and the length of a field with `size` bytes, which must follow. */
void gt_pprof_header(struct gt_pprof_message *message, uint32_t field, size_t size);

/* Appends a field that contains `inner`: a message, or a packed list of numbers. */
void gt_pprof_nested(struct gt_pprof_message *message, uint32_t field,
                     const struct gt_pprof_message *inner);

#endif
