/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/names.h"

#include <stdlib.h>

#include "base/text.h"
#include "web/array.h"

bool gt_web_names_add(struct gt_web_names *names, uint32_t id, gt_string text, uint32_t *number)
{
    if (!gt_web_array_extend(&names->numbers, &names->texts, id, sizeof(*names->numbers)))
        return false;
    if (names->numbers[id] == 0) {
        if (!gt_web_array_reserve(&names->list, &names->room, names->count + 1,
                                  sizeof(*names->list)))
            return false;
        names->list[names->count] = (struct gt_web_name){.text = text};
        names->numbers[id] = (uint32_t) ++names->count;
    }
    *number = names->numbers[id] - 1;
    return true;
}

gt_string gt_names_get(const struct gt_web_names *names, uint32_t number)
{
    return names->list[number].text;
}

struct gt_ranked {
    gt_string text;
    uint32_t number;
};

static int names_ranked_compare(const void *left, const void *right)
{
    const struct gt_ranked *a = left, *b = right;
    return gt_text_compare(a->text, b->text);
}

bool gt_names_rank(struct gt_web_names *names)
{
    struct gt_ranked *all = malloc((names->count + 1) * sizeof(*all));
    if (!all)
        return false;
    for (uint32_t i = 0; i < names->count; i++)
        all[i] = (struct gt_ranked){gt_names_get(names, i), i};
    qsort(all, names->count, sizeof(*all), names_ranked_compare);
    for (uint32_t i = 0; i < names->count; i++)
        names->list[all[i].number].rank = i;
    free(all);
    return true;
}

void gt_names_close(struct gt_web_names *names)
{
    free(names->numbers);
    names->numbers = NULL;
    names->texts = 0;
}

void gt_names_free(struct gt_web_names *names)
{
    gt_names_close(names);
    free(names->list);
    *names = (struct gt_web_names){.list = NULL};
}
