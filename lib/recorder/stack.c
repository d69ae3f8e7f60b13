/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/stack.h"

#include "base/hash.h"
#include "recorder/buffer.h"
#include "recorder/memory.h"
#include "recorder/modules.h"
#include "recorder/reads_any.h"
#include "recorder/recent.h"

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

/* The bounds of the stack on which the thread runs now. */
static struct gt_recorder_bounds stack_bounds(const gt_rec_thread *t)
{
    const gt_rec_go *go = gt_recorder_own_go(t);
    return go && go->bounds.high != 0 ? go->bounds : t->bounds;
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
GT_READS_ANY static size_t stack_walk(struct gt_recorder_bounds bounds, uintptr_t frame,
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

/* The caller of a public function, of which `frame` is the frame. */
GT_READS_ANY static inline struct gt_unwind_frame stack_caller(const void *frame)
{
    const uintptr_t *words = frame;
    return (struct gt_unwind_frame){words[1], (uintptr_t) (words + 2), words[0], false};
}

/* Finds a stack by tables, which know the frames of all code, from its first frame on. */
static size_t stack_walk_by_tables(const gt_rec_thread *t, struct gt_unwind_frame first,
                                   uint64_t *pcs, size_t room)
{
    pcs[0] = first.is_exact ? first.pc + 1 : first.pc;
    return 1 + gt_unwind(gt_recorder_modules_map(t->recorder), stack_bounds(t), first, pcs + 1,
                         room - 1, NULL);
}

/* The stack of the caller of a public function, of which `frame` is the frame. */
static size_t stack_walk_caller(const gt_rec_thread *t, const void *frame, uint64_t *pcs,
                                size_t room)
{
    return gt_recorder_has_tables(t->recorder)
               ? stack_walk_by_tables(t, stack_caller(frame), pcs, room)
               : stack_walk(stack_bounds(t), (uintptr_t) frame, pcs, room);
}

size_t gt_recorder_stack_interrupted(const gt_rec_thread *t, const void *context, const void *frame,
                                     uint64_t *pcs, size_t room)
{
    struct gt_system_registers registers;
    if (!context)
        return stack_walk_caller(t, frame, pcs, room);
    if (!gt_system_interrupted(context, &registers))
        return 0;
    struct gt_unwind_frame first = {registers.pc, registers.sp, registers.fp, true};
    if (gt_recorder_has_tables(t->recorder))
        return stack_walk_by_tables(t, first, pcs, room);
    pcs[0] = registers.pc + 1;
    /* What lies below the stack pointer is of no frame. */
    return registers.fp < registers.sp
               ? 1
               : 1 + stack_walk(stack_bounds(t), registers.fp, pcs + 1, room - 1);
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
    count = stack_walk_caller(t, frame, pcs, depth);
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

/* How much a table takes when it grows: arrays by half, and an index is copied to a larger one. */
static uint64_t stacks_growth(const struct gt_recorder_stacks *stacks)
{
    uint64_t arrays = gt_array_bytes(&stacks->pcs) + gt_array_bytes(&stacks->list);
    return arrays / 2 + 2 * gt_index_bytes(&stacks->index);
}

/* Makes room for one more stack. */
static bool stacks_make_room(gt_recorder *recorder, const struct gt_recorder_stacks *stacks,
                             size_t count)
{
    if (count <= stacks->pcs.capacity - stacks->pcs.count &&
        stacks->list.count < stacks->list.capacity)
        return true;
    return gt_recorder_memory_make_room(recorder,
                                        stacks_growth(stacks) + count * sizeof(*stacks->pcs.items));
}

/* Adds a stack that is not in the table. */
static gt_status stack_append(gt_recorder *recorder, struct gt_recorder_stacks *stacks,
                              uint64_t hash, struct gt_recorder_stack stack, const uint64_t *pcs)
{
    gt_status status = gt_array_reserve(&recorder->mem, &stacks->pcs, stack.count);
    if (status != GT_OK)
        return status;
    stack.first = stacks->pcs.count;
    status = gt_index_append(&stacks->index, &stacks->list, &recorder->mem, hash, stack);
    if (status != GT_OK)
        return status;
    memcpy(stacks->pcs.items + stack.first, pcs, stack.count * sizeof(*pcs));
    stacks->pcs.count += stack.count;
    return GT_OK;
}

/* The same, for which older generations in the window may have to go. */
static gt_status stack_add(gt_recorder *recorder, struct gt_recorder_stacks *stacks, uint64_t hash,
                           struct gt_recorder_stack stack, const uint64_t *pcs)
{
    gt_status status;
    size_t before = stacks->pcs.capacity;
    if (!stacks_make_room(recorder, stacks, stack.count))
        return GT_ERR_LIMIT;
    do
        status = stack_append(recorder, stacks, hash, stack, pcs);
    while (gt_recorder_memory_try_again(recorder, status));
    if (stacks->pcs.capacity != before)
        gt_recorder_memory_note(recorder, stacks_growth(stacks));
    return status;
}

static const struct gt_recorder_stack *stack_find(const struct gt_recorder_stacks *stacks,
                                                  uint64_t hash, const uint64_t *pcs, size_t count)
{
    const struct gt_recorder_stack *found;
    GT_INDEX_FIND(found, &stacks->list, &stacks->index, hash,
                  found->count == count &&
                      memcmp(stacks->pcs.items + found->first, pcs, count * sizeof(*pcs)) == 0);
    return found;
}

/* Returns the number of a stack in the table of the thread, to which it is added; 0 without memory.
 */
static uint64_t stack_number(gt_rec_thread *t, uint64_t *pcs, size_t count)
{
    struct gt_recorder_stacks *stacks = &t->stacks[t->generation & 1];
    count = gt_recorder_stack_add_name(t, pcs, count);
    if (count == 0)
        return 0;
    uint64_t hash = stack_hash(t->recorder, pcs, count);
    const struct gt_recorder_stack *found = stack_find(stacks, hash, pcs, count);
    if (found)
        return found->number;
    struct gt_recorder_stack stack = {stack_next_number(t), 0, count};
    gt_status status = stack_add(t->recorder, stacks, hash, stack, pcs);
    if (status == GT_OK)
        return stack.number;
    gt_recorder_lose(t, status);
    return 0;
}

/* The same for a stack that is found by tables, and remembered. */
static uint64_t stack_take_recent(gt_rec_thread *t, const void *frame)
{
    size_t count = 0;
    struct gt_recorder_recent_stack *recent = gt_recorder_recent_unwind(
        t, stack_bounds(t), stack_caller(frame), (size_t) t->stack_depth, &count);
    if (!recent)
        return stack_number(t, t->pcs, count);
    if (recent->generation == t->generation && recent->name == gt_recorder_stack_name(t))
        return recent->number;
    memcpy(t->pcs, recent->pcs, recent->count * sizeof(t->pcs[0]));
    recent->number = stack_number(t, t->pcs, recent->count);
    recent->name = gt_recorder_stack_name(t);
    recent->generation = t->generation;
    return recent->number;
}

uint64_t gt_recorder_stack_take(gt_rec_thread *t, const void *frame)
{
    if (t->recent && !t->recorder->unwind)
        return stack_take_recent(t, frame);
    return stack_number(t, t->pcs, stack_unwind(t, frame, t->pcs));
}

uint64_t gt_recorder_stack_of_sample(gt_rec_thread *t, uint64_t generation, const uint64_t *pcs,
                                     size_t count)
{
    gt_recorder *recorder = t->recorder;
    struct gt_recorder_stacks *stacks = &t->stacks[generation & 1];
    uint64_t hash = stack_hash(recorder, pcs, count);
    const struct gt_recorder_stack *found = stack_find(stacks, hash, pcs, count);
    if (found)
        return found->number;
    /* The thread itself has the numbers in its block. */
    struct gt_recorder_stack stack = {gt_atomic_add(&recorder->next_stack, 1), 0, count};
    return stack_add(recorder, stacks, hash, stack, pcs) == GT_OK ? stack.number : 0;
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
