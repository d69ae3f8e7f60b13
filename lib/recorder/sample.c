/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/sample.h"

#include <string.h>

#include "recorder/list.h"
#include "recorder/output.h"
#include "recorder/section.h"
#include "recorder/stack.h"

enum {
    /* The most frames, where events have no stacks. */
    SAMPLE_DEPTH = 32,
    /* Of a record in the ring, before its addresses: their count and the generation, the time, the
       proc and the goroutine. */
    SAMPLE_HEAD = 4,
    SAMPLE_COUNT_BITS = 8,
    /* The sizes of rings: 57 samples of 32 frames in 16 KiB, and four times as many. */
    SAMPLE_WORDS_LEAST = 2048,
    SAMPLE_WORDS_MOST = 8192
};

/* No proc or no goroutine. */
static const uint64_t SAMPLE_NONE = UINT64_MAX;

/* The most frames of a sample. */
static size_t sample_depth(const gt_recorder *recorder)
{
    return recorder->stack_depth > 0 ? (size_t) recorder->stack_depth : SAMPLE_DEPTH;
}

/*
 * The ring has room for the samples that a thread which works all the time has in one period, with
 * up to SAMPLE_DEPTH frames each. Its size is a power of two.
 */
uint64_t gt_recorder_sample_words(const gt_recorder *recorder)
{
    size_t depth = sample_depth(recorder);
    uint64_t of_one = SAMPLE_HEAD + 1 + (depth < SAMPLE_DEPTH ? depth : SAMPLE_DEPTH);
    uint64_t periods = recorder->period / 1000000 * recorder->sample_hz / 1000;
    uint64_t words = SAMPLE_WORDS_LEAST;
    if ((recorder->flags & GT_RECORDER_SAMPLES) == 0)
        return 0;
    while (words < SAMPLE_WORDS_MOST && words / of_one <= periods)
        words *= 2;
    return words;
}

size_t gt_recorder_samples_size(const gt_recorder *recorder)
{
    size_t words = (size_t) recorder->sample_words;
    return words > 0 ? offsetof(struct gt_recorder_samples, words) + words * sizeof(uint64_t) : 0;
}

void gt_recorder_samples_init(gt_rec_thread *t, void *memory)
{
    t->samples = t->recorder->sample_words > 0 ? memory : NULL;
    /* The ring is written before it is read. */
    if (t->samples)
        memset(t->samples, 0, offsetof(struct gt_recorder_samples, words));
}

/* The addresses of the interrupted code, and the name of the goroutine. Returns how many. */
static size_t sample_unwind(gt_rec_thread *t, const void *context, const void *frame, uint64_t *pcs)
{
    size_t count = gt_recorder_stack_interrupted(t, context, frame, pcs, sample_depth(t->recorder));
    return gt_recorder_stack_add_name(t, pcs, count);
}

static bool samples_put(gt_rec_thread *t, uint64_t generation, const uint64_t *head, size_t count)
{
    struct gt_recorder_samples *samples = t->samples;
    uint64_t at = gt_atomic_peek(&samples->written);
    uint64_t size = t->recorder->sample_words;
    if (SAMPLE_HEAD + count > size - (at - gt_atomic_get(&samples->read)))
        return false;
    samples->words[at++ & (size - 1)] = generation << SAMPLE_COUNT_BITS | count;
    for (size_t i = 1; i < SAMPLE_HEAD; i++)
        samples->words[at++ & (size - 1)] = head[i];
    for (size_t i = 0; i < count; i++)
        samples->words[at++ & (size - 1)] = samples->pcs[i];
    gt_atomic_set(&samples->written, at);
    return true;
}

static void sample_take(gt_rec_thread *t, uint64_t generation, const void *context,
                        const void *frame)
{
    const gt_rec_proc *proc = gt_recorder_own_proc(t);
    const gt_rec_go *go = gt_recorder_own_go(t);
    uint64_t head[SAMPLE_HEAD] = {0, gt_recorder_clock(t), proc ? proc->resource.id : SAMPLE_NONE,
                                  go ? go->resource.id : SAMPLE_NONE};
    size_t count = sample_unwind(t, context, frame, t->samples->pcs);
    if (!samples_put(t, generation, head, count))
        gt_atomic_add(&t->recorder->lost_samples, 1);
}

void gt_rec_sample(gt_rec_thread *t, const void *ucontext)
{
    if (!t || !t->samples)
        return;
    struct gt_atomic *taking = &t->samples->taking;
    if (!gt_recorder_records(t->recorder))
        return;
    if (gt_atomic_peek(taking) & 1) {
        gt_atomic_add(&t->recorder->lost_samples, 1);
        return;
    }
    /* As in a section, whoever replaces the tables of stacks waits for this. */
    uint64_t generation = gt_recorder_enter_part(t->recorder, taking, gt_atomic_peek(taking) + 1);
    if (gt_recorder_mode_of(generation) == GT_MODE_ON)
        sample_take(t, generation >> GT_MODE_BITS, ucontext, __builtin_frame_address(0));
    gt_atomic_light_fence();
    gt_atomic_set(taking, gt_atomic_peek(taking) + 1);
}

/* Makes room in a batch of samples. */
static void sample_reserve(gt_recorder *recorder, uint64_t generation)
{
    if (gt_recorder_batch_has_room(recorder, GT_BUFFER_EVENT))
        return;
    gt_recorder_batch_end(recorder);
    gt_recorder_batch_begin(recorder, generation, GT_NO_THREAD_ID, recorder->moment.time);
    gt_recorder_batch_byte(recorder, GT_WIRE_CPU_SAMPLES);
}

/* `head` is that of a record, whose addresses are in `pcs`. */
static void sample_write(gt_rec_thread *t, uint64_t generation, const uint64_t *head,
                         const uint64_t *pcs, size_t count)
{
    gt_recorder *recorder = t->recorder;
    uint64_t stack = count > 0 ? gt_recorder_stack_of_sample(t, generation, pcs, count) : 0;
    sample_reserve(recorder, generation);
    gt_recorder_batch_byte(recorder, GT_WIRE_CPU_SAMPLE);
    gt_recorder_batch_number(recorder, head[1]);
    gt_recorder_batch_number(recorder, t->id);
    gt_recorder_batch_number(recorder, head[2]);
    gt_recorder_batch_number(recorder, head[3]);
    gt_recorder_batch_number(recorder, stack);
}

/* Copies words of the ring. */
static void samples_copy(const gt_rec_thread *t, uint64_t at, uint64_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = t->samples->words[(at + i) & (t->recorder->sample_words - 1)];
}

/*
 * Writes the samples of a thread up to the first one of a later generation. One that came when the
 * generation before was written already is in this one, and older ones are of another recording.
 */
static void samples_write_thread(gt_rec_thread *t, uint64_t generation)
{
    struct gt_recorder_samples *samples = t->samples;
    uint64_t head[SAMPLE_HEAD], *pcs = t->recorder->output->pcs;
    uint64_t at = gt_atomic_peek(&samples->read), end = gt_atomic_get(&samples->written);
    while (at != end) {
        samples_copy(t, at, head, SAMPLE_HEAD);
        uint64_t taken = head[0] >> SAMPLE_COUNT_BITS;
        size_t count = head[0] & ((1 << SAMPLE_COUNT_BITS) - 1);
        if (taken > generation)
            break;
        samples_copy(t, at + SAMPLE_HEAD, pcs, count);
        if (taken + 1 >= generation)
            sample_write(t, generation, head, pcs, count);
        at += SAMPLE_HEAD + count;
    }
    gt_atomic_set(&samples->read, at);
}

void gt_recorder_samples_write(gt_recorder *recorder, uint64_t generation)
{
    if (recorder->sample_words == 0)
        return;
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next)
        samples_write_thread((gt_rec_thread *) link, generation);
    gt_recorder_batch_end(recorder);
}
