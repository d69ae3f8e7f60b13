/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RECORDER_SCENE_H
#define TESTS_RECORDER_SCENE_H

#include "recorder/recorded.h"

/* A recorder with a thread that has a proc, and a trace. */
struct scene {
    gt_recorder *recorder;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_rec_text name;
    struct recorded trace;
};

void scene_open(struct scene *s);

/* The same with other options. */
void scene_open_with(struct scene *s, const gt_recorder_options *options);
void scene_close(struct scene *s);

/* Starts to record a new trace. */
void scene_start(struct scene *s);

/* Creates a goroutine that has a name. */
gt_rec_go *scene_go(struct scene *s);

/* Creates such a goroutine, and runs it. */
gt_rec_go *scene_run(struct scene *s);

/* The goroutine runs and stops so often. */
void scene_run_and_stop(const struct scene *s, gt_rec_go *go, unsigned times);

/* Starts a window of at most so many bytes, and of any age. */
void scene_window(const struct scene *s, uint64_t max_bytes);

/* Opens a scene with such a window. */
void scene_open_window(struct scene *s, uint64_t max_bytes);

/* Writes the window to the trace, anew. */
void scene_write_window(struct scene *s);

uint64_t scene_window_bytes(const struct scene *s);

/*
 * Stops, sees that all readers accept the trace, and that it has these events besides changes of
 * states, each as words, and a semicolon after it.
 */
void scene_expect(struct scene *s, const char *expected);

#endif
