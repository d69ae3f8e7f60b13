/* SPDX-License-Identifier: BSD-3-Clause */

/* Traces of which something was lost in the middle, which a writer writes to their ends. */

#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/reading.h"
#include "support/test.h"

enum {
    HEADER = 16,
    /* The regions that end in the last generation and may have begun in what is lost. */
    OPEN_REGIONS = 2
};

/* What is in the generations of a trace. */
struct content {
    uint64_t last;   /* the number of the last generation */
    uint64_t events; /* the events that it has */
};

static struct content content_of(const void *data, size_t size)
{
    struct content content = {0};
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        gt_sync sync = GT_SYNC_INIT;
        content.events++;
        if (gt_event_sync(event, &sync) != GT_OK || sync.generation == 0)
            continue;
        content.last = sync.generation;
        content.events = 0;
    }
    assert_status(status, GT_END);
    gt_reader_close(&reader);
    return content;
}

/* Writes a damaged trace, and asserts that a strict reader takes the output. */
static void mend(struct copy *copy, const void *data, size_t size)
{
    copy_init(copy);
    copy->reader_flags = GT_READER_LENIENT;
    copy->options.flags = GT_WRITER_LENIENT;
    copy_make(copy, data, size);
    assert_status(copy->wrote, GT_OK);
    output_expect_peer_reads(copy->out.data, copy->out.size);
}

/* Each batch of a trace is lost once. All its generations are written, and the last one whole. */
static void lose_each_batch(const char *name)
{
    size_t size, next;
    char *path = files_join(files_testdata(), name);
    uint8_t *data = files_read(path, &size), *damaged = malloc(size);
    assert_non_null(damaged);
    const struct content whole = content_of(data, size);
    for (size_t at = HEADER; at < size; at = next) {
        struct copy copy;
        next = wire_batch_after(data, size, at);
        assert_int_not_equal(next, 0);
        memcpy(damaged, data, at);
        memcpy(damaged + at, data + next, size - next);
        mend(&copy, damaged, size - (next - at));
        struct content content = content_of(copy.out.data, copy.out.size);
        assert_int_equal(content.last, whole.last);
        uint64_t generation;
        wire_varint_take(data + at + 1, data + size, &generation);
        if (generation < whole.last && data[at] == EV_EVENT_BATCH)
            assert_in_range(content.events + OPEN_REGIONS, whole.events, UINT64_MAX);
        copy_free(&copy);
    }
    free(damaged);
    free(data);
    free(path);
}

static void test_lost_batch_of_go_1_22_ends_no_output(void **state)
{
    (void) state;
    lose_each_batch("v2/go1.22-gens.trace");
}

static void test_lost_batch_of_go_1_27_ends_no_output(void **state)
{
    (void) state;
    lose_each_batch("v2/go1.27-gens.trace");
}

static void test_lost_batch_during_collections_ends_no_output(void **state)
{
    (void) state;
    lose_each_batch("v2/go1.26-gcgens.trace");
}

/* A trace of Go 1.21 is cut off, so that of most goroutines only the starts are left. */
static void test_all_that_is_read_of_an_old_trace_is_written(void **state)
{
    size_t size;
    char *path = files_join(files_testdata(), "v1/go1.21-many.trace");
    uint8_t *data = files_read(path, &size);
    (void) state;
    for (size_t part = 1; part < 4; part++) {
        struct copy copy;
        mend(&copy, data, size * part / 4);
        assert_in_range(copy.info.events, part == 1 ? 700 : 1300, UINT64_MAX);
        assert_int_equal(copy.info.left_out, 0);
        copy_free(&copy);
    }
    free(data);
    free(path);
}

/* Writes what was described, and opens the output behind its first Sync. */
static void mend_generated(struct gen *gen, struct copy *copy, struct reading *reading)
{
    gen_end(gen);
    mend(copy, gen->wire.data, gen->wire.size);
    gen_free(gen);
    reading->reader = copy_open(copy);
    reading_sync(reading);
}

/* Reads the names at the beginning of the first generation, and the Sync of the second. */
static void read_to_second(struct reading *reading, unsigned names)
{
    reading_skip(reading, names);
    reading_sync(reading);
}

/* Goroutine 9 waits in the second generation, although nobody has created it. */
static void test_unknown_goroutine_is_created(void **state)
{
    struct gen g = {0};
    struct copy copy;
    struct reading r = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 9, WIRE_NONE, GO_WAITING);
    mend_generated(&g, &copy, &r);
    read_to_second(&r, 2);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNING);
    reading_goroutine(&r, 9, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    /* A proc that is made up runs it until it waits. */
    reading_proc(&r, 1, GT_PROC_NOT_EXIST, GT_PROC_IDLE);
    reading_proc(&r, 1, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_goroutine(&r, 9, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 9, GT_GO_RUNNING, GT_GO_WAITING);
    reading_proc(&r, 1, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_goroutine(&r, 9, GT_GO_WAITING, GT_GO_WAITING);
    reading_end(&r);
    copy_free(&copy);
}

/* Goroutine 1 runs on thread 6 in the second generation, although it has not left thread 5. */
static void test_goroutine_leaves_its_thread(void **state)
{
    struct gen g = {0};
    struct copy copy;
    struct reading r = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_generation(&g, 2);
    gen_running(&g, 6, 0, 1);
    mend_generated(&g, &copy, &r);
    read_to_second(&r, 2);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_context(&r, 6, GT_NO_PROC, GT_NO_GOROUTINE);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNABLE);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNING);
    reading_context(&r, 6, 0, 1);
    reading_end(&r);
    copy_free(&copy);
}

/* Goroutine 1 is in a system call without a proc, although the call's beginning was lost. */
static void test_goroutine_enters_the_system_call(void **state)
{
    struct gen g = {0};
    struct copy copy;
    struct reading r = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_on(&g, 5);
    gen_proc_status(&g, 0, PROC_IDLE);
    gen_go_status(&g, 1, WIRE_NONE, GO_WAITING);
    gen_generation(&g, 2);
    gen_on(&g, WIRE_NONE);
    gen_proc_status(&g, 0, PROC_IDLE);
    gen_go_status(&g, 1, 5, GO_SYSCALL);
    mend_generated(&g, &copy, &r);
    read_to_second(&r, 2);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_goroutine(&r, 1, GT_GO_WAITING, GT_GO_WAITING);
    reading_goroutine(&r, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
    reading_context(&r, 5, 0, 1);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_SYSCALL);
    reading_end(&r);
    copy_free(&copy);
}

/* A proc and a goroutine run on no thread until a thread is told. Readers take that. */
static void test_statuses_without_a_thread_are_written(void **state)
{
    struct gen g = {0};
    struct copy copy;
    struct reading r = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, WIRE_NONE, 0, 1);
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    gen_running(&g, WIRE_NONE, 0, 1);
    mend_generated(&g, &copy, &r);
    assert_int_equal(copy.info.left_out, 0);
    assert_int_equal(copy.info.made_up, 0);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
    reading_sync(&r);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNING);
    reading_context(&r, 5, 0, GT_NO_GOROUTINE);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNING);
    reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
    reading_end(&r);
    copy_free(&copy);
}

/* Nothing leads from no thread to another state, so what needs that is left out. */
static void test_what_runs_on_no_thread_cannot_stop(void **state)
{
    struct gen g = {0};
    struct copy copy;
    struct reading r = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, WIRE_NONE, 0, 1);
    gen_generation(&g, 2);
    gen_on(&g, 5);
    gen_proc_status(&g, 0, PROC_IDLE);
    gen_go_status(&g, 1, WIRE_NONE, GO_WAITING);
    gen_proc_status(&g, 1, PROC_RUNNING);
    mend_generated(&g, &copy, &r);
    assert_int_equal(copy.info.left_out, 2);
    read_to_second(&r, 2);
    reading_proc(&r, 1, GT_PROC_NOT_EXIST, GT_PROC_RUNNING);
    reading_end(&r);
    copy_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_batch_of_go_1_22_ends_no_output),
        cmocka_unit_test(test_lost_batch_of_go_1_27_ends_no_output),
        cmocka_unit_test(test_lost_batch_during_collections_ends_no_output),
        cmocka_unit_test(test_all_that_is_read_of_an_old_trace_is_written),
        cmocka_unit_test(test_unknown_goroutine_is_created),
        cmocka_unit_test(test_goroutine_leaves_its_thread),
        cmocka_unit_test(test_goroutine_enters_the_system_call),
        cmocka_unit_test(test_statuses_without_a_thread_are_written),
        cmocka_unit_test(test_what_runs_on_no_thread_cannot_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
