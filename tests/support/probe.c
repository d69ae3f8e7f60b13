/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/probe.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define MAGIC UINT64_C(0x70726f6265642121)

/* The header of each block, which keeps the block aligned like those of malloc. */
union head {
    struct {
        uint64_t magic;
        uint64_t bytes;
    } block;

    max_align_t align;
};

static int fails(struct probe *probe)
{
    probe->calls++;
    if (probe->fail_at == 0 || probe->calls < probe->fail_at ||
        (probe->calls > probe->fail_at && !probe->fail_on))
        return 0;
    probe->failed++;
    return 1;
}

static union head *head_of(void *block)
{
    return (union head *) block - 1;
}

/* Counts a block, and returns the address for the user. */
static void *enter(struct probe *probe, union head *head, size_t bytes)
{
    head->block.magic = MAGIC;
    head->block.bytes = bytes;
    probe->live_blocks++;
    probe->live_bytes += bytes;
    if (probe->peak_bytes < probe->live_bytes)
        probe->peak_bytes = probe->live_bytes;
    return head + 1;
}

/*
 * Makes reads of memory that was not written visible. Of large blocks only the beginning is: most
 * of them are tables that are used from there on, and the rest would take most of the time.
 */
static void spoil(union head *head, size_t bytes)
{
    enum {
        MOST = 1 << 14
    };

    memset(head + 1, 0xa5, bytes < MOST ? bytes : MOST);
}

/* Whether `block` is a block of `bytes` from this allocator; otherwise counts a misuse. */
static int known(struct probe *probe, void *block, size_t bytes)
{
    if (block && head_of(block)->block.magic == MAGIC && head_of(block)->block.bytes == bytes)
        return 1;
    probe->misuses++;
    return 0;
}

static void leave(struct probe *probe, union head *head)
{
    probe->live_blocks--;
    probe->live_bytes -= head->block.bytes;
    head->block.magic = 0;
}

static void *probe_allocate(void *context, size_t bytes)
{
    struct probe *probe = context;
    union head *head;

    if (fails(probe))
        return NULL;
    if (bytes == 0) {
        probe->misuses++;
        return NULL;
    }
    head = malloc(sizeof(*head) + bytes);
    if (!head)
        return NULL;
    spoil(head, bytes);
    return enter(probe, head, bytes);
}

static void *probe_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct probe *probe = context;
    union head *head;

    if (fails(probe))
        return NULL;
    if (bytes == 0 || !known(probe, block, old_bytes)) {
        probe->misuses += bytes == 0;
        return NULL;
    }
    head = malloc(sizeof(*head) + bytes);
    if (!head)
        return NULL;
    spoil(head, bytes);
    memcpy(head + 1, block, old_bytes < bytes ? old_bytes : bytes);
    /* Both blocks exist for a moment, so both count. */
    enter(probe, head, bytes);
    leave(probe, head_of(block));
    free(head_of(block));
    return head + 1;
}

static void probe_release(void *context, void *block, size_t bytes)
{
    struct probe *probe = context;

    if (!known(probe, block, bytes))
        return;
    leave(probe, head_of(block));
    free(head_of(block));
}

void probe_init(struct probe *probe)
{
    memset(probe, 0, sizeof(*probe));
    probe->allocator.size = sizeof(probe->allocator);
    probe->allocator.context = probe;
    probe->allocator.allocate = probe_allocate;
    probe->allocator.reallocate = probe_reallocate;
    probe->allocator.release = probe_release;
}

void probe_allow(struct probe *probe, uint64_t calls)
{
    probe->fail_at = probe->calls + calls + 1;
    probe->fail_on = 1;
}

void probe_check(const struct probe *probe)
{
    assert_int_equal(probe->misuses, 0);
    assert_int_equal(probe->live_blocks, 0);
    assert_int_equal(probe->live_bytes, 0);
}
