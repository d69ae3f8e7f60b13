/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bench_reader [--rounds N] [--mode NAME] [--json] FILE: times the reading of a
 * trace in several ways, each in a process of its own so that its memory can be
 * told. Times are of whole rounds, opening and closing included.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench_modes.h"

#define ROUNDS_MAX 100

struct options {
    const char *file;
    /* NULL for all. */
    const char *mode;
    unsigned rounds;
    bool json;
};

struct measurement {
    double minimum;
    double median;
    double processor; /* the least processor time, of all threads */
    uint64_t resident_peak;
    struct bench_run run;
};

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *) a, right = *(const double *) b;

    return (left > right) - (left < right);
}

static void measure_here(const struct bench_mode *mode, const struct options *options,
                         struct measurement *measurement)
{
    double seconds[ROUNDS_MAX];
    struct rusage usage;
    double start, processor, spent;
    unsigned i;

    /* A round more, which fills the caches. */
    for (i = 0; i <= options->rounds && !measurement->run.message[0]; i++) {
        memset(&measurement->run, 0, sizeof(measurement->run));
        start = now(CLOCK_MONOTONIC);
        processor = now(CLOCK_PROCESS_CPUTIME_ID);
        mode->run(options->file, &measurement->run);
        spent = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
        if (i > 0)
            seconds[i - 1] = now(CLOCK_MONOTONIC) - start;
        if (i == 1 || (i > 1 && spent < measurement->processor))
            measurement->processor = spent;
    }
    if (measurement->run.message[0])
        return;
    qsort(seconds, options->rounds, sizeof(*seconds), compare);
    measurement->minimum = seconds[0];
    measurement->median = seconds[options->rounds / 2];
    getrusage(RUSAGE_SELF, &usage);
    measurement->resident_peak = (uint64_t) usage.ru_maxrss * 1024;
}

/* False where the other process gave no answer. */
static bool measure(const struct bench_mode *mode, const struct options *options,
                    struct measurement *measurement)
{
    int ends[2];
    pid_t child;
    bool good;

    memset(measurement, 0, sizeof(*measurement));
    if (pipe(ends) != 0 || (child = fork()) < 0)
        return false;
    if (child == 0) {
        measure_here(mode, options, measurement);
        good = write(ends[1], measurement, sizeof(*measurement)) == sizeof(*measurement);
        _exit(good ? 0 : 1);
    }
    close(ends[1]);
    good = read(ends[0], measurement, sizeof(*measurement)) == sizeof(*measurement);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return good;
}

static void print_row(const struct bench_mode *mode, const struct measurement *m, double bytes)
{
    double events = (double) m->run.events;

    printf("%-8s %-34s %9.2f %9.2f %8.2f %8.2f %8.1f %8.1f %9.2f %9.1f\n", mode->name, mode->what,
           m->minimum * 1e3, m->median * 1e3, m->minimum * 1e9 / events,
           m->processor * 1e9 / events, events / m->minimum / 1e6, bytes / m->minimum / 1e6,
           (double) m->run.memory_peak / 1e6, (double) m->resident_peak / 1e6);
}

static void print_json(const struct bench_mode *mode, const struct measurement *m, double bytes)
{
    printf("{\"mode\":\"%s\",\"bytes\":%.0f,\"events\":%" PRIu64 ",\"min\":%.6f,\"median\":%.6f,"
           "\"processor\":%.6f,\"memory_peak\":%" PRIu64 ",\"resident_peak\":%" PRIu64 "}\n",
           mode->name, bytes, m->run.events, m->minimum, m->median, m->processor,
           m->run.memory_peak, m->resident_peak);
}

static bool run_modes(const struct options *options, double bytes)
{
    struct measurement measurement;

    if (!options->json)
        printf("%.1f MB, %u rounds\n%-8s %-34s %9s %9s %8s %8s %8s %8s %9s %9s\n", bytes / 1e6,
               options->rounds, "mode", "", "min ms", "median ms", "ns/event", "cpu ns", "Mevent/s",
               "MB/s", "memory MB", "peak RSS");
    for (size_t i = 0; i < BENCH_MODES; i++) {
        const struct bench_mode *mode = &bench_modes[i];

        if (options->mode && strcmp(options->mode, mode->name) != 0)
            continue;
        if (!measure(mode, options, &measurement) || measurement.run.message[0]) {
            fprintf(stderr, "bench_reader: %s: %s: %s\n", options->file, mode->name,
                    measurement.run.message);
            return false;
        }
        (options->json ? print_json : print_row)(mode, &measurement, bytes);
        fflush(stdout);
    }
    return true;
}

static bool parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){NULL, NULL, 5, false};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            options->json = true;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            options->rounds = (unsigned) strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc)
            options->mode = argv[++i];
        else if (argv[i][0] != '-' && !options->file)
            options->file = argv[i];
        else
            return false;
    }
    return options->file && options->rounds > 0 && options->rounds <= ROUNDS_MAX;
}

int main(int argc, char **argv)
{
    struct options options;
    struct stat status;

    if (!parse(argc, argv, &options)) {
        fprintf(stderr, "usage: bench_reader [--rounds N] [--mode NAME] [--json] FILE\n");
        return 2;
    }
    if (stat(options.file, &status) != 0) {
        perror(options.file);
        return 1;
    }
    return run_modes(&options, (double) status.st_size) ? 0 : 1;
}
