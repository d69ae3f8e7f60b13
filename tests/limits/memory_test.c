/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Without a limit by the caller no object takes more than 1 MiB and 32 times the bytes that were
 * read, whatever the input, except for those that hold something for each goroutine, region,
 * task or generation, and for tables. docs/security.md promises 40 times, so that a margin is left.
 *
 *   limits_memory_test [--table] [--long]
 *
 * --table prints the worst case of each way, --long takes traces of 8 times the size.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits/kinds.h"
#include "limits/watch.h"
#include "limits/ways.h"
#include "support/files.h"
#include "support/suite.h"

#define FACTOR 32
#define BASE   ((uint64_t) 1 << 20)

/* What docs/security.md promises, of which the worst trace leaves a quarter. */
#define PROMISED_FACTOR 40

/*
 * Objects that hold a structure of some hundred bytes for each goroutine, region, task or kept
 * generation, which take four to ten bytes in a trace.
 */
#define HOLDING_FACTOR 80

/*
 * Tables have several such structures for each goroutine, and rows and texts that wait for others.
 * include/gotrace/columns.h promises 140 times the bytes.
 */
#define TABLES_FACTOR 120
#define TABLES_BASE   ((uint64_t) 4 << 20)

/*
 * A reader of a recorded trace may take this many times its bytes, and this much for a short one.
 */
#define USUAL_FACTOR 8
#define USUAL_BASE   ((uint64_t) 128 << 10)

/* The worst ratio of a way, for hostile and for recorded traces. */
struct worst {
    double ratio;
    uint64_t peak;
    uint64_t bytes;
    char name[100];
};

static struct worst *worst_hostile, *worst_recorded;
static uint64_t longer = 1;

static void note_worst(struct worst *worst, const struct way_run *run, uint64_t peak,
                       const char *name)
{
    double ratio = (double) peak / (double) run->bytes;

    if (ratio <= worst->ratio)
        return;
    worst->ratio = ratio;
    worst->peak = peak;
    worst->bytes = run->bytes;
    snprintf(worst->name, sizeof(worst->name), "%s%s", name, run->flags ? ", lenient" : "");
}

static uint64_t most_of(const struct way *way, uint64_t bytes)
{
    static void (*const holding[])(struct way_run * run) = {
        way_stream,          way_summary,  way_summary_drop,     way_profile,
        way_profile_regions, way_timeline, way_timeline_threads, way_timeline_states,
    };

    if (way->run == way_columns)
        return TABLES_FACTOR * bytes + TABLES_BASE;
    for (size_t i = 0; i < sizeof(holding) / sizeof(*holding); i++)
        if (way->run == holding[i])
            return HOLDING_FACTOR * bytes + BASE;
    return FACTOR * bytes + BASE;
}

static uint64_t run_way(const struct way *way, struct way_run *run)
{
    struct watch watch = {0};

    watch_begin(&watch);
    run->allocator = &watch.allocator;
    way->run(run);
    watch_free(&watch);
    if (watch.peak > most_of(way, run->bytes))
        fail_msg("%s: %lu bytes for %lu", way->name, (unsigned long) watch.peak,
                 (unsigned long) run->bytes);
    return watch.peak;
}

static void run_ways(const uint8_t *data, size_t size, uint64_t flags, const char *name,
                     struct worst *worst)
{
    for (size_t i = 0; i < way_count; i++) {
        struct way_run run = way_begin(data, size, flags);
        uint64_t peak;

        if (flags != 0 && !ways[i].has_flags)
            continue;
        peak = run_way(&ways[i], &run);
        /* The least memory for which the fixed part matters. */
        if (run.bytes >= BASE / FACTOR)
            note_worst(&worst[i], &run, peak, name);
        if (worst == worst_recorded && ways[i].run == way_events &&
            peak > USUAL_FACTOR * run.bytes + USUAL_BASE)
            fail_msg("%lu bytes for %lu of %s", (unsigned long) peak, (unsigned long) run.bytes,
                     name);
    }
}

static void test_memory_is_proportional_for_hostile_trace(void **state)
{
    const struct kind *kind = *state;

    for (uint64_t n = kind->hostile->n / 8; n <= longer * kind->hostile->n; n *= 4) {
        size_t size;
        uint8_t *data = kinds_write(kind, n, &size);

        run_ways(data, size, 0, kind->hostile->name, worst_hostile);
        run_ways(data, size, GT_READER_LENIENT, kind->hostile->name, worst_hostile);
        free(data);
    }
}

/* Numbers of threads that are just above those at which tables and arrays have grown. */
static void test_worst_trace_leaves_a_quarter_of_the_promise(void **state)
{
    static const uint64_t counts[] = {16385, 65537, 98305};

    (void) state;
    for (size_t i = 0; i < 2 * sizeof(counts) / sizeof(*counts); i++) {
        struct watch watch = {0};
        struct wire wire = {0};
        struct way_run run;

        hostile_tiny_threads(&wire, longer * counts[i / 2]);
        wire_generation_end(&wire);
        run = way_begin(wire.data, wire.size, i % 2 == 0 ? 0 : GT_READER_LENIENT);
        watch_begin(&watch);
        run.allocator = &watch.allocator;
        way_events(&run);
        watch_free(&watch);
        if (watch.peak > (PROMISED_FACTOR * wire.size + BASE) * 3 / 4)
            fail_msg("%lu bytes for %lu", (unsigned long) watch.peak, (unsigned long) wire.size);
        wire_free(&wire);
    }
}

static void test_memory_is_proportional_for_recorded_traces(void **state)
{
    struct file_list list = {NULL, 0};

    files_list(&list, *state, "", ".trace");
    assert_true(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(*state, list.names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);

        run_ways(data, size, 0, list.names[i], worst_recorded);
        run_ways(data, size, GT_READER_LENIENT, list.names[i], worst_recorded);
        free(data);
        free(path);
    }
    files_list_free(&list);
}

static void print_worst(const char *title, const struct worst *worst)
{
    printf("%s\n", title);
    for (size_t i = 0; i < way_count; i++)
        printf("%-20s %6.2f  %9lu / %-8lu %s\n", ways[i].name, worst[i].ratio,
               (unsigned long) worst[i].peak, (unsigned long) worst[i].bytes, worst[i].name);
}

static void add_directories(struct suite *suite)
{
    const char *corpus = files_corpus();

    suite_add(suite, "testdata/v1", test_memory_is_proportional_for_recorded_traces,
              files_join(files_testdata(), "v1"));
    suite_add(suite, "testdata/v2", test_memory_is_proportional_for_recorded_traces,
              files_join(files_testdata(), "v2"));
    if (corpus)
        suite_add(suite, "corpus", test_memory_is_proportional_for_recorded_traces,
                  files_join(corpus, "."));
    else
        suite_add_skipped(suite, "traces in $GT_CORPUS");
}

int main(int argc, char **argv)
{
    struct suite suite = {NULL, 0};
    int failures, table = 0;

    worst_hostile = calloc(2 * way_count, sizeof(*worst_hostile));
    if (!worst_hostile)
        return 1;
    worst_recorded = worst_hostile + way_count;
    for (int k = 1; k < argc; k++) {
        table |= strcmp(argv[k], "--table") == 0;
        longer = strcmp(argv[k], "--long") == 0 ? 8 : longer;
    }
    for (size_t i = 0; i < kinds_count(); i++) {
        struct kind *kind = kinds_new(i);

        suite_add(&suite, kind->hostile->name, test_memory_is_proportional_for_hostile_trace, kind);
    }
    suite_add(&suite, "tiny threads", test_worst_trace_leaves_a_quarter_of_the_promise, NULL);
    add_directories(&suite);
    failures = suite_run(&suite, "memory");
    if (table) {
        print_worst("hostile", worst_hostile);
        print_worst("recorded", worst_recorded);
    }
    suite_free(&suite, free);
    free(worst_hostile);
    return failures;
}
