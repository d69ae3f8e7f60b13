/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ANSWER_H
#define GT_WEB_ANSWER_H

/*
 * Parts of answers that several endpoints have in common. Functions that take a store or one of its
 * rows require that the store is locked for reading. Where a function takes a key, it writes the
 * key and the value.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/json.h"

enum {
    /* In bytes. A longer title is cut between two characters. */
    GT_ANSWER_TITLE_MAX = 1024,
    /* The most frames of a stack that are written, from the leaf on. */
    GT_ANSWER_FRAMES_MAX = 1024
};

/* The names of the GT_STORE_CLASSES classes of spans, such as "running". */
extern const char *const gt_answer_classes[];
/* The names of the GT_STORE_VIEWS views, such as "goroutine". */
extern const char *const gt_answer_views[];

/* Returns whether a goroutine in a span of class `cls` waits. */
bool gt_answer_is_waiting(uint32_t cls);

/*
 * Returns how many bytes of a text fit into `room` bytes without cutting a UTF-8 character in two.
 */
size_t gt_answer_fitting(gt_string text, size_t room);

/*
 * Writes the title of a row, such as "G12 main.worker", without a NUL. Returns its size in bytes.
 */
size_t gt_answer_title(const struct gt_store_row *row, char title[GT_ANSWER_TITLE_MAX]);

/* Writes the title of a row. */
void gt_answer_key_title(struct gt_json *json, const char *key, const struct gt_store_row *row);

/* Writes the members "view", "ordinal", "id" and "title" of a row. */
void gt_answer_row(struct gt_json *json, const struct gt_store_row *row);

/* Returns the sum of the times of all classes. */
int64_t gt_answer_all_time(const int64_t time[GT_STORE_CLASSES]);

/*
 * Writes an object with the time of each class, in nanoseconds, without the classes whose time is
 * 0.
 */
void gt_answer_times(struct gt_json *json, const char *key, const int64_t time[GT_STORE_CLASSES]);

/*
 * Writes a pc as a string such as "0x45d2c0", as JavaScript cannot represent all 64-bit numbers.
 */
void gt_answer_pc(struct gt_json *json, const char *key, uint64_t pc);

/* Writes a frame of a stack as an object. */
void gt_answer_frame(struct gt_json *json, gt_string function, gt_string file, uint64_t line,
                     uint64_t pc);

/* Writes an array with the frames of a stack, leaf first. */
void gt_answer_stack(struct gt_json *json, const char *key, const struct gt_store *store,
                     uint32_t stack);

/* Writes {"id","ordinal","title"} of a goroutine, or null if there is no such goroutine. */
void gt_answer_goroutine(struct gt_json *json, const char *key, const struct gt_store *store,
                         uint32_t ordinal);

/* Writes {"track","index"}, or null if `track` is GT_STORE_NONE. */
void gt_answer_place(struct gt_json *json, const char *key, uint32_t track, uint32_t index);

/* Returns the track of a goroutine's states, or GT_STORE_NONE if there is none. */
uint32_t gt_answer_states(const struct gt_store *store, uint32_t goroutine);

/*
 * Finds the span of a goroutine's states that contains `time`, and stores it in `*span`. Returns
 * the track of the states, or GT_STORE_NONE if there is no such span; `*span` is then undefined.
 */
uint32_t gt_answer_state_at(const struct gt_store *store, uint32_t goroutine, int64_t time,
                            struct gt_span *span);

/*
 * Returns the ordinal of the row in which a goroutine was at `time`: its own in the view of
 * goroutines, otherwise that of its proc or thread. Returns GT_STORE_NONE if there is no such row.
 */
uint32_t gt_answer_row_at(const struct gt_store *store, uint32_t view, uint32_t goroutine,
                          int64_t time);

/*
 * Writes the title of a span, without a NUL: in the view of procs or threads the goroutine that
 * runs there, otherwise the reason or the region, or else the name of the state. Returns its size
 * in bytes.
 */
size_t gt_answer_span_name(const struct gt_store *store, uint32_t view, const struct gt_span *span,
                           char title[GT_ANSWER_TITLE_MAX]);

#endif
