/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_OUTPUT_H
#define GT_RECORDER_OUTPUT_H

#include "recorder/buffer.h"

/*
 * The bytes of a generation, for the stream and the window, and the batches that the thread which
 * ends a generation writes itself. After an error, which is in gt_recorder.error, the stream gets
 * nothing.
 */
struct gt_recorder_output {
    bool to_stream, to_window;
    size_t size; /* bytes that are to be passed on */
    uint8_t *content;
    uint8_t *to; /* the end of the batch that is being written, or NULL */
    uint8_t batch[GT_BUFFER_HEAD + GT_BUFFER_CONTENT];
    uint8_t bytes[2 * GT_BUFFER_CONTENT];
    uint64_t pcs[GT_STACK_MOST]; /* of the CPU sample that is being written */
};

void gt_recorder_output(gt_recorder *recorder, const void *data, size_t size);

/* The same for what only the stream gets. */
void gt_recorder_output_to_stream(gt_recorder *recorder, const void *data, size_t size);

/*
 * The same for a batch that is a lead. Where the stream needs another one instead, that is `other`,
 * of `other_size` bytes; otherwise NULL.
 */
void gt_recorder_output_lead(gt_recorder *recorder, const void *data, size_t size,
                             const void *other, size_t other_size);

/* A gt_write_fn, whose user_data is a struct gt_recorder_file. */
int gt_recorder_write_file(void *user_data, const void *data, size_t size);

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
