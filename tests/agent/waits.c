/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * waits NAME: the main thread waits for what NAME says, which another thread ends after some
 * milliseconds, or time does. Prints what the calls have returned.
 */

/* For syscall, and what glibc has besides POSIX. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

/* Of glibc, in headers only where _FORTIFY_SOURCE is defined. */
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *to, size_t size, size_t room, int flags, struct sockaddr *from,
                       socklen_t *from_size);
int __poll_chk(struct pollfd *list, nfds_t count, int timeout, size_t room);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int sockets[2];
static _Atomic int word;
static atomic_bool is_ready, is_done;

static void rest(void)
{
    struct timespec time = {0, 60000000};
    nanosleep(&time, NULL);
}

void calls_print(const char *what, long result)
{
    printf("%s %ld %s\n", what, result, result < 0 ? strerror(errno) : "-");
}

static struct timespec later_by(clockid_t clock, long milliseconds)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static struct timespec later(long milliseconds)
{
    return later_by(CLOCK_REALTIME, milliseconds);
}

/* Mutexes and locks: the other thread has them first. */
static void mutex_take(void)
{
    pthread_mutex_lock(&mutex);
}

static void mutex_wait(void)
{
    calls_print("lock", pthread_mutex_lock(&mutex));
    calls_print("unlock", pthread_mutex_unlock(&mutex));
}

static void mutex_wake(void)
{
    pthread_mutex_unlock(&mutex);
}

static void timedlock_wait(void)
{
    struct timespec soon = later(10), time = later(10000);
    calls_print("timedlock", pthread_mutex_timedlock(&mutex, &soon));
    calls_print("timedlock", pthread_mutex_timedlock(&mutex, &time));
    calls_print("unlock", pthread_mutex_unlock(&mutex));
}

static void clocklock_wait(void)
{
    struct timespec soon = later_by(CLOCK_MONOTONIC, 10), time = later_by(CLOCK_MONOTONIC, 10000);
    calls_print("clocklock", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon));
    calls_print("clocklock", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &time));
    calls_print("unlock", pthread_mutex_unlock(&mutex));
}

static void rwlock_take(void)
{
    pthread_rwlock_wrlock(&rwlock);
}

static void rwlock_wait(void)
{
    calls_print("rdlock", pthread_rwlock_rdlock(&rwlock));
    calls_print("unlock", pthread_rwlock_unlock(&rwlock));
}

static void clockrdlock_wait(void)
{
    struct timespec time = later_by(CLOCK_MONOTONIC, 10000);
    calls_print("rdlock", pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &time));
    calls_print("unlock", pthread_rwlock_unlock(&rwlock));
}

static void clockwrlock_wait(void)
{
    struct timespec time = later_by(CLOCK_MONOTONIC, 10000);
    calls_print("wrlock", pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &time));
    calls_print("unlock", pthread_rwlock_unlock(&rwlock));
}

static void rwlock_wake(void)
{
    pthread_rwlock_unlock(&rwlock);
}

static void wrlock_take(void)
{
    pthread_rwlock_rdlock(&rwlock);
}

static void wrlock_wait(void)
{
    calls_print("wrlock", pthread_rwlock_wrlock(&rwlock));
    calls_print("unlock", pthread_rwlock_unlock(&rwlock));
}

static void nothing(void)
{
}

static void sem_wait_wait(void)
{
    calls_print("wait", sem_wait(&semaphore));
    struct timespec soon = later(10);
    calls_print("timedwait", sem_timedwait(&semaphore, &soon));
}

static void sem_clock_wait(void)
{
    struct timespec time = later_by(CLOCK_MONOTONIC, 10000);
    calls_print("wait", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &time));
}

/* The other thread is in the routine. */
static void once_routine(void)
{
    is_ready = true;
    rest();
    is_done = true;
}

static void once_wait(void)
{
    calls_print("once", pthread_once(&once, once_routine));
    calls_print("done", is_done);
    calls_print("once", pthread_once(&once, once_routine));
}

static void once_wake(void)
{
    pthread_once(&once, once_routine);
}

static void sem_wake(void)
{
    sem_post(&semaphore);
}

static void cond_wait_wait(void)
{
    pthread_mutex_lock(&mutex);
    while (!is_done)
        calls_print("wait", pthread_cond_wait(&condition, &mutex));
    pthread_mutex_unlock(&mutex);
}

static void cond_timedwait_wait(void)
{
    struct timespec soon = later(10), time = later(10000);
    pthread_mutex_lock(&mutex);
    calls_print("timedwait", pthread_cond_timedwait(&condition, &mutex, &soon));
    while (!is_done)
        calls_print("timedwait", pthread_cond_timedwait(&condition, &mutex, &time));
    pthread_mutex_unlock(&mutex);
}

static void cond_wake(void)
{
    pthread_mutex_lock(&mutex);
    is_done = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
}

static void cond_wake_all(void)
{
    pthread_mutex_lock(&mutex);
    is_done = true;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
}

static void barrier_wait(void)
{
    int result = pthread_barrier_wait(&barrier);
    calls_print("barrier", result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : result);
}

static void barrier_wake(void)
{
    pthread_barrier_wait(&barrier);
}

static void sleep_wait(void)
{
    struct timespec time = {0, 2000000}, wrong = {0, -1};
    calls_print("nanosleep", nanosleep(&time, NULL));
    calls_print("nanosleep", nanosleep(&wrong, NULL));
    calls_print("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL));
    calls_print("usleep", usleep(2000));
    calls_print("sleep", sleep(0));
}

static void poll_wait(void)
{
    struct pollfd list[] = {{sockets[0], POLLIN, 0}};
    calls_print("poll", poll(list, 1, 5));
    calls_print("poll", poll(list, 1, -1));
    calls_print("ready", list[0].revents);
}

static void epoll_pwait2_wait(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    struct timespec soon = {0, 5000000}, time = {10, 0};
    int (*wait)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *);
    int fd = epoll_create1(0);
    *(void **) &wait = dlsym(RTLD_DEFAULT, "epoll_pwait2");
    calls_print("add", epoll_ctl(fd, EPOLL_CTL_ADD, sockets[0], &event));
    calls_print("epoll", wait ? wait(fd, &event, 1, &soon, NULL) : 0);
    calls_print("epoll", wait ? wait(fd, &event, 1, &time, NULL) : epoll_wait(fd, &event, 1, -1));
    close(fd);
}

static void select_wait(void)
{
    fd_set set;
    struct timeval time = {10, 0};
    FD_ZERO(&set);
    FD_SET(sockets[0], &set);
    calls_print("select", select(sockets[0] + 1, &set, NULL, NULL, &time));
    calls_print("ready", FD_ISSET(sockets[0], &set));
}

static void epoll_wait_wait(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    int fd = epoll_create1(0);
    calls_print("add", epoll_ctl(fd, EPOLL_CTL_ADD, sockets[0], &event));
    calls_print("epoll", epoll_wait(fd, &event, 1, 5));
    calls_print("epoll", epoll_wait(fd, &event, 1, -1));
    close(fd);
}

static void recv_wait(void)
{
    char byte = 0;
    calls_print("recv", recv(sockets[0], &byte, 1, 0));
    calls_print("byte", byte);
    fcntl(sockets[0], F_SETFL, O_NONBLOCK);
    calls_print("recv", recv(sockets[0], &byte, 1, 0));
}

static void recvmsg_wait(void)
{
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message;
    memset(&message, 0, sizeof(message));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    calls_print("recvmsg", recvmsg(sockets[0], &message, 0));
    calls_print("byte", byte);
}

/* The second one waits for the other thread. */
static void recvmmsg_wait(void)
{
    char bytes[2] = "";
    struct iovec parts[] = {{bytes, 1}, {bytes + 1, 1}};
    struct mmsghdr messages[2];
    memset(messages, 0, sizeof(messages));
    for (size_t i = 0; i < 2; i++) {
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    calls_print("send", send(sockets[1], "y", 1, 0));
    calls_print("recvmmsg", recvmmsg(sockets[0], messages, 2, MSG_WAITFORONE, NULL));
    calls_print("recvmmsg", recvmmsg(sockets[0], messages, 1, MSG_WAITFORONE, NULL));
    calls_print("byte", bytes[0]);
    calls_print("recvmmsg", recvmmsg(sockets[0], messages, 2, MSG_DONTWAIT, NULL));
    calls_print("sendmmsg", sendmmsg(sockets[1], messages, 2, 0));
    calls_print("recvmmsg", recvmmsg(sockets[0], messages, 2, 0, NULL));
}

/* As programs call them that are compiled with _FORTIFY_SOURCE. */
static void fortified_wait(void)
{
    char byte = 0;
    struct pollfd list[] = {{sockets[0], POLLIN, 0}};
    calls_print("poll", __poll_chk(list, 1, -1, sizeof(list)));
    calls_print("recv", __recv_chk(sockets[0], &byte, 1, 1, MSG_PEEK));
    calls_print("recvfrom", __recvfrom_chk(sockets[0], &byte, 1, 1, MSG_PEEK, NULL, NULL));
    calls_print("read", __read_chk(sockets[0], &byte, 1, 1));
    calls_print("byte", byte);
}

static void read_wait(void)
{
    char byte = 0;
    calls_print("read", read(sockets[0], &byte, 1));
    calls_print("byte", byte);
    calls_print("read", read(-1, &byte, 1));
}

static void send_wake(void)
{
    if (send(sockets[1], "x", 1, 0) != 1)
        abort();
}

static void futex_wait(void)
{
    while (word == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    calls_print("word", word);
    calls_print("futex", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0));
}

static void futex_wake(void)
{
    word = 7;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static const struct wait {
    const char *name;
    void (*take)(void);
    void (*wait)(void);
    void (*wake)(void);
} waits[] = {
    {"mutex", mutex_take, mutex_wait, mutex_wake},
    {"timedlock", mutex_take, timedlock_wait, mutex_wake},
    {"clocklock", mutex_take, clocklock_wait, mutex_wake},
    {"clockrdlock", rwlock_take, clockrdlock_wait, rwlock_wake},
    {"clockwrlock", wrlock_take, clockwrlock_wait, rwlock_wake},
    {"semclock", nothing, sem_clock_wait, sem_wake},
    {"once", once_wake, once_wait, nothing},
    {"recvmsg", nothing, recvmsg_wait, send_wake},
    {"fortified", nothing, fortified_wait, send_wake},
    {"rdlock", rwlock_take, rwlock_wait, rwlock_wake},
    {"wrlock", wrlock_take, wrlock_wait, rwlock_wake},
    {"sem", nothing, sem_wait_wait, sem_wake},
    {"cond", nothing, cond_wait_wait, cond_wake},
    {"broadcast", nothing, cond_wait_wait, cond_wake_all},
    {"timedwait", nothing, cond_timedwait_wait, cond_wake},
    {"barrier", nothing, barrier_wait, barrier_wake},
    {"sleep", nothing, sleep_wait, nothing},
    {"poll", nothing, poll_wait, send_wake},
    {"select", nothing, select_wait, send_wake},
    {"epoll", nothing, epoll_wait_wait, send_wake},
    {"epoll_pwait2", nothing, epoll_pwait2_wait, send_wake},
    {"recvmmsg", nothing, recvmmsg_wait, send_wake},
    {"recv", nothing, recv_wait, send_wake},
    {"read", nothing, read_wait, send_wake},
    {"futex", nothing, futex_wait, futex_wake},
    {"join", nothing, nothing, nothing},
};

static const struct wait *chosen;

static void *waker(void *argument)
{
    (void) argument;
    chosen->take();
    is_ready = true;
    rest();
    chosen->wake();
    return NULL;
}

static void *cancelled(void *argument)
{
    (void) argument;
    sem_wait(&semaphore);
    return NULL;
}

/* A thread that waits is cancelled, and threads go on to wake each other afterwards. */
static void cancel(void)
{
    pthread_t thread;
    void *result = NULL;
    pthread_create(&thread, NULL, cancelled, NULL);
    rest();
    calls_print("cancel", pthread_cancel(thread));
    calls_print("join", pthread_join(thread, &result));
    calls_print("cancelled", result == PTHREAD_CANCELED);
    calls_print("post", sem_post(&semaphore));
    calls_print("wait", sem_wait(&semaphore));
}

/* A thread that gives itself a name. */
static void *named(void *argument)
{
    (void) argument;
    calls_print("setname", pthread_setname_np(pthread_self(), "named by itself"));
    rest();
    calls_print("prctl", prctl(PR_SET_NAME, "named by prctl", 0, 0, 0));
    rest();
    return NULL;
}

static void names(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, named, NULL);
    pthread_join(thread, NULL);
    calls_print("setname", pthread_setname_np(pthread_self(), "more than 15 characters"));
}

/* Signals that the thread sends to itself. */
static void signals(void)
{
    struct timespec none = {0, 0};
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    calls_print("sigwait", sigwait(&set, &number));
    calls_print("number", number);
    raise(SIGUSR1);
    calls_print("sigwaitinfo", sigwaitinfo(&set, NULL));
    calls_print("sigtimedwait", sigtimedwait(&set, NULL, &none));
}

static void fork_child(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        rest();
        _exit(5);
    }
    calls_print("child", waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1);
}

static void run(const struct wait *wait)
{
    pthread_t thread;
    chosen = wait;
    if (pthread_create(&thread, NULL, waker, NULL) != 0)
        abort();
    while (!is_ready)
        sched_yield();
    wait->wait();
    calls_print("join", pthread_join(thread, NULL));
}

int main(int argc, char **argv)
{
    static char program[] = "echo", word_of_it[] = "executed";
    static char variable[] = "ONLY=this";
    char *echo[] = {program, word_of_it, NULL}, *environment[] = {variable, NULL};
    const char *name = argc > 1 ? argv[1] : "";
    if (pthread_barrier_init(&barrier, NULL, 2) != 0 || sem_init(&semaphore, 0, 0) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 1;
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        if (strcmp(waits[i].name, name) == 0)
            run(&waits[i]);
    }
    if (strcmp(name, "cancel") == 0)
        cancel();
    if (strcmp(name, "fork") == 0)
        fork_child();
    if (strcmp(name, "kill") == 0)
        raise(SIGTERM);
    if (strcmp(name, "files") == 0)
        calls_files();
    if (strcmp(name, "stats") == 0)
        calls_stats();
    if (strcmp(name, "addresses") == 0)
        calls_addresses();
    if (strcmp(name, "locks") == 0)
        calls_locks();
    if (strcmp(name, "ipc") == 0)
        calls_ipc();
    if (strcmp(name, "signals") == 0)
        signals();
    if (strcmp(name, "names") == 0)
        names();
    if (strcmp(name, "exec") == 0)
        execv("/bin/echo", echo);
    if (strcmp(name, "execl") == 0)
        execl("/bin/echo", "echo", "executed", "by", "execl", NULL);
    if (strcmp(name, "execlp") == 0)
        execlp("echo", "echo", NULL);
    if (strcmp(name, "execle") == 0)
        execle("/usr/bin/env", "env", NULL, environment);
    return 7;
}
