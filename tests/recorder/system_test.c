/* SPDX-License-Identifier: BSD-3-Clause */

/* What the system does to a recorder: writes that fail, signals, cancelled threads, refused calls.
 */

/* For syscall. */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "recorder/recorded.h"
#include "support/test.h"

/* Lets a goroutine run in each of several generations. Returns the last status. */
static gt_status run_some(gt_recorder *recorder)
{
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_rec_go *go;
    gt_status status = GT_OK;
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_rec_proc_create(recorder, 0, &proc), GT_OK);
    assert_status(gt_rec_proc_start(thread, proc), GT_OK);
    assert_status(gt_rec_go_create(thread, 0, 0, &go), GT_OK);
    for (unsigned i = 0; i < 3; i++) {
        assert_status(gt_rec_go_start(thread, go), GT_OK);
        assert_status(gt_rec_go_stop(thread, GT_REC_YIELD), GT_OK);
        status = gt_recorder_advance(recorder);
    }
    gt_rec_thread_detach(&thread);
    return status;
}

static unsigned broken_pipes;

static void count_broken_pipe(int signal)
{
    (void) signal;
    broken_pipes++;
}

/* A recorder that writes to a pipe whose reader goes away after the header. */
static gt_recorder *recorder_of_broken_pipe(int *fd)
{
    int ends[2];
    gt_recorder *recorder = recorded_recorder();
    assert_int_equal(pipe(ends), 0);
    assert_status(gt_recorder_start_fd(recorder, ends[1], NULL), GT_OK);
    close(ends[0]);
    *fd = ends[1];
    return recorder;
}

static void a_pipe_that_nobody_reads_is_an_error_without_a_signal(void **state)
{
    (void) state;
    struct sigaction action, old;
    gt_error error = GT_ERROR_INIT;
    int fd;
    memset(&action, 0, sizeof(action));
    action.sa_handler = count_broken_pipe;
    sigaction(SIGPIPE, &action, &old);
    gt_recorder *recorder = recorder_of_broken_pipe(&fd);
    assert_status(run_some(recorder), GT_ERR_IO);
    assert_status(gt_recorder_stop(recorder, &error), GT_ERR_IO);
    assert_int_equal(error.system_error, EPIPE);
    assert_string_equal(error.message, "the trace was not written: Broken pipe");
    assert_int_equal(broken_pipes, 0);
    raise(SIGPIPE);
    assert_int_equal(broken_pipes, 1);
    close(fd);
    gt_recorder_close(&recorder);
    sigaction(SIGPIPE, &old, NULL);
}

static void a_signal_of_the_program_still_waits_after_a_write(void **state)
{
    (void) state;
    sigset_t pipe_signal, old, waiting;
    int fd, taken;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    gt_recorder *recorder = recorder_of_broken_pipe(&fd);
    raise(SIGPIPE);
    assert_status(run_some(recorder), GT_ERR_IO);
    sigpending(&waiting);
    assert_int_equal(sigismember(&waiting, SIGPIPE), 1);
    assert_int_equal(sigwait(&pipe_signal, &taken), 0);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    close(fd);
    gt_recorder_close(&recorder);
}

static void a_write_that_fails_has_its_errno(void **state)
{
    (void) state;
    gt_error error = GT_ERROR_INIT;
    gt_recorder *recorder = recorded_recorder();
    int fd = open("/dev/full", O_WRONLY);
    if (fd >= 0) {
        assert_status(gt_recorder_start_fd(recorder, fd, &error), GT_ERR_IO);
        assert_int_equal(error.system_error, ENOSPC);
        close(fd);
    }
    fd = open("/dev/null", O_RDONLY);
    assert_status(gt_recorder_start_fd(recorder, fd, &error), GT_ERR_IO);
    assert_int_equal(error.system_error, EBADF);
    close(fd);
    /* A callback says nothing of the kind, and what was before is forgotten. */
    struct recorded trace = {0};
    trace.fail_at = 1;
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, &error), GT_ERR_IO);
    assert_int_equal(error.system_error, 0);
    assert_string_equal(error.message, "the trace was not written");
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

/* A thread that is cancelled while it writes. */
struct writer {
    gt_recorder *recorder;
    struct recorded trace;
    int wants_cancel[2];
    bool has_stopped;
};

static int write_cancelled(void *user_data, const void *data, size_t size)
{
    struct writer *writer = user_data;
    static const struct timespec while_it_is_cancelled = {0, 20000000};
    if (writer->trace.calls > 0) {
        assert_int_equal(write(writer->wants_cancel[1], "", 1), 1);
        nanosleep(&while_it_is_cancelled, NULL);
        pthread_testcancel();
    }
    return recorded_write(&writer->trace, data, size);
}

static void *writer_run(void *argument)
{
    struct writer *writer = argument;
    assert_status(gt_recorder_advance(writer->recorder), GT_OK);
    writer->has_stopped = true;
    pthread_testcancel();
    return writer;
}

static void a_thread_that_is_cancelled_holds_no_lock(void **state)
{
    (void) state;
    struct writer writer;
    pthread_t thread;
    void *result;
    char byte;
    memset(&writer, 0, sizeof(writer));
    assert_int_equal(pipe(writer.wants_cancel), 0);
    writer.recorder = recorded_recorder();
    assert_status(gt_recorder_start(writer.recorder, write_cancelled, &writer, NULL), GT_OK);
    assert_int_equal(pthread_create(&thread, NULL, writer_run, &writer), 0);
    assert_int_equal(read(writer.wants_cancel[0], &byte, 1), 1);
    assert_int_equal(pthread_cancel(thread), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    assert_true(writer.has_stopped);
    assert_status(gt_recorder_stop(writer.recorder, NULL), GT_OK);
    recorded_check_by_peer(&writer.trace);
    gt_recorder_close(&writer.recorder);
    recorded_free(&writer.trace);
    close(writer.wants_cancel[0]);
    close(writer.wants_cancel[1]);
}

enum {
    /* Those of a recorder have high numbers. */
    DESCRIPTORS = 2000
};

/* Finds which descriptors are open, of so many, and returns how many these are. */
static unsigned descriptors(bool *open, int count)
{
    unsigned found = 0;
    for (int fd = 0; fd < count; fd++) {
        open[fd] = fcntl(fd, F_GETFD) >= 0;
        found += open[fd];
    }
    return found;
}

static void the_descriptors_are_two_which_exec_closes(void **state)
{
    (void) state;
    bool before[DESCRIPTORS], after[DESCRIPTORS];
    unsigned count = descriptors(before, DESCRIPTORS);
    gt_recorder *recorder = recorded_recorder();
    assert_int_equal(descriptors(after, DESCRIPTORS), count + 2);
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        if (after[fd] && !before[fd]) {
            assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
            assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
        }
    }
    gt_recorder_close(&recorder);
    assert_int_equal(descriptors(after, DESCRIPTORS), count);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void count_answer(void *user_data)
{
    atomic_uint *count = user_data;
    (*count)++;
}

static void await_answer(const atomic_uint *count)
{
    static const struct timespec while_it_comes = {0, 1000000};
    for (unsigned i = 0; i < 10000 && *count == 0; i++)
        nanosleep(&while_it_comes, NULL);
    assert_int_equal(*count, 1);
}

/* A program that becomes a daemon, for example, closes all. The thread neither spins nor is deaf.
 */
static void a_thread_whose_descriptors_are_closed_rests_and_answers(void **state)
{
    (void) state;
    static const struct timespec rest = {0, 300000000};
    bool before[DESCRIPTORS], after[DESCRIPTORS];
    atomic_uint count = 0;
    gt_recorder *recorder;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder_window_options window = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.period = UINT64_C(3600) * 1000000000;
    window.min_age = UINT64_MAX;
    window.on_request = count_answer;
    window.user_data = &count;
    descriptors(before, DESCRIPTORS);
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    descriptors(after, DESCRIPTORS);
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        if (after[fd] && !before[fd])
            close(fd);
    }
    assert_status(gt_recorder_window_start(recorder, &window, NULL), GT_OK);
    double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    nanosleep(&rest, NULL);
    assert_true(seconds(CLOCK_PROCESS_CPUTIME_ID) - begin < 0.1);
    gt_recorder_window_request(recorder);
    await_answer(&count);
    gt_recorder_close(&recorder);
}

#ifdef __linux__

/* From here on the calling thread may not ask for a barrier. Returns false if that is refused. */
static bool forbid_barrier(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 &&
           syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) < 0;
}

/* In a process of its own, as what is forbidden remains so. Returns its exit status. */
static int record_without_barrier(bool before)
{
    pid_t child = fork();
    if (child == 0) {
        struct recorded trace = {0};
        gt_recorder *recorder = NULL;
        if (before && !forbid_barrier())
            _exit(77);
        recorder = recorded_recorder();
        if (!before && !forbid_barrier())
            _exit(77);
        bool is_good = gt_recorder_start(recorder, recorded_write, &trace, NULL) == GT_OK &&
                       run_some(recorder) == GT_OK && gt_recorder_stop(recorder, NULL) == GT_OK &&
                       recorded_check(&trace) > 10;
        _exit(is_good ? 0 : 1);
    }
    int status = -1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_barrier_may_be_refused(void **state)
{
    (void) state;
    int before = record_without_barrier(true), later = record_without_barrier(false);
    if (before == 77 || later == 77)
        skip();
    assert_int_equal(before, 0);
    assert_int_equal(later, 0);
}

#else

static void a_barrier_may_be_refused(void **state)
{
    (void) state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_that_nobody_reads_is_an_error_without_a_signal),
        cmocka_unit_test(a_signal_of_the_program_still_waits_after_a_write),
        cmocka_unit_test(a_write_that_fails_has_its_errno),
        cmocka_unit_test(a_thread_that_is_cancelled_holds_no_lock),
        cmocka_unit_test(the_descriptors_are_two_which_exec_closes),
        cmocka_unit_test(a_thread_whose_descriptors_are_closed_rests_and_answers),
        cmocka_unit_test(a_barrier_may_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
