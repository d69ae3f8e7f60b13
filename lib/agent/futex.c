/* SPDX-License-Identifier: BSD-3-Clause */
/* For syscall and process_vm_readv. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Futexes by the function syscall, as the standard libraries of C++ and Rust
 * use them. */

enum {
    FUTEX_ARGUMENTS = 6
};

AGENT_REAL(long, syscall, (long, ...))

static long futex_call(long number, const long *arguments)
{
    return real_syscall()(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
}

/* Whether a thread waits by this call: if the word has changed, it returns at
 * once. The address may be a bad one, which the system refuses: so it is the
 * system that reads it. Where it may not, the thread is taken to wait. */
static bool futex_waits(const long *arguments, int command)
{
    uint32_t word = 0;
    if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET)
        return false;
    int error = errno;
    struct iovec from = {(void *) arguments[0], sizeof(word)}, to = {&word, sizeof(word)};
    ssize_t size = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    bool is_bad = size < 0 && errno == EFAULT;
    errno = error;
    return size < 0 ? !is_bad : word == (uint32_t) arguments[2];
}

AGENT_EXPORT long syscall(long number, ...)
{
    long arguments[FUTEX_ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (size_t i = 0; i < FUTEX_ARGUMENTS; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (number != SYS_futex || gt_atomic_peek(&agent_kinds) == 0)
        return futex_call(number, arguments);
    int command = (int) arguments[1] & FUTEX_CMD_MASK;
    const void *word = (const void *) arguments[0];
    if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET)
        agent_wake(word, arguments[2] > 0 ? (unsigned) arguments[2] : 0);
    struct agent_thread *self = NULL;
    if (futex_waits(arguments, command))
        self = agent_block(AGENT_SYNC, word, GT_REC_SYNC);
    long result = futex_call(number, arguments);
    agent_go_on(self);
    return result;
}
