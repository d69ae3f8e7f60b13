/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/check_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/getters.h"
#include "support/test.h"
#include "support/wire.h"

/* How many events are copied, and stacks numbered, for each input. */
#define COPIES 200

#define KNOWN_FLAGS                                                                                \
    (GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT | GT_READER_AS_RECORDED |       \
     GT_READER_AHEAD)

enum {
    HEADER = 16
};

/* What precedes the N of "go 1.N trace". */
#define BEFORE_VERSION "go 1."

static gt_status open_pieces(gt_reader **reader, const struct input *input, struct feed *feed,
                             const gt_reader_options *options, gt_error *error)
{
    input_feed(input, feed);
    return gt_reader_open_callback(reader, feed_read, feed, options, error);
}

/* `trouble`: the reading fails as the input says; otherwise it is from memory and nothing fails. */
static void read_all(struct digest *digest, const struct input *input, uint64_t flags,
                     unsigned workers, int trouble)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct input plain = *input;
    gt_reader *reader = NULL;
    struct probe probe;
    struct feed feed;

    if (!trouble) {
        plain.trouble = TROUBLE_NONE;
        plain.pieces = 0;
    }
    input_probe(&plain, &probe);
    options.flags = flags;
    options.allocator = &probe.allocator;
    options.memory_limit = input_limit(&plain);
    options.workers = workers;
    *digest = (struct digest){0};
    digest->error = (gt_error) GT_ERROR_INIT;
    if (plain.pieces && plain.trouble != TROUBLE_READ && (plain.pick & 1)) {
        input_feed(&plain, &feed);
        digest_push(digest, &feed, &options);
    } else if (plain.pieces)
        digest->status = open_pieces(&reader, &plain, &feed, &options, &digest->error);
    else
        digest->status =
            gt_reader_open_memory(&reader, plain.data, plain.size, &options, &digest->error);
    if (digest->status == GT_OK)
        digest_read(digest, &reader);
    assert_null(reader);
    input_check_memory(&plain, &probe, plain.size);
    input_check_failure(&plain, &probe, digest->status);
}

/* Asserts that batches give what single events have given. */
static void check_batches(const struct input *input, uint64_t flags, const struct digest *plain)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest batches;
    gt_reader *reader;

    options.flags = flags;
    if (gt_reader_open_memory(&reader, input->data, input->size, &options, NULL) != GT_OK)
        return;
    digest_read_batches(&batches, &reader);
    digest_assert_equal(&batches, plain);
    digest_free(&batches);
}

/* Returns the version, or 0 if none was read. */
static unsigned long read_version(const struct input *input, gt_status status)
{
    if (status == GT_ERR_NOT_A_TRACE || status == GT_ERR_VERSION)
        return 0;
    return strtoul((const char *) input->data + strlen(BEFORE_VERSION), NULL, 10);
}

/* Asserts that the id of the stack leads to equal frames. */
static void check_id(gt_reader *reader, gt_stack stack)
{
    const gt_frame *frames, *interned;
    size_t count, interned_count;
    uint32_t id;

    assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    assert_status(gt_stack_intern(reader, stack, &id), GT_OK);
    assert_status(gt_stack_interned(reader, id, &interned, &interned_count), GT_OK);
    assert_int_equal(interned_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(interned[i].pc, frames[i].pc);
        assert_int_equal(interned[i].function.size, frames[i].function.size);
        assert_memory_equal(interned[i].function.data, frames[i].function.data,
                            frames[i].function.size);
    }
}

/* Copies of events are equal to the events, also after the reader was closed. */
static void check_copies(const struct input *input, uint64_t flags)
{
    struct fold *fold = calloc(1, sizeof(*fold));
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_event *copies[COPIES];
    uint64_t hashes[COPIES];
    const gt_event *event;
    size_t count = 0;

    options.flags = flags;
    if (gt_reader_open_memory(&fold->reader, input->data, input->size, &options, NULL) != GT_OK) {
        free(fold);
        return;
    }
    while (count < COPIES && gt_reader_next_event(fold->reader, &event) == GT_OK) {
        check_id(fold->reader, gt_event_stack(event));
        fold->hash = 0;
        assert_status(fold_event(fold, event), GT_OK);
        hashes[count] = fold->hash;
        assert_status(gt_event_copy(fold->reader, event, NULL, &copies[count++]), GT_OK);
    }
    gt_reader_close(&fold->reader);
    for (size_t i = 0; i < count; i++) {
        fold->hash = 0;
        fold->copy = copies[i];
        assert_status(fold_event(fold, copies[i]), GT_OK);
        assert_true(fold->hash == hashes[i]);
        gt_event_free(&copies[i]);
    }
    free(fold);
}

/*
 * Whether the batches of an input, as far as they follow each other, are such as a program writes
 * them: all sizes are padded or none, none is of an experiment, the times are not before the first
 * one, and behind an end marker comes a batch. A lenient reader takes the others for another trace,
 * or for text, even if a strict one reads on.
 */
static bool is_usual(const struct input *input)
{
    const uint8_t *p = input->data + HEADER, *end = input->data + input->size;
    uint64_t first = 0, field[4];
    unsigned width = 0;

    while (p && p < end) {
        if (*p == EV_END_OF_GENERATION) {
            if (++p < end && *p != EV_EVENT_BATCH)
                return false;
            continue;
        }
        if (*p++ != EV_EVENT_BATCH)
            return p[-1] != EV_EXPERIMENTAL_BATCH;
        const uint8_t *size = p;
        for (unsigned i = 0; i < 4 && p; i++) {
            size = p;
            p = wire_varint_take(p, end, &field[i]);
        }
        if (!p || field[3] > (uint64_t) (end - p))
            return true;
        unsigned own = p - size == 10 ? 10 : 1;
        if ((width != 0 && width != own) || field[2] < first)
            return false;
        width = own;
        first = first ? first : field[2];
        p += field[3];
    }
    return true;
}

/* The number of repairs that a lenient reader makes. */
static uint64_t repair_count(const struct input *input, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    const gt_event *event;
    gt_reader *reader;

    options.flags = flags;
    if (gt_reader_open_memory(&reader, input->data, input->size, &options, NULL) != GT_OK)
        return 0;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        ;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    gt_reader_close(&reader);
    return info.repairs;
}

/*
 * A lenient reader reads any input that it opens to an end, and reads the same as a strict one if
 * that gets there; before Go 1.22 it may also take for text, or for another trace, what Go does not
 * write, and says so. For Go 1.22 and later its events begin with those of a strict reader; before
 * 1.26 the last generation is read as far as it goes, and a lenient reader may give more of it.
 */
static void check_strict(const struct input *input, uint64_t flags, const struct digest *lenient)
{
    struct digest strict;
    unsigned long version;

    read_all(&strict, input, flags & ~(uint64_t) GT_READER_LENIENT, 0, 0);
    version = read_version(input, strict.status);
    if (version > 0)
        assert_status(lenient->status, GT_END);
    if (version >= 22 && !is_usual(input))
        assert_true(lenient->count > 0);
    else if (strict.status == GT_END && (version >= 22 || repair_count(input, flags) == 0))
        digest_assert_equal(&strict, lenient);
    else if (version > LAST_OPEN)
        digest_assert_prefix(&strict, lenient);
    else if (version >= 22)
        assert_true(digest_common(&strict, lenient) >= strict.last_generation);
    digest_free(&strict);
}

/* What is told of a goroutine, a proc and a thread must agree. */
static void check_goroutine(gt_reader *reader, const gt_goroutine_info *goroutine)
{
    gt_goroutine_info again = GT_GOROUTINE_INFO_INIT;
    gt_thread_info thread = GT_THREAD_INFO_INIT;

    assert_non_null(goroutine->name.data);
    assert_non_null(goroutine->reason.data);
    assert_true(goroutine->previous_since <= goroutine->since);
    assert_status(gt_reader_goroutine(reader, goroutine->id, &again), GT_OK);
    assert_int_equal(again.number, goroutine->number);
    if (goroutine->thread == GT_NO_THREAD)
        return;
    assert_status(gt_reader_thread(reader, goroutine->thread, &thread), GT_OK);
    assert_int_equal(thread.goroutine, goroutine->id);
    assert_int_equal(thread.proc, goroutine->proc);
}

static void check_proc(gt_reader *reader, const gt_proc_info *proc)
{
    gt_thread_info thread = GT_THREAD_INFO_INIT;

    assert_true(proc->previous_since <= proc->since);
    if (proc->thread == GT_NO_THREAD)
        return;
    assert_status(gt_reader_thread(reader, proc->thread, &thread), GT_OK);
    assert_int_equal(thread.proc, proc->id);
    assert_int_equal(thread.goroutine, proc->goroutine);
}

static void check_live(gt_reader *reader)
{
    gt_goroutine_info goroutine = GT_GOROUTINE_INFO_INIT;
    gt_proc_info proc = GT_PROC_INFO_INIT;
    gt_thread_info thread = GT_THREAD_INFO_INIT;
    uint64_t last = 0;

    for (; gt_reader_next_goroutine(reader, &goroutine) == GT_OK; last = goroutine.number) {
        assert_true(goroutine.number > last);
        check_goroutine(reader, &goroutine);
    }
    while (gt_reader_next_proc(reader, &proc) == GT_OK)
        check_proc(reader, &proc);
    while (gt_reader_next_thread(reader, &thread) == GT_OK)
        assert_true(thread.proc != GT_NO_PROC || thread.goroutine != GT_NO_GOROUTINE);
}

/* Asks what lives, now and then, of a reader that may lack memory. */
static void track_all(const struct input *input, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    const gt_event *event;
    struct probe probe;

    input_probe(input, &probe);
    options.flags = flags | GT_READER_TRACK;
    options.allocator = &probe.allocator;
    options.memory_limit = input_limit(input);
    if (gt_reader_open_memory(&reader, input->data, input->size, &options, NULL) == GT_OK) {
        for (unsigned i = 0; gt_reader_next_event(reader, &event) == GT_OK; i++) {
            if (i % 61 == input->pick % 61u)
                check_live(reader);
        }
    }
    gt_reader_close(&reader);
    input_check_memory(input, &probe, input->size);
}

/* A reader that is cancelled anywhere says so, and says it again, unless it has ended before. */
static void check_cancel(const struct input *input, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const gt_event *event;
    gt_reader *reader;
    gt_status status = GT_OK, again;
    struct probe probe;

    probe_init(&probe);
    options.flags = flags;
    options.allocator = &probe.allocator;
    if (gt_reader_open_memory(&reader, input->data, input->size, &options, NULL) != GT_OK)
        return;
    for (unsigned i = 0; i < input->pick && status == GT_OK; i++)
        status = gt_reader_next_event(reader, &event);
    gt_reader_cancel(reader);
    again = gt_reader_next_event(reader, &event);
    assert_null(event);
    assert_status(again, status == GT_OK ? GT_CANCELLED : status);
    assert_status(gt_reader_next_event(reader, &event), again);
    gt_reader_close(&reader);
    probe_check(&probe);
}

void check_reader(const struct input *input)
{
    const uint64_t chosen = input->flags & KNOWN_FLAGS;
    const uint64_t flags = chosen & ~(uint64_t) GT_READER_AHEAD;
    struct digest plain, other;

    read_all(&plain, input, flags, 0, 0);
    read_all(&other, input, flags, 1 + input->pick % 3u, 0);
    digest_assert_equal(&other, &plain);
    digest_free(&other);
    read_all(&other, input, chosen, 0, 1);
    if (input_is_trouble(other.status))
        digest_assert_prefix(&other, &plain);
    else
        digest_assert_equal(&other, &plain);
    check_batches(input, chosen, &plain);
    check_copies(input, chosen);
    if (flags & GT_READER_LENIENT)
        check_strict(input, flags, &plain);
    track_all(input, flags);
    check_cancel(input, chosen);
    digest_free(&other);
    digest_free(&plain);
}
