/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_CALL_H
#define AGENT_CALL_H

#include "agent/agent.h"

/*
 * The end of the body of a function: what it calls may take long. `begin` tells that it begins, as
 * agent_block and agent_call do, and the result of `call` is returned.
 */
#define AGENT_WAIT(type, begin, call)                                                              \
    do {                                                                                           \
        struct agent_thread *waiting = (begin);                                                    \
        type returned = (call);                                                                    \
        agent_go_on(waiting);                                                                      \
        return returned;                                                                           \
    } while (0)

/* The same for a system call. */
#define AGENT_CALL(type, call) AGENT_WAIT(type, agent_call(), call)

#endif
