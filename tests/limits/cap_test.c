/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The caller's limit on memory holds to the byte, with each limit that an allocation just fits or
 * just exceeds.
 */

#include <stdlib.h>
#include <string.h>

#include "limits/kinds.h"
#include "limits/watch.h"
#include "limits/ways.h"
#include "support/files.h"
#include "support/suite.h"

enum {
    /*
     * Where a trace has chosen its ids so that they collide, the reader draws the hash of a table
     * at random, and with some luck or bad luck the table is built anew once less or more often
     * than in the measured run. Two runs then differ in what they need, in about one of ten
     * attempts. A limit that is off by a byte differs in all of them.
     */
    ATTEMPTS = 6
};

/* The output without a limit, and how much of it was repeated so far. */
struct output {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    size_t again;
    int differs;
};

static void keep(void *user_data, const void *bytes, size_t size)
{
    struct output *output = user_data;

    while (output->capacity - output->size < size) {
        output->capacity = 2 * output->capacity + 4096;
        output->bytes = realloc(output->bytes, output->capacity);
        assert_non_null(output->bytes);
    }
    if (size > 0)
        memcpy(output->bytes + output->size, bytes, size);
    output->size += size;
}

static void compare(void *user_data, const void *bytes, size_t size)
{
    struct output *output = user_data;

    if (size > output->size - output->again ||
        (size > 0 && memcmp(output->bytes + output->again, bytes, size) != 0))
        output->differs = 1;
    else
        output->again += size;
}

/* A way of use on a trace. */
struct capped {
    const struct way *way;
    const uint8_t *data;
    size_t size;
    uint64_t flags;
    struct output output;
    gt_status status;
    uint64_t peak;
    /* The total at an allocation that needs more than all before it. */
    uint64_t *steps;
    size_t step_count;
};

static struct way_run begin_run(const struct capped *capped, const struct watch *watch)
{
    struct way_run run = way_begin(capped->data, capped->size, capped->flags);

    run.allocator = &watch->allocator;
    return run;
}

/* An allocation that needs less than an earlier one fits if that one did. */
static void find_steps(struct capped *capped, struct watch *watch)
{
    uint64_t most = 0;

    capped->steps = watch->totals;
    for (size_t i = 0; i < watch->count; i++)
        if (watch->totals[i] > most)
            most = capped->steps[capped->step_count++] = watch->totals[i];
    watch->totals = NULL;
    watch->capacity = 0;
}

static void run_free(struct capped *capped)
{
    struct watch watch = {0};
    struct way_run run;

    watch_begin(&watch);
    run = begin_run(capped, &watch);
    run.take = keep;
    run.user_data = &capped->output;
    capped->way->run(&run);
    capped->status = run.status;
    capped->peak = watch.peak;
    assert_int_equal(watch.live, 0);
    if (run.told)
        assert_int_equal(run.peak, watch.peak);
    find_steps(capped, &watch);
}

/* Returns whether the output was complete. */
static int run_capped(struct capped *capped, struct watch *watch, uint64_t limit)
{
    struct way_run run;

    watch_begin(watch);
    run = begin_run(capped, watch);
    run.limit = limit;
    run.take = compare;
    run.user_data = &capped->output;
    capped->output.again = 0;
    capped->way->run(&run);
    assert_int_equal(watch->live, 0);
    if (watch->peak > limit)
        fail_msg("%s: %lu bytes with a limit of %lu", capped->way->name,
                 (unsigned long) watch->peak, (unsigned long) limit);
    if (run.told)
        assert_int_equal(run.peak, watch->peak);
    assert_false(capped->output.differs);
    if (run.status == GT_ERR_LIMIT)
        return 0;
    assert_status(run.status, capped->status);
    assert_int_equal(capped->output.again, capped->output.size);
    return 1;
}

/*
 * Tries each limit at which an allocation just fits, and that limit minus one byte. Returns
 * whether the limits are exact: a step minus one byte is too little, and the peak is enough.
 */
static bool run_steps(struct capped *capped)
{
    struct watch watch = {0};
    bool is_exact = true;

    for (size_t i = 0; i < capped->step_count && is_exact; i++) {
        uint64_t step = capped->steps[i];

        is_exact = step <= 1 || !run_capped(capped, &watch, step - 1);
        if (!is_exact)
            print_message("%s does not need %lu bytes\n", capped->way->name, (unsigned long) step);
        run_capped(capped, &watch, step);
        run_capped(capped, &watch, step + 1);
    }
    is_exact = is_exact && run_capped(capped, &watch, capped->peak);
    watch_free(&watch);
    return is_exact;
}

/* Measures the steps without a limit and then tries them. Returns whether they are exact. */
static bool measure_and_run_steps(struct capped *capped)
{
    bool is_exact;

    run_free(capped);
    is_exact = run_steps(capped);
    free(capped->steps);
    free(capped->output.bytes);
    return is_exact;
}

static void check_ways(const uint8_t *data, size_t size, uint64_t flags)
{
    for (size_t i = 0; i < way_count; i++) {
        const struct capped start = {.way = &ways[i], .data = data, .size = size, .flags = flags};
        bool is_exact = false;

        /* A splitter has no limit, and only a reader of events has flags. */
        if (ways[i].run == way_split || (flags != 0 && !ways[i].has_flags))
            continue;
        for (int attempt = 0; attempt < ATTEMPTS && !is_exact; attempt++) {
            struct capped capped = start;

            is_exact = measure_and_run_steps(&capped);
        }
        assert_true(is_exact);
    }
}

static void test_limit_holds_for_hostile_trace(void **state)
{
    const struct kind *kind = *state;
    size_t size;
    uint8_t *data = kinds_write(kind, kind->hostile->n / 150 + 4, &size);

    check_ways(data, size, 0);
    check_ways(data, size, GT_READER_LENIENT);
    free(data);
}

static void test_limit_holds_for_recorded_trace(void **state)
{
    size_t size;
    uint8_t *data = files_read(*state, &size);

    check_ways(data, size, 0);
    check_ways(data, size, GT_READER_LENIENT);
    free(data);
}

/* A trace of each shape that needs memory of its own. */
static const char *const files[] = {
    "v1/go1.19-idle.trace",  "v1/go1.21-tasks.trace", "v1/go1.21-cut.trace",
    "v2/go1.22-tasks.trace", "v2/go1.23-coro.trace",  "v2/go1.25-cut.trace",
    "v2/go1.27-gens.trace",
};

#define FILES (sizeof(files) / sizeof(*files))

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    for (size_t i = 0; i < kinds_count(); i++) {
        struct kind *kind = kinds_new(i);

        suite_add(&suite, kind->hostile->name, test_limit_holds_for_hostile_trace, kind);
    }
    for (size_t i = 0; i < FILES; i++)
        suite_add(&suite, files[i], test_limit_holds_for_recorded_trace,
                  files_join(files_testdata(), files[i]));
    failures = suite_run(&suite, "cap");
    suite_free(&suite, free);
    return failures;
}
