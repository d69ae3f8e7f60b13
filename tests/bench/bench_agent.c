/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Prints what calls cost that `gotrace record` has an agent for, in nanoseconds of processor time:
 * run by agent/cost.sh with and without it.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    COST_LOCKS = 20000000,
    COST_CALLS = 1000000,
    COST_TURNS = 100000,
    COST_THREADS = 2
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

/* A lock that nobody else wants, and its release. */
static void locks(void)
{
    for (int i = 0; i < COST_LOCKS; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void calls(void)
{
    char byte;
    int fd = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < COST_CALLS; i++) {
        if (read(fd, &byte, 1) != 1)
            abort();
    }
    close(fd);
}

/* Two threads take turns: each of them wakes the other one, and waits. */
static void *turns_take(void *argument)
{
    int own = *(int *) argument;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < COST_TURNS; i++) {
        while (turn != own)
            pthread_cond_wait(&condition, &mutex);
        turn = 1 - own;
        pthread_cond_signal(&condition);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void turns(void)
{
    pthread_t threads[COST_THREADS];
    int numbers[COST_THREADS] = {0, 1};
    for (int i = 0; i < COST_THREADS; i++) {
        if (pthread_create(&threads[i], NULL, turns_take, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < COST_THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void cost(const char *name, void (*run)(void), double count)
{
    double start = now();
    run();
    printf("%s %.1f\n", name, (now() - start) / count);
}

/* glibc needs no atomic operations before there is a second thread. */
static void *nothing(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
        return 1;
    cost("lock", locks, COST_LOCKS);
    cost("read", calls, COST_CALLS);
    cost("turn", turns, COST_THREADS * (double) COST_TURNS);
    return 0;
}
