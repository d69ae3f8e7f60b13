/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_TIMELINE_DRAWING_H
#define TESTS_TIMELINE_DRAWING_H

#include <gotrace/timeline.h>

#include "support/wire.h"

/*
 * A trace that a test writes, and what a timeline draws of it: a line for each event of the
 * emitter, such as
 *
 *     X 0/3 @1500+20 name cat=c s=t sf=main.f esf=main.g {key=5,other="text"}
 *
 * which has its phase, section and row, time and duration; members that are empty or 0 are
 * omitted. A stack is shown by its leaf. All members but the options begin as zeros.
 */
struct drawing {
    struct wire wire;
    gt_timeline_options options;
    uint64_t emitter_flags;
    /* 0 for no selector. */
    uint32_t selection;
    uint64_t id;
    /* The allocator of everything that is opened; may be NULL. */
    const gt_allocator *allocator;
    /* The consumer's call, from 1, that asks to end; 0 for none. */
    size_t end_at;
    size_t calls;
    /* The results. */
    gt_status status;
    gt_timeline_info info;
    char *text;
    size_t size;
    size_t capacity;
    char **frames;
    size_t frame_count;
};

/* Begins a trace of Go 1.23, whose first event has time 1, which is 0 in the drawing. */
void drawing_begin(struct drawing *drawing);

/* Writes a string, or a stack of one frame of that function. */
void drawing_names(struct drawing *drawing, const char *const *names, size_t count);

/* The numbers of the names that drawing_begin_running writes: strings and stacks. */
enum {
    MAIN_MAIN = 1,
    MAIN_WORK,
    CHAN,
    NETWORK,
    LABEL,
    NAMES = LABEL
};

/*
 * Begins a trace with these names, in which goroutine 1 runs on proc `proc` of thread 5 from the
 * start, which is 0. The batch of the thread stays open.
 */
void drawing_begin_running(struct drawing *drawing, uint64_t proc);

/*
 * Ends the open batch and draws the trace again. Drawing goes on as far as it can, and everything
 * is closed afterwards; the first failure is in drawing->status.
 */
void drawing_run(struct drawing *drawing);

/* The same, but asserts that it succeeds. */
void drawing_draw(struct drawing *drawing, uint32_t view, uint64_t flags);

void drawing_free(struct drawing *drawing);

/* Returns the number of equal lines. */
size_t drawing_count(const struct drawing *drawing, const char *line);

/* Asserts the number of equal lines. */
#define assert_drawn(drawing, line, times)                                                         \
    drawing_check((drawing), (line), (times), __FILE__, __LINE__)
void drawing_check(const struct drawing *drawing, const char *line, size_t times, const char *file,
                   int source_line);

#endif
