/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/generation.h"

#include "base/error.h"
#include "recorder/call.h"
#include "recorder/collector.h"
#include "recorder/list.h"
#include "recorder/modules.h"
#include "recorder/output.h"
#include "recorder/sample.h"
#include "recorder/sampler.h"
#include "recorder/section.h"
#include "recorder/stack.h"
#include "recorder/tables.h"
#include "recorder/window.h"

/* What existed before the end of a generation. */
struct generation_copy {
    struct gt_recorder_link *procs, *gos;
    uint64_t time;
};

bool gt_recorder_is_recording(const gt_recorder *recorder)
{
    return recorder->stream == GT_STREAM_OPEN || recorder->window.is_on;
}

/* Waits while a counter has the odd value that it has now. */
static void generation_wait_for(const struct gt_atomic *counter)
{
    uint64_t seen = gt_atomic_get_full(counter);
    while ((seen & 1) != 0 && gt_atomic_get(counter) == seen)
        gt_system_yield();
}

/*
 * Waits until no thread is in a section or takes a sample in which it was when this function was
 * called.
 */
static void generation_wait(gt_recorder *recorder)
{
    if (recorder->has_barrier)
        gt_system_barrier();
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        const gt_rec_thread *t = (const gt_rec_thread *) link;
        generation_wait_for(&t->sections);
        if (t->samples)
            generation_wait_for(&t->samples->taking);
    }
}

void gt_recorder_begin_generation(gt_recorder *recorder, enum gt_recorder_mode mode)
{
    uint64_t next = gt_recorder_number(recorder) + 1;
    gt_atomic_set_full(&recorder->generation, next << GT_MODE_BITS | mode);
    generation_wait(recorder);
    gt_recorder_sampler_set(recorder, mode == GT_MODE_ON);
}

/*
 * The first wait is for sections in which two threads may start one goroutine; the second one for
 * strict ones in which a word was changed before that was over.
 */
void gt_recorder_begin_strict(gt_recorder *recorder)
{
    gt_recorder_begin_generation(recorder, GT_MODE_STRICT);
    generation_wait(recorder);
    gt_recorder_call_part(recorder);
}

/* Frees the stacks of a generation that is over. */
static void generation_free_stacks(gt_recorder *recorder, uint64_t number)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next)
        gt_recorder_stacks_free((gt_rec_thread *) link, number);
}

static struct gt_recorder_link *generation_copy_words(struct gt_recorder_list *list)
{
    struct gt_recorder_link *first = gt_recorder_list_first(list);
    for (struct gt_recorder_link *link = first; link; link = link->next) {
        struct gt_recorder_resource *resource = (struct gt_recorder_resource *) link;
        resource->copied_word = gt_atomic_get(&resource->word);
        resource->copied_thread = gt_atomic_pointer_get(&resource->thread);
    }
    return first;
}

/*
 * Finds the threads of goroutines: see gt_recorder_set_go. The claim is read first, so that one of
 * another goroutine, which came later, is not taken for that of a goroutine that was lost before.
 */
static void generation_find_threads(gt_recorder *recorder)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        gt_rec_thread *t = (gt_rec_thread *) link;
        uint64_t claim = gt_atomic_get(&t->claim);
        gt_rec_go *go = gt_atomic_pointer_get(&t->go);
        if (go && go->resource.copied_word == claim)
            go->resource.copied_thread = t;
    }
}

/*
 * Copies all states. The copy of what turns out to have had no event in the generation is right for
 * all of it: a change since it began would have been an event.
 */
static struct generation_copy generation_copy(gt_recorder *recorder)
{
    struct generation_copy copy;
    copy.procs = generation_copy_words(&recorder->procs);
    copy.gos = generation_copy_words(&recorder->gos);
    generation_find_threads(recorder);
    copy.time = gt_recorder_clock_time(&recorder->clock);
    return copy;
}

/* Takes the last buffers of a generation from all threads. */
static void generation_collect(gt_recorder *recorder, uint64_t number)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next)
        gt_recorder_buffer_hand_over((gt_rec_thread *) link, number);
}

static bool silent_is_owned(const struct gt_recorder_resource *resource, uint64_t running,
                            uint64_t syscall)
{
    uint64_t state = gt_word_state(resource->copied_word);
    return state == running || state == syscall;
}

static bool silent_is_go_owned(const struct gt_recorder_resource *go)
{
    return silent_is_owned(go, GT_G_RUNNING, GT_G_SYSCALL);
}

static bool silent_is_proc_owned(const struct gt_recorder_resource *proc)
{
    return silent_is_owned(proc, GT_P_RUNNING, GT_P_SYSCALL);
}

/* Whether there was no event about a proc or goroutine in the generation that is over. */
static bool silent_is(struct gt_recorder_resource *resource, uint64_t number)
{
    return !gt_word_was_in(gt_atomic_get(&resource->word), number);
}

/* Begins a batch in the name of a thread, or continues that of none. */
static void silent_begin(gt_recorder *recorder, uint64_t number, uint64_t time, uint64_t thread)
{
    if (thread == GT_NO_THREAD_ID && gt_recorder_batch_has_room(recorder, GT_BUFFER_EVENT))
        return;
    gt_recorder_batch_end(recorder);
    gt_recorder_batch_begin(recorder, number, thread, time);
}

/* Writes the beginning of a status, at the time of the batch. */
static void silent_put(gt_recorder *recorder, uint64_t number, uint64_t time, uint64_t thread,
                       uint8_t type, uint64_t id)
{
    silent_begin(recorder, number, time, thread);
    gt_recorder_batch_byte(recorder, type);
    gt_recorder_batch_number(recorder, 0);
    gt_recorder_batch_number(recorder, id);
}

/* After a status: a range of it goes on. */
static void silent_put_active(gt_recorder *recorder, uint8_t type, uint64_t id)
{
    gt_recorder_batch_byte(recorder, type);
    gt_recorder_batch_number(recorder, 0);
    gt_recorder_batch_number(recorder, id);
}

static void silent_put_proc(gt_recorder *recorder, uint64_t number, uint64_t time,
                            const struct gt_recorder_resource *proc, uint64_t thread)
{
    silent_put(recorder, number, time, thread, GT_WIRE_PROC_STATUS, proc->id);
    gt_recorder_batch_number(recorder, gt_word_state(proc->copied_word));
    if (gt_word_has_range(proc->copied_word))
        silent_put_active(recorder, GT_WIRE_GC_SWEEP_ACTIVE, proc->id);
}

static void silent_put_go(gt_recorder *recorder, uint64_t number, uint64_t time,
                          const struct gt_recorder_resource *go, uint64_t thread)
{
    silent_put(recorder, number, time, thread, GT_WIRE_GO_STATUS_STACK, go->id);
    gt_recorder_batch_number(recorder, thread);
    gt_recorder_batch_number(recorder, gt_word_state(go->copied_word));
    gt_recorder_batch_number(recorder, ((const gt_rec_go *) go)->name);
    if (gt_word_has_range(go->copied_word))
        silent_put_active(recorder, GT_WIRE_GC_MARK_ASSIST_ACTIVE, go->id);
}

/* After the status of a goroutine that runs: how many procs may, unless somebody told. */
static void silent_put_procs(gt_recorder *recorder, uint64_t number)
{
    uint64_t count = gt_atomic_get(&recorder->proc_count);
    if (count == 0 || gt_atomic_get(&recorder->procs_told[number & 1]) == number)
        return;
    gt_atomic_set(&recorder->procs_told[number & 1], number);
    gt_recorder_batch_byte(recorder, GT_WIRE_PROCS_CHANGE);
    gt_recorder_batch_number(recorder, 0);
    gt_recorder_batch_number(recorder, count);
    gt_recorder_batch_number(recorder, 0);
}

/*
 * Writes the statuses of what had no event, first in the name of the threads that have it: these
 * wrote nothing in the generation, because their first event would have brought the statuses.
 */
static void generation_write_silent(gt_recorder *recorder, uint64_t number,
                                    const struct generation_copy *copy)
{
    for (struct gt_recorder_link *link = copy->procs; link; link = link->next) {
        struct gt_recorder_resource *proc = (struct gt_recorder_resource *) link;
        if (silent_is_proc_owned(proc) && silent_is(proc, number))
            silent_put_proc(recorder, number, copy->time, proc, proc->copied_thread->id);
    }
    for (struct gt_recorder_link *link = copy->gos; link; link = link->next) {
        struct gt_recorder_resource *go = (struct gt_recorder_resource *) link;
        if (!silent_is_go_owned(go) || !silent_is(go, number))
            continue;
        silent_put_go(recorder, number, copy->time, go, go->copied_thread->id);
        if (gt_word_state(go->copied_word) == GT_G_RUNNING)
            silent_put_procs(recorder, number);
    }
    gt_recorder_batch_end(recorder);
    for (struct gt_recorder_link *link = copy->procs; link; link = link->next) {
        struct gt_recorder_resource *proc = (struct gt_recorder_resource *) link;
        if (!silent_is_proc_owned(proc) && silent_is(proc, number) &&
            !gt_atomic_get(&((gt_rec_proc *) proc)->is_released))
            silent_put_proc(recorder, number, copy->time, proc, GT_NO_THREAD_ID);
    }
    for (struct gt_recorder_link *link = copy->gos; link; link = link->next) {
        struct gt_recorder_resource *go = (struct gt_recorder_resource *) link;
        bool exists = gt_word_state(go->copied_word) != GT_G_DEAD;
        if (exists && !silent_is_go_owned(go) && silent_is(go, number))
            silent_put_go(recorder, number, copy->time, go, GT_NO_THREAD_ID);
    }
    gt_recorder_batch_end(recorder);
}

/* In the first generation of the stream: that a cycle of the collector has begun before. */
static void generation_write_gc(gt_recorder *recorder, const struct gt_recorder_gc_part *gc)
{
    uint8_t batch[2 * GT_BUFFER_HEAD];
    if (!gc->is_open || gc->generation != gt_atomic_get(&recorder->first_streamed))
        return;
    const uint8_t *end = gt_recorder_gc_put_active(batch, gc, recorder->moment.time);
    gt_recorder_output_to_stream(recorder, batch, (size_t) (end - batch));
    recorder->has_gc = true;
}

static void generation_write_lead(gt_recorder *recorder, const struct gt_recorder_buffer *buffer,
                                  const struct gt_recorder_gc_part *gc)
{
    uint8_t batch[2 * GT_BUFFER_HEAD];
    const uint8_t *end = gt_recorder_gc_put_lead(batch, gc);
    bool is_first = recorder->output->to_stream && !recorder->has_gc;
    gt_recorder_output_lead(recorder, buffer->bytes, buffer->size, is_first ? batch : NULL,
                            (size_t) (end - batch));
    recorder->has_gc = recorder->has_gc || is_first;
}

/* Writes the buffers of a generation, and frees each: the window needs memory for it. */
static void generation_write_queue(gt_recorder *recorder, struct gt_recorder_queue *queue,
                                   const struct gt_recorder_gc_part *gc)
{
    while (queue->first) {
        struct gt_recorder_buffer *buffer = queue->first;
        if (buffer->is_lead)
            generation_write_lead(recorder, buffer, gc);
        else
            gt_recorder_output(recorder, buffer->bytes, buffer->size);
        queue->first = buffer->next;
        gt_recorder_buffer_free(recorder, buffer);
    }
    queue->last = NULL;
}

static void generation_write(gt_recorder *recorder, uint64_t number,
                             const struct generation_copy *copy)
{
    struct gt_recorder_gc_part gc = gt_recorder_gc_part(recorder, number);
    if (recorder->output->to_window)
        gt_recorder_window_open(recorder, number);
    gt_recorder_write_sync(recorder, number);
    /* What a window begins with is written after this. */
    if (recorder->output->to_window)
        gt_recorder_output_flush(recorder);
    generation_write_gc(recorder, &gc);
    generation_write_queue(recorder, &recorder->queues[number & 1], &gc);
    generation_write_silent(recorder, number, copy);
    gt_recorder_samples_write(recorder, number);
    gt_recorder_write_tables(recorder, number);
    if (recorder->version == GT_RECORDER_NEWEST)
        gt_recorder_output(recorder, (const uint8_t[]){GT_WIRE_END_OF_GENERATION}, 1);
    gt_recorder_output_flush(recorder);
    if (recorder->output->to_stream && recorder->error.status == GT_OK)
        gt_atomic_add(&recorder->generations, 1);
    if (recorder->output->to_window)
        gt_recorder_window_close(recorder, &gc);
}

static bool sweep_is_go_done(struct gt_recorder_link *link)
{
    return ((const gt_rec_go *) link)->is_leaving;
}

static bool sweep_is_thread_done(struct gt_recorder_link *link)
{
    return ((const gt_rec_thread *) link)->is_leaving;
}

/* Frees the elements of a list that are done, each of which has `size` bytes. */
static void sweep_list(gt_recorder *recorder, struct gt_recorder_list *list,
                       bool (*is_done)(struct gt_recorder_link *), size_t size)
{
    struct gt_recorder_link *before = NULL, *next;
    for (struct gt_recorder_link *link = gt_recorder_list_first(list); link; link = next) {
        next = link->next;
        if (is_done(link) && gt_recorder_list_remove(list, before, link))
            gt_mem_free(&recorder->mem, link, size);
        else
            before = link;
    }
}

/*
 * A thread that steals a proc may look at another thread for as long as it is in a section. So
 * those that were detached are marked before all sections are waited for. A goroutine that ended on
 * one thread may have been started on another one by mistake, which is seen after that.
 */
static void sweep_mark(gt_recorder *recorder)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        gt_rec_thread *thread = (gt_rec_thread *) link;
        thread->is_leaving = gt_atomic_get(&thread->is_detached);
    }
    for (link = gt_recorder_list_first(&recorder->gos); link; link = link->next) {
        gt_rec_go *go = (gt_rec_go *) link;
        go->is_leaving = gt_atomic_get(&go->is_released);
    }
}

/* What a thread still has stays. */
static void sweep_spare(gt_recorder *recorder)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        /* The goroutine may have been created just now. */
        gt_rec_go *go = gt_atomic_pointer_get(&((gt_rec_thread *) link)->go);
        if (go)
            go->is_leaving = false;
    }
}

static void sweep_free(gt_recorder *recorder)
{
    gt_atomic_set(&recorder->released, 0);
    sweep_spare(recorder);
    sweep_list(recorder, &recorder->gos, sweep_is_go_done, sizeof(gt_rec_go));
    sweep_list(recorder, &recorder->threads, sweep_is_thread_done, recorder->thread_size);
}

void gt_recorder_sweep(gt_recorder *recorder)
{
    sweep_mark(recorder);
    generation_wait(recorder);
    sweep_free(recorder);
}

/* After the generation could not be kept: all that was recorded ends there. */
static void generation_lose(gt_recorder *recorder, uint64_t number, gt_status status)
{
    if (recorder->output->to_stream && recorder->error.status == GT_OK)
        gt_error_set(&recorder->error, status, GT_NO_OFFSET, number,
                     "events were lost because there was no memory for them");
    if (recorder->output->to_window)
        gt_recorder_window_clear(recorder);
}

/* Why events of a generation, which is over, could not be kept, or GT_OK. */
static gt_status generation_loss(gt_recorder *recorder, uint64_t number)
{
    gt_status status = -(gt_status) gt_atomic_get(&recorder->losses[number & 1]);
    gt_atomic_set(&recorder->losses[number & 1], 0);
    return status;
}

/* Removes from the window what does not fit, and what is not needed. */
static void generation_tidy_window(gt_recorder *recorder, uint64_t number)
{
    uint64_t ended = gt_atomic_get(&recorder->stops_ended[number & 1]);
    uint64_t cut = gt_atomic_get(&recorder->stops_cut[number & 1]);
    gt_atomic_set(&recorder->stops_ended[number & 1], 0);
    gt_atomic_set(&recorder->stops_cut[number & 1], 0);
    if (!recorder->output->to_window)
        return;
    if (ended != 0)
        gt_recorder_window_note_stop(recorder, ~ended, number);
    if (cut != 0)
        gt_recorder_window_cut(recorder, cut - 1);
    gt_recorder_window_trim(recorder, recorder->moment.system.monotonic);
}

/* Ends the generation that has begun, when nothing is recorded any more because of an error. */
static void generation_drop(gt_recorder *recorder, uint64_t number)
{
    gt_recorder_begin_generation(recorder, GT_MODE_OFF);
    generation_collect(recorder, number + 1);
    generation_free_stacks(recorder, number + 1);
    gt_atomic_set(&recorder->losses[(number + 1) & 1], 0);
    gt_atomic_set(&recorder->stops_ended[(number + 1) & 1], 0);
    gt_atomic_set(&recorder->stops_cut[(number + 1) & 1], 0);
    gt_recorder_queue_free(recorder, &recorder->queues[(number + 1) & 1]);
}

/* Ends the stream after an error, or everything if there are no more numbers. */
static void generation_end_failed(gt_recorder *recorder, uint64_t number, bool stops)
{
    if (!stops && number + 4 > GT_LAST_GENERATION) {
        if (recorder->stream == GT_STREAM_OPEN && recorder->error.status == GT_OK)
            gt_error_set(&recorder->error, GT_ERR_LIMIT, GT_NO_OFFSET, number,
                         "there are no more numbers of generations");
        gt_recorder_window_clear(recorder);
        recorder->window.is_on = false;
        gt_atomic_set(&recorder->first_kept, GT_NO_GENERATION);
    }
    if (recorder->stream == GT_STREAM_OPEN && recorder->error.status != GT_OK) {
        recorder->stream = GT_STREAM_FAILED;
        gt_atomic_set(&recorder->first_streamed, GT_NO_GENERATION);
    }
    if (!stops && !gt_recorder_is_recording(recorder))
        generation_drop(recorder, number);
}

void gt_recorder_end_generation(gt_recorder *recorder, bool stops)
{
    uint64_t number = gt_recorder_number(recorder);
    struct gt_recorder_output *output = recorder->output;
    output->to_stream = gt_atomic_get(&recorder->first_streamed) <= number;
    output->to_window = gt_atomic_get(&recorder->first_kept) <= number;
    sweep_mark(recorder);
    gt_recorder_modules_update(recorder);
    struct generation_copy copy = generation_copy(recorder);
    struct gt_recorder_moment moment =
        gt_recorder_clock_moment(&recorder->clock, recorder->moment.time);
    gt_recorder_begin_generation(recorder, stops ? GT_MODE_OFF : GT_MODE_ON);
    generation_collect(recorder, number);
    gt_status loss = generation_loss(recorder, number);
    if (loss != GT_OK)
        generation_lose(recorder, number, loss);
    else if (output->to_stream || output->to_window)
        generation_write(recorder, number, &copy);
    recorder->moment = moment;
    generation_tidy_window(recorder, number);
    generation_free_stacks(recorder, number);
    gt_recorder_queue_free(recorder, &recorder->queues[number & 1]);
    generation_end_failed(recorder, number, stops);
    sweep_free(recorder);
}
