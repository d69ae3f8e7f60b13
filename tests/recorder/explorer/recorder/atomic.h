/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_ATOMIC_H
#define GT_RECORDER_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes the place of lib/recorder/atomic.h: before each operation another thread may continue, and
 * stores wait in a buffer of their thread, as on x86 (TSO).
 */

uint64_t explorer_peek(const uint64_t *at);
uint64_t explorer_load(const uint64_t *at);
void explorer_store(uint64_t *at, uint64_t value);
void explorer_store_full(uint64_t *at, uint64_t value);
uint64_t explorer_add(uint64_t *at, uint64_t more);
bool explorer_swap(uint64_t *at, uint64_t *expected, uint64_t value);

struct gt_atomic {
    uint64_t value;
};

struct gt_atomic_pointer {
    uint64_t value;
};

static inline uint64_t gt_atomic_peek(const struct gt_atomic *atomic)
{
    return explorer_peek(&atomic->value);
}

static inline uint64_t gt_atomic_get(const struct gt_atomic *atomic)
{
    return explorer_load(&atomic->value);
}

static inline uint64_t gt_atomic_get_full(const struct gt_atomic *atomic)
{
    return explorer_load(&atomic->value);
}

static inline void gt_atomic_set(struct gt_atomic *atomic, uint64_t value)
{
    explorer_store(&atomic->value, value);
}

static inline void gt_atomic_set_full(struct gt_atomic *atomic, uint64_t value)
{
    explorer_store_full(&atomic->value, value);
}

static inline uint64_t gt_atomic_add(struct gt_atomic *atomic, uint64_t more)
{
    return explorer_add(&atomic->value, more);
}

static inline bool gt_atomic_swap(struct gt_atomic *atomic, uint64_t *expected, uint64_t value)
{
    return explorer_swap(&atomic->value, expected, value);
}

static inline void *gt_atomic_pointer_peek(const struct gt_atomic_pointer *atomic)
{
    return (void *) (uintptr_t) explorer_peek(&atomic->value);
}

static inline void gt_atomic_pointer_poke(struct gt_atomic_pointer *atomic, void *value)
{
    atomic->value = (uintptr_t) value;
}

static inline void *gt_atomic_pointer_get(const struct gt_atomic_pointer *atomic)
{
    return (void *) (uintptr_t) explorer_load(&atomic->value);
}

static inline void gt_atomic_pointer_set(struct gt_atomic_pointer *atomic, void *value)
{
    explorer_store(&atomic->value, (uintptr_t) value);
}

static inline bool gt_atomic_pointer_swap(struct gt_atomic_pointer *atomic, void **expected,
                                          void *value)
{
    uint64_t old = (uintptr_t) *expected;
    bool is_swapped = explorer_swap(&atomic->value, &old, (uintptr_t) value);
    *expected = (void *) (uintptr_t) old;
    return is_swapped;
}

static inline void gt_atomic_light_fence(void)
{
}

#endif
