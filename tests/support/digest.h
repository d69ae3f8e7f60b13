/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_DIGEST_H
#define TESTS_SUPPORT_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* The newest version without an end marker of generations. */
#define LAST_OPEN 25

/* A summary of a whole reading, to compare readings. Starts as zeros. */
struct digest {
    /* How the reading ended: GT_END or an error, and the result of gt_reader_error. */
    gt_status status;
    gt_error error;
    /* chain[i] is a hash of everything in the events 0 to i. */
    uint64_t *chain;
    size_t count;
    size_t capacity;
    /* The number of events before the last Sync that begins a generation. */
    size_t last_generation;
    /* The last event is a Sync that begins no generation. */
    int bare_sync;
};

/*
 * Reads every event through every getter, and closes the reader. Asserts what holds for any input:
 * times increase, Syncs are numbered, and the end is permanent.
 */
void digest_read(struct digest *digest, gt_reader **reader);

/*
 * The same by gt_reader_next_events, with single events between its calls. Asserts what holds for
 * these events besides.
 */
void digest_read_batches(struct digest *digest, gt_reader **reader);

struct feed;

/* Feeds a reader piece by piece, and reads what there is before each piece and after the last. */
void digest_push(struct digest *digest, const struct feed *feed, const gt_reader_options *options);

/* The same by gt_reader_next_events. */
void digest_push_batches(struct digest *digest, const struct feed *feed,
                         const gt_reader_options *options);

/* The same as digest_read for a trace in memory, with options or NULL. */
void digest_memory(struct digest *digest, const void *data, size_t size,
                   const gt_reader_options *options);

void digest_free(struct digest *digest);

/* The number of events from the start that two readings have in common. */
size_t digest_common(const struct digest *a, const struct digest *b);

/* Asserts that two readings gave the same events and the same end. */
void digest_assert_equal(const struct digest *a, const struct digest *b);

/*
 * Asserts that the events of `part` are the first ones of `whole`, except for a last Sync that
 * begins no generation, which the reader gives before an error.
 */
void digest_assert_prefix(const struct digest *part, const struct digest *whole);

#endif
