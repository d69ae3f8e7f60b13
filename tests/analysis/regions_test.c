/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Regions and tasks of the summary. The trace begins at 1000 and each event is 10 ns after the one
 * before; the last Sync is 1 ns after the last event.
 */

#include "summing.h"

static const gt_goroutine_summary *goroutine(const gt_summary *summary, int64_t id, size_t regions)
{
    const gt_goroutine_summary *found = gt_summary_find_goroutine(summary, id);
    assert_non_null(found);
    assert_int_equal(found->region_count, regions);
    return found;
}

static const gt_task_summary *task(const gt_summary *summary, uint64_t id)
{
    const gt_task_summary *found = gt_summary_find_task(summary, id);
    assert_non_null(found);
    assert_int_equal(found->id, id);
    return found;
}

/* Two nested regions with a wait. They are ordered by begin, although the inner one ends first. */
static void write_nested(struct gen *g)
{
    uint64_t stack = GEN_STACK(g, {"main.inner", "m.go", 3}, {"main.main", "m.go", 9});
    gen_running(g, 5, 0, 1);
    gen_region_begin(g, 0, "outer", stack);
    gen_region_begin(g, 0, "inner", 0);
    gen_go_block(g, "sleep", 0);
    gen_go_unblock(g, 1, 0);
    gen_go_start(g, 1);
    gen_region_end(g, 0, "inner", 0);
    gen_region_end(g, 0, "outer", 0);
}

static void test_nested_regions_are_ordered_by_begin(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *one;
    (void) state;
    summing_begin(&g, 26);
    write_nested(&g);
    summary = summing_read(&g, NULL);
    one = goroutine(summary, 1, 2);
    assert_text(one->regions[0]->type, "outer");
    assert_text(one->regions[1]->type, "inner");
    assert_int_equal(one->regions[0]->begin, 1030);
    assert_int_equal(one->regions[0]->end, 1090);
    assert_spent(one->regions[0]->times, SPENT(40, 10, 0, 0, 10, 0, 60));
    assert_spent(one->regions[1]->times, SPENT(20, 10, 0, 0, 10, 0, 40));
    assert_named(one->regions[1]->times->blocks, one->regions[1]->times->block_count, 1, "sleep",
                 10);
    assert_text(one->regions[0]->frame.function, "main.main");
    assert_text(one->regions[0]->frame.file, "m.go");
    assert_int_equal(one->regions[0]->frame.line, 9);
    assert_text(one->regions[1]->frame.function, "");
    assert_int_equal(one->regions[1]->frame.pc, 0);
    assert_int_equal(task(summary, 0)->region_count, 2);
    assert_ptr_equal(task(summary, 0)->regions[0], one->regions[0]);
    gt_summary_close(&summary);
}

/* An end without a begin; a begin without an end, in a goroutine with a name and in one without. */
static void test_region_without_begin_or_end_is_kept(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *one;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_region_end(&g, 3, "old", 0);
    gen_region_begin(&g, 3, "open", 0);
    gen_go_create(&g, 2, 0, 0);
    gen_go_block(&g, "sleep", GEN_STACK(&g, {"main.main", "m.go", 9}));
    gen_go_start(&g, 2);
    gen_region_begin(&g, 4, "nameless", 0);
    gen_go_destroy(&g);
    summary = summing_read(&g, NULL);
    one = goroutine(summary, 1, 2);
    assert_int_equal(one->regions[0]->has_begin, 0);
    assert_int_equal(one->regions[0]->has_end, 1);
    assert_int_equal(one->regions[0]->task, 3);
    assert_spent(one->regions[0]->times, SPENT(30, 0, 0, 0, 0, 0, 30));
    assert_int_equal(one->regions[1]->has_begin, 1);
    assert_int_equal(one->regions[1]->has_end, 0);
    assert_spent(one->regions[1]->times, SPENT(20, 0, 0, 0, 31, 0, 51));
    goroutine(summary, 2, 0);
    /* It belongs to the task nevertheless. */
    assert_int_equal(task(summary, 4)->region_count, 1);
    assert_int_equal(task(summary, 3)->goroutine_count, 1);
    gt_summary_close(&summary);
}

/*
 * A goroutine that is created in a region belongs to its task, unless it is one of the runtime's.
 */
static void test_goroutine_inherits_the_region_it_was_created_in(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *child;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_region_begin(&g, 7, "r", 0);
    gen_go_create(&g, 2, GEN_STACK(&g, {"main.child", "m.go", 9}), 0);
    gen_go_create(&g, 3, GEN_STACK(&g, {"runtime.bgsweep", "m.go", 9}), 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_start(&g, 2);
    gen_go_destroy(&g);
    summary = summing_read(&g, NULL);
    child = goroutine(summary, 2, 1);
    assert_text(child->regions[0]->type, "");
    assert_int_equal(child->regions[0]->task, 7);
    assert_int_equal(child->regions[0]->inherited, 1);
    assert_int_equal(child->regions[0]->begin, child->created);
    assert_int_equal(child->regions[0]->end, child->ended);
    assert_spent(child->regions[0]->times, SPENT(10, 30, 0, 0, 0, 0, 40));
    goroutine(summary, 3, 0);
    assert_int_equal(task(summary, 7)->region_count, 1);
    assert_int_equal(task(summary, 7)->goroutine_count, 1);
    gt_summary_close(&summary);
}

static void write_tasks(struct gen *g)
{
    gen_running(g, 5, 0, 1);
    gen_go_create(g, 2, 0, 0);
    gen_task_begin(g, 8, 0, "parent", 0);
    gen_task_begin(g, 9, 8, "child", 0);
    gen_log(g, 9, "first", "one", 0);
    gen_log(g, 0, "first", "nowhere", 0);
    gen_go_block(g, "sleep", 0);
    gen_go_start(g, 2);
    gen_region_begin(g, 9, "r", 0);
    gen_generation(g, 2);
    gen_running(g, 5, 0, 2);
    gen_go_status(g, 1, WIRE_NONE, GO_WAITING);
    gen_region_end(g, 9, "r", 0);
    gen_log(g, 9, "second", "two", 0);
    gen_task_end(g, 9, 0);
}

/* The tasks extend over two generations, with strings of both. */
static void test_tasks_have_their_goroutines_and_children(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_task_summary *child, *const *all;
    size_t count;
    (void) state;
    summing_begin(&g, 26);
    write_tasks(&g);
    summary = summing_read(&g, NULL);
    all = gt_summary_tasks(summary, &count);
    assert_int_equal(count, 3);
    assert_int_equal(all[0]->id, 0);
    assert_int_equal(all[1]->id, 8);
    assert_int_equal(all[2]->id, 9);
    child = task(summary, 9);
    assert_text(child->name, "child");
    assert_int_equal(child->parent, 8);
    assert_true(child->has_begin && child->has_end);
    assert_int_equal(child->begin, 1050);
    assert_int_equal(child->log_count, 2);
    assert_text(child->logs[0].category, "first");
    assert_text(child->logs[1].message, "two");
    assert_int_equal(child->logs[1].goroutine, 2);
    assert_int_equal(child->goroutine_count, 2);
    assert_int_equal(child->goroutines[0], 1);
    assert_int_equal(child->goroutines[1], 2);
    assert_int_equal(child->region_count, 1);
    assert_text(child->regions[0]->type, "r");
    assert_int_equal(all[1]->child_count, 1);
    assert_int_equal(all[1]->children[0], 9);
    assert_true(all[1]->has_begin && !all[1]->has_end);
    assert_int_equal(all[0]->log_count, 1);
    gt_summary_close(&summary);
}

/* What the callbacks got. */
struct told {
    size_t goroutines;
    size_t regions;
    size_t tasks;
    int64_t execution;
    int64_t in_regions;
    size_t logs;
    size_t children;
    size_t lists;
    gt_summary *summary;
};

static void on_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    struct told *told = user_data;
    told->goroutines++;
    told->execution += goroutine->times->execution;
    told->lists += goroutine->regions != NULL;
}

static void on_region(void *user_data, const gt_region_summary *region)
{
    struct told *told = user_data;
    told->regions++;
    told->in_regions += region->times->total;
}

static void on_task(void *user_data, const gt_task_summary *task)
{
    struct told *told = user_data;
    told->tasks++;
    told->logs += task->log_count;
    told->children += task->child_count;
    told->lists += task->logs != NULL || task->regions != NULL || task->goroutines != NULL ||
                   task->children != NULL;
}

static struct told tell(void (*write)(struct gen *gen), uint64_t flags)
{
    struct gen g = {0};
    struct told told = {0};
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    size_t count;
    options.flags = flags;
    options.on_goroutine = on_goroutine;
    options.on_region = on_region;
    options.on_task = on_task;
    options.user_data = &told;
    summing_begin(&g, 26);
    write(&g);
    told.summary = summing_read(&g, &options);
    gt_summary_goroutines(told.summary, &count);
    assert_int_equal(count, flags & GT_SUMMARY_DROP ? 0 : told.goroutines);
    gt_summary_close(&told.summary);
    return told;
}

/* Callbacks get the same whether the results are kept or not. */
static void test_callbacks_get_the_same_with_and_without_keeping(void **state)
{
    static void (*const writes[])(struct gen * gen) = {write_nested, write_tasks};
    (void) state;
    for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++) {
        struct told kept = tell(writes[i], 0), dropped = tell(writes[i], GT_SUMMARY_DROP);
        assert_true(kept.goroutines > 0 && kept.regions > 0 && kept.tasks > 0);
        assert_int_equal(kept.goroutines, dropped.goroutines);
        assert_int_equal(kept.regions, dropped.regions);
        assert_int_equal(kept.tasks, dropped.tasks);
        assert_int_equal(kept.execution, dropped.execution);
        assert_int_equal(kept.in_regions, dropped.in_regions);
        assert_int_equal(kept.logs, dropped.logs);
        assert_int_equal(kept.children, dropped.children);
        assert_true(kept.lists > 0);
        assert_int_equal(dropped.lists, 0);
    }
}

/* A goroutine that waits "forever" may run again; then its regions go on counting. */
static void write_revived(struct gen *g)
{
    gen_running(g, 5, 0, 1);
    for (uint64_t i = 0; i < 20; i++) {
        gen_region_begin(g, 0, "outer", GEN_STACK(g, {"main.main", "m.go", 9}));
        gen_region_begin(g, 0, "inner", 0);
        gen_region_end(g, 0, "inner", 0);
        gen_go_block(g, "forever", GEN_STACK(g, {"main.main", "m.go", 9}));
        gen_go_unblock(g, 1, 0);
        gen_go_start(g, 1);
    }
    gen_go_destroy(g);
}

static void test_goroutine_that_waited_forever_can_run_again(void **state)
{
    struct gen g = {0};
    struct told told = tell(write_revived, 0);
    gt_summary *summary;
    const gt_goroutine_summary *one;
    (void) state;
    assert_int_equal(told.goroutines, 1);
    assert_int_equal(told.regions, 40);
    summing_begin(&g, 26);
    write_revived(&g);
    summary = summing_read(&g, NULL);
    one = goroutine(summary, 1, 40);
    for (size_t i = 1; i < 40; i++)
        assert_true(one->regions[i - 1]->begin < one->regions[i]->begin);
    assert_int_equal(one->ended, 1020 + 20 * 60 + 10);
    /* As in Go, the total is that of the first end. */
    assert_int_equal(one->times->total, 60);
    gt_summary_close(&summary);
}

/* In Go the first sweep is still active for goroutine 1 when the second one begins. */
static void test_sweep_is_active_until_it_ends_on_its_goroutine(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *one;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, GO_RUNNABLE);
    GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_start(&g, 2);
    GEN_EVENT(&g, EV_GC_SWEEP_END, 0, 0);
    gen_go_unblock(&g, 1, 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_start(&g, 1);
    gen_region_begin(&g, 0, "sweeps", 0);
    GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    GEN_EVENT(&g, EV_GC_SWEEP_END, 0, 0);
    gen_region_end(&g, 0, "sweeps", 0);
    summary = summing_read(&g, NULL);
    one = goroutine(summary, 1, 1);
    assert_named(one->regions[0]->times->ranges, one->regions[0]->times->range_count, 1,
                 "GC incremental sweep", 0);
    gt_summary_close(&summary);
}

/*
 * In a system call that lost its proc 10 ns before. The region begins with 20 ns of system call and
 * 10 ns of waiting to be scheduled, and ends with 10 ns of each.
 */
static void test_region_in_a_blocked_syscall_has_its_part(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *one;
    (void) state;
    summing_begin(&g, 26);
    gen_on(&g, 5);
    gen_proc_status(&g, 1, PROC_IDLE);
    gen_running(&g, 5, 0, 1);
    gen_syscall_begin(&g, 0);
    gen_on(&g, 6);
    gen_proc_steal(&g, 0, 5);
    gen_on(&g, 5);
    gen_proc_start(&g, 1);
    gen_region_begin(&g, 0, "late", 0);
    gen_syscall_end_blocked(&g);
    gen_go_start(&g, 1);
    gen_region_end(&g, 0, "late", 0);
    summary = summing_read(&g, NULL);
    one = goroutine(summary, 1, 1);
    assert_spent(one->regions[0]->times, SPENT(10, 0, 0, 30, 0, 0, 30));
    gt_summary_close(&summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep_is_active_until_it_ends_on_its_goroutine),
        cmocka_unit_test(test_region_in_a_blocked_syscall_has_its_part),
        cmocka_unit_test(test_nested_regions_are_ordered_by_begin),
        cmocka_unit_test(test_region_without_begin_or_end_is_kept),
        cmocka_unit_test(test_goroutine_inherits_the_region_it_was_created_in),
        cmocka_unit_test(test_tasks_have_their_goroutines_and_children),
        cmocka_unit_test(test_callbacks_get_the_same_with_and_without_keeping),
        cmocka_unit_test(test_goroutine_that_waited_forever_can_run_again),
    };
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
