/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/digest.h"

#include <stdlib.h>
#include <string.h>

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

void digest_read(struct digest *digest, gt_reader **reader)
{
    struct fold *fold = calloc(1, sizeof(*fold));
    const gt_event *event;
    int64_t last = INT64_MIN;
    uint64_t syncs = 0;
    gt_status lost = GT_OK;

    assert_non_null(fold);
    fold->reader = *reader;
    memset(digest, 0, sizeof(*digest));
    digest->error = (gt_error) GT_ERROR_INIT;
    while ((digest->status = gt_reader_next_event(*reader, &event)) == GT_OK) {
        assert_non_null(event);
        assert_true(event->time > last);
        last = event->time;
        note_sync(digest, event, &syncs);
        lost = fold_event(fold, event);
        if (lost != GT_OK)
            break;
        append(digest, fold->hash);
    }
    if (lost == GT_OK)
        check_end(digest, *reader);
    else
        digest->status = lost;
    free(fold);
    gt_reader_close(reader);
    assert_null(*reader);
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
