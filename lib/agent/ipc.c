/* SPDX-License-Identifier: BSD-3-Clause */
/* For semtimedop. */
#define _GNU_SOURCE

#include "agent/agent.h"

#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

#include "agent/call.h"

/* Queues of messages and semaphores between processes, those of System V and of POSIX. */

AGENT_REAL(int, semop, (int, struct sembuf *, size_t))
AGENT_REAL(int, semtimedop, (int, struct sembuf *, size_t, const struct timespec *) )
AGENT_REAL(int, msgsnd, (int, const void *, size_t, int) )
AGENT_REAL(ssize_t, msgrcv, (int, void *, size_t, long, int) )
AGENT_REAL(int, mq_send, (mqd_t, const char *, size_t, unsigned) )
AGENT_REAL(ssize_t, mq_receive, (mqd_t, char *, size_t, unsigned *) )
AGENT_REAL(int, mq_timedsend, (mqd_t, const char *, size_t, unsigned, const struct timespec *) )
AGENT_REAL(ssize_t, mq_timedreceive, (mqd_t, char *, size_t, unsigned *, const struct timespec *) )

AGENT_EXPORT int semop(int id, struct sembuf *operations, size_t count)
{
    AGENT_CALL(int, real_semop()(id, operations, count));
}

AGENT_EXPORT int semtimedop(int id, struct sembuf *operations, size_t count,
                            const struct timespec *time)
{
    AGENT_CALL(int, real_semtimedop()(id, operations, count, time));
}

AGENT_EXPORT int msgsnd(int id, const void *message, size_t size, int flags)
{
    AGENT_CALL(int, real_msgsnd()(id, message, size, flags));
}

AGENT_EXPORT ssize_t msgrcv(int id, void *message, size_t size, long type, int flags)
{
    AGENT_CALL(ssize_t, real_msgrcv()(id, message, size, type, flags));
}

AGENT_EXPORT int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority)
{
    AGENT_CALL(int, real_mq_send()(queue, message, size, priority));
}

AGENT_EXPORT ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority)
{
    AGENT_CALL(ssize_t, real_mq_receive()(queue, message, size, priority));
}

AGENT_EXPORT int mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
                              const struct timespec *time)
{
    AGENT_CALL(int, real_mq_timedsend()(queue, message, size, priority, time));
}

AGENT_EXPORT ssize_t mq_timedreceive(mqd_t queue, char *message, size_t size, unsigned *priority,
                                     const struct timespec *time)
{
    AGENT_CALL(ssize_t, real_mq_timedreceive()(queue, message, size, priority, time));
}
