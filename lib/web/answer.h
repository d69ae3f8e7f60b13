/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ANSWER_H
#define GT_WEB_ANSWER_H

/* Parts of answers that several endpoints have in common. The store is locked for reading. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/json.h"

enum {
    /* A longer title is cut. */
    GT_ANSWER_TITLE_MAX = 1024,
    GT_ANSWER_FRAMES_MAX = 1024
};

/* The names of the classes of spans, such as "running"; GT_STORE_CLASSES of them. */
extern const char *const gt_answer_classes[];
/* The names of the views, such as "goroutine"; GT_STORE_VIEWS of them. */
extern const char *const gt_answer_views[];

/* Whether a goroutine of that class of time waits. */
bool gt_answer_is_waiting(uint32_t cls);

/* How much of a text fits into `room` bytes with no character of UTF-8 cut in two. */
size_t gt_answer_fitting(gt_string text, size_t room);

/* What a row is called, such as "G12 main.worker". Returns its size; there is no NUL. */
size_t gt_answer_title(const struct gt_store_row *row, char title[GT_ANSWER_TITLE_MAX]);

/* The key, and the title as its value. */
void gt_answer_key_title(struct gt_json *json, const char *key, const struct gt_store_row *row);

/* An object of those classes in which there is any time. */
void gt_answer_times(struct gt_json *json, const char *key, const int64_t time[GT_STORE_CLASSES]);

/* The frames of a stack, leaf first. */
void gt_answer_stack(struct gt_json *json, const char *key, const struct gt_store *store,
                     uint32_t stack);

/* {"id","ordinal","title"} of a goroutine, or null. */
void gt_answer_goroutine(struct gt_json *json, const char *key, const struct gt_store *store,
                         uint32_t ordinal);

/* {"track","index"}, or null where `track` is GT_STORE_NONE. */
void gt_answer_place(struct gt_json *json, const char *key, uint32_t track, uint32_t index);

/* The track of a goroutine's states; GT_STORE_NONE where there is none. */
uint32_t gt_answer_states(const struct gt_store *store, uint32_t goroutine);

/*
 * The span of a goroutine's states in which `time` is: its track, which is GT_STORE_NONE
 * where there is none, and the span.
 */
uint32_t gt_answer_state_at(const struct gt_store *store, uint32_t goroutine, int64_t time,
                            struct gt_span *span);

/* What a span is called: the reason, the region, who runs there. */
size_t gt_answer_span_name(const struct gt_store *store, uint32_t view, const struct gt_span *span,
                           char title[GT_ANSWER_TITLE_MAX]);

#endif
