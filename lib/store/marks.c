/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/marks.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/store.h"

#define IS_LOG (UINT32_C(1) << 31)

struct gt_marks_item {
    int64_t time;
    uint32_t goroutine;
    /* The stack of a sample, or IS_LOG and the index of a log in `logs`. */
    uint32_t what;
};

struct gt_marks_log {
    uint32_t stack, text;
};

void gt_marks_destroy(struct gt_marks *marks)
{
    free(marks->list);
    free(marks->logs);
    memset(marks, 0, sizeof(*marks));
}

static bool marks_add(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t what)
{
    if (!gt_store_array_reserve(&marks->list, &marks->room, marks->count + 1, sizeof(*marks->list)))
        return false;
    if (marks->count > 0 && time < marks->list[marks->count - 1].time)
        time = marks->list[marks->count - 1].time;
    marks->list[marks->count++] = (struct gt_marks_item){time, goroutine, what};
    return true;
}

bool gt_marks_add_sample(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t stack)
{
    return marks_add(marks, time, goroutine, stack < IS_LOG ? stack : 0);
}

bool gt_marks_add_log(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t stack,
                      uint32_t text)
{
    if (marks->log_count >= IS_LOG ||
        !gt_store_array_reserve(&marks->logs, &marks->log_room, marks->log_count + 1,
                                sizeof(*marks->logs)))
        return false;
    marks->logs[marks->log_count] = (struct gt_marks_log){stack, text};
    if (!marks_add(marks, time, goroutine, IS_LOG | (uint32_t) marks->log_count))
        return false;
    marks->log_count++;
    return true;
}

size_t gt_marks_find(const struct gt_marks *marks, int64_t time)
{
    size_t first = 0, last = marks->count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (marks->list[middle].time < time)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

void gt_marks_get(const struct gt_marks *marks, size_t index, struct gt_mark *mark, uint32_t *text)
{
    const struct gt_marks_item *item = &marks->list[index];
    memset(mark, 0, sizeof(*mark));
    mark->time = item->time;
    mark->goroutine = item->goroutine;
    mark->kind = GT_MARK_SAMPLE;
    mark->stack = item->what;
    *text = 0;
    if (item->what & IS_LOG) {
        const struct gt_marks_log *log = &marks->logs[item->what & ~IS_LOG];
        mark->kind = GT_MARK_LOG;
        mark->stack = log->stack;
        *text = log->text;
    }
}

size_t gt_marks_memory(const struct gt_marks *marks)
{
    return marks->room * sizeof(*marks->list) + marks->log_room * sizeof(*marks->logs);
}
