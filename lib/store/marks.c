/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/marks.h"

#include <string.h>

#include "base/bisect.h"
#include "store/op.h"
#include "store/store.h"

#define IS_LOG (UINT32_C(1) << 31)

struct gt_marks_item {
    int64_t time;
    uint32_t goroutine;
    /* The stack of a sample, or IS_LOG and the index of a log in `logs`. */
    uint32_t what;
};

void gt_marks_destroy(struct gt_marks *marks)
{
    gt_array_free(marks->mem, &marks->list);
    gt_array_free(marks->mem, &marks->logs);
}

static bool marks_add(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t what)
{
    struct gt_marks_item *item = gt_array_push(marks->mem, &marks->list);
    if (!item)
        return false;
    if (marks->list.count > 1 && time < item[-1].time)
        time = item[-1].time;
    *item = (struct gt_marks_item){time, goroutine, what};
    return true;
}

bool gt_marks_add_sample(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t stack)
{
    return marks_add(marks, time, goroutine, stack < IS_LOG ? stack : 0);
}

bool gt_marks_add_log(struct gt_marks *marks, int64_t time, uint32_t goroutine,
                      const struct gt_marks_log *log)
{
    size_t count = marks->logs.count;
    if (count >= IS_LOG || gt_array_reserve(marks->mem, &marks->logs, 1) != GT_OK ||
        !marks_add(marks, time, goroutine, IS_LOG | (uint32_t) count))
        return false;
    marks->logs.items[marks->logs.count++] = *log;
    return true;
}

size_t gt_marks_find(const struct gt_marks *marks, int64_t time)
{
    size_t first;
    GT_BISECT(first, 0, marks->list.count, marks->list.items[first].time < time);
    return first;
}

void gt_marks_get(const struct gt_marks *marks, size_t index, struct gt_mark *mark,
                  uint32_t *category)
{
    const struct gt_marks_item *item = &marks->list.items[index];
    memset(mark, 0, sizeof(*mark));
    mark->time = item->time;
    mark->goroutine = item->goroutine;
    mark->kind = GT_MARK_SAMPLE;
    mark->stack = item->what;
    *category = 0;
    if (item->what & IS_LOG) {
        const struct gt_marks_log *log = &marks->logs.items[item->what & ~IS_LOG];
        mark->kind = GT_MARK_LOG;
        mark->stack = log->stack;
        mark->text_id = log->text;
        mark->has_task = log->has_task;
        mark->task = log->task;
        *category = log->category;
    }
}
