/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/buffer.h"

#include <gotrace/wire.h>

#include "recorder/memory.h"
#include "recorder/texts.h"

enum {
    /* The capacity of the first buffer of a thread in a generation, and of the largest ones. */
    BUFFER_FIRST = 4096,
    BUFFER_LAST = GT_BUFFER_CONTENT,
    BUFFER_GROWTH = 4,
    /* How many ids of texts a thread takes at once, so that not all write to one place. */
    BUFFER_STRINGS = 64
};

uint8_t *gt_recorder_batch_head(uint8_t *to, uint64_t generation, uint64_t thread, uint64_t time)
{
    *to++ = GT_WIRE_EVENT_BATCH;
    to = gt_varint_put(to, generation);
    to = gt_varint_put(to, thread);
    to = gt_varint_put(to, time);
    return to + GT_BUFFER_LENGTH;
}

void gt_recorder_batch_length(uint8_t *content, size_t size)
{
    for (unsigned i = 0; i < GT_BUFFER_LENGTH; i++) {
        uint8_t more = i < GT_BUFFER_LENGTH - 1 ? 0x80 : 0;
        content[(int) i - GT_BUFFER_LENGTH] = (uint8_t) (((size >> (7 * i)) & 0x7f) | more);
    }
}

void gt_recorder_lose(gt_rec_thread *t, gt_status status)
{
    gt_atomic_set(&t->recorder->losses[t->generation & 1], (uint64_t) -status);
}

static void queue_add(gt_recorder *recorder, uint64_t generation, struct gt_recorder_buffer *buffer)
{
    gt_recorder_batch_length(buffer->bytes + buffer->content, buffer->size - buffer->content);
    buffer->next = NULL;
    gt_system_lock(&recorder->queueing);
    struct gt_recorder_queue *queue = &recorder->queues[generation & 1];
    if (queue->last)
        queue->last->next = buffer;
    else
        queue->first = buffer;
    queue->last = buffer;
    gt_system_unlock(&recorder->queueing);
}

static void slots_hand_over(gt_recorder *recorder, struct gt_recorder_slots *slots,
                            uint64_t generation)
{
    struct gt_recorder_buffer **slot = &slots->buffers[generation & 1];
    if (*slot)
        queue_add(recorder, generation, *slot);
    *slot = NULL;
    slots->sizes[generation & 1] = 0;
}

void gt_recorder_buffer_hand_over(gt_rec_thread *t, uint64_t generation)
{
    slots_hand_over(t->recorder, &t->events, generation);
    slots_hand_over(t->recorder, &t->strings, generation);
}

static size_t buffer_next_size(size_t last)
{
    if (last == 0)
        return BUFFER_FIRST;
    return last * BUFFER_GROWTH < BUFFER_LAST ? last * BUFFER_GROWTH : BUFFER_LAST;
}

/* Replaces a buffer of a thread by an empty one for a batch of `id`, the thread's or none. */
static struct gt_recorder_buffer *slots_refill(gt_rec_thread *t, struct gt_recorder_slots *slots,
                                               uint64_t id, uint64_t time)
{
    gt_recorder *recorder = t->recorder;
    size_t size = buffer_next_size(slots->sizes[t->generation & 1]);
    slots_hand_over(recorder, slots, t->generation);
    size_t bytes = sizeof(struct gt_recorder_buffer) + size + GT_BUFFER_HEAD;
    struct gt_recorder_buffer *buffer = gt_recorder_memory_alloc_events(recorder, bytes);
    if (!buffer) {
        gt_recorder_lose(t, gt_mem_failure(&recorder->mem));
        return NULL;
    }
    gt_recorder_memory_note(recorder, 0);
    uint8_t *content = gt_recorder_batch_head(buffer->bytes, t->generation, id, time);
    buffer->next = NULL;
    buffer->is_lead = false;
    buffer->content = buffer->size = (size_t) (content - buffer->bytes);
    buffer->capacity = buffer->content + size;
    slots->buffers[t->generation & 1] = buffer;
    slots->sizes[t->generation & 1] = size;
    return buffer;
}

struct gt_recorder_buffer *gt_recorder_refill(gt_rec_thread *t, uint64_t time)
{
    if (time > t->time)
        t->time = time;
    return slots_refill(t, &t->events, t->id, t->time);
}

void gt_recorder_put_lead(gt_rec_thread *t, uint64_t time, uint8_t type, uint64_t number,
                          uint64_t stack)
{
    struct gt_recorder_slots *slots = &t->events;
    slots_hand_over(t->recorder, slots, t->generation);
    gt_recorder_put(t, time, type, number, stack);
    struct gt_recorder_buffer *buffer = slots->buffers[t->generation & 1];
    if (!buffer)
        return;
    buffer->is_lead = true;
    slots_hand_over(t->recorder, slots, t->generation);
}

static struct gt_recorder_buffer *strings_refill(gt_rec_thread *t)
{
    struct gt_recorder_buffer *buffer = slots_refill(t, &t->strings, GT_NO_THREAD_ID, t->time);
    if (buffer)
        buffer->bytes[buffer->size++] = GT_WIRE_STRINGS;
    return buffer;
}

static uint64_t string_next_id(gt_rec_thread *t)
{
    if (t->next_string == t->last_string) {
        t->next_string = gt_atomic_add(&t->recorder->next_string, BUFFER_STRINGS);
        t->last_string = t->next_string + BUFFER_STRINGS;
    }
    return t->next_string++;
}

uint64_t gt_recorder_put_text(gt_rec_thread *t, gt_string text)
{
    size_t size = gt_recorder_text_cut(text.data, text.size);
    if (size == 0)
        return 0;
    struct gt_recorder_buffer *buffer = t->strings.buffers[t->generation & 1];
    if (!buffer || buffer->capacity - buffer->size < size + GT_BUFFER_EVENT)
        buffer = strings_refill(t);
    if (!buffer)
        return 0;
    uint64_t id = string_next_id(t);
    uint8_t *to = buffer->bytes + buffer->size;
    *to++ = GT_WIRE_STRING;
    to = gt_varint_put(to, id);
    to = gt_varint_put(to, size);
    memcpy(to, text.data, size);
    buffer->size = (size_t) (to + size - buffer->bytes);
    return id;
}

void gt_recorder_buffer_free(gt_recorder *recorder, struct gt_recorder_buffer *buffer)
{
    size_t size = buffer->capacity - buffer->content;
    gt_mem_free(&recorder->mem, buffer, sizeof(struct gt_recorder_buffer) + size + GT_BUFFER_HEAD);
}

void gt_recorder_queue_free(gt_recorder *recorder, struct gt_recorder_queue *queue)
{
    while (queue->first) {
        struct gt_recorder_buffer *buffer = queue->first;
        queue->first = buffer->next;
        gt_recorder_buffer_free(recorder, buffer);
    }
    queue->last = NULL;
}
