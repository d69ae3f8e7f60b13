/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_LIMITS_WAYS_H
#define TESTS_LIMITS_WAYS_H

/* The ways in which a program can use the library on a trace in memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* One trace and one use of the library. */
struct way_run {
    const uint8_t *data;
    size_t size;
    /* GT_READER_ bits, if a gt_reader takes part. */
    uint64_t flags;
    /* Those of the object that the way is about; all other objects have no limit. */
    const gt_allocator *allocator;
    uint64_t limit;
    /* Receives the output, which is the same for the same trace. May be NULL. */
    void (*take)(void *user_data, const void *bytes, size_t size);
    void *user_data;

    /*
     * The members from here on are results. How the object ended; GT_END for a reader at its end.
     */
    gt_status status;
    /* Whether the object reports its memory, and what it reports. */
    int told;
    uint64_t peak;
    /* How many bytes of the input were read. */
    uint64_t bytes;
    /* The size of the longest text of an error, a repair or a finding, including its NUL. */
    size_t text;
};

struct way {
    const char *name;
    void (*run)(struct way_run *run);
    /* Whether it depends on way_run.flags. */
    bool has_flags;
};

extern const struct way ways[];
extern const size_t way_count;

/* A run without a limit on memory. */
struct way_run way_begin(const uint8_t *data, size_t size, uint64_t flags);

/* Outputs `size` bytes. */
void way_give(struct way_run *run, const void *bytes, size_t size);
/* Outputs numbers as bytes. */
void way_give_number(struct way_run *run, uint64_t number);
/* A gt_write_fn whose user_data is the run. */
int way_write(void *user_data, const void *bytes, size_t size);

/*
 * Records the size of a text in a buffer of `size` bytes; without NUL it counts as larger than
 * that.
 */
void way_note_text(struct way_run *run, const char *text, size_t size);

/* Opens a reader. `is_subject`: the way is about the reader. */
gt_status way_open_reader(struct way_run *run, gt_reader **reader, bool is_subject);
/* Records its error and how much it has read, and closes it. */
void way_close_reader(struct way_run *run, gt_reader **reader);

/* See ways_read.c, ways_fold.c, ways_draw.c and ways_tables.c. */
void way_events(struct way_run *run);
void way_stream(struct way_run *run);
void way_records(struct way_run *run);
void way_to_text(struct way_run *run);
void way_to_bytes(struct way_run *run);
void way_from_text(struct way_run *run);
void way_validate(struct way_run *run);
void way_summary(struct way_run *run);
void way_summary_drop(struct way_run *run);
void way_profile(struct way_run *run);
void way_profile_regions(struct way_run *run);
void way_mmu(struct way_run *run);
void way_mmu_procs(struct way_run *run);
void way_latency(struct way_run *run);
void way_select_goroutine(struct way_run *run);
void way_select_task(struct way_run *run);
void way_timeline(struct way_run *run);
void way_timeline_threads(struct way_run *run);
void way_timeline_states(struct way_run *run);
void way_emitter(struct way_run *run);
void way_json(struct way_run *run);
void way_perfetto(struct way_run *run);
void way_split(struct way_run *run);
void way_columns(struct way_run *run);
void way_parquet(struct way_run *run);

#endif
