/* SPDX-License-Identifier: BSD-3-Clause */

/* Programs that fork, execute another program or are killed while they are recorded. */

#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder/recorded.h"
#include "support/test.h"

enum {
    CHILDREN = 10,
    WORKERS = 2,
    PERIOD = 2000000,
    LARGE = 1 << 14,
    HIGH_DESCRIPTOR = 900
};

static void rest(long nanoseconds)
{
    struct timespec time = {0, nanoseconds};
    nanosleep(&time, NULL);
}

static int open_temporary(void)
{
    char path[] = "/tmp/gotrace-process-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

static void read_file(int fd, struct recorded *trace)
{
    char part[4096];
    ssize_t size;
    memset(trace, 0, sizeof(*trace));
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    while ((size = read(fd, part, sizeof(part))) > 0)
        assert_int_equal(recorded_write(trace, part, (size_t) size), 0);
    assert_int_equal(size, 0);
    close(fd);
}

static gt_recorder *open_recorder(uint64_t flags)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    options.period = PERIOD;
    options.flags = flags;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    return recorder;
}

struct program {
    gt_recorder *recorder;
    atomic_bool is_over;
    atomic_uint next_proc;
};

static void *work(void *argument)
{
    struct program *program = argument;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_rec_go *go;
    assert_status(gt_rec_thread_attach(program->recorder, &thread), GT_OK);
    assert_status(
        gt_rec_proc_create(program->recorder, atomic_fetch_add(&program->next_proc, 1), &proc),
        GT_OK);
    assert_status(gt_rec_proc_start(thread, proc), GT_OK);
    assert_status(gt_rec_go_create(thread, GT_REC_SYNC, 0, &go), GT_OK);
    while (!atomic_load(&program->is_over)) {
        assert_status(gt_rec_go_start(thread, go), GT_OK);
        assert_status(gt_rec_go_stop(thread, GT_REC_YIELD), GT_OK);
        rest(10000);
    }
    gt_rec_thread_detach(&thread);
    return NULL;
}

static unsigned wrong(bool is_wrong, unsigned bit)
{
    return is_wrong ? 1U << bit : 0;
}

static int discard(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    (void) data;
    (void) size;
    return 0;
}

/* In a child. Returns the numbers of what is wrong, as bits. */
static unsigned use_in_child(gt_recorder *recorder, gt_rec_thread *thread)
{
    unsigned result = 0;
    result |= wrong(gt_recorder_advance(recorder) != GT_ERR_STATE, 0);
    result |= wrong(gt_recorder_stop(recorder, NULL) != GT_ERR_STATE, 1);
    result |= wrong(gt_recorder_start(recorder, discard, NULL, NULL) != GT_ERR_STATE, 2);
    result |= wrong(gt_recorder_window_start(recorder, NULL, NULL) != GT_ERR_STATE, 3);
    result |= wrong(gt_recorder_window_write(recorder, discard, NULL, NULL) != GT_ERR_STATE, 4);
    result |= wrong(gt_recorder_window_stop(recorder) != GT_ERR_STATE, 5);
    gt_rec_thread_detach(&thread);
    gt_recorder_close(&recorder);
    result |= wrong(recorder || thread, 6);
    recorder = open_recorder(0);
    result |= wrong(gt_recorder_start(recorder, discard, NULL, NULL) != GT_OK, 7);
    gt_recorder_close(&recorder);
    return result;
}

static void a_child_does_not_touch_the_trace(void **state)
{
    (void) state;
    int fd = open_temporary(), status;
    struct program program;
    struct recorded trace;
    pthread_t threads[WORKERS];
    gt_rec_thread *thread;
    /* If a thread allocates while another one forks, the child's copy of the sanitizers' allocator
     * stays locked. */
    if (TEST_SANITIZED)
        skip();
    program.recorder = open_recorder(0);
    atomic_init(&program.is_over, false);
    atomic_init(&program.next_proc, 0);
    assert_status(gt_rec_thread_attach(program.recorder, &thread), GT_OK);
    assert_status(gt_recorder_start_fd(program.recorder, fd, NULL), GT_OK);
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &program), 0);
    for (unsigned i = 0; i < CHILDREN; i++) {
        rest(3000000);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit((int) use_in_child(program.recorder, thread));
        }
        assert_true(child > 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    atomic_store(&program.is_over, true);
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert_status(gt_recorder_stop(program.recorder, NULL), GT_OK);
    gt_recorder_close(&program.recorder);
    read_file(fd, &trace);
    assert_true(recorded_check_by_peer(&trace) > CHILDREN);
    assert_true(recorded_generations(&trace) > CHILDREN);
    recorded_free(&trace);
}

/* Records until it is killed. */
static void record_without_end(int fd)
{
    struct program program;
    program.recorder = open_recorder(0);
    atomic_init(&program.is_over, false);
    atomic_init(&program.next_proc, 0);
    assert_status(gt_recorder_start_fd(program.recorder, fd, NULL), GT_OK);
    work(&program);
}

/* Whether our reader accepts the beginning of a trace. */
static bool is_whole(const struct recorded *trace, size_t size)
{
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    if (gt_reader_open_memory(&reader, trace->data, size, NULL, NULL) != GT_OK)
        return false;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
    }
    gt_reader_close(&reader);
    return status == GT_END;
}

/* How many Sync events a reader that forgives finds. */
static unsigned lenient_syncs(const struct recorded *trace)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    unsigned syncs = 0;
    options.flags = GT_READER_LENIENT;
    assert_status(gt_reader_open_memory(&reader, trace->data, trace->size, &options, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        syncs += event->kind == GT_EVENT_SYNC;
    assert_status(status, GT_END);
    gt_reader_close(&reader);
    return syncs;
}

static void what_a_killed_program_has_written_is_read(void **state)
{
    (void) state;
    int fd = open_temporary(), status;
    struct recorded trace;
    struct stat file = {0};
    pid_t child = fork();
    if (child == 0)
        record_without_end(fd);
    assert_true(child > 0);
    for (unsigned i = 0; i < 10000 && file.st_size < LARGE; i++) {
        rest(1000000);
        assert_int_equal(fstat(fd, &file), 0);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    read_file(fd, &trace);
    unsigned syncs = lenient_syncs(&trace);
    /* It may have been killed within a write. */
    while (trace.size > 0 && !is_whole(&trace, trace.size))
        trace.size--;
    recorded_check_by_peer(&trace);
    unsigned generations = recorded_generations(&trace);
    assert_true(generations > 1);
    assert_in_range(syncs, generations + 1, generations + 2);
    recorded_free(&trace);
}

static void a_program_that_executes_another_one_leaves_a_whole_trace(void **state)
{
    (void) state;
    int fd = open_temporary(), status;
    struct recorded trace;
    pid_t child = fork();
    if (child == 0) {
        gt_recorder *recorder = open_recorder(GT_RECORDER_NO_THREAD);
        gt_rec_thread *thread;
        if (gt_recorder_start_fd(recorder, fd, NULL) == GT_OK &&
            gt_rec_thread_attach(recorder, &thread) == GT_OK &&
            gt_recorder_advance(recorder) == GT_OK)
            execl("/bin/sh", "sh", "-c", "exit 7", (char *) NULL);
        _exit(1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
    read_file(fd, &trace);
    recorded_check_by_peer(&trace);
    assert_int_equal(recorded_generations(&trace), 1);
    recorded_free(&trace);
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void descriptors_are_high_and_are_not_left_to_other_programs(void **state)
{
    (void) state;

    enum {
        MOST = 2000
    };

    bool was_open[MOST];
    unsigned count = 0;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    for (int i = 0; i < MOST; i++)
        was_open[i] = is_open(i);
    gt_recorder *recorder = recorded_recorder();
    for (int i = 0; i < MOST; i++) {
        if (was_open[i] || !is_open(i))
            continue;
        assert_int_equal(fcntl(i, F_GETFD), FD_CLOEXEC);
        assert_int_equal(fcntl(i, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
        if (limit.rlim_cur > HIGH_DESCRIPTOR + 2)
            assert_true(i >= HIGH_DESCRIPTOR);
        count++;
    }
    assert_int_equal(count, 2);
    gt_recorder_close(&recorder);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(was_open[i], is_open(i));
}

static void descriptors_are_low_where_the_limit_is(void **state)
{
    (void) state;
    struct rlimit limit, low;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    low = limit;
    low.rlim_cur = HIGH_DESCRIPTOR / 2;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    gt_recorder *recorder = recorded_recorder();
    struct recorded trace = {0};
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    gt_recorder_close(&recorder);
    recorded_check(&trace);
    recorded_free(&trace);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_does_not_touch_the_trace),
        cmocka_unit_test(what_a_killed_program_has_written_is_read),
        cmocka_unit_test(a_program_that_executes_another_one_leaves_a_whole_trace),
        cmocka_unit_test(descriptors_are_high_and_are_not_left_to_other_programs),
        cmocka_unit_test(descriptors_are_low_where_the_limit_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
