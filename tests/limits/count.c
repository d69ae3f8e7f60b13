/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Runs ways of use on hostile traces of growing sizes, and measures each: with callgrind, whose
 * dumps it labels, or with the clock. See growth.py.
 *
 *   count SCALE TIMES main|all
 *   count SCALE TIMES TABLE/KIND [WAY]
 *
 * The first trace of each kind has 1/SCALE of 100 KB, the next ones have 2, 4 and 8 times as much;
 * each is measured TIMES times. Prints a line for each. "main" leaves out ways that handle the
 * same events as others.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <valgrind/callgrind.h>

#include "limits/kinds.h"
#include "limits/ways.h"
#include "support/files.h"

#define DOUBLINGS 4

/* The selection of kinds and ways. */
struct subject {
    const char *table;
    const char *name;
    const struct way *way;
    uint64_t flags;
    uint64_t n;
    const uint8_t *data;
    size_t size;
    unsigned times;
};

/* Takes quadratic time, to test the measurement. */
static void way_squared(struct way_run *run)
{
    uint64_t sum = 0;

    way_events(run);
    for (size_t i = 0; i < run->size; i++)
        for (size_t k = 0; k < run->size / 64; k++)
            sum = sum * 31 + run->data[i] + k;
    way_give_number(run, sum);
}

static const struct way squared = {"squared", way_squared, 0};

static uint64_t nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static uint64_t run_once(const struct subject *subject)
{
    struct way_run run = way_begin(subject->data, subject->size, subject->flags);
    uint64_t start = nanoseconds();

    CALLGRIND_TOGGLE_COLLECT;
    subject->way->run(&run);
    CALLGRIND_TOGGLE_COLLECT;
    return nanoseconds() - start;
}

/* Returns the shortest time of all runs. */
static void measure(const struct subject *subject)
{
    uint64_t least = UINT64_MAX, time;
    char text[200];
    unsigned i;

    snprintf(text, sizeof(text), "%s/%s\t%s\t%s\t%" PRIu64 "\t%zu", subject->table, subject->name,
             subject->way->name, subject->flags ? "lenient" : "strict", subject->n, subject->size);
    for (i = 0; i < subject->times; i++) {
        time = run_once(subject);
        if (time < least)
            least = time;
    }
    CALLGRIND_DUMP_STATS_AT(text);
    printf("%s\t%" PRIu64 "\n", text, least);
}

static void measure_kind(const struct kind *kind, const struct way *way, uint64_t scale,
                         struct subject *subject)
{
    uint64_t n = kind->hostile->n / scale;
    uint8_t *data;

    subject->table = kind->table;
    subject->name = kind->hostile->name;
    subject->way = way;
    for (int i = 0; i < DOUBLINGS; i++) {
        subject->n = (n ? n : 1) << i;
        data = kinds_write(kind, subject->n, &subject->size);
        subject->data = data;
        measure(subject);
        free(data);
    }
}

/* Events are also read by a lenient reader; damaged traces are only read that way. */
static void measure_way(const struct kind *kind, const struct way *way, uint64_t scale,
                        struct subject *subject)
{
    int damaged = kind->hostile->status != GT_END;

    subject->flags = 0;
    if (!damaged || !way->has_flags || way->run == way_events)
        measure_kind(kind, way, scale, subject);
    subject->flags = GT_READER_LENIENT;
    if (way->has_flags && (damaged || way->run == way_events))
        measure_kind(kind, way, scale, subject);
}

static bool is_set(const char *name)
{
    return strcmp(name, "main") == 0 || strcmp(name, "all") == 0;
}

static bool is_wanted(const struct kind *kind, const char *name)
{
    size_t length = strlen(kind->table);

    return is_set(name) || (strncmp(name, kind->table, length) == 0 && name[length] == '/' &&
                            strcmp(name + length + 1, kind->hostile->name) == 0);
}

/* Measures a trace that is not hostile in each way. */
static void measure_typical(const char *folder, const char *name, struct subject *subject)
{
    char *directory = files_join(files_testdata(), folder), *path = files_join(directory, name);
    uint8_t *data = files_read(path, &subject->size);

    subject->table = "typical";
    subject->name = folder;
    subject->flags = 0;
    subject->n = 1;
    subject->data = data;
    for (size_t i = 0; i < way_count; i++) {
        subject->way = &ways[i];
        measure(subject);
    }
    free(data);
    free(path);
    free(directory);
}

/* The first table measures reading; the table of events measures the other ways. */
static bool is_main(const struct kind *kind, const struct way *way)
{
    if (way->run == way_events || way->run == way_from_text || way->run == way_validate ||
        way->run == way_summary || way->run == way_timeline_states)
        return 1;
    return strcmp(kind->table, "events") == 0 &&
           (way->run == way_profile_regions || way->run == way_mmu_procs ||
            way->run == way_latency || way->run == way_select_goroutine ||
            way->run == way_select_task || way->run == way_json);
}

static void measure_all(uint64_t scale, const char *name, const char *way, struct subject *subject)
{
    for (size_t i = 0; i < kinds_count(); i++) {
        struct kind kind = kinds_get(i);

        if (!is_wanted(&kind, name))
            continue;
        for (size_t k = 0; k < way_count; k++)
            if (way ? strcmp(way, ways[k].name) == 0
                    : strcmp(name, "main") != 0 || is_main(&kind, &ways[k]))
                measure_way(&kind, &ways[k], scale, subject);
        if (way && strcmp(way, squared.name) == 0)
            measure_way(&kind, &squared, scale, subject);
    }
}

int main(int argc, char **argv)
{
    struct subject subject = {0};

    if (argc < 4 || argc > 5 || atoi(argv[1]) < 1 || atoi(argv[2]) < 1) {
        fputs("count SCALE TIMES main|all|TABLE/KIND [WAY]\n", stderr);
        return 2;
    }
    subject.times = (unsigned) atoi(argv[2]);
    if (is_set(argv[3])) {
        measure_typical("v2", "go1.27-mix.trace", &subject);
        measure_typical("v1", "go1.21-many.trace", &subject);
    }
    measure_all((uint64_t) atoi(argv[1]), argv[3], argc > 4 ? argv[4] : NULL, &subject);
    return 0;
}
