/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_DESCRIPTORS_H
#define AGENT_DESCRIPTORS_H

#include "agent/agent.h"

/*
 * The descriptors of the agent: the file of the trace, and the pipe of the recorder. They have high
 * numbers, so that the program's own have those that they would have without it; and a program that
 * closes what it did not open, as daemons do, finds none there. A program that chooses one of the
 * numbers itself, by dup2 or dup3, gets it, and the agent moves its descriptor to another one.
 */

/* Gives a descriptor a high number. Returns the new one, or `fd` if there is no room. */
int agent_descriptor_move(int fd);

/*
 * Tells where the recorder has the numbers of its pipe, which are two, and that of the trace. They
 * are changed there when the program needs one.
 */
void agent_descriptors_set(int *pipe);
void agent_descriptor_keep(int *fd);

/* Forgets the numbers of the pipe. */
void agent_descriptors_forget(void);

/* Forgets the number of the trace, and returns it. -1: there is none. */
int agent_descriptor_release(void);

#endif
