/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/members.h"

#include <string.h>

#include "base/hash.h"

void gt_members_init(struct gt_members *members, struct gt_mem *mem)
{
    memset(members, 0, sizeof(*members));
    members->mem = mem;
    members->secret = gt_hash_secret(members);
}

void gt_members_destroy(struct gt_members *members)
{
    gt_array_free(members->mem, &members->list);
    gt_index_free(&members->index, members->mem);
}

static uint64_t member_hash(const struct gt_members *members, struct gt_member member)
{
    return gt_hash_pair(member.task, (uint64_t) member.goroutine, members->secret);
}

/* The place of a pair in the list, or the number of pairs if it is not there. */
static size_t member_find(const struct gt_members *members, struct gt_member member, uint64_t hash)
{
    const struct gt_member *known;
    GT_INDEX_FIND(known, &members->list, &members->index, hash,
                  known->task == member.task && known->goroutine == member.goroutine);
    return gt_array_index(&members->list, known);
}

gt_status gt_members_add(struct gt_members *members, struct gt_member member, bool *added)
{
    uint64_t hash = member_hash(members, member);
    *added = false;
    if (member_find(members, member, hash) < members->list.count)
        return GT_OK;
    gt_status status = gt_index_append(&members->index, &members->list, members->mem, hash, member);
    *added = status == GT_OK;
    return status;
}

void gt_members_remove(struct gt_members *members, struct gt_member member)
{
    uint64_t hash = member_hash(members, member);
    size_t at = member_find(members, member, hash);
    if (at == members->list.count)
        return;
    gt_index_remove(&members->index, hash, at);
    struct gt_member last = members->list.items[--members->list.count];
    if (at == members->list.count)
        return;
    gt_index_move(&members->index, member_hash(members, last), members->list.count, at);
    members->list.items[at] = last;
}
