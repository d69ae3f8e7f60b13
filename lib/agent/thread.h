/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_THREAD_H
#define AGENT_THREAD_H

#include "agent/agent.h"

/* Prepares for the end of threads. Returns false if the system has no room for
 * that. */
bool agent_threads_init(void);

/* The calling thread, which is attached, is detached when it ends. */
void agent_thread_end_later(struct agent_thread *self);

#endif
