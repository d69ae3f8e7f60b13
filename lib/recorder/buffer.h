/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_BUFFER_H
#define GT_RECORDER_BUFFER_H

#include <string.h>

#include "base/varint.h"
#include "recorder/inside.h"

enum {
    /* The most bytes that the content of a batch may have. */
    GT_BUFFER_CONTENT = 65536,
    /* Enough for any event. */
    GT_BUFFER_EVENT = 64,
    /* The size of a batch, as a varint that is padded to this length. */
    GT_BUFFER_LENGTH = 3,
    /* Enough for the head of a batch. */
    GT_BUFFER_HEAD = 64
};

/* The id of no thread. */
#define GT_NO_THREAD_ID UINT64_MAX

/* Writes the head of a batch but for its size, and returns where the content begins. */
uint8_t *gt_recorder_batch_head(uint8_t *to, uint64_t generation, uint64_t thread, uint64_t time);

/* Writes the size of the content before it. */
void gt_recorder_batch_length(uint8_t *content, size_t size);

/*
 * Replaces the buffer of a thread, which is in a section, by an empty one. Returns NULL if there is
 * no memory: events of the generation are then lost, which gt_recorder.losses tells.
 */
struct gt_recorder_buffer *gt_recorder_refill(gt_rec_thread *thread, uint64_t time);

/*
 * Writes a text that is in no table to the generation of the thread, which is in a section, and
 * returns its number there. A text that is too long is cut off. Returns 0 if there is no memory.
 */
uint64_t gt_recorder_put_text(gt_rec_thread *thread, gt_string text);

/*
 * Writes an event, whose arguments are a number and a stack, in a batch of its own, in the
 * generation of a thread, which is in a section.
 */
void gt_recorder_put_lead(gt_rec_thread *thread, uint64_t time, uint8_t type, uint64_t number,
                          uint64_t stack);

/* Adds the buffers of a thread in a generation, if there are any, to the queue. */
void gt_recorder_buffer_hand_over(gt_rec_thread *thread, uint64_t generation);

void gt_recorder_buffer_free(gt_recorder *recorder, struct gt_recorder_buffer *buffer);

/* Frees the buffers of a queue, which is then empty. */
void gt_recorder_queue_free(gt_recorder *recorder, struct gt_recorder_queue *queue);

/* Notes that events of the thread's generation could not be written. */
void gt_recorder_lose(gt_rec_thread *thread, gt_status status);

/*
 * Writes an event of a thread, which is in a section of a generation that is recorded. `count` is
 * constant, and at most 4.
 */
static inline void gt_recorder_put_list(gt_rec_thread *t, uint64_t time, uint8_t type,
                                        const uint64_t *arguments, size_t count)
{
    struct gt_recorder_buffer *buffer = t->events.buffers[t->generation & 1];
    if (!buffer || buffer->capacity - buffer->size < GT_BUFFER_EVENT)
        buffer = gt_recorder_refill(t, time);
    if (!buffer)
        return;
    uint64_t later = time > t->time ? time : t->time + 1;
    uint8_t *to = buffer->bytes + buffer->size;
    *to++ = type;
    to = gt_varint_put(to, later - t->time);
    for (size_t i = 0; i < count; i++)
        to = gt_varint_put(to, arguments[i]);
    t->time = later;
    buffer->size = (size_t) (to - buffer->bytes);
}

/* gt_recorder_put(thread, time, type, arguments...) */
#define gt_recorder_put(thread, time, type, ...)                                                   \
    gt_recorder_put_list((thread), (time), (type), (const uint64_t[]){__VA_ARGS__},                \
                         sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#define gt_recorder_put_bare(thread, time, type)                                                   \
    gt_recorder_put_list((thread), (time), (type), NULL, 0)

#endif
