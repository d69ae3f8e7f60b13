/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_CONTROL_H
#define AGENT_CONTROL_H

#include "agent/settings.h"

/*
 * When a process is recorded: from its beginning, or as time and signals say. The recorder is
 * open, and remains so until the process ends.
 */

/* Begins to record, or to wait for the beginning. Returns false, and reports it, if that fails. */
bool agent_control_begin(const struct agent_settings *settings);

/* Ends the recording, if there is one, and writes what has not been written. */
void agent_control_end(void);

/* In a process that was forked, where nothing is recorded yet. */
void agent_control_forget(void);

#endif
