/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_SYNTH_OUT_H
#define TESTS_BENCH_SYNTH_OUT_H

/*
 * Batches of a trace on their way to a file. A failure is kept, and everything
 * after it does nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The thread of batches that no thread owns. */
#define SYNTH_NONE UINT64_MAX

struct synth_out {
    FILE *file;
    uint64_t generation;
    /* The time of batches without events that begin. */
    uint64_t now;
    /* Bytes written, and those of events that batches still hold. */
    uint64_t bytes;
    uint64_t held;
    bool failed;
};

/* A batch being filled. */
struct synth_batch {
    uint8_t *data;
    size_t size;
    size_t capacity;
    uint64_t thread;
    /* The batch's own time, and that of its last event. */
    uint64_t base;
    uint64_t last;
};

void synth_out_begin(struct synth_out *out, FILE *file, unsigned version);

void synth_out_byte(struct synth_out *out, uint8_t byte);

/*
 * Adds an event at `time`, or right after the batch's last one where that is
 * not earlier; writes the batch out before where it is full.
 */
void synth_batch_event(struct synth_out *out, struct synth_batch *batch, uint64_t time,
                       uint8_t type, unsigned count, const uint64_t *arguments);

/*
 * Adds a record that is not an event: a type byte and numbers. A new batch
 * starts with the byte `kind` where that is not 0.
 */
void synth_batch_record(struct synth_out *out, struct synth_batch *batch, uint8_t kind,
                        uint8_t type, unsigned count, const uint64_t *numbers);

/* Adds bytes to the record begun last; `size` is at most 1024. */
void synth_batch_bytes(struct synth_out *out, struct synth_batch *batch, const void *bytes,
                       size_t size);

/* Writes a batch out, unless it is empty. It can be filled again. */
void synth_batch_flush(struct synth_out *out, struct synth_batch *batch);

void synth_batch_free(struct synth_batch *batch);

#endif
