/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/names.h"

#include "base/sort.h"
#include "base/text.h"

bool gt_web_names_add(struct gt_web_names *names, uint32_t id, gt_string text, uint32_t *number)
{
    if (gt_array_extend(names->mem, &names->numbers, id + (size_t) 1) != GT_OK)
        return false;
    if (names->numbers.items[id] == 0) {
        if (gt_array_add(names->mem, &names->list, (struct gt_web_name){.text = text}) != GT_OK)
            return false;
        names->numbers.items[id] = (uint32_t) names->list.count;
    }
    *number = names->numbers.items[id] - 1;
    return true;
}

gt_string gt_names_get(const struct gt_web_names *names, uint32_t number)
{
    return names->list.items[number].text;
}

struct gt_ranked {
    gt_string text;
    uint32_t number;
};

static bool names_ranked_is_before(const void *left, const void *right, void *context)
{
    const struct gt_ranked *a = left, *b = right;
    (void) context;
    return gt_text_compare(a->text, b->text) < 0;
}

bool gt_names_rank(struct gt_web_names *names)
{
    size_t count = names->list.count, bytes = (count + 1) * sizeof(struct gt_ranked);
    struct gt_ranked *all = gt_mem_alloc(names->mem, bytes);
    if (!all)
        return false;
    for (uint32_t i = 0; i < count; i++)
        all[i] = (struct gt_ranked){gt_names_get(names, i), i};
    gt_sort(all, count, sizeof(*all), names_ranked_is_before, NULL);
    for (uint32_t i = 0; i < count; i++)
        names->list.items[all[i].number].rank = i;
    gt_mem_free(names->mem, all, bytes);
    return true;
}

void gt_names_close(struct gt_web_names *names)
{
    gt_array_free(names->mem, &names->numbers);
}

void gt_names_free(struct gt_web_names *names)
{
    gt_names_close(names);
    gt_array_free(names->mem, &names->list);
}
