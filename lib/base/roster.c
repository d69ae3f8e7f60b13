/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/roster.h"

#include <assert.h>

#include "base/bisect.h"

gt_status gt_roster_add(struct gt_roster *roster, struct gt_mem *mem, void *object,
                        uint64_t *number)
{
    struct gt_roster_entry entry = {roster->last + 1, object};
    gt_status status = gt_array_add(mem, &roster->list, entry);
    if (status == GT_OK)
        *number = ++roster->last;
    return status;
}

static void roster_compact(struct gt_roster *roster)
{
    size_t kept = 0;
    for (size_t i = 0; i < roster->list.count; i++) {
        if (roster->list.items[i].object)
            roster->list.items[kept++] = roster->list.items[i];
    }
    roster->list.count = kept;
    roster->gone = 0;
}

void gt_roster_remove(struct gt_roster *roster, uint64_t number)
{
    size_t at;
    GT_BISECT(at, 0, roster->list.count, roster->list.items[at].number < number);
    assert(at < roster->list.count && roster->list.items[at].number == number);
    roster->list.items[at].object = NULL;
    roster->gone++;
    if (roster->gone > roster->list.count / 2)
        roster_compact(roster);
}

void *gt_roster_after(const struct gt_roster *roster, uint64_t number)
{
    size_t at;
    GT_BISECT(at, 0, roster->list.count, roster->list.items[at].number <= number);
    while (at < roster->list.count && !roster->list.items[at].object)
        at++;
    return at < roster->list.count ? roster->list.items[at].object : NULL;
}

void gt_roster_free(struct gt_roster *roster, struct gt_mem *mem)
{
    gt_array_free(mem, &roster->list);
    roster->gone = 0;
}
