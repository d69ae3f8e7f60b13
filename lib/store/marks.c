/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/marks.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/store.h"

#define IS_LOG (UINT32_C(1) << 31)

struct marks_item {
    int64_t time;
    uint32_t goroutine;
    /* The stack of a sample, or with IS_LOG an index in the logs. */
    uint32_t what;
};

struct marks_log {
    uint32_t stack, text;
};

void marks_destroy(struct marks *marks)
{
    free(marks->list);
    free(marks->logs);
    memset(marks, 0, sizeof(*marks));
}

static bool add(struct marks *marks, int64_t time, uint32_t goroutine, uint32_t what)
{
    if (!array_reserve(&marks->list, &marks->room, marks->count + 1, sizeof(*marks->list)))
        return false;
    if (marks->count > 0 && time < marks->list[marks->count - 1].time)
        time = marks->list[marks->count - 1].time;
    marks->list[marks->count++] = (struct marks_item){time, goroutine, what};
    return true;
}

bool marks_add_sample(struct marks *marks, int64_t time, uint32_t goroutine, uint32_t stack)
{
    return add(marks, time, goroutine, stack < IS_LOG ? stack : 0);
}

bool marks_add_log(struct marks *marks, int64_t time, uint32_t goroutine, uint32_t stack,
                   uint32_t text)
{
    if (marks->log_count >= IS_LOG ||
        !array_reserve(&marks->logs, &marks->log_room, marks->log_count + 1, sizeof(*marks->logs)))
        return false;
    marks->logs[marks->log_count] = (struct marks_log){stack, text};
    if (!add(marks, time, goroutine, IS_LOG | (uint32_t) marks->log_count))
        return false;
    marks->log_count++;
    return true;
}

size_t marks_find(const struct marks *marks, int64_t time)
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

void marks_get(const struct marks *marks, size_t index, struct mark *mark, uint32_t *text)
{
    const struct marks_item *item = &marks->list[index];
    memset(mark, 0, sizeof(*mark));
    mark->time = item->time;
    mark->goroutine = item->goroutine;
    mark->kind = MARK_SAMPLE;
    mark->stack = item->what;
    *text = 0;
    if (item->what & IS_LOG) {
        const struct marks_log *log = &marks->logs[item->what & ~IS_LOG];
        mark->kind = MARK_LOG;
        mark->stack = log->stack;
        *text = log->text;
    }
}

size_t marks_memory(const struct marks *marks)
{
    return marks->room * sizeof(*marks->list) + marks->log_room * sizeof(*marks->logs);
}
