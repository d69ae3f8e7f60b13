/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/stack.h"

#include "base/hash.h"
#include "recorder/buffer.h"
#include "recorder/memory.h"

enum {
    /* How many numbers of stacks a thread takes at once, so that not all write to one place. */
    STACK_NUMBERS = 64
};

/* Where the frames of a function are known: its caller's frame pointer, then the return address. */
#if defined(__x86_64__) || defined(__aarch64__)
#define STACK_HAS_FRAMES 1
#else
#define STACK_HAS_FRAMES 0
#endif

/* What lies on a stack is read as it is, whosever it is. */
#if defined(__clang__)
#define STACK_READS_ANY __attribute__((no_sanitize("address", "memory", "thread")))
#elif defined(__SANITIZE_ADDRESS__)
#define STACK_READS_ANY __attribute__((no_sanitize("address")))
#else
#define STACK_READS_ANY
#endif

/* The bounds of the stack on which the thread runs now. */
static struct gt_recorder_bounds stack_bounds(const gt_rec_thread *t)
{
    return t->go && t->go->bounds.high != 0 ? t->go->bounds : t->bounds;
}

/*
 * A return address as the processor goes on there. Code for AArch64 may sign it on the stack; this
 * instruction (xpaclri) takes the signature away, and does nothing on processors without
 * signatures.
 */
static inline uint64_t stack_address(uintptr_t stored)
{
#ifdef __aarch64__
    register uintptr_t address __asm__("x30") = stored;
    __asm__("hint #7" : "+r"(address));
    return address;
#else
    return stored;
#endif
}

/*
 * Follows frame pointers. Code that has none leaves anything where one is expected, so each must be
 * within the bounds and above the one before. Unknown bounds contain nothing.
 */
STACK_READS_ANY static size_t stack_walk(struct gt_recorder_bounds bounds, uintptr_t frame,
                                         uint64_t *pcs, size_t room)
{
    size_t count = 0;
    while (STACK_HAS_FRAMES && count < room && frame % sizeof(void *) == 0 && frame >= bounds.low &&
           frame < bounds.high && bounds.high - frame >= 2 * sizeof(void *)) {
        const uintptr_t *words = (const uintptr_t *) frame;
        if (words[1] == 0)
            break;
        pcs[count++] = stack_address(words[1]);
        if (words[0] <= frame)
            break;
        frame = words[0];
    }
    return count;
}

/* How many addresses there are before the first 0, at which a stack ends. */
static size_t stack_length(const uint64_t *pcs, size_t count)
{
    size_t length = 0;
    while (length < count && pcs[length] != 0)
        length++;
    return length;
}

/* Removes the frames before the caller of the library, which an unwinder begins with. */
static size_t stack_from_caller(uint64_t *pcs, size_t count, uint64_t caller)
{
    size_t first = 0;
    while (first < count && pcs[first] != caller)
        first++;
    if (first == 0 || first == count)
        return count;
    memmove(pcs, pcs + first, (count - first) * sizeof(*pcs));
    return count - first;
}

static size_t stack_unwind(const gt_rec_thread *t, const void *frame, uint64_t *pcs)
{
    const gt_recorder *recorder = t->recorder;
    uint64_t caller = STACK_HAS_FRAMES ? stack_address(((const uintptr_t *) frame)[1]) : 0;
    size_t count, depth = (size_t) t->stack_depth;
    if (recorder->unwind) {
        count = recorder->unwind(recorder->user_data, pcs, depth);
        count = stack_length(pcs, count < depth ? count : depth);
        return stack_from_caller(pcs, count, caller);
    }
    count = stack_walk(stack_bounds(t), (uintptr_t) frame, pcs, depth);
    if (count == 0 && caller != 0)
        pcs[count++] = caller;
    return count;
}

static uint64_t stack_next_number(gt_rec_thread *t)
{
    if (t->next_stack == t->last_stack) {
        t->next_stack = gt_atomic_add(&t->recorder->next_stack, STACK_NUMBERS);
        t->last_stack = t->next_stack + STACK_NUMBERS;
    }
    return t->next_stack++;
}

static uint64_t stack_hash(const gt_recorder *recorder, const uint64_t *pcs, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = gt_hash_pair(hash, pcs[i], recorder->texts.secret);
    return hash;
}

/* Makes room for one more stack: arrays grow by half, and an index is copied to a larger one. */
static bool stacks_make_room(gt_recorder *recorder, const struct gt_recorder_stacks *stacks,
                             size_t count)
{
    if (count <= stacks->pcs.capacity - stacks->pcs.count &&
        stacks->list.count < stacks->list.capacity)
        return true;
    uint64_t arrays = gt_array_bytes(&stacks->pcs) + gt_array_bytes(&stacks->list);
    return gt_recorder_memory_make_room(recorder, arrays / 2 + 2 * gt_index_bytes(&stacks->index) +
                                                      count * sizeof(*stacks->pcs.items));
}

/* Adds a stack that is not in the table. */
static gt_status stack_append(gt_rec_thread *t, struct gt_recorder_stacks *stacks, uint64_t hash,
                              const uint64_t *pcs, size_t count, uint64_t *number)
{
    struct gt_mem *mem = &t->recorder->mem;
    gt_status status = gt_array_reserve(mem, &stacks->pcs, count);
    if (status != GT_OK)
        return status;
    *number = stack_next_number(t);
    status = gt_index_append(&stacks->index, &stacks->list, mem, hash,
                             (struct gt_recorder_stack){*number, stacks->pcs.count, count});
    if (status != GT_OK)
        return status;
    memcpy(stacks->pcs.items + stacks->pcs.count, pcs, count * sizeof(*pcs));
    stacks->pcs.count += count;
    return GT_OK;
}

/* The same, for which older generations in the window may have to go. */
static gt_status stack_add(gt_rec_thread *t, struct gt_recorder_stacks *stacks, uint64_t hash,
                           const uint64_t *pcs, size_t count, uint64_t *number)
{
    gt_status status;
    if (!stacks_make_room(t->recorder, stacks, count))
        return GT_ERR_LIMIT;
    do
        status = stack_append(t, stacks, hash, pcs, count, number);
    while (gt_recorder_memory_try_again(t->recorder, status));
    return status;
}

uint64_t gt_recorder_stack_take(gt_rec_thread *t, const void *frame)
{
    uint64_t *pcs = t->pcs, number = 0;
    struct gt_recorder_stacks *stacks = &t->stacks[t->generation & 1];
    const struct gt_recorder_stack *found;
    size_t count = stack_unwind(t, frame, pcs);
    /* Tools name a goroutine after its outermost frame. */
    if (t->go && t->go->name != 0)
        pcs[count++] = GT_STACK_TEXT_PC | t->go->name;
    if (count == 0)
        return 0;
    uint64_t hash = stack_hash(t->recorder, pcs, count);
    GT_INDEX_FIND(found, &stacks->list, &stacks->index, hash,
                  found->count == count &&
                      memcmp(stacks->pcs.items + found->first, pcs, count * sizeof(*pcs)) == 0);
    if (found)
        return found->number;
    gt_status status = stack_add(t, stacks, hash, pcs, count, &number);
    if (status == GT_OK)
        return number;
    gt_recorder_lose(t, status);
    return 0;
}

void gt_recorder_stacks_free(gt_rec_thread *t, uint64_t generation)
{
    struct gt_mem *mem = &t->recorder->mem;
    struct gt_recorder_stacks *stacks = &t->stacks[generation & 1];
    gt_array_free(mem, &stacks->pcs);
    gt_array_free(mem, &stacks->list);
    gt_index_free(&stacks->index, mem);
}

gt_status gt_rec_go_stack(gt_rec_go *go, const void *low, size_t size)
{
    uintptr_t begin = (uintptr_t) low;
    if (!go || size > UINTPTR_MAX - begin || (!low && size > 0))
        return GT_ERR_INVALID_ARGUMENT;
    go->bounds = (struct gt_recorder_bounds){begin, size > 0 ? begin + size : 0};
    return GT_OK;
}
