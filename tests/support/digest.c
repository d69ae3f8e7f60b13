/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/digest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/feed.h"
#include "support/getters.h"
#include "support/test.h"

static void append(struct digest *digest, uint64_t hash)
{
    if (digest->count == digest->capacity) {
        digest->capacity = digest->capacity ? 2 * digest->capacity : 64;
        digest->chain = realloc(digest->chain, digest->capacity * sizeof(*digest->chain));
        assert_non_null(digest->chain);
    }
    digest->chain[digest->count++] = hash;
}

/* Checks a Sync, and records where generations begin. */
static void note_sync(struct digest *digest, const gt_event *event, uint64_t *syncs)
{
    gt_sync sync = GT_SYNC_INIT;

    digest->bare_sync = 0;
    if (event->kind != GT_EVENT_SYNC) {
        assert_true(digest->count > 0);
        return;
    }
    assert_status(gt_event_sync(event, &sync), GT_OK);
    assert_int_equal(sync.number, *syncs + 1);
    *syncs = sync.number;
    if (sync.generation == 0)
        digest->bare_sync = 1;
    else
        digest->last_generation = digest->count;
}

static void check_end(struct digest *digest, gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error again = GT_ERROR_INIT;
    const gt_event *event;

    assert_status(gt_reader_error(reader, &digest->error), GT_OK);
    assert_status(digest->error.status, digest->status == GT_END ? GT_OK : digest->status);
    for (int i = 0; i < 3; i++) {
        event = (const gt_event *) digest;
        assert_status(gt_reader_next_event(reader, &event), digest->status);
        assert_null(event);
    }
    assert_status(gt_reader_error(reader, &again), GT_OK);
    assert_memory_equal(&again, &digest->error, sizeof(again));
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.events, digest->count);
    if (digest->status == GT_END)
        assert_true(digest->bare_sync);
}

/* Where the reading of a digest is. */
struct walk {
    struct digest *digest;
    struct fold *fold;
    int64_t last; /* the time of the last event */
    uint64_t syncs;
    gt_status lost; /* not GT_OK: a getter failed, which ends the reading */
    bool in_batches;
    size_t calls;
};

static void walk_begin(struct walk *walk, struct digest *digest, gt_reader *reader, bool in_batches)
{
    *walk =
        (struct walk){digest, calloc(1, sizeof(*walk->fold)), INT64_MIN, 0, GT_OK, in_batches, 0};
    assert_non_null(walk->fold);
    walk->fold->reader = reader;
    memset(digest, 0, sizeof(*digest));
    digest->error = (gt_error) GT_ERROR_INIT;
}

/* Returns whether the reading goes on. */
static bool walk_event(struct walk *walk, const gt_event *event)
{
    assert_non_null(event);
    assert_true(event->time > walk->last);
    walk->last = event->time;
    note_sync(walk->digest, event, &walk->syncs);
    walk->lost = fold_event(walk->fold, event);
    if (walk->lost == GT_OK)
        append(walk->digest, walk->fold->hash);
    return walk->lost == GT_OK;
}

/* All events of a batch are current events, and they are counted together. */
static gt_status walk_batch(struct walk *walk, gt_reader *reader)
{
    const gt_event *const *events = NULL;
    size_t count = 1, before = walk->digest->count;
    gt_status status = gt_reader_next_events(reader, &events, &count);

    if (status != GT_OK) {
        assert_null(events);
        assert_int_equal(count, 0);
        assert_int_equal(gt_reader_event_number(reader), 0);
        return status;
    }
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(gt_reader_has_event(reader, events[i]), 1);
        if (!walk_event(walk, events[i]))
            return walk->lost;
    }
    assert_int_equal(gt_reader_event_number(reader), before + count);
    assert_int_equal(gt_reader_has_event(reader, (const gt_event *) &events[0]->time), 0);
    assert_int_equal(gt_reader_has_event(reader, (const gt_event *) &walk->syncs), 0);
    return GT_OK;
}

static gt_status walk_one(struct walk *walk, gt_reader *reader)
{
    const gt_event *event;
    gt_status status = gt_reader_next_event(reader, &event);

    if (status != GT_OK) {
        assert_null(event);
        return status;
    }
    return walk_event(walk, event) ? GT_OK : walk->lost;
}

/* Reads events as far as there are any, and returns why there are no others. */
static gt_status walk_on(struct walk *walk, gt_reader *reader)
{
    struct digest *digest = walk->digest;

    do {
        bool in_batch = walk->in_batches && walk->calls++ % 4 != 3;
        digest->status = in_batch ? walk_batch(walk, reader) : walk_one(walk, reader);
    } while (digest->status == GT_OK);
    return digest->status;
}

static void walk_end(struct walk *walk, gt_reader **reader)
{
    if (walk->lost == GT_OK)
        check_end(walk->digest, *reader);
    free(walk->fold);
    gt_reader_close(reader);
    assert_null(*reader);
}

static void digest_read_by(struct digest *digest, gt_reader **reader, bool in_batches)
{
    struct walk walk;

    walk_begin(&walk, digest, *reader, in_batches);
    walk_on(&walk, *reader);
    walk_end(&walk, reader);
}

void digest_read(struct digest *digest, gt_reader **reader)
{
    digest_read_by(digest, reader, false);
}

void digest_read_batches(struct digest *digest, gt_reader **reader)
{
    digest_read_by(digest, reader, true);
}

static void digest_push_by(struct digest *digest, const struct feed *feed,
                           const gt_reader_options *options, bool in_batches)
{
    struct walk walk;
    struct feed rest = *feed;
    gt_reader *reader;
    gt_status status = gt_reader_open_push(&reader, options, NULL);

    if (status != GT_OK) {
        *digest = (struct digest){.status = status, .error = GT_ERROR_INIT};
        return;
    }
    walk_begin(&walk, digest, reader, in_batches);
    while (rest.position < rest.size && (status = walk_on(&walk, reader)) == GT_AGAIN) {
        size_t left = rest.size - rest.position;
        size_t step = rest.steps ? rest.steps[rest.step++ % rest.step_count] : left;
        step = step < left ? step : left;
        status = gt_reader_feed(reader, rest.data + rest.position, step);
        if (status != GT_OK)
            break;
        rest.position += step;
    }
    if (status == GT_OK || status == GT_AGAIN) {
        assert_status(gt_reader_finish(reader), GT_OK);
        status = walk_on(&walk, reader);
        assert_true(status != GT_AGAIN);
    }
    /* Feeding may fail where reading has not. */
    if (digest->status == GT_AGAIN) {
        digest->status = digest->error.status = status;
        walk.lost = status;
    }
    walk_end(&walk, &reader);
}

void digest_push(struct digest *digest, const struct feed *feed, const gt_reader_options *options)
{
    digest_push_by(digest, feed, options, false);
}

void digest_push_batches(struct digest *digest, const struct feed *feed,
                         const gt_reader_options *options)
{
    digest_push_by(digest, feed, options, true);
}

void digest_memory(struct digest *digest, const void *data, size_t size,
                   const gt_reader_options *options)
{
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_reader_open_memory(&reader, data, size, options, &error);

    if (status == GT_OK) {
        digest_read(digest, &reader);
        return;
    }
    assert_null(reader);
    memset(digest, 0, sizeof(*digest));
    digest->status = status;
    digest->error = error;
}

void digest_free(struct digest *digest)
{
    free(digest->chain);
    memset(digest, 0, sizeof(*digest));
}

size_t digest_common(const struct digest *a, const struct digest *b)
{
    size_t i = 0;

    while (i < a->count && i < b->count && a->chain[i] == b->chain[i])
        i++;
    return i;
}

void digest_assert_equal(const struct digest *a, const struct digest *b)
{
    assert_status(a->status, b->status);
    assert_int_equal(a->count, b->count);
    assert_int_equal(digest_common(a, b), a->count);
    assert_int_equal(a->error.offset, b->error.offset);
    assert_int_equal(a->error.generation, b->error.generation);
    assert_string_equal(a->error.message, b->error.message);
}

void digest_assert_prefix(const struct digest *part, const struct digest *whole)
{
    size_t count = part->count;

    if (part->bare_sync && digest_common(part, whole) < count)
        count--;
    assert_in_range(digest_common(part, whole), count, part->count);
}
