/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/dictionary.h"

#include <string.h>

#include "base/hash.h"

enum {
    DICTIONARY_PLACES = 4 * GT_DICTIONARY_MAX,
    /* A part of the values, of which most must be known before, shows whether to go on. */
    DICTIONARY_TRIAL = 4096
};

void gt_dictionary_init(struct gt_dictionary *dictionary, struct gt_mem *mem)
{
    *dictionary = (struct gt_dictionary){.mem = mem, .secret = gt_hash_secret(dictionary)};
}

void gt_dictionary_destroy(struct gt_dictionary *dictionary)
{
    gt_mem_free(dictionary->mem, dictionary->values,
                GT_DICTIONARY_MAX * sizeof(*dictionary->values));
    gt_mem_free(dictionary->mem, dictionary->places,
                DICTIONARY_PLACES * sizeof(*dictionary->places));
    dictionary->values = NULL;
    dictionary->places = NULL;
}

gt_status gt_dictionary_reserve(struct gt_dictionary *dictionary)
{
    if (!dictionary->values)
        dictionary->values =
            gt_mem_alloc(dictionary->mem, GT_DICTIONARY_MAX * sizeof(*dictionary->values));
    return dictionary->values ? GT_OK : gt_mem_failure(dictionary->mem);
}

static gt_status dictionary_begin(struct gt_dictionary *dictionary, size_t count)
{
    gt_status status = gt_dictionary_reserve(dictionary);
    if (status == GT_OK && !dictionary->places)
        dictionary->places =
            gt_mem_alloc(dictionary->mem, DICTIONARY_PLACES * sizeof(*dictionary->places));
    if (!dictionary->places)
        return gt_mem_failure(dictionary->mem);
    /* Small groups clear only as much as they need. */
    size_t places = DICTIONARY_PLACES;
    while (places / 4 >= count && places > GT_DICTIONARY_MAX / 64)
        places /= 2;
    dictionary->mask = places - 1;
    dictionary->count = 0;
    memset(dictionary->places, 0, places * sizeof(*dictionary->places));
    return GT_OK;
}

/* Returns the index of the value, or GT_DICTIONARY_MAX if there is no room for it. */
static uint32_t dictionary_index(struct gt_dictionary *dictionary, int64_t value)
{
    size_t at = gt_hash((uint64_t) value, dictionary->secret) & dictionary->mask;
    for (; dictionary->places[at] != 0; at = (at + 1) & dictionary->mask) {
        if (dictionary->values[dictionary->places[at] - 1] == value)
            return dictionary->places[at] - 1;
    }
    if (dictionary->count == GT_DICTIONARY_MAX)
        return GT_DICTIONARY_MAX;
    dictionary->values[dictionary->count++] = value;
    dictionary->places[at] = (uint32_t) dictionary->count;
    return dictionary->places[at] - 1;
}

gt_status gt_dictionary_make(struct gt_dictionary *dictionary, const int64_t *values, size_t count,
                             uint32_t *indexes, bool *worth)
{
    gt_status status = dictionary_begin(dictionary, count);
    *worth = status == GT_OK;
    for (size_t i = 0; i < count && *worth; i++) {
        if (i > 0 && values[i] == values[i - 1])
            indexes[i] = indexes[i - 1];
        else
            indexes[i] = dictionary_index(dictionary, values[i]);
        *worth = indexes[i] < GT_DICTIONARY_MAX &&
                 (i != DICTIONARY_TRIAL || dictionary->count < DICTIONARY_TRIAL / 8 * 7);
    }
    return status;
}
