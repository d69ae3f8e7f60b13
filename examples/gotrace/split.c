/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits a trace into pieces, each of which is a trace of its own. */
#include <stdint.h>
#include <string.h>

#include <gotrace/time.h>

#include "command.h"
#include "generations.h"
#include "interrupt.h"
#include "problem.h"
#include "rewrite.h"
#include "slices.h"
#include "spans.h"
#include "terminal.h"

enum {
    MOST_FILES = 10000
};

struct split {
    struct input in;
    const char *every;
    const char *generations;
    const char *size;
    const char *files;
    const char *output;
    /* How many files may be written. */
    uint64_t most_files;
    /* How much a piece may have. */
    uint64_t most_generations;
    uint64_t most_bytes;
    int64_t nanoseconds;
    struct generations input;
    struct spans spans;
    unsigned pieces; /* the number of those that are complete */
};

static const struct option split_options[] = {
    {OPTION_VALUE(struct split, every, "every", "DURATION",
                  "write what happened in each DURATION, such as 10s, to a file; file N begins N "
                  "times DURATION after the first event, and is missing if nothing happened then"),
     .summary = "how much time a file covers", .excludes = "--generations --size"},
    {OPTION_VALUE(struct split, generations, "generations", "N",
                  "write N generations to each file; the runtime begins one about every second"),
     .summary = "how many generations a file gets", .excludes = "--every --size"},
    {OPTION_VALUE(struct split, size, "size", "SIZE",
                  "write as many generations to each file as fit into SIZE bytes, such as 100M; K, "
                  "M and G stand for 1024 bytes, 1024 times as many, and so on"),
     .summary = "how large a file may be", .excludes = "--every --generations"},
    {OPTION_VALUE(struct split, files, "files", "N", "write at most N files, instead of 10000"),
     .summary = "how many files may be written"},
    {OPTION_VALUE(struct split, output, "output", "NAME",
                  "name the files NAME.000, NAME.001 and so on; the default is the name of the "
                  "input"),
     .letter = 'o', .summary = "the name of the files without their number", .words = OPTION_FILE},
};

/* Parses a number of at least 1, which one of the letters of `units` may follow. */
static bool split_parse(const char *text, const char *units, uint64_t *value)
{
    const char *unit;
    *value = 0;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (*value > UINT64_MAX / 10 - 1)
            return false;
        *value = *value * 10 + (uint64_t) (*text - '0');
    }
    for (unit = units; *text != '\0' && *unit != '\0' && *unit != *text; unit++)
        continue;
    unsigned shift = *text == '\0' ? 0 : 10 * (1 + (unsigned) (unit - units));
    bool is_unit = *text == '\0' || (*unit != '\0' && text[1] == '\0');
    if (!is_unit || *value == 0 || *value > UINT64_MAX >> shift)
        return false;
    *value <<= shift;
    return true;
}

/* Writes the piece that is in the spans. Returns whether that succeeded. */
static bool split_write(struct split *split, struct output *out)
{
    struct piece piece;
    gt_error error = GT_ERROR_INIT;
    if (!piece_open(&piece, split->output, split->pieces++, split->in.name, out))
        return false;
    gt_status status = spans_write(&split->spans, &piece.file);
    bool is_good = piece_close(&piece, status == GT_OK) && status == GT_OK;
    /* A failure to write has been reported. */
    if (status != GT_OK && (status != GT_ERR_IO || split->spans.system_error != 0)) {
        problem_set_status(&error, status);
        problem_report(split->in.name, "", &error);
    }
    spans_clear(&split->spans);
    return is_good;
}

/* Returns whether the piece is full before the generation. */
static bool split_is_full(const struct split *split, uint64_t count,
                          const struct generation *generation)
{
    return count == split->most_generations ||
           split->spans.bytes + generation->size > split->most_bytes;
}

/* Ends a piece, which is only counted if `out` is NULL. */
static bool split_end_piece(struct split *split, struct output *out)
{
    if (out)
        return split_write(split, out);
    spans_clear(&split->spans);
    split->pieces++;
    return true;
}

/* Writes the pieces, or counts them if `out` is NULL. */
static bool split_each_piece(struct split *split, struct output *out)
{
    const struct generations *input = &split->input;
    uint64_t count = 0;
    split->pieces = 0;
    for (size_t i = 0; i < input->count; i++) {
        if (count > 0 && split_is_full(split, count, &input->list[i])) {
            if (!split_end_piece(split, out))
                return false;
            count = 0;
        }
        spans_add_generation(&split->spans, input, i);
        if (i + 1 == input->count)
            spans_add_tail(&split->spans, input, input->tail.generation);
        count++;
        if (out && split->spans.bytes > split->most_bytes)
            terminal_report("%s: %s.%03u is larger, because it is one generation", split->in.name,
                            split->output, split->pieces);
    }
    return count == 0 || split_end_piece(split, out);
}

static bool split_write_all(struct split *split, struct output *out)
{
    split_each_piece(split, NULL);
    return pieces_are_allowed(split->output, split->pieces, split->most_files) &&
           split_each_piece(split, out);
}

/* Copies whole generations. */
static int split_copy(struct split *split, struct output *out)
{
    interrupt_arm(NULL, NULL);
    bool is_open = generations_open(&split->input, split->in.name);
    bool is_good = is_open && split->input.error.status != GT_CANCELLED;
    if (is_good && split->input.count == 0 && split->input.error.status == GT_OK) {
        terminal_report("%s: it has no generations", split->in.name);
        is_good = false;
    }
    if (is_good)
        is_good = split_write_all(split, out);
    if (split->input.error.status != GT_OK) {
        problem_report(split->in.name, "", &split->input.error);
        is_good = false;
    }
    spans_free(&split->spans);
    generations_close(&split->input);
    return is_good ? COMMAND_GOOD : COMMAND_BAD;
}

/* Cuts at any time, for which the events have to be read. */
static int split_cut(struct split *split, struct output *out)
{
    struct slices slices = {.in = &split->in,
                            .name = split->output,
                            .every = (uint64_t) split->nanoseconds,
                            .most = split->most_files,
                            .out = out};
    int code = rewrite_start(&split->in);
    return code == COMMAND_GO_ON ? slices_run(&slices) : code;
}

static int split_check(struct split *split, const struct command *self)
{
    split->most_generations = split->most_bytes = UINT64_MAX;
    split->most_files = MOST_FILES;
    if (!split->every + !split->generations + !split->size != 2)
        return command_misused(self, "one of --every, --generations and --size is needed", NULL);
    if (split->every &&
        (gt_duration_parse(split->every, &split->nanoseconds) != GT_OK || split->nanoseconds <= 0))
        return command_misused(self, "not a duration:", split->every);
    if (split->generations && !split_parse(split->generations, "", &split->most_generations))
        return command_misused(self, "not a number of generations:", split->generations);
    if (split->size && !split_parse(split->size, "KMG", &split->most_bytes))
        return command_misused(self, "not a size:", split->size);
    if (split->files && !split_parse(split->files, "", &split->most_files))
        return command_misused(self, "not a number of files:", split->files);
    if (split->in.lenient && !split->every)
        return command_misused(self, "--lenient needs --every: generations are copied as they are",
                               NULL);
    if (split->output && strcmp(split->output, "-") == 0)
        return command_misused(self,
                               "there are several files: --output cannot be standard output, "
                               "and ./- names files",
                               NULL);
    if (!split->output)
        split->output = split->in.name;
    if (strcmp(split->output, "-") == 0)
        return command_misused(self, "standard input has no name, so --output is needed", NULL);
    return COMMAND_GO_ON;
}

static int split_run(const struct command *self, struct output *out, char **arguments)
{
    struct split split = {.every = NULL};
    int code = input_parse(&split.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = split_check(&split, self);
    if (code != COMMAND_GO_ON)
        return code;
    return split.every ? split_cut(&split, out) : split_copy(&split, out);
}

const struct command command_split = {
    .name = "split",
    .usage = "split [OPTION...] FILE",
    .summary = "split a trace into traces that follow each other",
    .help = "Writes the parts of a trace to files FILE.000, FILE.001 and so on, each of which\n"
            "is a trace that every tool reads, Go's own included. Whole generations are\n"
            "copied, as fast as files are copied, and 'gotrace merge' joins them again; with\n"
            "--every the files begin and end at any time. Where a trace is damaged, the files\n"
            "have what is before. Traces of Go 1.21 and before have no generations: they need\n"
            "--every.\n",
    COMMAND_OPTIONS(split_options),
    .shared = rewrite_lenient_shared,
    .run = split_run,
};
