/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_OUTPUT_H
#define GT_RECORDER_OUTPUT_H

#include "recorder/buffer.h"

/*
 * The bytes of the stream, and the batches that the thread which ends a generation writes itself.
 * After an error, which is in gt_recorder.error, nothing is written.
 */
struct gt_recorder_output {
    size_t size; /* bytes that are to be passed on */
    uint8_t *content;
    uint8_t *to; /* the end of the batch that is being written, or NULL */
    uint8_t batch[GT_BUFFER_HEAD + GT_BUFFER_CONTENT];
    uint8_t bytes[2 * GT_BUFFER_CONTENT];
};

void gt_recorder_output(gt_recorder *recorder, const void *data, size_t size);

/* Passes on everything. */
void gt_recorder_output_flush(gt_recorder *recorder);

/* Begins a batch. */
void gt_recorder_batch_begin(gt_recorder *recorder, uint64_t generation, uint64_t thread,
                             uint64_t time);

/* Whether the batch has room for a record of `size` bytes. */
bool gt_recorder_batch_has_room(const gt_recorder *recorder, size_t size);

static inline void gt_recorder_batch_byte(gt_recorder *recorder, uint8_t byte)
{
    *recorder->output->to++ = byte;
}

static inline void gt_recorder_batch_number(gt_recorder *recorder, uint64_t number)
{
    recorder->output->to = gt_varint_put(recorder->output->to, number);
}

void gt_recorder_batch_bytes(gt_recorder *recorder, const void *data, size_t size);

/* Ends the batch, if there is one. */
void gt_recorder_batch_end(gt_recorder *recorder);

#endif
