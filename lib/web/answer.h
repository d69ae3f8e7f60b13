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
    ANSWER_TITLE_MAX = 1024,
    ANSWER_FRAMES_MAX = 1024
};

/* The names of the classes of spans, such as "running"; STORE_CLASSES of them. */
extern const char *const answer_classes[];
/* The names of the views, such as "goroutine"; STORE_VIEWS of them. */
extern const char *const answer_views[];

/* Whether a goroutine of that class of time waits. */
bool answer_is_waiting(uint32_t cls);

/* How much of a text fits into `room` bytes with no character of UTF-8 cut in two. */
size_t answer_fitting(gt_string text, size_t room);

/* What a row is called, such as "G12 main.worker". Returns its size; there is no NUL. */
size_t answer_title(const struct store_row *row, char title[ANSWER_TITLE_MAX]);

/* The key, and the title as its value. */
void answer_key_title(struct json *json, const char *key, const struct store_row *row);

/* An object of those classes in which there is any time. */
void answer_times(struct json *json, const char *key, const int64_t time[STORE_CLASSES]);

/* The frames of a stack, leaf first. */
void answer_stack(struct json *json, const char *key, const struct store *store, uint32_t stack);

/* {"id","ordinal","title"} of a goroutine, or null. */
void answer_goroutine(struct json *json, const char *key, const struct store *store,
                      uint32_t ordinal);

/* {"track","index"}, or null where `track` is STORE_NONE. */
void answer_place(struct json *json, const char *key, uint32_t track, uint32_t index);

/* The track of a goroutine's states; STORE_NONE where there is none. */
uint32_t answer_states(const struct store *store, uint32_t goroutine);

/*
 * The span of a goroutine's states in which `time` is: its track, which is STORE_NONE
 * where there is none, and the span.
 */
uint32_t answer_state_at(const struct store *store, uint32_t goroutine, int64_t time,
                         struct span *span);

/* What a span is called: the reason, the region, who runs there. */
size_t answer_span_name(const struct store *store, uint32_t view, const struct span *span,
                        char title[ANSWER_TITLE_MAX]);

#endif
