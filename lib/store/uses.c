/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/uses.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

void gt_uses_destroy(struct gt_uses *uses)
{
    free(uses->list);
    free(uses->last);
    memset(uses, 0, sizeof(*uses));
}

static bool uses_reserve_texts(struct gt_uses *uses, size_t count)
{
    if (count <= uses->texts)
        return true;
    if (!gt_store_array_reserve(&uses->last, &uses->text_room, count, sizeof(*uses->last)))
        return false;
    memset(uses->last + uses->texts, 0, (count - uses->texts) * sizeof(*uses->last));
    uses->texts = count;
    return true;
}

bool gt_uses_find(struct gt_uses *uses, uint32_t name, uint32_t cls, uint32_t *number)
{
    if (!uses_reserve_texts(uses, (size_t) name + 1))
        return false;
    /* A name has no more uses than there are classes. */
    for (uint32_t use = uses->last[name]; use != 0; use = uses->list[use - 1].next) {
        if (uses->list[use - 1].cls == cls) {
            *number = use - 1;
            return true;
        }
    }
    if (uses->count >= UINT32_MAX - 1 ||
        !gt_store_array_reserve(&uses->list, &uses->room, uses->count + 1, sizeof(*uses->list)))
        return false;
    *number = (uint32_t) uses->count;
    uses->list[uses->count++] = (struct gt_uses_item){name, cls, uses->last[name], 0};
    uses->last[name] = (uint32_t) uses->count;
    return true;
}

size_t gt_uses_memory(const struct gt_uses *uses)
{
    return uses->room * sizeof(*uses->list) + uses->text_room * sizeof(*uses->last);
}
