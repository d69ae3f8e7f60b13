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
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
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

/* Tells which handler there is, and its flags. */
static void tell_handler(const char *when)
{
    struct sigaction now;
    work(0.03);
    sigaction(SIGPROF, NULL, &now);
    printf("%s: default %d, ignored %d, own %d, flags %#x, mask %d, calls %d\n", when,
           now.sa_handler == SIG_DFL, now.sa_handler == SIG_IGN, now.sa_handler == handle,
           (unsigned) now.sa_flags & ~0x04000000U, sigismember(&now.sa_mask, SIGPROF), (int) own);
}

static void call_and_tell(const char *when)
{
    raise(SIGPROF);
    tell_handler(when);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The other functions that set handlers. */
static void old_functions(void)
{
    struct sigaction once;
    printf("first %d\n", __sysv_signal(SIGPROF, handle) == SIG_DFL);
    tell_handler("of System V");
    call_and_tell("called once");
    memset(&once, 0, sizeof(once));
    once.sa_handler = handle;
    once.sa_flags = (int) SA_RESETHAND;
    sigaction(SIGPROF, &once, NULL);
    tell_handler("to be called once");
    call_and_tell("called once");
    signal(SIGPROF, handle);
    siginterrupt(SIGPROF, 1);
    call_and_tell("interrupts");
    signal(SIGPROF, handle);
    call_and_tell("interrupts again");
    siginterrupt(SIGPROF, 0);
    call_and_tell("interrupts no more");
}

static void old_functions_of_sets(void)
{
    printf("first %d\n", sigset(SIGPROF, handle) == SIG_DFL);
    call_and_tell("by sigset");
    printf("held %d\n", sigset(SIGPROF, SIG_HOLD) == handle);
    printf("held before %d\n", sigset(SIGPROF, SIG_HOLD) == SIG_HOLD);
    printf("released %d\n", sigset(SIGPROF, handle) == SIG_HOLD);
    call_and_tell("again");
    printf("ignored %d\n", sigignore(SIGPROF));
    call_and_tell("ignored");
}

#pragma GCC diagnostic pop

static volatile sig_atomic_t masked;

static void handle_masked(int number)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    masked = sigismember(&mask, number) + 2 * sigismember(&mask, SIGUSR1) +
             4 * sigismember(&mask, SIGUSR2) + 8 * sigismember(&mask, SIGALRM);
}

/* What is blocked while the handler of the program runs. */
static void masks(void)
{
    struct sigaction action;
    sigset_t set, now;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    memset(&action, 0, sizeof(action));
    action.sa_handler = handle_masked;
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGPROF, &action, NULL);
    raise(SIGPROF);
    printf("blocked %d\n", masked);
    action.sa_flags = SA_NODEFER;
    sigaction(SIGPROF, &action, NULL);
    raise(SIGPROF);
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    printf("blocked %d, afterwards %d %d\n", masked, sigismember(&now, SIGPROF),
           sigismember(&now, SIGUSR1));
}

/* A child of vfork has handlers of its own. */
static void vfork_child(void)
{
    static int status;
    signal(SIGPROF, handle);
    pid_t process = vfork();
    if (process == 0) {
        struct sigaction now;
        bool is_good = signal(SIGPROF, SIG_IGN) == handle;
        sigaction(SIGPROF, NULL, &now);
        _exit(is_good && now.sa_handler == SIG_IGN ? 3 : 4);
    }
    waitpid(process, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    call_and_tell("parent");
}

static sigjmp_buf jump;
static volatile sig_atomic_t may_jump;

static void handle_by_jump(int number)
{
    (void) number;
    if (may_jump) {
        may_jump = false;
        siglongjmp(jump, 1);
    }
}

/* A deep stack, of which a sample takes long. */
__attribute__((noinline)) static void work_deeply(unsigned depth)
{
    if (depth > 0)
        work_deeply(depth - 1);
    else
        works_hot(200000);
    sum++;
}

/* Another handler leaves what it interrupts. */
static void jumps(void)
{
    struct itimerval timer = {{0, 200}, {0, 200}};
    time_t end = time(NULL) + 2;
    signal(SIGALRM, handle_by_jump);
    setitimer(ITIMER_REAL, &timer, NULL);
    while (time(NULL) < end) {
        if (sigsetjmp(jump, 1) == 0) {
            may_jump = true;
            work_deeply(100);
            may_jump = false;
        }
    }
    signal(SIGALRM, SIG_IGN);
    puts("jumped");
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

static void work_for_long(void)
{
    work_in_thread(0.3);
}

static void end(void)
{
    raise(SIGPROF);
}

static const struct {
    const char *name;
    void (*run)(void);
} all[] = {{"work", work_for_long},
           {"handlers", handlers},
           {"old_functions", old_functions},
           {"old_functions_of_sets", old_functions_of_sets},
           {"masks", masks},
           {"vfork_child", vfork_child},
           {"jumps", jumps},
           {"profiler", profiler},
           {"blocked", blocked},
           {"child", child},
           {"reads", reads},
           {"end", end}};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (strcmp(name, all[i].name) == 0)
            all[i].run();
    }
    return 0;
}
