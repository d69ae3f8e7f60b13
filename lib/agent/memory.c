/* SPDX-License-Identifier: BSD-3-Clause */
/* For MAP_ANONYMOUS. */
#define _GNU_SOURCE

#include "agent/memory.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "agent/agent.h"
#include "base/bits.h"

/*
 * Blocks of powers of two, which are cut from larger ones, and used again;
 * larger ones are the system's own.
 */

enum {
    MEMORY_LEAST = 5, /* 32 bytes */
    MEMORY_MOST = 17, /* 128 KiB */
    MEMORY_CHUNK = 1 << 20
};

struct memory_block {
    struct memory_block *next;
};

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory_block *memory_free[MEMORY_MOST + 1];
static char *memory_chunk;
static size_t memory_left;

/* The power of two of a block that has room. */
static unsigned memory_class(size_t bytes)
{
    return bytes <= (size_t) 1 << MEMORY_LEAST ? MEMORY_LEAST : gt_highest_bit(bytes - 1) + 1;
}

static void *memory_map(size_t bytes)
{
    /* cppcheck believes that every mapping is of a file. */
    /* cppcheck-suppress invalidFunctionArg */
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* cppcheck-suppress memleak */
    return block == MAP_FAILED ? NULL : block;
}

/* Cuts a block off the chunk. What is left of an old chunk is forgotten: that
 * is less than one. */
static void *memory_cut(size_t bytes)
{
    if (memory_left < bytes) {
        memory_chunk = memory_map(MEMORY_CHUNK);
        memory_left = memory_chunk ? MEMORY_CHUNK : 0;
    }
    if (memory_left < bytes)
        return NULL;
    void *block = memory_chunk;
    memory_chunk += bytes;
    memory_left -= bytes;
    return block;
}

void *agent_alloc(size_t bytes)
{
    unsigned class = memory_class(bytes);
    if (class > MEMORY_MOST)
        return memory_map(bytes);
    struct agent_thread *self = &agent_self;
    self->inside++;
    pthread_mutex_lock(&memory_lock);
    struct memory_block *block = memory_free[class];
    if (block)
        memory_free[class] = block->next;
    else
        block = memory_cut((size_t) 1 << class);
    pthread_mutex_unlock(&memory_lock);
    self->inside--;
    return block;
}

void agent_free(void *block, size_t bytes)
{
    unsigned class = memory_class(bytes);
    if (class > MEMORY_MOST) {
        munmap(block, bytes);
        return;
    }
    struct agent_thread *self = &agent_self;
    struct memory_block *freed = block;
    self->inside++;
    pthread_mutex_lock(&memory_lock);
    freed->next = memory_free[class];
    memory_free[class] = freed;
    pthread_mutex_unlock(&memory_lock);
    self->inside--;
}

static void *memory_allocate(void *context, size_t bytes)
{
    (void) context;
    return agent_alloc(bytes);
}

static void memory_release(void *context, void *block, size_t bytes)
{
    (void) context;
    agent_free(block, bytes);
}

static void *memory_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) context;
    if (memory_class(old_bytes) == memory_class(bytes) && memory_class(bytes) <= MEMORY_MOST)
        return block;
    void *other = agent_alloc(bytes);
    if (!other)
        return NULL;
    memcpy(other, block, old_bytes < bytes ? old_bytes : bytes);
    agent_free(block, old_bytes);
    return other;
}

const gt_allocator agent_memory = {sizeof(agent_memory), NULL, memory_allocate, memory_reallocate,
                                   memory_release};

/* Lists that another thread was changing then may be damaged: they are left
 * behind. */
void agent_memory_after_fork(void)
{
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    memory_lock = unlocked;
    memset(memory_free, 0, sizeof(memory_free));
    memory_left = 0;
}
