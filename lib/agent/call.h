/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_CALL_H
#define AGENT_CALL_H

#include "agent/agent.h"

/* The body of a function of which each call is a system call: it is recorded with its result. */
#define AGENT_CALL(type, call)                                                                     \
    do {                                                                                           \
        struct agent_thread *self = agent_call();                                                  \
        type result = (call);                                                                      \
        agent_go_on(self);                                                                         \
        return result;                                                                             \
    } while (0)

#endif
