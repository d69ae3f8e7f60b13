/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/whysums.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/time.h"
#include "store/classes.h"

bool gt_whysums_init(struct gt_whysums *sums, struct gt_mem *mem)
{
    static const struct gt_store_frame none;
    *sums = (struct gt_whysums){
        .mem = mem,
        .texts.mem = mem,
        .weights = {.mem = mem, .kind = GT_WEIGHTS_WALL},
    };
    sums->secret = gt_hash_secret(sums);
    sums->room = gt_mem_alloc(mem, GT_STACK_MAX_FRAMES * sizeof(gt_frame));
    /* Frame 0 stands for no stack, and text 0 for the empty one. */
    uint32_t empty;
    return sums->room && gt_dictionary_put(&sums->texts, (gt_string){"", 0}, &empty) &&
           gt_array_add(mem, &sums->frames, none) == GT_OK;
}

void gt_whysums_free(struct gt_whysums *sums)
{
    gt_dictionary_free(&sums->texts);
    gt_array_free(sums->mem, &sums->list);
    gt_index_free(&sums->index, sums->mem);
    gt_array_free(sums->mem, &sums->order);
    gt_array_free(sums->mem, &sums->stacks);
    gt_index_free(&sums->stack_index, sums->mem);
    gt_array_free(sums->mem, &sums->frames);
    gt_stackweights_free(&sums->weights);
    gt_mem_free(sums->mem, sums->room, GT_STACK_MAX_FRAMES * sizeof(gt_frame));
}

/*
 * Returns where a stack of `count` frames is, as `gotrace why` tells it: in the innermost function
 * that is not of package runtime, or else in the innermost one.
 */
static gt_string whystack_where(const gt_frame *frames, size_t count)
{
    static const char prefix[] = "runtime.";
    const size_t size = sizeof(prefix) - 1;
    for (size_t i = 0; i < count; i++) {
        gt_string name = frames[i].function;
        if (name.size < size || memcmp(name.data, prefix, size) != 0)
            return name;
    }
    return count > 0 ? frames[0].function : (gt_string){"", 0};
}

/* Whether a stack has these frames: those of a path are equal if their pcs are. */
static bool whystack_is_same(const struct gt_whysums *sums, const struct gt_whystack *stack,
                             size_t count)
{
    uint32_t at = stack->leaf;
    for (size_t i = 0; i < count; i++, at = sums->frames.items[at].parent) {
        if (at == 0 || sums->frames.items[at].pc != sums->room[i].pc)
            return false;
    }
    return at == 0;
}

/* Adds the `count` frames in the room, the outermost first. Sets `*leaf` to the innermost one. */
static bool whystack_add_frames(struct gt_whysums *sums, size_t count, uint32_t *leaf)
{
    *leaf = 0;
    for (size_t i = count; i > 0; i--) {
        const gt_frame *from = &sums->room[i - 1];
        struct gt_store_frame frame = {.parent = *leaf, .line = from->line, .pc = from->pc};
        if (sums->frames.count >= UINT32_MAX ||
            !gt_dictionary_put(&sums->texts, from->function, &frame.function) ||
            !gt_dictionary_put(&sums->texts, from->file, &frame.file) ||
            gt_array_add(sums->mem, &sums->frames, frame) != GT_OK)
            return false;
        *leaf = (uint32_t) sums->frames.count - 1;
    }
    return true;
}

/* Finds or adds the stack of the `count` frames in the room. NULL: no memory. */
static const struct gt_whystack *whystack_find(struct gt_whysums *sums, size_t count)
{
    uint64_t hash = gt_hash(count, sums->secret);
    for (size_t i = 0; i < count; i++)
        hash = gt_hash_pair(hash, sums->room[i].pc, sums->secret);
    const struct gt_whystack *known;
    GT_INDEX_FIND(known, &sums->stacks, &sums->stack_index, hash,
                  whystack_is_same(sums, known, count));
    if (known)
        return known;
    struct gt_whystack stack;
    if (!gt_dictionary_put(&sums->texts, whystack_where(sums->room, count), &stack.where) ||
        !whystack_add_frames(sums, count, &stack.leaf) ||
        gt_index_append(&sums->stack_index, &sums->stacks, sums->mem, hash, stack) != GT_OK)
        return NULL;
    return &sums->stacks.items[sums->stacks.count - 1];
}

bool gt_whysums_find_stack(struct gt_whysums *sums, const gt_path *path, size_t part,
                           struct gt_whystack *stack)
{
    size_t count = 0;
    gt_path_part_frames(path, part, sums->room, GT_STACK_MAX_FRAMES, &count);
    const struct gt_whystack *found = whystack_find(sums, count);
    if (found)
        *stack = *found;
    return found != NULL;
}

/* Finds or adds the sum to which a part belongs. NULL: no memory. */
static struct gt_whysum *whysum_find(struct gt_whysums *sums, const gt_path_part *part,
                                     uint32_t where)
{
    struct gt_whysum sum = {.where = where, .state = part->state};
    if (!gt_dictionary_put(&sums->texts, part->group, &sum.group) ||
        !gt_dictionary_put(&sums->texts, part->reason, &sum.reason))
        return NULL;
    uint64_t hash = gt_hash_pair((uint64_t) sum.group << 32 | sum.reason,
                                 (uint64_t) where << 32 | sum.state, sums->secret);
    struct gt_whysum *known;
    GT_INDEX_FIND(known, &sums->list, &sums->index, hash,
                  known->group == sum.group && known->reason == sum.reason &&
                      known->where == where && known->state == sum.state);
    if (known)
        return known;
    if (gt_index_append(&sums->index, &sums->list, sums->mem, hash, sum) != GT_OK)
        return NULL;
    return &sums->list.items[sums->list.count - 1];
}

uint32_t gt_whysums_class(const gt_path_part *part)
{
    switch (part->state) {
    case GT_PATH_RUNNING:
        return GT_CLASS_RUNNING;
    case GT_PATH_SYSCALL:
        return GT_CLASS_SYSCALL;
    case GT_PATH_SCHED_BUSY:
    case GT_PATH_SCHED_IDLE:
        return GT_CLASS_RUNNABLE;
    case GT_PATH_WAITING:
        return gt_class_of_wait(part->reason);
    default:
        return GT_STORE_CLASSES;
    }
}

static bool whysums_add_weight(struct gt_whysums *sums, const gt_path_part *part, uint32_t leaf,
                               int64_t time)
{
    uint32_t cls = gt_whysums_class(part);
    if (cls == GT_STORE_CLASSES)
        return true;
    if (gt_array_extend(sums->mem, &sums->weights.groups[cls], (size_t) leaf + 1) != GT_OK)
        return false;
    gt_time_add_to(&sums->weights.groups[cls].items[leaf], time);
    return true;
}

static bool whysums_add_part(struct gt_whysums *sums, const gt_path *path, size_t index)
{
    gt_path_part part = GT_PATH_PART_INIT;
    struct gt_whystack stack;
    gt_path_get_part(path, index, &part);
    int64_t time = gt_time_minus(part.end, part.start);
    struct gt_whysum *sum = gt_whysums_find_stack(sums, path, index, &stack)
                                ? whysum_find(sums, &part, stack.where)
                                : NULL;
    if (!sum || !whysums_add_weight(sums, &part, stack.leaf, time))
        return false;
    if (sum->count == 0 || time > gt_time_minus(sum->longest.end, sum->longest.start))
        sum->longest = part;
    sum->count++;
    gt_time_add_to(&sum->time, time);
    return true;
}

bool gt_whysums_add(struct gt_whysums *sums, const gt_path *path)
{
    size_t count = gt_path_part_count(path);
    for (size_t i = 0; i < count; i++) {
        if (!whysums_add_part(sums, path, i))
            return false;
    }
    return true;
}

/* Sums of the same time are in the order in which they were found. */
static bool whysum_comes(const void *a, const void *b, void *context)
{
    const uint32_t left = *(const uint32_t *) a, right = *(const uint32_t *) b;
    const struct gt_whysum *list = context;
    if (list[left].time != list[right].time)
        return list[left].time > list[right].time;
    return left < right;
}

bool gt_whysums_sort(struct gt_whysums *sums)
{
    if (gt_array_extend(sums->mem, &sums->order, sums->list.count) != GT_OK)
        return false;
    for (uint32_t i = 0; i < sums->list.count; i++)
        sums->order.items[i] = i;
    gt_sort(sums->order.items, sums->list.count, sizeof(uint32_t), whysum_comes, sums->list.items);
    return true;
}

gt_string gt_whysums_text(const void *context, uint32_t function)
{
    const struct gt_whysums *sums = context;
    return function < sums->texts.texts.list.count ? gt_dictionary_get(&sums->texts, function)
                                                   : (gt_string){"", 0};
}
