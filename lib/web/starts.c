/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/starts.h"

#include <stdlib.h>
#include <string.h>

#include "web/spread.h"

enum {
    FIRST_CAPACITY = 64
};

/* Makes room for `count` numbers, and zeros of what is new. */
static bool reserve_zeros(uint32_t **list, size_t *capacity, size_t count)
{
    if (count <= *capacity)
        return true;
    size_t room = *capacity == 0 ? count : *capacity;
    while (room < count)
        room += room / 2 + FIRST_CAPACITY;
    /* Pages of zeros that are never touched cost nothing. */
    uint32_t *grown = calloc(room, sizeof(*grown));
    if (grown == NULL)
        return false;
    if (*capacity > 0)
        memcpy(grown, *list, *capacity * sizeof(*grown));
    free(*list);
    *list = grown;
    *capacity = room;
    return true;
}

/* The function's number + 1; 0 where there is no memory. */
static uint32_t number_of(struct gt_starts *starts, uint32_t name)
{
    if (!reserve_zeros(&starts->numbers, &starts->texts, (size_t) name + 1))
        return 0;
    if (starts->numbers[name] != 0)
        return starts->numbers[name];
    if (starts->count == starts->capacity) {
        size_t capacity = starts->capacity == 0 ? FIRST_CAPACITY : 2 * starts->capacity;
        struct gt_starts_function *list = realloc(starts->list, capacity * sizeof(*list));
        if (list == NULL)
            return 0;
        starts->list = list;
        starts->capacity = capacity;
    }
    starts->list[starts->count++] = (struct gt_starts_function){.name = name};
    starts->numbers[name] = (uint32_t) starts->count;
    return starts->numbers[name];
}

static uint32_t find_name(const struct gt_store *store, uint32_t ordinal)
{
    struct gt_store_head head;
    return gt_store_get_head(store, GT_STORE_VIEW_GOROUTINE, ordinal, &head) ? head.name : 0;
}

int64_t *gt_starts_time(struct gt_starts *starts, const struct gt_store *store, uint32_t ordinal)
{
    if (ordinal >= starts->goroutines) {
        uint32_t rows = gt_store_row_count(store, GT_STORE_VIEW_GOROUTINE);
        size_t texts = gt_store_text_count(store);
        if (!reserve_zeros(&starts->of, &starts->goroutines,
                           rows > ordinal ? rows : (size_t) ordinal + 1) ||
            !reserve_zeros(&starts->numbers, &starts->texts, texts))
            return NULL;
    }
    if (starts->of[ordinal] == 0) {
        uint32_t number = number_of(starts, find_name(store, ordinal));
        if (number == 0)
            return NULL;
        starts->of[ordinal] = number;
        starts->list[number - 1].goroutines++;
    }
    return starts->list[starts->of[ordinal] - 1].time;
}

/* Counts those goroutines of `more` that are not known yet. */
static bool merge_goroutines(struct gt_starts *starts, const struct gt_starts *more)
{
    if (!reserve_zeros(&starts->of, &starts->goroutines, more->goroutines))
        return false;
    for (size_t i = 0; i < more->goroutines; i++) {
        if (more->of[i] == 0 || starts->of[i] != 0)
            continue;
        uint32_t number = number_of(starts, more->list[more->of[i] - 1].name);
        if (number == 0)
            return false;
        starts->of[i] = number;
        starts->list[number - 1].goroutines++;
    }
    return true;
}

bool gt_starts_merge(struct gt_starts *starts, const struct gt_starts *more)
{
    if (!merge_goroutines(starts, more))
        return false;
    for (size_t i = 0; i < more->count; i++) {
        uint32_t number = number_of(starts, more->list[i].name);
        if (number == 0)
            return false;
        int64_t *time = starts->list[number - 1].time;
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
            time[cls] = gt_spread_sum(time[cls], more->list[i].time[cls]);
    }
    return true;
}

static int64_t total(const struct gt_starts_function *function)
{
    int64_t sum = 0;
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
        sum = gt_spread_sum(sum, function->time[cls]);
    return sum;
}

static int compare(const void *a, const void *b)
{
    const struct gt_starts_function *left = a, *right = b;
    int64_t left_total = total(left), right_total = total(right);
    if (left_total != right_total)
        return left_total > right_total ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

void gt_starts_sort(struct gt_starts *starts)
{
    if (starts->count > 0)
        qsort(starts->list, starts->count, sizeof(*starts->list), compare);
}

void gt_starts_free(struct gt_starts *starts)
{
    free(starts->of);
    free(starts->numbers);
    free(starts->list);
    *starts = (struct gt_starts){0};
}
