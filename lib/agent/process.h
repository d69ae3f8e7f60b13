/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_PROCESS_H
#define AGENT_PROCESS_H

#include "agent/agent.h"

/*
 * Whether this process is recorded: not one that shares the memory of the one
 * that is, as between vfork and exec.
 */
bool agent_is_own_process(void);

/* Writes what was recorded so far. */
void agent_advance(void);

/* Ends the recording, and reports it. */
void agent_end(void);

#endif
