/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/dictionary.h"

#include "base/hash.h"
#include "base/wraps.h"

enum {
    /* How many places there are for hashes at first, of which at most half are taken. */
    DICTIONARY_PLACES_MIN = 1024,
    DICTIONARY_GROWTH = 4,
    /* Numbers of a smaller span have a place each, unless that makes more than a few for each. */
    DICTIONARY_SPAN_MAX = 65536,
    DICTIONARY_SPAN_MIN = 256,
    DICTIONARY_SPARSE = 4,
    /* The first numbers show whether the others are worth a try. */
    DICTIONARY_TRIAL = 1024,
    DICTIONARY_TRIAL_END = 4096
};

void gt_dictionary_init(struct gt_dictionary *dictionary, struct gt_mem *mem)
{
    *dictionary = (struct gt_dictionary){.mem = mem, .secret = gt_hash_secret(dictionary)};
}

void gt_dictionary_destroy(struct gt_dictionary *dictionary)
{
    gt_array_free(dictionary->mem, &dictionary->values);
    gt_array_free(dictionary->mem, &dictionary->places);
}

/* Makes so many places, which are free. */
static void dictionary_places_make(struct gt_dictionary *dictionary, size_t count)
{
    dictionary->places.count = 0;
    dictionary->status = gt_array_extend(dictionary->mem, &dictionary->places, count);
}

/* Adds a value. Returns its index, or GT_DICTIONARY_MAX if that fails or there are too many. */
static uint32_t dictionary_add(struct gt_dictionary *dictionary, uint32_t *place, int64_t value)
{
    uint32_t index = (uint32_t) dictionary->values.count;
    if (index == GT_DICTIONARY_MAX)
        return index;
    dictionary->status = gt_array_add(dictionary->mem, &dictionary->values, value);
    if (dictionary->status != GT_OK)
        return GT_DICTIONARY_MAX;
    *place = index + 1;
    return index;
}

/* Returns the place of the hash of a value, which is free if the value is new. */
static uint32_t *dictionary_place(const struct gt_dictionary *dictionary, int64_t value)
{
    const size_t mask = dictionary->places.count - 1;
    size_t at = (size_t) gt_hash((uint64_t) value, dictionary->secret) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *place = &dictionary->places.items[at];
        if (*place == 0 || dictionary->values.items[*place - 1] == value)
            return place;
    }
}

/* Makes more places for hashes. */
static void dictionary_grow(struct gt_dictionary *dictionary)
{
    dictionary_places_make(dictionary, dictionary->places.count * DICTIONARY_GROWTH);
    for (uint32_t i = 0; i < dictionary->values.count && dictionary->status == GT_OK; i++)
        *dictionary_place(dictionary, dictionary->values.items[i]) = i + 1;
}

/* Returns what dictionary_add does, by the hash of the value. */
static uint32_t dictionary_far_index(struct gt_dictionary *dictionary, int64_t value)
{
    uint32_t *place = dictionary_place(dictionary, value);
    if (*place != 0)
        return *place - 1;
    uint32_t index = dictionary_add(dictionary, place, value);
    if (dictionary->values.count > dictionary->places.count / 2)
        dictionary_grow(dictionary);
    return dictionary->status == GT_OK ? index : GT_DICTIONARY_MAX;
}

/* Returns what dictionary_add does, by how much the value exceeds the smallest one. */
static uint32_t dictionary_near_index(struct gt_dictionary *dictionary, int64_t value, int64_t min)
{
    uint32_t *place = &dictionary->places.items[value - min];
    return *place != 0 ? *place - 1 : dictionary_add(dictionary, place, value);
}

/* Sets the indexes of the numbers from `at` to `end`. Returns whether there was room for all. */
static bool dictionary_part_make(struct gt_dictionary *dictionary,
                                 const struct gt_dictionary_input *input, bool is_near, size_t at,
                                 size_t end, uint32_t *indexes)
{
    const int64_t *numbers = input->numbers;
    for (; at < end; at++) {
        if (at > 0 && numbers[at] == numbers[at - 1])
            indexes[at] = indexes[at - 1];
        else if (is_near)
            indexes[at] = dictionary_near_index(dictionary, numbers[at], input->min);
        else
            indexes[at] = dictionary_far_index(dictionary, numbers[at]);
        if (indexes[at] == GT_DICTIONARY_MAX)
            return false;
    }
    return true;
}

/* Whether the values of the first numbers are so many that it is in vain to go on. */
static bool dictionary_gives_up(const struct gt_dictionary *dictionary,
                                const struct gt_dictionary_input *input, size_t done)
{
    const size_t values = dictionary->values.count;
    return input->may_give_up && done < input->count &&
           ((done == DICTIONARY_TRIAL && values > DICTIONARY_TRIAL / 32 * 31) ||
            (done == DICTIONARY_TRIAL_END && values > DICTIONARY_TRIAL_END / 8 * 7));
}

/* The difference of the largest number and the smallest one. */
GT_WRAPS static uint64_t dictionary_span(const struct gt_dictionary_input *input)
{
    return (uint64_t) input->max - (uint64_t) input->min;
}

/* Whether the values lie so close to each other that they can be places. */
static bool dictionary_is_near(const struct gt_dictionary_input *input)
{
    const uint64_t span = dictionary_span(input);
    return span < DICTIONARY_SPAN_MIN ||
           (span < DICTIONARY_SPAN_MAX && span / DICTIONARY_SPARSE < input->count);
}

gt_status gt_dictionary_make(struct gt_dictionary *dictionary,
                             const struct gt_dictionary_input *input, uint32_t *indexes,
                             bool *worth)
{
    const bool is_near = dictionary_is_near(input);
    /* Indexes that are all 0 are a single run, for which they are not needed. */
    const size_t count = input->min == input->max ? 1 : input->count;
    dictionary->values.count = 0;
    dictionary_places_make(dictionary,
                           is_near ? (size_t) dictionary_span(input) + 1 : DICTIONARY_PLACES_MIN);
    *worth = dictionary->status == GT_OK;
    for (size_t at = 0, end; at < count && *worth; at = end) {
        size_t left = count - at;
        end = at + (left < DICTIONARY_TRIAL ? left : DICTIONARY_TRIAL);
        *worth = dictionary_part_make(dictionary, input, is_near, at, end, indexes) &&
                 !dictionary_gives_up(dictionary, input, end);
    }
    return dictionary->status;
}
