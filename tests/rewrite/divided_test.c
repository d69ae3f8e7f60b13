/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Generations that are divided: gt_writer_options.generation_bytes. If $GT_PEER names a binary that
 * does what `go tool trace` does, it has to read the copies, too.
 */

#include <stdlib.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/test.h"

static const char *const traces[] = {
    "v1/go1.19-sync.trace",   "v1/go1.21-gc.trace",     "v1/go1.21-syscall.trace",
    "v1/go1.21-tasks.trace",  "v1/go1.21-thread.trace", "v2/go1.22-gcgens.trace",
    "v2/go1.23-gens.trace",   "v2/go1.24-gcgens.trace", "v2/go1.26-gcgens.trace",
    "v2/go1.27-gcgens.trace", "v2/go1.27-gens.trace",   "v2/go1.27-mix.trace",
};

/* Returns whether an event tells what exists, which the input need not do there. */
static bool names_something(const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    assert_status(gt_event_wire(event, &wire), GT_OK);
    switch (wire.type) {
    case GT_WIRE_PROC_STATUS:
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_ACTIVE:
        return true;
    default:
        return event->kind == GT_EVENT_SYNC;
    }
}

/* Returns the next event that names nothing, or NULL at the end. */
static const gt_event *next_event(gt_reader *reader, unsigned *named)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (!names_something(event))
            return event;
        ++*named;
    }
    assert_status(status, GT_END);
    return NULL;
}

/* Asserts that the copy has the events of the input besides those that name something. */
static void expect_events(gt_reader *input, const struct copy *copy, int64_t offset, bool is_old)
{
    gt_reader *output = copy_open(copy);
    unsigned named[2] = {0, 0};
    const gt_event *a, *b;
    do {
        a = next_event(input, &named[0]);
        b = next_event(output, &named[1]);
        if (!a || !b)
            break;
        assert_int_equal(a->kind, b->kind);
        /* Events of Go 1.21 may have to move. */
        if (!is_old) {
            assert_int_equal(a->goroutine, b->goroutine);
            assert_int_equal(a->thread, b->thread);
        }
        if (copy->info.delayed == 0)
            assert_int_equal(a->time + offset, b->time);
    } while (true);
    assert_ptr_equal(a, b);
    assert_true(named[1] >= named[0]);
    gt_reader_close(&output);
}

static void check_size(const uint8_t *data, size_t size, uint64_t generation_bytes, bool is_old)
{
    gt_reader *input;
    struct copy whole, copy;
    copy_init(&whole);
    copy_make(&whole, data, size);
    copy_init(&copy);
    copy.options.generation_bytes = generation_bytes;
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).findings,
                     copy_validate(data, size).findings);
    assert_status(gt_reader_open_memory(&input, data, size, NULL, NULL), GT_OK);
    if (!is_old || copy.info.handed_over == 0)
        expect_events(input, &copy, is_old ? GT_WRITER_V1_OFFSET : 0, is_old);
    gt_reader_close(&input);
    assert_true(copy.info.generations >= whole.info.generations);
    /* The first generation of newer traces stays as it is, and may be the only one. */
    if (generation_bytes == 1 && (is_old || whole.info.generations > 2))
        assert_true(copy.info.generations > whole.info.generations);
    output_expect_peer_reads(copy.out.data, copy.out.size);
    copy_free(&copy);
    copy_free(&whole);
}

static void test_divided_generations_have_the_same_events(void **state)
{
    static const uint64_t sizes[] = {1, 1000, 10000};
    (void) state;
    for (size_t i = 0; i < sizeof(traces) / sizeof(*traces); i++) {
        size_t size;
        char *path = files_join(files_testdata(), traces[i]);
        uint8_t *data = files_read(path, &size);
        for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
            check_size(data, size, sizes[s], traces[i][1] == '1');
        free(data);
        free(path);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divided_generations_have_the_same_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
