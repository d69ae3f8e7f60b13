/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/members.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

enum {
    FIRST_SLOTS = 64
};

void gt_members_init(struct gt_members *members, struct gt_mem *mem)
{
    memset(members, 0, sizeof(*members));
    members->mem = mem;
    members->secret = gt_hash_secret(members);
}

static void free_slots(struct gt_members *members)
{
    if (!members->slots)
        return;
    gt_mem_free(members->mem, members->slots, (members->mask + 1) * sizeof(*members->slots));
    gt_mem_free(members->mem, members->taken, members->mask + 1);
}

void gt_members_destroy(struct gt_members *members)
{
    free_slots(members);
    members->slots = NULL;
}

static size_t home(const struct gt_members *members, struct gt_member member)
{
    uint64_t hash = gt_hash(member.task, members->secret);
    return (size_t) gt_hash((uint64_t) member.goroutine, hash) & members->mask;
}

/* Where it is, or the free slot where it would be. */
static size_t find(const struct gt_members *members, struct gt_member member)
{
    size_t i = home(members, member);
    while (members->taken[i] && (members->slots[i].task != member.task ||
                                 members->slots[i].goroutine != member.goroutine))
        i = (i + 1) & members->mask;
    return i;
}

static void put(struct gt_members *members, size_t at, struct gt_member member)
{
    members->slots[at] = member;
    members->taken[at] = 1;
}

static gt_status grow(struct gt_members *members)
{
    size_t room = members->slots ? 2 * (members->mask + 1) : FIRST_SLOTS;
    struct gt_members grown = *members;
    grown.mask = room - 1;
    grown.slots = gt_mem_alloc(members->mem, room * sizeof(struct gt_member));
    if (!grown.slots)
        return gt_mem_failure(members->mem);
    grown.taken = gt_mem_alloc(members->mem, room);
    if (!grown.taken) {
        gt_mem_free(members->mem, grown.slots, room * sizeof(struct gt_member));
        return gt_mem_failure(members->mem);
    }
    memset(grown.taken, 0, room);
    for (size_t i = 0; members->slots && i <= members->mask; i++) {
        if (members->taken[i])
            put(&grown, find(&grown, members->slots[i]), members->slots[i]);
    }
    free_slots(members);
    *members = grown;
    return GT_OK;
}

gt_status gt_members_add(struct gt_members *members, struct gt_member member, int *added)
{
    *added = 0;
    if (members->slots && members->taken[find(members, member)])
        return GT_OK;
    if (!members->slots || 2 * members->count > members->mask) {
        gt_status status = grow(members);
        if (status != GT_OK)
            return status;
    }
    assert(members->slots);
    put(members, find(members, member), member);
    members->count++;
    *added = 1;
    return GT_OK;
}

void gt_members_remove(struct gt_members *members, struct gt_member member)
{
    size_t i = members->slots ? find(members, member) : 0;
    if (!members->slots || !members->taken[i])
        return;
    /* The gap is closed, so that no search ends too early. */
    for (size_t j = (i + 1) & members->mask; members->taken[j]; j = (j + 1) & members->mask) {
        size_t at_best = home(members, members->slots[j]);
        if (gt_hash_distance(members->mask, at_best, j) >= gt_hash_distance(members->mask, i, j)) {
            members->slots[i] = members->slots[j];
            i = j;
        }
    }
    members->taken[i] = 0;
    members->count--;
}
