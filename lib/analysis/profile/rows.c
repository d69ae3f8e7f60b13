/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"
#include "base/sort.h"

/* Orders samples by kind, then as gt_profile_get_sample says. No two are equal. */
static bool profile_row_is_before(const void *a, const void *b, void *context)
{
    const struct gt_profile *profile = context;
    const struct gt_profile_row *left = a, *right = b;
    if (gt_slot_kind(left->slot) != gt_slot_kind(right->slot))
        return gt_slot_kind(left->slot) < gt_slot_kind(right->slot);
    if (left->amount.ns != right->amount.ns)
        return left->amount.ns > right->amount.ns;
    if (left->amount.count != right->amount.count)
        return left->amount.count > right->amount.count;
    if (left->stack == right->stack)
        return left->slot < right->slot;
    int order = gt_stackset_compare(&profile->stacks, left->stack, right->stack);
    return order != 0 ? order < 0 : left->slot < right->slot;
}

static void profile_rows_collect(struct gt_profile *profile)
{
    for (size_t i = 0; i < profile->total.list.count; i++) {
        struct gt_tally_entry *entry = &profile->total.list.items[i];
        gt_tally_settle(entry, profile->sync);
        if (entry->amount.count == 0)
            continue;
        uint32_t slot = entry->key & (GT_SLOTS - 1), stack = entry->key >> GT_SLOT_BITS;
        if (stack == 0)
            stack = profile->blank_stacks[slot];
        profile->rows.items[profile->rows.count++] =
            (struct gt_profile_row){stack, slot, entry->amount};
    }
}

gt_status gt_profile_rows_make(struct gt_profile *profile)
{
    profile->rows.count = 0;
    gt_status status = gt_array_reserve(&profile->mem, &profile->rows, profile->total.list.count);
    if (status != GT_OK)
        return status;
    profile_rows_collect(profile);
    gt_sort(profile->rows.items, profile->rows.count, sizeof(struct gt_profile_row),
            profile_row_is_before, profile);
    size_t at = 0;
    for (uint32_t kind = 0; kind <= GT_PROFILE_KINDS; kind++) {
        while (at < profile->rows.count && gt_slot_kind(profile->rows.items[at].slot) < kind)
            at++;
        profile->kind_first[kind] = at;
    }
    return GT_OK;
}
