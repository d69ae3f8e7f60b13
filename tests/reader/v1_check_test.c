/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Events of traces of Go 1.5 to 1.21 that contradict the events before them, each as one row of a
 * table. The last event of a row is the bad one; all before it are good. Faults that only a trace
 * of Go 1.5 can have are ruled out by the sequence numbers of later versions.
 */

#include "support/digest.h"
#include "support/fault.h"
#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

#define STEPS_MAX 8
#define ARGS_MAX  6

struct step {
    uint64_t proc;
    unsigned type;
    /* 0 after the last step. */
    unsigned count;
    uint64_t args[ARGS_MAX];
};

struct row {
    const char *name;
    /* The first and last version to which the row applies. */
    unsigned least, most;
    /* After v1_start goroutine 1 runs on proc 0. */
    struct step steps[STEPS_MAX];
};

/* An event on a proc; its dt is 1. */
#define ON(proc, type, ...)                                                                        \
    {                                                                                              \
        proc, V1_##type, sizeof((const uint64_t[]){1, __VA_ARGS__}) / sizeof(uint64_t),            \
        {                                                                                          \
            1, __VA_ARGS__                                                                         \
        }                                                                                          \
    }
#define BARE(proc, type)                                                                           \
    {                                                                                              \
        proc, V1_##type, 1,                                                                        \
        {                                                                                          \
            1                                                                                      \
        }                                                                                          \
    }

/* Goroutine 2 exists, and runs on proc 1. */
#define OTHER ON(0, GO_CREATE, 2, 0, 0), ON(1, PROC_START, 6), ON(1, GO_START, 2, 1)

static const struct row proc_rows[] = {
    {"ProcStart of one that runs", 5, 21, {ON(0, PROC_START, 5)}},
    {"ProcStart twice", 5, 21, {ON(1, PROC_START, 6), ON(1, PROC_START, 6)}},
    {"ProcStop of one that is not known", 5, 21, {BARE(1, PROC_STOP)}},
    {"ProcStop of one that stopped",
     5,
     21,
     {ON(1, PROC_START, 6), BARE(1, PROC_STOP), BARE(1, PROC_STOP)}},
    {"ProcStop with a goroutine", 5, 21, {BARE(0, PROC_STOP)}},
    {"ProcStop with a goroutine in a short system call",
     5,
     21,
     {ON(0, GO_SYS_CALL, 0), BARE(0, PROC_STOP)}},
};

static const struct row collector_rows[] = {
    {"GCStart during a collection", 5, 21, {ON(0, GC_START, 0, 0), ON(0, GC_START, 1, 0)}},
    {"GCStart during one of another proc",
     5,
     21,
     {ON(0, GC_START, 0, 0), ON(1, PROC_START, 6), ON(1, GC_START, 1, 0)}},
    {"GCDone without a collection", 5, 21, {BARE(0, GC_DONE)}},
    {"GCDone twice", 5, 21, {ON(0, GC_START, 0, 0), BARE(0, GC_DONE), BARE(0, GC_DONE)}},
    {"STWStart in a stopped world", 5, 21, {ON(0, STW_START, 0), ON(0, STW_START, 1)}},
    {"STWStart in a world stopped by another proc",
     10,
     21,
     {ON(0, STW_START, 0), ON(1, STW_START, 0)}},
    {"STWDone of a world that runs", 5, 21, {BARE(0, STW_DONE)}},
    {"STWDone of a world stopped by another proc", 5, 9, {ON(0, STW_START, 0), BARE(1, STW_DONE)}},
    {"STWDone twice", 5, 21, {ON(0, STW_START, 0), BARE(0, STW_DONE), BARE(0, STW_DONE)}},
    {"SweepStart during a sweep", 5, 21, {ON(0, SWEEP_START, 0), ON(0, SWEEP_START, 0)}},
    {"SweepDone without a sweep", 5, 21, {ON(0, SWEEP_DONE, 1, 1)}},
    {"SweepDone on another proc", 5, 21, {ON(0, SWEEP_START, 0), ON(1, SWEEP_DONE, 1, 1)}},
    {"SweepDone twice",
     5,
     21,
     {ON(0, SWEEP_START, 0), ON(0, SWEEP_DONE, 1, 1), ON(0, SWEEP_DONE, 1, 1)}},
    {"MarkAssistStart during an assist",
     9,
     21,
     {ON(0, MARK_ASSIST_START, 0), ON(0, MARK_ASSIST_START, 0)}},
    {"MarkAssistStart during one begun on another proc",
     9,
     21,
     {ON(0, MARK_ASSIST_START, 0), ON(0, GO_SCHED, 0), ON(1, PROC_START, 6), ON(1, GO_START, 1, 2),
      ON(1, MARK_ASSIST_START, 0)}},
};

static const struct row start_rows[] = {
    {"GoCreate of goroutine 0", 5, 21, {ON(0, GO_CREATE, 0, 0, 0)}},
    {"GoCreate of what stands for none", 5, 21, {ON(0, GO_CREATE, UINT64_MAX, 0, 0)}},
    {"GoCreate of itself", 5, 21, {ON(0, GO_CREATE, 1, 0, 0)}},
    {"GoCreate twice", 5, 21, {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_CREATE, 2, 0, 0)}},
    {"GoWaiting of one that runs", 5, 5, {ON(0, GO_WAITING, 1)}},
    {"GoWaiting of none", 5, 5, {ON(0, GO_WAITING, 9)}},
    {"GoWaiting twice",
     5,
     5,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_WAITING, 2), ON(0, GO_WAITING, 2)}},
    {"GoInSyscall of one that runs", 5, 5, {ON(0, GO_IN_SYSCALL, 1)}},
    {"GoInSyscall of none", 5, 5, {ON(0, GO_IN_SYSCALL, 9)}},
    {"GoInSyscall of one that waits",
     5,
     5,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_WAITING, 2), ON(0, GO_IN_SYSCALL, 2)}},
    {"GoStart of one that runs", 5, 5, {ON(1, PROC_START, 6), ON(1, GO_START, 1, 2)}},
    {"GoStart of none", 5, 5, {ON(1, PROC_START, 6), ON(1, GO_START, 9, 1)}},
    {"GoStart of one that waits", 5, 5, {ON(0, GO_BLOCK, 0), ON(0, GO_START, 1, 2)}},
    {"GoStart of one that ended", 5, 5, {BARE(0, GO_END), ON(0, GO_START, 1, 2)}},
    {"GoStart of one that stopped", 5, 5, {ON(0, GO_STOP, 0), ON(0, GO_START, 1, 2)}},
    {"GoStart on a proc that is busy", 5, 21, {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_START, 2, 1)}},
    {"GoStartLocal on a proc that is busy",
     7,
     21,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_START_LOCAL, 2)}},
    {"GoStartLabel on a proc that is busy",
     8,
     21,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_START_LABEL, 2, 1, 0)}},
};

static const struct row stop_rows[] = {
    {"GoEnd without a goroutine", 5, 21, {BARE(1, GO_END)}},
    {"GoEnd twice", 5, 21, {BARE(0, GO_END), BARE(0, GO_END)}},
    {"GoStop without a goroutine", 5, 21, {ON(1, GO_STOP, 0)}},
    {"GoStop twice", 5, 21, {ON(0, GO_STOP, 0), ON(0, GO_STOP, 0)}},
    {"GoSysCall without a goroutine", 5, 21, {ON(1, GO_SYS_CALL, 0)}},
    {"GoSysCall of one that ended", 5, 21, {BARE(0, GO_END), ON(0, GO_SYS_CALL, 0)}},
    {"GoSched without a goroutine", 5, 5, {ON(1, GO_SCHED, 0)}},
    {"GoPreempt without a goroutine", 5, 5, {ON(1, GO_PREEMPT, 0)}},
    {"GoSleep without a goroutine", 5, 5, {ON(1, GO_SLEEP, 0)}},
    {"GoBlock without a goroutine", 5, 5, {ON(1, GO_BLOCK, 0)}},
    {"GoBlockSend without a goroutine", 5, 5, {ON(1, GO_BLOCK_SEND, 0)}},
    {"GoBlockRecv without a goroutine", 5, 5, {ON(1, GO_BLOCK_RECV, 0)}},
    {"GoBlockSelect without a goroutine", 5, 5, {ON(1, GO_BLOCK_SELECT, 0)}},
    {"GoBlockSync without a goroutine", 5, 5, {ON(1, GO_BLOCK_SYNC, 0)}},
    {"GoBlockCond without a goroutine", 5, 5, {ON(1, GO_BLOCK_COND, 0)}},
    {"GoBlockNet without a goroutine", 5, 5, {ON(1, GO_BLOCK_NET, 0)}},
    {"GoSysBlock without a goroutine", 5, 5, {BARE(1, GO_SYS_BLOCK)}},
    {"GoSched of one that gave way", 5, 5, {ON(0, GO_SCHED, 0), ON(0, GO_SCHED, 0)}},
};

static const struct row wake_rows[] = {
    {"GoUnblock of itself", 5, 5, {ON(0, GO_UNBLOCK, 1, 2, 0)}},
    {"GoUnblock of none", 5, 5, {ON(0, GO_UNBLOCK, 9, 2, 0)}},
    {"GoUnblock of one that runs", 5, 5, {OTHER, ON(0, GO_UNBLOCK, 2, 2, 0)}},
    {"GoUnblock of one that can run",
     5,
     5,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_UNBLOCK, 2, 1, 0)}},
    {"GoUnblock twice",
     5,
     5,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_WAITING, 2), ON(0, GO_UNBLOCK, 2, 2, 0),
      ON(0, GO_UNBLOCK, 2, 3, 0)}},
    {"GoUnblock of one that ended", 5, 5, {OTHER, BARE(1, GO_END), ON(0, GO_UNBLOCK, 2, 2, 0)}},
    {"GoUnblock of one that stopped", 5, 5, {OTHER, ON(1, GO_STOP, 0), ON(0, GO_UNBLOCK, 2, 2, 0)}},
    {"GoSysExit of one that runs", 5, 5, {ON(1, GO_SYS_EXIT, 1, 0, 0)}},
    {"GoSysExit of one that can run",
     5,
     5,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_SYS_EXIT, 2, 0, 0)}},
    {"GoSysExit of none", 5, 5, {ON(1, GO_SYS_EXIT, 9, 0, 0)}},
    {"GoSysExit twice",
     5,
     5,
     {ON(0, GO_SYS_CALL, 0), BARE(0, GO_SYS_BLOCK), ON(1, GO_SYS_EXIT, 1, 0, 0),
      ON(1, GO_SYS_EXIT, 1, 0, 0)}},
};

static const struct row user_rows[] = {
    {"TaskCreate twice", 11, 21, {ON(0, TASK_CREATE, 7, 0, 0, 0), ON(0, TASK_CREATE, 7, 0, 0, 0)}},
    {"TaskCreate twice, on two procs",
     11,
     21,
     {ON(0, TASK_CREATE, 7, 0, 0, 0), OTHER, ON(1, TASK_CREATE, 7, 0, 0, 0)}},
    {"Region of mode 2", 11, 21, {ON(0, REGION, 0, 2, 0, 0)}},
    {"Region of a mode of 64 bits", 11, 21, {ON(0, REGION, 0, UINT64_C(1) << 32, 0, 0)}},
    {"Region end of another task", 11, 21, {ON(0, REGION, 1, 0, 0, 0), ON(0, REGION, 2, 1, 0, 0)}},
    {"Region end of another name", 11, 21, {ON(0, REGION, 1, 0, 1, 0), ON(0, REGION, 1, 1, 2, 0)}},
    {"Region end of the same name with another id",
     11,
     21,
     {ON(0, REGION, 1, 0, 1, 0), ON(0, REGION, 1, 1, 3, 0)}},
    {"Region end of the outer one",
     11,
     21,
     {ON(0, REGION, 1, 0, 1, 0), ON(0, REGION, 2, 0, 1, 0), ON(0, REGION, 1, 1, 1, 0)}},
    {"Region end of another task, after another goroutine ran",
     11,
     21,
     {ON(0, REGION, 1, 0, 1, 0), ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_SCHED, 0),
      ON(0, GO_START, 2, 1), ON(0, GO_SCHED, 0), ON(0, GO_START, 1, 2), ON(0, REGION, 3, 1, 1, 0)}},
};

/* Rows that are valid although they look like those above. */
static const struct row good_rows[] = {
    {"two worlds stopped at once", 5, 9, {ON(0, STW_START, 0), ON(1, STW_START, 0)}},
    {"a world stopped by one proc and started by another",
     10,
     21,
     {ON(0, STW_START, 0), BARE(1, STW_DONE)}},
    {"sweeps of two procs", 5, 21, {ON(0, SWEEP_START, 0), ON(1, SWEEP_START, 0)}},
    {"end of an assist without its begin", 9, 21, {BARE(0, MARK_ASSIST_DONE)}},
    {"unblock without a goroutine",
     5,
     21,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_WAITING, 2), ON(1, GO_UNBLOCK, 2, 2, 0)}},
    {"GoCreate without a goroutine", 5, 21, {ON(1, GO_CREATE, 2, 0, 0)}},
    {"GoStart on a proc that did not start", 5, 21, {ON(0, GO_SCHED, 0), ON(1, GO_START, 1, 2)}},
    {"GoSysExit of one that only waits",
     5,
     21,
     {ON(0, GO_CREATE, 2, 0, 0), ON(0, GO_WAITING, 2), ON(0, GO_SYS_EXIT, 2, 2, 0)}},
    {"a task again after its end",
     11,
     21,
     {ON(0, TASK_CREATE, 7, 0, 1, 0), ON(0, TASK_END, 7, 0), ON(0, TASK_CREATE, 7, 0, 1, 0)}},
    {"end of a task that is not known", 11, 21, {ON(0, TASK_END, 7, 0)}},
    {"end of a region that is not known", 11, 21, {ON(0, REGION, 1, 1, 1, 0)}},
    {"regions in regions",
     11,
     21,
     {ON(0, REGION, 1, 0, 1, 0), ON(0, REGION, 1, 0, 2, 0), ON(0, REGION, 1, 1, 2, 0),
      ON(0, REGION, 1, 1, 1, 0)}},
};

static size_t steps_of(const struct row *row)
{
    size_t count = 0;
    while (count < STEPS_MAX && row->steps[count].count > 0)
        count++;
    return count;
}

/*
 * Writes the first `count` steps, each run of one proc as a batch; returns the offset of the last
 * step.
 */
static size_t write_steps(struct wire *wire, unsigned version, const struct row *row, size_t count)
{
    size_t offset = 0;
    uint64_t proc = 0;
    struct step step;
    v1_start(wire, version);
    for (size_t i = 1; i <= 3 && version >= 7; i++)
        v1_string(wire, i, i == 2 ? "another" : "the same");
    for (size_t i = 0; i < count; i++) {
        step = row->steps[i];
        if (step.proc != proc)
            v1_batch(wire, step.proc, V1_TICKS + 100 * (i + 1));
        proc = step.proc;
        /* Before Go 1.7 an exit's number is its position in the global sequence, which is here. */
        if (version < 7 && step.type == V1_GO_SYS_EXIT)
            step.args[2] = 0;
        offset = wire->size;
        v1_event(wire, step.type, step.args, step.count);
    }
    return offset;
}

/* All events before the bad one are the same as without it, and then the error follows. */
static int check_row(const struct row *row, unsigned version)
{
    size_t count = steps_of(row);
    struct fault fault = {GT_ERR_ORDER, 0, 0, 0};
    struct digest before, with;
    struct wire wire = {0};
    write_steps(&wire, version, row, count - 1);
    digest_memory(&before, wire.data, wire.size, NULL);
    if (before.status != GT_END) {
        print_error("%s of version %u: %s\n", row->name, version, before.error.message);
        digest_free(&before);
        wire_free(&wire);
        return 1;
    }
    fault.events = before.count - 1;
    fault.offset = write_steps(&wire, version, row, count);
    digest_memory(&with, wire.data, wire.size, NULL);
    if (with.count == fault.events)
        assert_int_equal(digest_common(&before, &with), with.count);
    digest_free(&before);
    digest_free(&with);
    return fault_check(row->name, &wire, &fault);
}

static void check_rows(const struct row *rows, size_t count,
                       int (*check)(const struct row *row, unsigned version))
{
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            if (v1_versions[k] >= rows[i].least && v1_versions[k] <= rows[i].most)
                bad += check(&rows[i], v1_versions[k]);
        }
    }
    assert_int_equal(bad, 0);
}

#define ROWS(rows) (rows), sizeof(rows) / sizeof(*(rows))

static void test_wrong_proc_event_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(proc_rows), check_row);
}

static void test_wrong_collector_event_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(collector_rows), check_row);
}

static void test_wrong_start_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(start_rows), check_row);
}

static void test_wrong_stop_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(stop_rows), check_row);
}

static void test_wrong_unblock_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(wake_rows), check_row);
}

static void test_wrong_annotation_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(user_rows), check_row);
}

static int check_good_row(const struct row *row, unsigned version)
{
    struct digest digest;
    struct wire wire = {0};
    int bad;
    write_steps(&wire, version, row, steps_of(row));
    digest_memory(&digest, wire.data, wire.size, NULL);
    bad = digest.status != GT_END;
    if (bad)
        print_error("%s of version %u: %s\n", row->name, version, digest.error.message);
    digest_free(&digest);
    wire_free(&wire);
    return bad;
}

static void test_similar_rows_are_good(void **state)
{
    (void) state;
    check_rows(ROWS(good_rows), check_good_row);
}

/* A proc writes its batches in the order of their numbers: one that comes too late is wrong. */
static void test_batch_after_later_numbers_is_an_error(void **state)
{
    static const unsigned types[] = {V1_GO_CREATE, V1_GO_UNBLOCK, V1_GO_BLOCK, V1_GO_SYS_CALL,
                                     V1_GO_END};
    static const uint64_t args[] = {1, 7, 0, 0};
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_START_EVENTS + 3};
    struct wire wire = {0};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        v1_start(&wire, 5);
        V1_EVENT(&wire, V1_GO_CREATE, 1, 2, 0, 0);
        V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1);
        wire.sequence = 20;
        v1_batch(&wire, 1, V1_TICKS + 100);
        V1_EVENT(&wire, V1_GO_START, 1, 2, 0);
        wire.sequence = 10;
        v1_batch(&wire, 1, V1_TICKS + 50);
        fault.offset = wire.size;
        v1_event(&wire, types[i], args, v1_specs[types[i]].count);
        bad += fault_check("batch of later", &wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/*
 * Goroutine 2 wakes up once and blocks again. The end of an earlier system call is written only
 * then, with the time at which it happened.
 */
static void test_unblock_after_a_syscall_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_ORDER, 0, 0, V1_START_EVENTS + 2};
    struct wire wire = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 1; k < V1_VERSIONS; k++) {
        v1_start_open(&wire, v1_versions[k]);
        V1_EVENT(&wire, V1_GO_CREATE, 1, 2, 0, 0);
        V1_EVENT(&wire, V1_GO_IN_SYSCALL, 1, 2);
        V1_EVENT(&wire, V1_GOMAXPROCS, 1, 4, 0);
        fault.offset = wire.size;
        V1_EVENT(&wire, V1_GO_UNBLOCK, 100, 2, 2, 0);
        v1_batch(&wire, 1, V1_TICKS + 200);
        V1_EVENT(&wire, V1_GO_START, 1, 2, 3);
        V1_EVENT(&wire, V1_GO_BLOCK, 1, 0);
        V1_EVENT(&wire, V1_GO_SYS_EXIT, 1, 2, 4, V1_TICKS + 50);
        bad += fault_check("unblock of one that left its system call", &wire, &fault);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_proc_event_is_an_error),
        cmocka_unit_test(test_wrong_collector_event_is_an_error),
        cmocka_unit_test(test_wrong_start_is_an_error),
        cmocka_unit_test(test_wrong_stop_is_an_error),
        cmocka_unit_test(test_wrong_unblock_is_an_error),
        cmocka_unit_test(test_wrong_annotation_is_an_error),
        cmocka_unit_test(test_similar_rows_are_good),
        cmocka_unit_test(test_batch_after_later_numbers_is_an_error),
        cmocka_unit_test(test_unblock_after_a_syscall_is_an_error),
    };
    return cmocka_run_group_tests_name("v1 checks", tests, NULL, NULL);
}
