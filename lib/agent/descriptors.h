/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_DESCRIPTORS_H
#define AGENT_DESCRIPTORS_H

#include "agent/agent.h"

/*
 * The descriptors of the agent: the file of the trace, and the pipe of the recorder. They have high
 * numbers, so that the program's own have those that they would have without it; and a program that
 * closes what it did not open, as daemons do, finds none there.
 */

/* Gives a descriptor a high number. Returns the new one, or `fd` if there is no room. */
int agent_descriptor_move(int fd);

/* Sets which descriptors are those of the recorder. -1: none. */
void agent_descriptors_set(int one, int other);

/* Sets which one is that of the trace. -1: none. */
void agent_descriptor_keep(int fd);

#endif
