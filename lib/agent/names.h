/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_NAMES_H
#define AGENT_NAMES_H

#include "agent/agent.h"

/* The text of the name of the function at an address, by which threads are
 * grouped. */
gt_rec_text agent_name(uintptr_t address);

/* Forgets all names, when another recorder begins. */
void agent_forget_names(void);

#endif
