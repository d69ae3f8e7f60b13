/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * GT_READER_LENIENT in traces of Go 1.22 and later: what can be read despite damage, and which
 * repairs are reported.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/gen.h"
#include "support/gen_events.h"
#include "support/repairs.h"
#include "support/test.h"

/* A trace, what was read of it, and the repairs that were reported. */
struct salvage {
    struct gen gen;
    struct repairs repairs;
    struct digest digest;
};

/* Two goroutines on one thread. */
static void write_generation(struct gen *g, uint64_t number)
{
    uint64_t stack;
    gen_generation(g, number);
    gen_running(g, 5, 0, 1);
    stack = GEN_STACK(g, {"main.work", "main.go", 7});
    gen_go_create(g, 100 + number, stack, stack);
    gen_go_block(g, "chan receive", stack);
    gen_go_start(g, 100 + number);
    gen_go_unblock(g, 1, stack);
    gen_go_destroy(g);
    gen_go_start(g, 1);
    gen_end(g);
}

static void begin(struct salvage *s, unsigned version)
{
    memset(s, 0, sizeof(*s));
    gen_begin(&s->gen, version);
}

/* Reads leniently what was written; the result must be consistent. */
static void read_it(struct salvage *s)
{
    gt_reader_options options = repairs_options(&s->repairs);
    const struct wire *wire = &s->gen.wire;
    digest_memory(&s->digest, wire->data, wire->size, &options);
    assert_status(s->digest.status, GT_END);
    repairs_check_sound(wire->data, wire->size, &s->repairs);
}

static void assert_repaired(const struct salvage *s, size_t count, gt_status status)
{
    assert_int_equal(s->repairs.count, count);
    if (count > 0)
        assert_status(s->repairs.status[0], status);
}

static void end(struct salvage *s)
{
    digest_free(&s->digest);
    gen_free(&s->gen);
}

/* The number of events of two good generations. */
static size_t good_count(unsigned version)
{
    struct salvage s;
    size_t count;
    begin(&s, version);
    write_generation(&s.gen, 1);
    write_generation(&s.gen, 2);
    read_it(&s);
    assert_repaired(&s, 0, GT_OK);
    count = s.digest.count;
    end(&s);
    return count;
}

static void check_faults(unsigned version, unsigned faults, size_t repairs, gt_status status)
{
    struct salvage s;
    begin(&s, version);
    write_generation(&s.gen, 1);
    s.gen.faults = faults;
    write_generation(&s.gen, 2);
    read_it(&s);
    assert_repaired(&s, repairs, status);
    assert_int_equal(s.digest.count, good_count(version));
    end(&s);
}

static void test_generation_without_end_is_repaired(void **state)
{
    (void) state;
    check_faults(26, GEN_NO_END, 1, GT_ERR_TRUNCATED);
}

static void test_generation_without_clock_is_repaired(void **state)
{
    (void) state;
    check_faults(23, GEN_NO_FREQUENCY, 1, GT_ERR_TRUNCATED);
    check_faults(26, GEN_NO_FREQUENCY, 1, GT_ERR_GENERATION);
    check_faults(26, GEN_NO_SNAPSHOT, 1, GT_ERR_GENERATION);
}

/* Every event lacks the tables, and is delivered all the same. */
static void test_events_without_tables_are_kept(void **state)
{
    (void) state;
    check_faults(22, GEN_NO_STACKS, 1, GT_ERR_REFERENCE);
    check_faults(26, GEN_NO_STACKS, 1, GT_ERR_REFERENCE);
    check_faults(26, GEN_NO_STRINGS, 2, GT_ERR_STACKS);
    check_faults(26, GEN_STRING_TWICE, 1, GT_ERR_STRINGS);
    check_faults(26, GEN_STACK_CLAIM, 2, GT_ERR_STACKS);
}

/* Between two generations there are bytes that do not belong to the format. */
static void test_garbage_between_generations_is_skipped(void **state)
{
    static const char garbage[] = "\x07\x01\x01 this is no batch, nor is \x02 this";
    struct salvage s;
    size_t at;
    (void) state;
    begin(&s, 26);
    write_generation(&s.gen, 1);
    at = s.gen.wire.size;
    wire_bytes(&s.gen.wire, garbage, sizeof(garbage));
    write_generation(&s.gen, 2);
    read_it(&s);
    assert_true(s.repairs.count >= 1);
    assert_int_equal(s.repairs.offset[0], at);
    assert_int_equal(s.digest.count, good_count(26));
    end(&s);
}

/* The end of the first generation is lost, and the second generation is complete. */
static void test_lost_end_between_generations_is_repaired(void **state)
{
    struct salvage s;
    (void) state;
    begin(&s, 26);
    s.gen.faults = GEN_NO_END;
    write_generation(&s.gen, 1);
    s.gen.faults = 0;
    write_generation(&s.gen, 2);
    read_it(&s);
    assert_repaired(&s, 1, GT_ERR_GENERATION);
    assert_int_equal(s.digest.count, good_count(26));
    end(&s);
}

/* A generation is missing altogether: its number is skipped. */
static void test_lost_generation_is_one_repair(void **state)
{
    struct salvage s;
    (void) state;
    begin(&s, 23);
    write_generation(&s.gen, 1);
    write_generation(&s.gen, 3);
    read_it(&s);
    assert_repaired(&s, 1, GT_ERR_GENERATION);
    assert_int_equal(s.digest.count, good_count(23));
    end(&s);
}

/*
 * Goroutine 2 starts, although nothing unblocked it: the missing unblock is delivered without a
 * context.
 */
static void test_lost_unblock_is_made_up(void **state)
{
    struct salvage s;
    struct reading r = {0};
    (void) state;
    begin(&s, 26);
    gen_generation(&s.gen, 1);
    gen_running(&s.gen, 5, 0, 1);
    gen_go_status(&s.gen, 2, WIRE_NONE, GO_WAITING);
    gen_go_block(&s.gen, "sleep", 0);
    gen_seq(&s.gen, 2);
    gen_go_start(&s.gen, 2);
    gen_end(&s.gen);
    read_it(&s);
    assert_repaired(&s, 1, GT_ERR_STUCK);
    {
        gt_reader_options options = repairs_options(&s.repairs);
        assert_status(
            gt_reader_open_memory(&r.reader, s.gen.wire.data, s.gen.wire.size, &options, NULL),
            GT_OK);
        reading_skip(&r, 5);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_end(&r);
    }
    end(&s);
}

/*
 * Goroutine 2 starts on thread 5, although nothing unblocked it. Unforced, that and everything
 * after it on the thread is left out, and what happens on the other thread is not.
 */
static void test_unforced_reader_leaves_out_the_thread_that_waits(void **state)
{
    struct salvage s;
    struct reading r = {0};
    (void) state;
    begin(&s, 26);
    gen_generation(&s.gen, 1);
    gen_running(&s.gen, 5, 0, 1);
    gen_go_status(&s.gen, 2, WIRE_NONE, GO_WAITING);
    gen_go_block(&s.gen, "sleep", 0);
    gen_seq(&s.gen, 2);
    gen_go_start(&s.gen, 2);
    gen_go_create(&s.gen, 3, 0, 0);
    gen_on_at(&s.gen, 5, s.gen.time + 2000000);
    gen_go_create(&s.gen, 4, 0, 0);
    gen_on_at(&s.gen, 6, s.gen.time + 2000000);
    gen_proc_status(&s.gen, 7, PROC_IDLE);
    gen_end(&s.gen);
    gt_reader_options options = repairs_options(&s.repairs);
    options.flags |= GT_READER_UNFORCED;
    assert_status(
        gt_reader_open_memory(&r.reader, s.gen.wire.data, s.gen.wire.size, &options, NULL), GT_OK);
    reading_skip(&r, 5);
    reading_proc(&r, 7, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    reading_end(&r);
    assert_repaired(&s, 1, GT_ERR_STUCK);
    gen_free(&s.gen);
}

/* The next generation says that goroutine 1 waits, which was running when it was last mentioned. */
static void test_contradicting_status_is_accepted(void **state)
{
    struct salvage s;
    (void) state;
    begin(&s, 26);
    gen_generation(&s.gen, 1);
    gen_running(&s.gen, 5, 0, 1);
    gen_generation(&s.gen, 2);
    gen_on(&s.gen, 5);
    gen_go_status(&s.gen, 1, WIRE_NONE, GO_WAITING);
    gen_go_status(&s.gen, 3, WIRE_NONE, GO_WAITING);
    gen_proc_status(&s.gen, 0, PROC_IDLE);
    gen_end(&s.gen);
    read_it(&s);
    assert_repaired(&s, 3, GT_ERR_ORDER);
    assert_int_equal(s.digest.count, 8);
    end(&s);
}

/* An event that cannot be read loses the rest of its batch, but not the next batch. */
static void test_bad_event_loses_only_its_batch(void **state)
{
    struct salvage s;
    size_t at;
    (void) state;
    begin(&s, 26);
    gen_generation(&s.gen, 1);
    gen_running(&s.gen, 5, 0, 1);
    gen_bare(&s.gen, 255);
    at = s.gen.event_at;
    gen_log(&s.gen, 0, "key", "lost", 0);
    gen_on_at(&s.gen, 5, s.gen.time + 5);
    gen_log(&s.gen, 0, "key", "kept", 0);
    gen_end(&s.gen);
    read_it(&s);
    assert_repaired(&s, 1, GT_ERR_EVENT);
    assert_int_equal(s.repairs.offset[0], at);
    assert_int_equal(s.digest.count, 5);
    end(&s);
}

/*
 * The events before the damage are the same, wherever the damage is, and the result is consistent.
 */
static void check_damaged(const uint8_t *data, size_t size, bool is_open)
{
    static const uint64_t flags[] = {0, GT_READER_UNFORCED};
    struct digest strict, lenient;
    struct repairs repairs;
    digest_memory(&strict, data, size, NULL);
    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
        gt_reader_options options = repairs_options(&repairs);
        options.flags |= flags[i];
        digest_memory(&lenient, data, size, &options);
        assert_status(lenient.status, GT_END);
        if (is_open)
            assert_true(digest_common(&strict, &lenient) >= strict.last_generation);
        else
            digest_assert_prefix(&strict, &lenient);
        if (strict.status == GT_END)
            digest_assert_equal(&strict, &lenient);
        else
            assert_true(repairs.count > 0);
        digest_free(&lenient);
    }
    digest_free(&strict);
    repairs_check_sound(data, size, &repairs);
}

static void check_file(const char *name)
{
    char *path = files_join(files_testdata(), name);
    size_t size;
    uint8_t *data = files_read(path, &size);
    bool is_open = strtoul((const char *) data + strlen("go 1."), NULL, 10) <= LAST_OPEN;
    for (size_t i = 16; i < size; i += TEST_SANITIZED ? 5 : 1) {
        uint8_t was = data[i];
        check_damaged(data, i, is_open);
        data[i] ^= (uint8_t) (1u << i % 8);
        check_damaged(data, size, is_open);
        data[i] = 0xff;
        check_damaged(data, size, is_open);
        data[i] = was;
    }
    free(data);
    free(path);
}

static void test_events_before_any_damage_are_the_same(void **state)
{
    (void) state;
    check_file("v2/go1.22-tasks.trace");
    check_file("v2/go1.24-coro.trace");
    check_file("v2/go1.26-tasks.trace");
    check_file("v2/go1.27-thread.trace");
}

/*
 * An event that waits for a goroutine, proc or thread with the id of none waits in vain: no repair
 * can make it happen. The other events can happen.
 */
static void test_event_of_no_resource_is_left_out(void **state)
{
    static const struct {
        unsigned type;
        uint64_t args[3];
        size_t count;
    } events[] = {
        {EV_GO_UNBLOCK, {WIRE_NONE, 1, 0}, 3}, {EV_GO_START, {WIRE_NONE, 1, 0}, 2},
        {EV_GO_SWITCH, {WIRE_NONE, 1, 0}, 2},  {EV_PROC_STEAL, {WIRE_NONE, 1, 5}, 3},
        {EV_PROC_START, {WIRE_NONE, 1, 0}, 2},
    };
    struct salvage s;
    (void) state;
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        begin(&s, 26);
        gen_generation(&s.gen, 1);
        gen_running(&s.gen, 5, 0, 1);
        if (events[i].type == EV_GO_START || events[i].type == EV_PROC_START)
            gen_go_block(&s.gen, "sleep", 0);
        if (events[i].type == EV_PROC_START)
            gen_proc_stop(&s.gen);
        gen_event(&s.gen, events[i].type, events[i].args, events[i].count);
        gen_go_create(&s.gen, 2, 0, 0);
        gen_on_at(&s.gen, 6, 5000);
        gen_proc_status(&s.gen, 3, PROC_IDLE);
        gen_end(&s.gen);
        read_it(&s);
        assert_true(s.repairs.count > 0);
        /* Two Syncs, the proc, the goroutine, and the proc of thread 6. */
        assert_true(s.digest.count >= 5);
        end(&s);
    }
}

/* A proc is stolen from a thread that does not have it: the thread that has it loses it. */
static void test_proc_stolen_from_the_wrong_thread_is_lost_by_the_right_one(void **state)
{
    struct reading r = {0};
    struct salvage s;
    (void) state;
    begin(&s, 26);
    gen_generation(&s.gen, 1);
    gen_running(&s.gen, 5, 0, 1);
    gen_syscall_begin(&s.gen, 0);
    gen_on_at(&s.gen, 6, 2000);
    gen_proc_status(&s.gen, 1, PROC_RUNNING);
    gen_on_at(&s.gen, 7, 3000);
    gen_proc_steal(&s.gen, 0, 6);
    gen_proc_start(&s.gen, 0);
    gen_end(&s.gen);
    read_it(&s);
    assert_repaired(&s, 1, GT_ERR_ORDER);
    {
        gt_reader_options options = repairs_options(&s.repairs);
        assert_status(
            gt_reader_open_memory(&r.reader, s.gen.wire.data, s.gen.wire.size, &options, NULL),
            GT_OK);
        reading_skip(&r, 5);
        reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
        reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
        reading_context(&r, 7, GT_NO_PROC, GT_NO_GOROUTINE);
        reading_end(&r);
    }
    end(&s);
}

/* Programs that exited while they were traced: the last generation has no tables and no end. */
static void test_traces_of_exited_programs_are_read(void **state)
{
    static const char *const names[] = {"go1.22-exit.trace", "go1.23-exit.trace",
                                        "go1.24-exit.trace", "go1.26-exit.trace"};
    const char *corpus = files_corpus();
    size_t size;
    (void) state;
    if (!corpus)
        skip();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = files_join(corpus, names[i]);
        uint8_t *data = files_read(path, &size);
        struct repairs repairs;
        gt_reader_options options = repairs_options(&repairs);
        struct digest digest;
        digest_memory(&digest, data, size, &options);
        assert_status(digest.status, GT_END);
        /* A record has about three bytes there. */
        assert_true(digest.count > size / 5);
        assert_true(repairs.count > 0);
        digest_free(&digest);
        free(data);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generation_without_end_is_repaired),
        cmocka_unit_test(test_generation_without_clock_is_repaired),
        cmocka_unit_test(test_events_without_tables_are_kept),
        cmocka_unit_test(test_garbage_between_generations_is_skipped),
        cmocka_unit_test(test_lost_end_between_generations_is_repaired),
        cmocka_unit_test(test_lost_generation_is_one_repair),
        cmocka_unit_test(test_lost_unblock_is_made_up),
        cmocka_unit_test(test_unforced_reader_leaves_out_the_thread_that_waits),
        cmocka_unit_test(test_contradicting_status_is_accepted),
        cmocka_unit_test(test_bad_event_loses_only_its_batch),
        cmocka_unit_test(test_events_before_any_damage_are_the_same),
        cmocka_unit_test(test_event_of_no_resource_is_left_out),
        cmocka_unit_test(test_proc_stolen_from_the_wrong_thread_is_lost_by_the_right_one),
        cmocka_unit_test(test_traces_of_exited_programs_are_read),
    };
    return cmocka_run_group_tests_name("salvage", tests, NULL, NULL);
}
