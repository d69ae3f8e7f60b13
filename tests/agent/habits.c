/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * habits NAME: does what few programs do, and prints what comes of it. It is the same with the
 * agent and without.
 */

/* For dup3, close_range and the functions that take a clock. */
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    NUMBERS_MOST = 16
};

/* Finds the descriptors that others have opened. */
static size_t numbers_find(int *numbers)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (const struct dirent *entry; folder && (entry = readdir(folder)) && count < NUMBERS_MOST;) {
        int number = atoi(entry->d_name);
        if (number > 2 && number != dirfd(folder))
            numbers[count++] = number;
    }
    if (folder)
        closedir(folder);
    return count;
}

static int file_make(void)
{
    char path[] = "/tmp/gotrace-habits-XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    return fd;
}

/* Takes a number for a file. Events are written meanwhile. */
static void number_take(int number, bool has_flags)
{
    struct stat about;
    char text[8] = "";
    int fd = file_make(), taken = has_flags ? dup3(fd, number, O_CLOEXEC) : dup2(fd, number);
    ssize_t written = write(number, "hello", 5);
    usleep(1300000);
    if (taken != number || written != 5 || fstat(number, &about) != 0 || about.st_size != 5 ||
        pread(fd, text, sizeof(text) - 1, 0) != 5 || strcmp(text, "hello") != 0 ||
        close(number) != 0)
        printf("number %d is not the program's\n", number);
    close(fd);
}

/* The program takes the numbers of the agent, which have no meaning to it. */
static void numbers(void)
{
    int found[NUMBERS_MOST];
    size_t count = numbers_find(found);
    for (size_t i = 0; i < count; i++)
        number_take(found[i], i % 2 != 0);
    puts("taken");
}

/* They are not open for the program. */
static void hidden(void)
{
    int found[NUMBERS_MOST];
    size_t count = numbers_find(found);
    for (size_t i = 0; i < count; i++) {
        if (dup2(found[i], 100) != -1 || errno != EBADF || close(found[i]) != -1)
            printf("number %d is open\n", found[i]);
    }
    errno = 0;
    int result = close_range(5, 3, 0);
    printf("no range %d %d\n", result, errno);
}

static int child_take(const int *found, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int fd = open("/dev/null", O_RDONLY);
        if (dup2(fd, found[i]) != found[i] || close(found[i]) != 0)
            return 1;
        close(fd);
    }
    return 0;
}

/* Children have the numbers for themselves, also before they execute a program. */
static void children(void)
{
    static int found[NUMBERS_MOST], status, other;
    static size_t count;
    count = numbers_find(found);
    pid_t child = fork();
    if (child == 0)
        _exit(child_take(found, count));
    waitpid(child, &status, 0);
    child = vfork();
    if (child == 0)
        _exit(child_take(found, count));
    waitpid(child, &other, 0);
    printf("children %d %d\n", status, other);
    usleep(10000);
}

static volatile bool is_made;

static void *nothing(void *argument)
{
    return argument;
}

/* There is no room for the stack of a thread. */
static void refused(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SIZE_MAX / 4);
    printf("refused %d\n", pthread_create(&thread, &attributes, nothing, NULL));
    pthread_attr_destroy(&attributes);
}

static void *other(void *argument)
{
    usleep(1);
    return argument;
}

/* What is called with a cancellation that waits is no cancellation point. */
static void *create(void *argument)
{
    pthread_t thread;
    pthread_cancel(pthread_self());
    if (pthread_create(&thread, NULL, nothing, NULL) == 0)
        pthread_detach(thread);
    is_made = true;
    pthread_testcancel();
    return argument;
}

static void cancelled(void)
{
    pthread_t thread;
    void *end = NULL;
    pthread_create(&thread, NULL, create, NULL);
    pthread_join(thread, &end);
    printf("cancelled %d, made %d\n", end == PTHREAD_CANCELED, is_made);
    fflush(stdout);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
}

/* In a child the recording begins with the first wait. */
static void cancelled_child(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_cancel(pthread_self());
        pthread_create(&thread, NULL, nothing, NULL);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        pthread_join(thread, NULL);
        exit(5);
    }
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
}

static sem_t semaphore;

static void *wait_cancelled(void *argument)
{
    struct timespec until = {0, 0};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_cancel(pthread_self());
    if (argument)
        sem_timedwait(&semaphore, &until);
    else
        sem_wait(&semaphore);
    return NULL;
}

static void tell_semaphore(const char *what, int result)
{
    int error = errno, value = 0;
    sem_getvalue(&semaphore, &value);
    printf("%s: %d %d, value %d\n", what, result, error, value);
    errno = 0;
}

/* What is free is not taken with a clock or a time that is bad, or by a thread that ends. */
static void bad_semaphores(void)
{
    static const struct timespec bad = {0, -1}, large = {0, 1000000000}, good = {0, 0};
    sem_init(&semaphore, 0, 5);
    tell_semaphore("bad time", sem_timedwait(&semaphore, &bad));
    tell_semaphore("large time", sem_timedwait(&semaphore, &large));
    tell_semaphore("bad clock", sem_clockwait(&semaphore, 77, &good));
    tell_semaphore("past time", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &good));
    for (size_t i = 0; i < 2; i++) {
        pthread_t thread;
        void *end = NULL;
        pthread_create(&thread, NULL, wait_cancelled, i > 0 ? &semaphore : NULL);
        pthread_join(thread, &end);
        tell_semaphore("cancelled", end == PTHREAD_CANCELED);
    }
}

static void bad_locks(void)
{
    static const struct timespec bad = {0, -1}, good = {0, 0};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    printf("rdlock %d %d\n", pthread_rwlock_timedrdlock(&lock, &bad),
           pthread_rwlock_clockrdlock(&lock, 77, &good));
    printf("wrlock %d %d\n", pthread_rwlock_timedwrlock(&lock, &bad),
           pthread_rwlock_clockwrlock(&lock, 77, &good));
    printf("free %d\n", pthread_rwlock_timedwrlock(&lock, &good));
    printf("mutex %d %d\n", pthread_mutex_timedlock(&mutex, &bad),
           pthread_mutex_clocklock(&other_mutex, 77, &good));
    bad_semaphores();
    errno = 0;
    long result = syscall(SYS_futex, (void *) 16, FUTEX_WAIT, 0, NULL);
    printf("futex %ld %d\n", result, errno);
    result = syscall(SYS_futex, (void *) 0, FUTEX_WAIT, 0, NULL);
    printf("futex %ld %d\n", result, errno);
}

static const struct {
    const char *name;
    void (*run)(void);
} habits[] = {{"bad_locks", bad_locks},
              {"numbers", numbers},
              {"hidden", hidden},
              {"children", children},
              {"refused", refused},
              {"cancelled", cancelled},
              {"cancelled_child", cancelled_child}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof(habits) / sizeof(habits[0]); i++) {
        if (strcmp(habits[i].name, argv[1]) == 0)
            habits[i].run();
    }
    return 0;
}
