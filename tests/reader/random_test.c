/* SPDX-License-Identifier: BSD-3-Clause */

/* Random traces, good and bad: however they are read, the events and the end are the same. */

#include "support/chance.h"
#include "support/digest.h"
#include "support/feed.h"
#include "support/test.h"

enum {
    TRACES = TEST_SANITIZED ? 100 : 600
};

static void read_with(struct digest *digest, const struct wire *wire, uint64_t flags,
                      uint64_t workers)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    *digest = (struct digest){0};
    options.flags = flags;
    options.workers = workers;
    digest_memory(digest, wire->data, wire->size, &options);
}

/* A thread, workers, and bytes that come one after the other change nothing. */
static void check_ways(const struct wire *wire, uint64_t flags)
{
    static const size_t steps[] = {1, 7, 30};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest plain, other = {0};
    struct feed feed;
    read_with(&plain, wire, flags, 0);
    read_with(&other, wire, flags | GT_READER_AHEAD, 0);
    digest_assert_equal(&plain, &other);
    digest_free(&other);
    read_with(&other, wire, flags, 2);
    digest_assert_equal(&plain, &other);
    digest_free(&other);
    feed_init(&feed, wire->data, wire->size);
    feed.steps = steps;
    feed.step_count = sizeof(steps) / sizeof(*steps);
    options.flags = flags;
    other = (struct digest){0};
    digest_push(&other, &feed, &options);
    digest_assert_equal(&plain, &other);
    digest_free(&other);
    digest_free(&plain);
}

static void test_random_traces_are_the_same_in_every_way(void **state)
{
    struct chance chance = {.seed = 4};
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        chance_trace(&chance, &g, 23 + i % 4);
        check_ways(&g.wire, 0);
        check_ways(&g.wire, GT_READER_LENIENT);
        gen_free(&g);
    }
}

static void test_random_old_traces_are_the_same_in_every_way(void **state)
{
    static const unsigned versions[] = {11, 19, 21};
    struct chance chance = {.seed = 5};
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct wire wire = {0};
        chance_old_trace(&chance, &wire, versions[i % 3]);
        check_ways(&wire, 0);
        check_ways(&wire, GT_READER_LENIENT);
        wire_free(&wire);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_traces_are_the_same_in_every_way),
        cmocka_unit_test(test_random_old_traces_are_the_same_in_every_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
