/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_ATOMIC_H
#define GT_RECORDER_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * All atomic operations of the recorder. A test replaces this header by one of its own, in which
 * each operation is a point where another thread may continue, and in which stores may be delayed.
 */

struct gt_atomic {
    _Atomic uint64_t value;
};

struct gt_atomic_pointer {
    _Atomic uintptr_t value;
};

/* For what only the calling thread changes, and for hints. */
static inline uint64_t gt_atomic_peek(const struct gt_atomic *atomic)
{
    return atomic_load_explicit(&atomic->value, memory_order_relaxed);
}

/* Sees everything that happened before the gt_atomic_set or gt_atomic_swap that it reads from. */
static inline uint64_t gt_atomic_get(const struct gt_atomic *atomic)
{
    return atomic_load_explicit(&atomic->value, memory_order_acquire);
}

/* A store before which everything that the thread did so far is visible. */
static inline void gt_atomic_set(struct gt_atomic *atomic, uint64_t value)
{
    atomic_store_explicit(&atomic->value, value, memory_order_release);
}

/* A store and a full barrier: later loads of this thread cannot happen before it. */
static inline void gt_atomic_set_full(struct gt_atomic *atomic, uint64_t value)
{
    atomic_exchange_explicit(&atomic->value, value, memory_order_seq_cst);
}

/* A load that no earlier gt_atomic_set_full of this thread can come after. */
static inline uint64_t gt_atomic_get_full(const struct gt_atomic *atomic)
{
    return atomic_load_explicit(&atomic->value, memory_order_seq_cst);
}

static inline uint64_t gt_atomic_add(struct gt_atomic *atomic, uint64_t more)
{
    return atomic_fetch_add_explicit(&atomic->value, more, memory_order_seq_cst);
}

/* Replaces `*expected` by `value`. On failure sets `*expected` to what is there. */
static inline bool gt_atomic_swap(struct gt_atomic *atomic, uint64_t *expected, uint64_t value)
{
    uint64_t old = *expected;
    bool is_swapped = atomic_compare_exchange_strong_explicit(
        &atomic->value, &old, value, memory_order_seq_cst, memory_order_acquire);
    *expected = old;
    return is_swapped;
}

/* For what only the calling thread changes. */
static inline void *gt_atomic_pointer_peek(const struct gt_atomic_pointer *atomic)
{
    return (void *) atomic_load_explicit(&atomic->value, memory_order_relaxed);
}

/*
 * For what others read only when it has been left alone for a while: the explorer takes it for no
 * step of its own. What a pointer points to is visible to whoever gets the pointer.
 */
static inline void gt_atomic_pointer_poke(struct gt_atomic_pointer *atomic, void *value)
{
    atomic_store_explicit(&atomic->value, (uintptr_t) value, memory_order_release);
}

static inline void *gt_atomic_pointer_get(const struct gt_atomic_pointer *atomic)
{
    return (void *) atomic_load_explicit(&atomic->value, memory_order_acquire);
}

static inline void gt_atomic_pointer_set(struct gt_atomic_pointer *atomic, void *value)
{
    atomic_store_explicit(&atomic->value, (uintptr_t) value, memory_order_release);
}

static inline bool gt_atomic_pointer_swap(struct gt_atomic_pointer *atomic, void **expected,
                                          void *value)
{
    uintptr_t old = (uintptr_t) *expected;
    bool is_swapped = atomic_compare_exchange_strong_explicit(
        &atomic->value, &old, (uintptr_t) value, memory_order_seq_cst, memory_order_acquire);
    *expected = (void *) old;
    return is_swapped;
}

/* Keeps the compiler, but not the processor, from moving accesses across it. */
static inline void gt_atomic_light_fence(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

#endif
