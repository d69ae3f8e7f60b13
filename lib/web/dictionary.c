/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/dictionary.h"

static bool dictionary_open(struct gt_dictionary *dictionary)
{
    dictionary->is_open = gt_texts_init(&dictionary->texts, dictionary->mem) == GT_OK;
    return dictionary->is_open;
}

bool gt_dictionary_put(struct gt_dictionary *dictionary, gt_string text, uint32_t *number)
{
    return (dictionary->is_open || dictionary_open(dictionary)) &&
           gt_texts_add(&dictionary->texts, text, number) == GT_OK;
}

bool gt_dictionary_find(const struct gt_dictionary *dictionary, gt_string text, uint32_t *number)
{
    return dictionary->is_open && gt_texts_find(&dictionary->texts, text, number);
}

gt_string gt_dictionary_get(const struct gt_dictionary *dictionary, uint32_t number)
{
    return number == 0 ? (gt_string){"", 0} : dictionary->texts.list.items[number];
}

void gt_dictionary_free(struct gt_dictionary *dictionary)
{
    if (dictionary->is_open)
        gt_texts_destroy(&dictionary->texts);
    dictionary->is_open = false;
}
