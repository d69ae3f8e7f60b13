/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/start_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "web/array.h"
#include "web/distribution.h"

enum {
    FIRST_CAPACITY = 64
};

/* Grows a list to at least `count` elements. New elements are 0. */
static bool start_functions_reserve_zeros(uint32_t **list, size_t *capacity, size_t count)
{
    if (count <= *capacity)
        return true;
    size_t room = *capacity == 0 ? count : *capacity;
    while (room < count)
        room += room / 2 + FIRST_CAPACITY;
    /* calloc is used because pages of zeros take no memory until they are written to. */
    uint32_t *grown = calloc(room, sizeof(*grown));
    if (!grown)
        return false;
    if (*capacity > 0)
        memcpy(grown, *list, *capacity * sizeof(*grown));
    free(*list);
    *list = grown;
    *capacity = room;
    return true;
}

/* Returns the number of the function + 1, or 0 if memory runs out. */
static uint32_t start_functions_number_of(struct gt_start_functions *functions, uint32_t name)
{
    if (!start_functions_reserve_zeros(&functions->numbers, &functions->texts, (size_t) name + 1))
        return 0;
    if (functions->numbers[name] != 0)
        return functions->numbers[name];
    if (!gt_web_array_reserve(&functions->list, &functions->capacity, functions->count + 1,
                              sizeof(*functions->list)))
        return 0;
    functions->list[functions->count++] = (struct gt_start_function){.name = name};
    functions->numbers[name] = (uint32_t) functions->count;
    return functions->numbers[name];
}

static uint32_t start_functions_find_name(const struct gt_store *store, uint32_t ordinal)
{
    struct gt_store_head head;
    return gt_store_get_head(store, GT_STORE_VIEW_GOROUTINE, ordinal, &head) ? head.name : 0;
}

int64_t *gt_start_functions_time(struct gt_start_functions *functions, const struct gt_store *store,
                                 uint32_t ordinal)
{
    if (ordinal >= functions->goroutines) {
        uint32_t rows = gt_store_row_count(store, GT_STORE_VIEW_GOROUTINE);
        size_t texts = gt_store_text_count(store);
        if (!start_functions_reserve_zeros(&functions->of, &functions->goroutines,
                                           rows > ordinal ? rows : (size_t) ordinal + 1) ||
            !start_functions_reserve_zeros(&functions->numbers, &functions->texts, texts))
            return NULL;
    }
    if (functions->of[ordinal] == 0) {
        uint32_t number =
            start_functions_number_of(functions, start_functions_find_name(store, ordinal));
        if (number == 0)
            return NULL;
        functions->of[ordinal] = number;
        functions->list[number - 1].goroutines++;
    }
    return functions->list[functions->of[ordinal] - 1].time;
}

/* Counts the goroutines of `more` that were not counted yet. */
static bool start_functions_merge_goroutines(struct gt_start_functions *functions,
                                             const struct gt_start_functions *more)
{
    if (!start_functions_reserve_zeros(&functions->of, &functions->goroutines, more->goroutines))
        return false;
    for (size_t i = 0; i < more->goroutines; i++) {
        if (more->of[i] == 0 || functions->of[i] != 0)
            continue;
        uint32_t number = start_functions_number_of(functions, more->list[more->of[i] - 1].name);
        if (number == 0)
            return false;
        functions->of[i] = number;
        functions->list[number - 1].goroutines++;
    }
    return true;
}

bool gt_start_functions_merge(struct gt_start_functions *functions,
                              const struct gt_start_functions *more)
{
    if (!start_functions_merge_goroutines(functions, more))
        return false;
    for (size_t i = 0; i < more->count; i++) {
        uint32_t number = start_functions_number_of(functions, more->list[i].name);
        if (number == 0)
            return false;
        int64_t *time = functions->list[number - 1].time;
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
            gt_time_add_to(&time[cls], more->list[i].time[cls]);
    }
    return true;
}

static int64_t start_functions_total(const struct gt_start_function *function)
{
    int64_t sum = 0;
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
        gt_time_add_to(&sum, function->time[cls]);
    return sum;
}

static int start_functions_compare(const void *a, const void *b)
{
    const struct gt_start_function *left = a, *right = b;
    int64_t left_total = start_functions_total(left), right_total = start_functions_total(right);
    if (left_total != right_total)
        return left_total > right_total ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

void gt_start_functions_sort(struct gt_start_functions *functions)
{
    if (functions->count > 0)
        qsort(functions->list, functions->count, sizeof(*functions->list), start_functions_compare);
}

void gt_start_functions_free(struct gt_start_functions *functions)
{
    free(functions->of);
    free(functions->numbers);
    free(functions->list);
    *functions = (struct gt_start_functions){0};
}
