/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bench_synth [--NAME N]... OUT: makes a trace, for a machine that has neither Go
 * nor a large trace. Prints how much it made. See synth.h for the options.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "synth.h"

struct values {
    uint64_t version, bytes, threads, procs, goroutines, generations, seed;
};

static bool parse_number(const char *text, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == 0 && *number <= UINT64_C(1) << 40;
}

static bool parse_option(const char *name, const char *value, struct values *values)
{
    const struct {
        const char *name;
        uint64_t *value;
    } known[] = {
        {"--version", &values->version},
        {"--bytes", &values->bytes},
        {"--threads", &values->threads},
        {"--procs", &values->procs},
        {"--goroutines", &values->goroutines},
        {"--generations", &values->generations},
        {"--seed", &values->seed},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(name, known[i].name) == 0)
            return parse_number(value, known[i].value);
    return false;
}

static uint32_t narrow(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t) value;
}

static bool parse(int argc, char **argv, struct synth_options *options)
{
    struct values values = {options->version,    options->bytes,       options->threads, 0,
                            options->goroutines, options->generations, options->seed};

    if (argc < 2 || argc % 2 != 0)
        return false;
    for (int i = 1; i + 1 < argc; i += 2)
        if (!parse_option(argv[i], argv[i + 1], &values))
            return false;
    if (values.procs == 0)
        values.procs = values.threads < options->procs ? values.threads : options->procs;
    options->version = narrow(values.version);
    options->bytes = values.bytes;
    options->threads = narrow(values.threads);
    options->procs = narrow(values.procs);
    options->goroutines = narrow(values.goroutines);
    options->generations = narrow(values.generations);
    options->seed = values.seed;
    return true;
}

int main(int argc, char **argv)
{
    struct synth_options options = SYNTH_OPTIONS_INIT;
    struct synth_result result;
    FILE *file;
    bool good;

    if (!parse(argc, argv, &options) || argv[argc - 1][0] == '-') {
        fprintf(stderr, "usage: bench_synth [--version N] [--bytes N] [--threads N] [--procs N]\n"
                        "       [--goroutines N] [--generations N] [--seed N] OUT\n");
        return 2;
    }
    file = fopen(argv[argc - 1], "wb");
    if (!file) {
        perror(argv[argc - 1]);
        return 1;
    }
    good = synth_write(&options, file, &result);
    good = fclose(file) == 0 && good;
    if (!good) {
        fprintf(stderr, "bench_synth: %s: cannot make this trace\n", argv[argc - 1]);
        return 1;
    }
    printf("events=%" PRIu64 " bytes=%" PRIu64 "\n", result.events, result.bytes);
    return 0;
}
