/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/start_functions.h"

#include <stdlib.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/distribution.h"

/* Returns the number of the function + 1, or 0 if memory runs out. */
static uint32_t start_functions_number_of(struct gt_start_functions *functions, uint32_t name)
{
    if (gt_array_extend(functions->mem, &functions->numbers, (size_t) name + 1) != GT_OK)
        return 0;
    uint32_t *number = &functions->numbers.items[name];
    const struct gt_start_function added = {.name = name};
    if (*number == 0 && gt_array_add(functions->mem, &functions->list, added) == GT_OK)
        *number = (uint32_t) functions->list.count;
    return *number;
}

static uint32_t start_functions_find_name(const struct gt_store *store, uint32_t ordinal)
{
    struct gt_store_head head;
    return gt_store_get_head(store, GT_STORE_VIEW_GOROUTINE, ordinal, &head) ? head.name : 0;
}

int64_t *gt_start_functions_time(struct gt_start_functions *functions, const struct gt_store *store,
                                 uint32_t ordinal)
{
    if (gt_array_extend(functions->mem, &functions->of, (size_t) ordinal + 1) != GT_OK)
        return NULL;
    if (functions->of.items[ordinal] == 0) {
        uint32_t number =
            start_functions_number_of(functions, start_functions_find_name(store, ordinal));
        if (number == 0)
            return NULL;
        functions->of.items[ordinal] = number;
        functions->list.items[number - 1].goroutines++;
    }
    return functions->list.items[functions->of.items[ordinal] - 1].time;
}

/* Counts the goroutines of `more` that were not counted yet. */
static bool start_functions_merge_goroutines(struct gt_start_functions *functions,
                                             const struct gt_start_functions *more)
{
    if (gt_array_extend(functions->mem, &functions->of, more->of.count) != GT_OK)
        return false;
    for (size_t i = 0; i < more->of.count; i++) {
        if (more->of.items[i] == 0 || functions->of.items[i] != 0)
            continue;
        uint32_t number =
            start_functions_number_of(functions, more->list.items[more->of.items[i] - 1].name);
        if (number == 0)
            return false;
        functions->of.items[i] = number;
        functions->list.items[number - 1].goroutines++;
    }
    return true;
}

bool gt_start_functions_merge(struct gt_start_functions *functions,
                              const struct gt_start_functions *more)
{
    if (!start_functions_merge_goroutines(functions, more))
        return false;
    for (size_t i = 0; i < more->list.count; i++) {
        uint32_t number = start_functions_number_of(functions, more->list.items[i].name);
        if (number == 0)
            return false;
        int64_t *time = functions->list.items[number - 1].time;
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
            gt_time_add_to(&time[cls], more->list.items[i].time[cls]);
    }
    return true;
}

static int start_functions_compare(const void *a, const void *b)
{
    const struct gt_start_function *left = a, *right = b;
    int64_t left_total = gt_answer_all_time(left->time),
            right_total = gt_answer_all_time(right->time);
    if (left_total != right_total)
        return left_total > right_total ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

void gt_start_functions_sort(struct gt_start_functions *functions)
{
    if (functions->list.count > 0)
        qsort(functions->list.items, functions->list.count, sizeof(*functions->list.items),
              start_functions_compare);
}

void gt_start_functions_free(struct gt_start_functions *functions)
{
    gt_array_free(functions->mem, &functions->of);
    gt_array_free(functions->mem, &functions->numbers);
    gt_array_free(functions->mem, &functions->list);
}
