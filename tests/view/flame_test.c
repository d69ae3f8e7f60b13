/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests which stacks the time of a scope is attributed to, and the tree of these stacks. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "support/test.h"
#include "view/memory.h"
#include "web/calltree.h"
#include "web/scope_sums.h"
#include "web/stackweights.h"

#define END 1000000

static void make_tree(struct filling *m, const struct gt_scope *scope,
                      enum gt_stackweights_kind kind, struct gt_calltree *tree)
{
    struct gt_stackweights weights = {.mem = memory_shared(), .kind = kind};
    struct gt_store_frame *frames;
    size_t count;

    *tree = (struct gt_calltree){0};
    assert_true(gt_stackweights_make(&weights, m->store, scope, NULL));
    frames = gt_stackweights_frames(memory_shared(), m->store, &count);
    assert_non_null(frames);
    assert_true(gt_calltree_make(tree, &weights, frames, count));
    assert_true(tree->count >= 1 && tree->count <= GT_CALLTREE_NODES);
    for (size_t i = 1; i < tree->count; i++)
        assert_true(tree->nodes[i].parent < i);
    gt_mem_free(memory_shared(), frames, count * sizeof(*frames));
    gt_stackweights_free(&weights);
}

/*
 * A node's total is its own weight plus the totals of its children, and no two children have the
 * same function.
 */
static void check_tree(const struct gt_calltree *tree)
{
    int64_t *sums = calloc(tree->count, sizeof(*sums));

    assert_non_null(sums);
    for (size_t i = tree->count; i-- > 0;) {
        assert_int_equal(sums[i] + tree->nodes[i].self, tree->nodes[i].total);
        if (i > 0)
            sums[tree->nodes[i].parent] += tree->nodes[i].total;
        for (size_t j = 1; j < i && tree->count < 2000; j++)
            assert_true(tree->nodes[i].parent != tree->nodes[j].parent ||
                        tree->nodes[i].function != tree->nodes[j].function);
    }
    free(sums);
}

static void test_flame_totals_equal_sums_of_spans(void **state)
{
    static const struct {
        enum gt_stackweights_kind kind;
        uint32_t classes;
    } kinds[] = {
        {GT_WEIGHTS_RUNNING, 1u << GT_CLASS_RUNNING | 1u << GT_CLASS_RUNNING_GC},
        {GT_WEIGHTS_WALL, (1u << (GT_CLASS_WAIT_OTHER + 1)) - 1},
        {GT_WEIGHTS_RUNNABLE, 1u << GT_CLASS_RUNNABLE},
        {GT_WEIGHTS_SYSCALL, 1u << GT_CLASS_SYSCALL | 1u << GT_CLASS_SYSCALL_BLOCKED},
        {GT_WEIGHTS_WAITING, (1u << (GT_CLASS_WAIT_OTHER + 1)) - (1u << GT_CLASS_WAIT_CHAN)},
        {GT_WEIGHTS_OFFCPU, ((1u << (GT_CLASS_WAIT_OTHER + 1)) - (1u << GT_CLASS_WAIT_CHAN)) |
                                1u << GT_CLASS_SYSCALL_BLOCKED},
    };

    uint32_t some[] = {2, 3, 8, 9};
    const struct gt_scope scopes[] = {
        {.start = 0, .end = END, .view = GT_STORE_VIEW_GOROUTINE},
        {.start = 123456, .end = 234567, .view = GT_STORE_VIEW_GOROUTINE},
        {.start = 123456, .end = 234567, .view = GT_STORE_VIEW_PROC},
        {.start = 5, .end = 777777, .has_tracks = true, .tracks = {NULL, some, 4, 0}},
    };
    struct filling m;

    (void) state;
    filling_open(&m);
    scene_random(&m, 11, 60, END);
    for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
        struct gt_scope_sums tally;

        assert_true(gt_scope_sums_make(&tally, memory_shared(), m.store, &scopes[i], false, NULL));
        for (size_t j = 0; j < sizeof(kinds) / sizeof(kinds[0]); j++) {
            struct gt_calltree tree;
            int64_t expected = 0;

            for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
                if (kinds[j].classes >> cls & 1)
                    expected += tally.classes[cls].sum;
            }
            make_tree(&m, &scopes[i], kinds[j].kind, &tree);
            assert_int_equal(tree.nodes[0].total, expected);
            check_tree(&tree);
            gt_calltree_free(&tree);
        }
        gt_scope_sums_free(&tally);
    }
    filling_close(&m);
}

/* Returns the total of the node that a path of functions leads to. */
static int64_t total_of(const struct filling *m, const struct gt_calltree *tree,
                        const char *const *path)
{
    uint32_t node = 0;
    size_t i;

    for (; *path; path++) {
        for (i = node + 1; i < tree->count; i++) {
            gt_string name = {"", 0};

            if (tree->nodes[i].function < GT_CALLTREE_ROOT)
                name = gt_store_text(m->store, tree->nodes[i].function);
            else if (tree->nodes[i].function == GT_CALLTREE_NO_STACK)
                name = (gt_string){"none", 4};
            else if (tree->nodes[i].function == GT_CALLTREE_CLASS + GT_CLASS_RUNNING)
                name = (gt_string){"running", 7};
            if (tree->nodes[i].parent == node && name.size == strlen(*path) &&
                memcmp(name.data, *path, name.size) == 0)
                break;
        }
        if (i == tree->count)
            return -1;
        node = (uint32_t) i;
    }
    return tree->nodes[node].total;
}

#define TOTAL(tree, ...) total_of(&m, (tree), (const char *const[]){__VA_ARGS__, NULL})

static void test_flame_attributes_time_to_stacks(void **state)
{
    const struct gt_scope all = {.start = 0, .end = 1000, .view = GT_STORE_VIEW_GOROUTINE};
    const struct gt_scope procs = {.start = 0, .end = 1000, .view = GT_STORE_VIEW_PROC};
    struct filling m;
    struct gt_calltree tree;
    uint32_t root, work, work_later, stop, wait;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    root = scene_stack(&m, "main.main:1");
    work = scene_stack(&m, "main.work:2 main.main:1");
    work_later = scene_stack(&m, "main.work:3 main.main:1");
    stop = scene_stack(&m, "main.stop:4 main.work:3 main.main:1");
    wait = scene_stack(&m, "main.wait:5 main.main:1");
    scene_state(&m, 1, 0, 100, "Running", NULL, 0, work, stop);
    scene_state(&m, 1, 100, 110, "Runnable", NULL, -1, 0, 0);
    scene_state(&m, 1, 110, 130, "Running", NULL, 0, work, 0);
    scene_state(&m, 1, 130, 330, "Waiting", "sleep", -1, wait, root);
    scene_state(&m, 1, 330, 334, "Runnable", NULL, -1, root, 0);
    scene_state(&m, 1, 334, 350, "Running", NULL, 0, 0, 0);
    scene_sample(&m, 1, work, 50);
    scene_sample(&m, 1, work_later, 60);
    scene_sample(&m, 1, stop, 2000);

    make_tree(&m, &all, GT_WEIGHTS_RUNNING, &tree);
    assert_int_equal(TOTAL(&tree, "main.main", "main.work", "main.stop"), 100);
    assert_int_equal(TOTAL(&tree, "main.main", "main.work"), 120);
    assert_int_equal(TOTAL(&tree, "none"), 16);
    gt_calltree_free(&tree);
    make_tree(&m, &procs, GT_WEIGHTS_RUNNING, &tree);
    assert_int_equal(TOTAL(&tree, "main.main", "main.work", "main.stop"), 100);
    assert_int_equal(tree.nodes[0].total, 136);
    gt_calltree_free(&tree);
    make_tree(&m, &all, GT_WEIGHTS_RUNNABLE, &tree);
    assert_int_equal(TOTAL(&tree, "main.main", "main.work", "main.stop"), 10);
    assert_int_equal(TOTAL(&tree, "main.main"), 14);
    gt_calltree_free(&tree);
    make_tree(&m, &all, GT_WEIGHTS_WAITING, &tree);
    assert_int_equal(TOTAL(&tree, "main.main", "main.wait"), 200);
    gt_calltree_free(&tree);
    make_tree(&m, &all, GT_WEIGHTS_WALL, &tree);
    assert_int_equal(TOTAL(&tree, "running", "main.main", "main.work"), 120);
    assert_int_equal(tree.nodes[0].total, 350);
    gt_calltree_free(&tree);
    make_tree(&m, &all, GT_WEIGHTS_CPU, &tree);
    assert_int_equal(TOTAL(&tree, "main.main", "main.work"), 2);
    assert_int_equal(tree.nodes[0].total, 2);
    gt_calltree_free(&tree);
    filling_close(&m);
}

/* Samples of a track are those of its goroutine, or of the goroutine that ran on its proc then. */
static void test_samples_of_tracks_are_those_that_ran_there(void **state)
{
    struct filling m;
    struct gt_calltree tree;
    struct gt_store_row row;
    uint32_t frame, track;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    filling_goroutine(&m, 2, "main.other", -1);
    frame = scene_stack(&m, "main.main:1");
    scene_state(&m, 1, 0, 100, "Running", NULL, 0, 0, 0);
    scene_state(&m, 1, 100, 200, "Running", NULL, 1, 0, 0);
    scene_state(&m, 2, 0, 200, "Waiting", "sleep", -1, 0, 0);
    scene_sample(&m, 1, frame, 50);
    scene_sample(&m, 1, frame, 150);
    scene_sample(&m, 1, frame, 160);
    scene_sample(&m, 2, frame, 170);
    for (uint32_t view = GT_STORE_VIEW_PROC; view <= GT_STORE_VIEW_GOROUTINE;
         view += GT_STORE_VIEW_GOROUTINE - GT_STORE_VIEW_PROC) {
        struct gt_scope scope = {
            .start = 0, .end = 1000, .has_tracks = true, .tracks = {NULL, &track, 1, 0}};

        assert_true(gt_store_get_row(m.store, view, 0, &row));
        track = row.lanes[0].track;
        make_tree(&m, &scope, GT_WEIGHTS_CPU, &tree);
        assert_int_equal(tree.nodes[0].total, view == GT_STORE_VIEW_PROC ? 1 : 3);
        gt_calltree_free(&tree);
        assert_true(gt_store_get_row(m.store, view, 1, &row));
        track = row.lanes[0].track;
        make_tree(&m, &scope, GT_WEIGHTS_CPU, &tree);
        assert_int_equal(tree.nodes[0].total, view == GT_STORE_VIEW_PROC ? 2 : 1);
        gt_calltree_free(&tree);
    }
    filling_close(&m);
}

/* A range has the samples from its start on, but not the one at its end. */
static void test_samples_of_a_range_are_those_within_it(void **state)
{
    struct filling m;
    struct gt_calltree tree;
    struct gt_scope scope = {.view = GT_STORE_VIEW_GOROUTINE};
    uint32_t frame;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    frame = scene_stack(&m, "main.main:1");
    scene_state(&m, 1, 0, 100, "Running", NULL, 0, 0, 0);
    for (int64_t time = 10; time < 100; time += 10)
        scene_sample(&m, 1, frame, time);
    scope.start = 30;
    scope.end = 70;
    make_tree(&m, &scope, GT_WEIGHTS_CPU, &tree);
    assert_int_equal(tree.nodes[0].total, 4);
    gt_calltree_free(&tree);
    filling_close(&m);
}

/* The tree has more nodes than an answer may have. */
static void test_large_tree_counts_what_it_drops(void **state)
{
    const struct gt_scope scope = {.start = 0, .end = INT64_MAX, .view = GT_STORE_VIEW_GOROUTINE};
    struct filling m;
    struct gt_calltree tree;
    int64_t time = 0, others = 0;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    for (size_t i = 0; i < 30000; i++) {
        char name[64];
        uint32_t leaf;
        int64_t length = (int64_t) i * 7919 % 30011 + 1;

        snprintf(name, sizeof(name), "f%d:1 g%d:1", (int) i, (int) i / 30);
        leaf = scene_stack(&m, name);
        scene_state(&m, 1, time, time + length, "Running", NULL, 0, leaf, leaf);
        time += length;
    }
    make_tree(&m, &scope, GT_WEIGHTS_RUNNING, &tree);
    assert_int_equal(tree.nodes[0].total, time);
    check_tree(&tree);
    for (size_t i = 1; i < tree.count; i++) {
        const struct gt_calltree_node *node = &tree.nodes[i];

        others += node->function == GT_CALLTREE_OTHER ? node->total : 0;
        /* Only nodes that are smaller than all others are dropped. */
        if (node->function != GT_CALLTREE_OTHER && i > 0)
            assert_true(node->total > 15000);
    }
    assert_true(tree.count > 10000 && others > 0);
    gt_calltree_free(&tree);
    filling_close(&m);
}

/* Makes the tree of frames of which two at a time are of one function, and checks it. */
static bool make_tree_of_pairs(size_t functions)
{
    struct gt_stackweights weights = {.mem = memory_shared(), .kind = GT_WEIGHTS_CPU};
    struct gt_calltree tree = {0};
    size_t count = 1 + 2 * functions;
    struct gt_store_frame *frames = calloc(count, sizeof(*frames));
    int64_t *items = calloc(count, sizeof(*items));
    bool made;

    assert_non_null(frames);
    assert_non_null(items);
    for (size_t i = 1; i < count; i++) {
        frames[i] = (struct gt_store_frame){.function = (uint32_t) (i % functions), .line = i};
        items[i] = 1;
    }
    weights.groups[0].items = items;
    weights.groups[0].count = count;
    made = gt_calltree_make(&tree, &weights, frames, count);
    if (made) {
        assert_int_equal(tree.count, 1 + functions);
        assert_int_equal(tree.nodes[0].total, 2 * functions);
        check_tree(&tree);
    }
    gt_calltree_free(&tree);
    free(items);
    free(frames);
    return made;
}

/* Sizes at which either the nodes or their index are the last to grow. */
static void test_tree_is_whole_or_not_made_if_memory_runs_out(void **state)
{
    (void) state;
    for (size_t functions = 1; functions <= 40; functions++) {
        int successes = 0;
        bool made = false;

        for (; !made; successes++) {
            memory_fail_after(successes);
            made = make_tree_of_pairs(functions);
            memory_fail_after(-1);
        }
        assert_true(successes > 3);
    }
}

/*
 * A rough answer estimates the weights from spans of the whole trace, not from its beginning, and
 * twice the same.
 */
static void test_samples_of_spans_are_from_the_whole_trace(void **state)
{
    const struct gt_scope scope = {.start = 0, .end = INT64_MAX, .view = GT_STORE_VIEW_GOROUTINE};
    const int goroutines = 20, spans = 5000;
    struct gt_stackweights weights[2];
    struct filling m;
    uint32_t early, late;

    (void) state;
    filling_open(&m);
    early = scene_stack(&m, "early:1");
    late = scene_stack(&m, "late:1");
    for (int id = 1; id <= goroutines; id++) {
        filling_goroutine(&m, id, "main.main", -1);
        for (int i = 0; i < spans; i++)
            scene_state(&m, id, i * 10, i * 10 + 10, "Waiting", "sleep", -1,
                        i < spans / 2 ? early : late, 0);
    }
    for (size_t i = 0; i < 2; i++) {
        weights[i] = (struct gt_stackweights){
            .mem = memory_shared(), .kind = GT_WEIGHTS_WAITING, .most = 8000};
        assert_true(gt_stackweights_make(&weights[i], m.store, &scope, NULL));
        assert_true(weights[i].approximate);
        assert_int_equal(weights[i].spans, goroutines * spans);
        assert_in_range(weights[i].groups[0].items[early], 400000, 600000);
        assert_in_range(weights[i].groups[0].items[late], 400000, 600000);
    }
    assert_int_equal(weights[0].groups[0].items[early], weights[1].groups[0].items[early]);
    assert_int_equal(weights[0].groups[0].items[late], weights[1].groups[0].items[late]);
    for (size_t i = 0; i < 2; i++)
        gt_stackweights_free(&weights[i]);
    weights[0] = (struct gt_stackweights){
        .mem = memory_shared(), .kind = GT_WEIGHTS_WAITING, .most = goroutines * spans};
    assert_true(gt_stackweights_make(&weights[0], m.store, &scope, NULL));
    assert_false(weights[0].approximate);
    assert_int_equal(weights[0].groups[0].items[late], goroutines * spans / 2 * 10);
    gt_stackweights_free(&weights[0]);
    filling_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flame_totals_equal_sums_of_spans),
        cmocka_unit_test(test_flame_attributes_time_to_stacks),
        cmocka_unit_test(test_samples_of_tracks_are_those_that_ran_there),
        cmocka_unit_test(test_samples_of_a_range_are_those_within_it),
        cmocka_unit_test(test_large_tree_counts_what_it_drops),
        cmocka_unit_test(test_tree_is_whole_or_not_made_if_memory_runs_out),
        cmocka_unit_test(test_samples_of_spans_are_from_the_whole_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
