/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_MEMORY_H
#define AGENT_MEMORY_H

#include <gotrace/allocator.h>

/*
 * The memory of the agent and its recorder. It is not that of malloc: a program
 * may have its own, which holds locks where it is interrupted by the agent.
 */

extern const gt_allocator agent_memory;

/* Allocates memory, or returns NULL. It is freed with the size that it has. */
void *agent_alloc(size_t bytes);
void agent_free(void *block, size_t bytes);

/* Makes memory usable in a process that was forked while other threads were allocating. */
void agent_memory_after_fork(void);

#endif
