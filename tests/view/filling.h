/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_FILLING_H
#define TESTS_VIEW_FILLING_H

#include <gotrace/emitter.h>

#include "store/store.h"

/* A store, and an emitter that fills it directly. */
struct filling {
    struct gt_store *store;
    gt_emitter *emitter;
};

void filling_open(struct filling *f);
void filling_close(struct filling *f);

gt_string filling_text(const char *text);

/* The properties of a state. They are -1 or NULL if the state has none. */
struct filling_state {
    const char *name;
    int64_t start, end;
    int64_t proc, thread, by;
    const char *reason;
    uint32_t stack, end_stack;
};

/* Each returns what the emitter returns. */
gt_status filling_add_state(struct filling *f, int64_t goroutine, const struct filling_state *said);
gt_status filling_add_goroutine(struct filling *f, int64_t goroutine, const char *function,
                                int64_t by, const char *label, uint32_t stack);
gt_status filling_add_region(struct filling *f, int64_t goroutine, const char *name, int64_t start,
                             int64_t end);
/* A slice without a category: a range of a goroutine, or of the row GT_ROW_GC. */
gt_status filling_add_range(struct filling *f, uint64_t row, const char *name, int64_t start,
                            int64_t end);
/* `parent` is 0 if there is none. */
gt_status filling_add_task(struct filling *f, uint64_t task, const char *name, int64_t start,
                           int64_t end, uint64_t parent);
gt_status filling_add_mark(struct filling *f, int64_t goroutine, const char *name,
                           const char *category, int64_t time, uint32_t stack);

/* The same, but they assert success. */
void filling_state(struct filling *f, int64_t goroutine, const struct filling_state *said);
void filling_goroutine(struct filling *f, int64_t goroutine, const char *function, int64_t by);

/* Returns the row, and asserts that it exists. */
struct gt_store_row filling_row(const struct filling *f, uint32_t view, int64_t id);

/* Returns the span of the row's lane, and asserts that it exists. */
struct gt_span filling_span(const struct filling *f, const struct gt_store_row *row, size_t lane,
                            uint32_t index);

#endif
