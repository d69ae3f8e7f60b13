/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

/* By kind, then as gt_profile_get_sample says. No two are the same. */
static int comes_before(const struct gt_profile *p, const struct gt_profile_row *a,
                        const struct gt_profile_row *b)
{
    if (gt_slot_kind(a->slot) != gt_slot_kind(b->slot))
        return gt_slot_kind(a->slot) < gt_slot_kind(b->slot);
    if (a->amount.ns != b->amount.ns)
        return a->amount.ns > b->amount.ns;
    if (a->amount.count != b->amount.count)
        return a->amount.count > b->amount.count;
    int order = a->stack == b->stack ? 0 : gt_stackset_compare(&p->stacks, a->stack, b->stack);
    return order != 0 ? order < 0 : a->slot < b->slot;
}

static void sift(const struct gt_profile *p, size_t i, size_t count)
{
    struct gt_profile_row row = p->rows[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && comes_before(p, &p->rows[child], &p->rows[child + 1]))
            child++;
        if (!comes_before(p, &row, &p->rows[child]))
            break;
        p->rows[i] = p->rows[child];
    }
    p->rows[i] = row;
}

/* A heapsort, as qsort promises nothing. */
static void sort(struct gt_profile *p)
{
    for (size_t i = p->row_count / 2; i > 0; i--)
        sift(p, i - 1, p->row_count);
    for (size_t last = p->row_count; last > 1; last--) {
        struct gt_profile_row row = p->rows[0];
        p->rows[0] = p->rows[last - 1];
        p->rows[last - 1] = row;
        sift(p, 0, last - 1);
    }
}

static void take_rows(struct gt_profile *p)
{
    for (size_t i = 0; p->total.entries && i <= p->total.mask; i++) {
        struct gt_tally_entry *entry = &p->total.entries[i];
        gt_tally_settle(entry, p->sync);
        if (entry->key == 0 || entry->amount.count == 0)
            continue;
        p->rows[p->row_count].stack = entry->key >> GT_SLOT_BITS;
        p->rows[p->row_count].slot = entry->key & (GT_SLOTS - 1);
        p->rows[p->row_count++].amount = entry->amount;
    }
}

gt_status gt_profile_sort(struct gt_profile *p)
{
    size_t capacity = 0;
    if (p->total.used > 0) {
        p->rows = gt_mem_alloc(&p->mem, p->total.used * sizeof(*p->rows));
        if (!p->rows)
            return gt_mem_failure(&p->mem);
        capacity = p->total.used;
    }
    p->row_capacity = capacity;
    take_rows(p);
    gt_tally_free(&p->total, &p->mem);
    sort(p);
    size_t at = 0;
    for (uint32_t kind = 0; kind <= GT_PROFILE_KINDS; kind++) {
        while (at < p->row_count && gt_slot_kind(p->rows[at].slot) < kind)
            at++;
        p->kind_first[kind] = at;
    }
    return GT_OK;
}
