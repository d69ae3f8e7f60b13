/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * c11 NAME: the main thread waits for what NAME says, by functions of <threads.h>, which another
 * thread ends after some milliseconds, or time does. Prints what the calls have returned.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static atomic_bool is_ready;
static bool is_done;

static void rest(void)
{
    struct timespec time = {0, 40000000};
    thrd_sleep(&time, NULL);
}

static void print(const char *what, int result)
{
    printf("%s %s\n", what,
           result == thrd_success    ? "success"
           : result == thrd_timedout ? "timed out"
           : result == thrd_busy     ? "busy"
                                     : "error");
}

static struct timespec later(long milliseconds)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void nothing(void)
{
}

/* The other thread has the mutex first. */
static void mutex_take(void)
{
    mtx_lock(&mutex);
}

static void lock_wait(void)
{
    print("trylock", mtx_trylock(&mutex));
    print("lock", mtx_lock(&mutex));
    print("unlock", mtx_unlock(&mutex));
}

static void timedlock_wait(void)
{
    struct timespec soon = later(10), time = later(10000);
    print("timedlock", mtx_timedlock(&mutex, &soon));
    print("timedlock", mtx_timedlock(&mutex, &time));
    print("unlock", mtx_unlock(&mutex));
}

static void mutex_wake(void)
{
    mtx_unlock(&mutex);
}

static void cond_wait(void)
{
    mtx_lock(&mutex);
    while (!is_done)
        print("wait", cnd_wait(&condition, &mutex));
    mtx_unlock(&mutex);
}

static void timedwait_wait(void)
{
    struct timespec soon = later(10), time = later(10000);
    mtx_lock(&mutex);
    print("timedwait", cnd_timedwait(&condition, &mutex, &soon));
    while (!is_done)
        print("timedwait", cnd_timedwait(&condition, &mutex, &time));
    mtx_unlock(&mutex);
}

static void cond_wake(void)
{
    mtx_lock(&mutex);
    is_done = true;
    cnd_signal(&condition);
    mtx_unlock(&mutex);
}

static void cond_wake_all(void)
{
    mtx_lock(&mutex);
    is_done = true;
    cnd_broadcast(&condition);
    mtx_unlock(&mutex);
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
    call_once(&once, once_routine);
    printf("once %d\n", is_done);
    call_once(&once, once_routine);
}

static void once_wake(void)
{
    call_once(&once, once_routine);
}

static const struct wait {
    const char *name;
    void (*take)(void);
    void (*wait)(void);
    void (*wake)(void);
} waits[] = {
    {"lock", mutex_take, lock_wait, mutex_wake},
    {"timedlock", mutex_take, timedlock_wait, mutex_wake},
    {"cond", nothing, cond_wait, cond_wake},
    {"broadcast", nothing, cond_wait, cond_wake_all},
    {"timedwait", nothing, timedwait_wait, cond_wake},
    {"once", once_wake, once_wait, nothing},
    {"join", nothing, nothing, nothing},
    {"sleep", nothing, rest, nothing},
};

static int waker(void *argument)
{
    const struct wait *chosen = argument;
    chosen->take();
    is_ready = true;
    rest();
    chosen->wake();
    return 5;
}

static int quick(void *argument)
{
    (void) argument;
    thrd_exit(-6);
}

static void run(const struct wait *wait)
{
    thrd_t thread;
    int value = 0;
    if (thrd_create(&thread, waker, (void *) (size_t) wait) != thrd_success)
        abort();
    while (!is_ready)
        thrd_yield();
    wait->wait();
    print("join", thrd_join(thread, &value));
    printf("value %d\n", value);
}

int main(int argc, char **argv)
{
    thrd_t thread;
    int value = 0;
    const char *name = argc > 1 ? argv[1] : "";
    if (mtx_init(&mutex, mtx_timed) != thrd_success || cnd_init(&condition) != thrd_success)
        return 1;
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        if (strcmp(waits[i].name, name) == 0)
            run(&waits[i]);
    }
    /* A thread that has probably ended when it is joined. */
    if (thrd_create(&thread, quick, NULL) != thrd_success)
        return 1;
    rest();
    print("join", thrd_join(thread, &value));
    printf("value %d\n", value);
    print("detach", thrd_create(&thread, quick, NULL) == thrd_success ? thrd_detach(thread) : 1);
    return 7;
}
