/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * works NAME: takes processor time, as profiles show, and uses SIGPROF itself, with which samples
 * are taken. Prints what it sees.
 */

/* For sighandler_t, and setitimer. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;

/* Tools shall show this function. */
__attribute__((noinline)) static void works_hot(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        sum += i;
}

static void work(double seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double end = (double) now.tv_sec + (double) now.tv_nsec / 1e9 + seconds;
    do {
        works_hot(100000);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((double) now.tv_sec + (double) now.tv_nsec / 1e9 < end);
}

static void *run(void *argument)
{
    work(*(const double *) argument);
    return NULL;
}

static void work_in_thread(double seconds)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, &seconds);
    pthread_join(thread, NULL);
}

static volatile sig_atomic_t own, with_info;

static void handle(int number)
{
    (void) number;
    own++;
}

static void handle_with_info(int number, siginfo_t *info, void *context)
{
    (void) context;
    with_info += number == SIGPROF && info->si_signo == SIGPROF;
}

static void block(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(how, &set, NULL);
}

/* The program sets handlers, and gets the signals that are its own. */
static void handlers(void)
{
    struct sigaction action, old;
    printf("first %d\n", signal(SIGPROF, handle) == SIG_DFL);
    work(0.05);
    printf("by nobody %d\n", (int) own);
    raise(SIGPROF);
    printf("by itself %d\n", (int) own);
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handle_with_info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGPROF, &action, &old);
    printf("old %d %d\n", old.sa_handler == handle, (old.sa_flags & SA_RESTART) != 0);
    raise(SIGPROF);
    sigaction(SIGPROF, NULL, &old);
    printf("with information %d %d\n", (int) with_info, old.sa_sigaction == handle_with_info);
    printf("ignored %d\n", signal(SIGPROF, SIG_IGN) != SIG_ERR);
    raise(SIGPROF);
    printf("not set %d %d\n", signal(SIGPROF, SIG_ERR) == SIG_ERR, signal(0, handle) == SIG_ERR);
}

/* An own profiler, by the timer of the process. */
static void profiler(void)
{
    struct itimerval timer = {{0, 10000}, {0, 10000}}, none = {{0, 0}, {0, 0}};
    signal(SIGPROF, handle);
    setitimer(ITIMER_PROF, &timer, NULL);
    while (own < 5)
        work(0.01);
    setitimer(ITIMER_PROF, &none, NULL);
    puts("profiled");
}

/*
 * A signal that is blocked does not end waits for signals. One to the thread would be lost while
 * one of a timer waits for the thread, so these are to the process.
 */
static void blocked(void)
{
    static const struct timespec none = {0, 0};
    siginfo_t info;
    sigset_t set;
    int number = 0;
    sigfillset(&set);
    block(SIG_BLOCK);
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    work(0.05);
    struct pollfd polled = {fd, POLLIN, 0};
    printf("polled %d\n", poll(&polled, 1, 0));
    number = sigtimedwait(&set, &info, &none);
    printf("nothing %d %d\n", number, errno == EAGAIN);
    work(0.05);
    kill(getpid(), SIGPROF);
    int error = sigwait(&set, &number);
    printf("waited %d %d\n", error, number == SIGPROF);
    kill(getpid(), SIGPROF);
    number = sigwaitinfo(&set, &info);
    printf("info %d %d\n", number == SIGPROF, info.si_code == SI_USER);
    block(SIG_UNBLOCK);
    close(fd);
}

/* What a child does with the signal. */
static void child(void)
{
    int status = 0;
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        work(0.05);
        usleep(1000);
        work(0.05);
        _exit(signal(SIGPROF, handle) == SIG_DFL ? 3 : 4);
    }
    waitpid(process, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
}

/* More events than there is memory for at once. */
static void reads(void)
{
    char byte = 0;
    unsigned done = 0;
    int fd = open("/dev/zero", O_RDONLY);
    for (unsigned i = 0; i < 200000; i++)
        done += read(fd, &byte, 1) == 1;
    close(fd);
    printf("read %u\n", done);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "work") == 0)
        work_in_thread(0.5);
    if (strcmp(name, "handlers") == 0)
        handlers();
    if (strcmp(name, "profiler") == 0)
        profiler();
    if (strcmp(name, "blocked") == 0)
        blocked();
    if (strcmp(name, "child") == 0)
        child();
    if (strcmp(name, "reads") == 0)
        reads();
    if (strcmp(name, "end") == 0)
        raise(SIGPROF);
    return 0;
}
