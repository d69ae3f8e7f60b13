/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_OUTPUT_H
#define AGENT_OUTPUT_H

#include "agent/agent.h"
#include "agent/settings.h"

/*
 * The files of traces, and the report: a file to which the agents of all processes add lines, and
 * which `gotrace record` reads in the end.
 */

/* A trace that is being written. */
struct agent_output {
    int fd;
    uint64_t number;
    char path[AGENT_PATH];
};

/* Opens the next trace of the process. Returns false, and reports it, if that fails. */
bool agent_output_open(struct agent_output *output, const struct agent_settings *settings);

/* Closes it, and reports how many bytes it has and how the recording ended. */
void agent_output_close(struct agent_output *output, const struct agent_settings *settings,
                        gt_status status);

/* Closes and removes it, as there is nothing to write. */
void agent_output_drop(struct agent_output *output, const struct agent_settings *settings,
                       const char *why);

/* Reports why there is no trace. */
void agent_report_failure(const struct agent_settings *settings, const char *what, const char *why);

#endif
