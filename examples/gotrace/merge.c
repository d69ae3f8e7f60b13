/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins traces that follow each other, such as the pieces of 'gotrace split'. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/reader.h>
#include <gotrace/wire.h>

#include "command.h"
#include "generations.h"
#include "interrupt.h"
#include "join.h"
#include "problem.h"
#include "rewrite.h"
#include "spans.h"
#include "terminal.h"

enum {
    MERGE_MOST = 500,
    /* How many bytes are compared at a time. */
    MERGE_PIECE = 4096,
    /* The first version in which the numbers of generations may have gaps. */
    MERGE_GAPS = 26
};

struct merge {
    const char *output;
    const char *names[MERGE_MOST];
    size_t count;
    /* The inputs that are open, the first of which are already in the spans. */
    struct generations *inputs;
    /* The number that the first generation of each input gets. */
    uint64_t *numbers;
    /* The number of events of each input that got a later time. */
    uint64_t *delayed;
    size_t open;
    struct spans spans;
    uint64_t last;  /* the number of the last generation */
    gt_error error; /* why the spans are no trace */
    bool has_cut;   /* an input continues the last generation of the one before */
};

static const struct option merge_options[] = {
    REWRITE_OUTPUT_OPTION(struct merge, output),
};

/* Reports why an input cannot be joined. Returns false. */
static bool merge_refuse(const struct generations *input, const char *why, const char *other)
{
    terminal_report("%s: %s %s", input->name, why, other);
    return false;
}

/* Returns whether both batches have the same data. */
static bool merge_is_same(const struct generations *a, const struct batch *of_a,
                          const struct generations *b, const struct batch *of_b)
{
    char data[2][MERGE_PIECE];
    uint64_t same = 0;
    if (of_a->type != of_b->type || of_a->size != of_b->size ||
        of_a->experiment != of_b->experiment)
        return false;
    while (same < of_a->size) {
        uint64_t left = of_a->size - same;
        size_t size = left < MERGE_PIECE ? (size_t) left : MERGE_PIECE;
        ssize_t got = pread(a->fd, data[0], size, (off_t) (of_a->offset + of_a->head_size + same));
        if (got <= 0 ||
            pread(b->fd, data[1], size, (off_t) (of_b->offset + of_b->head_size + same)) != got ||
            memcmp(data[0], data[1], (size_t) got) != 0)
            return false;
        same += (uint64_t) got;
    }
    return true;
}

/*
 * Returns whether `batch` is one that 'gotrace split' has added, because the piece would lack it:
 * it follows the first batch of a piece, with the time of that.
 */
static bool merge_is_added(const struct merge *merge, const struct generations *input,
                           const struct batch *batch)
{
    const struct generation *first = &input->list[0];
    const struct generations *begin = &merge->inputs[0];
    return input != begin && first->info.type != 0 && batch->offset == first->info.offset &&
           batch->offset == first->second_offset && batch->time == first->first.time &&
           merge_is_same(begin, &begin->list[0].info, input, batch);
}

/* Adds a generation batch by batch, with another number. */
static void merge_add_batches(struct merge *merge, const struct generations *input,
                              const struct generation *generation, uint64_t number)
{
    uint64_t at = generation->offset, end = at + generation->size;
    struct batch batch;
    while (at < end && batch_read(input->fd, at, &batch) > 0) {
        at = batch_end(&batch);
        if (merge_is_added(merge, input, &batch))
            continue;
        size_t head_size = batch.head_size;
        bool is_same = batch.type == GT_WIRE_END_OF_GENERATION || batch.generation == number;
        batch.generation = number;
        if (is_same)
            spans_add(&merge->spans, input->fd, batch.offset, head_size + batch.size);
        else
            spans_add_batch(&merge->spans, input->fd, &batch, head_size);
    }
}

static void merge_add(struct merge *merge, const struct generations *input,
                      const struct generation *generation)
{
    bool may_leap = input->version >= MERGE_GAPS || merge->last == 0;
    uint64_t number = generation->number;
    if (number != merge->last + 1 && !(may_leap && number > merge->last))
        number = merge->last + 1;
    bool is_first = generation == &input->list[0];
    if (is_first)
        merge->numbers[input - merge->inputs] = number;
    if (number != generation->number ||
        (is_first && merge_is_added(merge, input, &generation->info)))
        merge_add_batches(merge, input, generation, number);
    else
        spans_add(&merge->spans, input->fd, generation->offset, generation->size);
    merge->last = number;
}

/*
 * Returns whether an input can follow another one. One that was cut within the last generation of
 * the other has the same number. It can even begin before that generation, as the states that it
 * begins with are earlier than its events, whose order is checked when they are joined.
 */
static bool merge_is_later(const struct generations *before, const struct generations *input)
{
    const struct generation *last = &before->list[before->count - 1], *first = &input->list[0];
    return first->number == last->number || first->first.time > last->first.time;
}

/* Opens an input, and adds it after those before. Returns false after it has reported a failure. */
static bool merge_open(struct merge *merge, const char *name)
{
    struct generations *input = &merge->inputs[merge->open];
    const struct generations *before = merge->open > 0 ? input - 1 : NULL;
    merge->open++;
    if (!generations_open(input, name) || input->error.status != GT_OK) {
        problem_report(name, "", &input->error);
        return false;
    }
    if (input->count == 0)
        return merge_refuse(input, "it has no generations", "");
    if (before && input->version != before->version)
        return merge_refuse(input, "it has another version of the format than", before->name);
    if (before && !merge_is_later(before, input))
        return merge_refuse(input, "it begins before the end of", before->name);
    merge->has_cut |= before && input->list[0].number == before->list[before->count - 1].number;
    if (!before)
        spans_add(&merge->spans, input->fd, 0, TRACE_HEAD);
    for (size_t i = 0; i < input->count; i++)
        merge_add(merge, input, &input->list[i]);
    return true;
}

/* Reports why an input is not what follows the one before. */
static void merge_report_seam(const struct merge *merge, size_t at, const gt_error *error)
{
    char text[GT_ERROR_TEXT_SIZE];
    gt_error_format(error, text, sizeof(text));
    terminal_report("%s: it is not what follows %s: %s", merge->names[at], merge->names[at - 1],
                    text);
}

/* Reports at which input the spans cannot be read, and why. */
static void merge_report(const struct merge *merge)
{
    size_t at = 0;
    while (at + 1 < merge->open && merge->numbers[at + 1] <= merge->error.generation)
        at++;
    gt_error said = merge->error;
    said.offset = GT_NO_OFFSET;
    if (at == 0 || merge->numbers[at] != said.generation || said.status == GT_CANCELLED)
        problem_report(merge->names[at], "", &said);
    else
        merge_report_seam(merge, at, &said);
}

/*
 * Reads the spans before they are written: the states at the begin of a part must follow those
 * before. Returns whether they can be read.
 */
static bool merge_check(struct merge *merge)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const gt_event *const *events;
    gt_reader *reader;
    size_t count;
    spans_rewind(&merge->spans);
    gt_status status =
        gt_reader_open_callback(&reader, spans_read, &merge->spans, &options, &merge->error);
    if (status == GT_OK) {
        interrupt_arm(reader, NULL);
        while ((status = gt_reader_next_events(reader, &events, &count)) == GT_OK)
            continue;
        interrupt_disarm();
        gt_reader_error(reader, &merge->error);
        gt_reader_close(&reader);
    }
    return status == GT_END;
}

/* Writes the spans. */
static bool merge_copy(struct merge *merge, struct tracefile *file)
{
    gt_error error = GT_ERROR_INIT;
    interrupt_arm(NULL, NULL);
    gt_status status = spans_write(&merge->spans, file);
    if (status != GT_OK && (status != GT_ERR_IO || merge->spans.system_error != 0)) {
        problem_set_status(&error, status);
        problem_report(merge->output ? merge->output : "standard output", "", &error);
    }
    return status == GT_OK;
}

/* Reports the inputs of which events have another time, because they begin before the last ones. */
static void merge_report_delayed(const struct merge *merge)
{
    for (size_t i = 1; i < merge->count; i++) {
        if (merge->delayed[i] != 0)
            terminal_report("%s: delayed: %" PRIu64 " events, behind the last ones of %s",
                            merge->names[i], merge->delayed[i], merge->names[i - 1]);
    }
}

/* Reads the inputs and writes their events. */
static bool merge_join(struct merge *merge, struct tracefile *file)
{
    struct join join = {
        .inputs = merge->inputs, .count = merge->count, .file = file, .delayed = merge->delayed};
    if (join_run(&join)) {
        merge_report_delayed(merge);
        return true;
    }
    bool has_written = join.is_of_input || join.error.status != GT_ERR_IO;
    /* A failure to write is reported when the file is closed. */
    if (has_written && (join.is_of_input || join.at == 0))
        problem_report(merge->names[join.at], "", &join.error);
    else if (has_written)
        merge_report_seam(merge, join.at, &join.error);
    return false;
}

/*
 * Writes the output: the generations as they are, if together they are a trace. Otherwise, and if a
 * generation was cut, their events are written.
 */
static bool merge_write(struct merge *merge, struct output *out)
{
    struct tracefile file;
    bool is_whole = !merge->has_cut && merge_check(merge);
    if (merge->error.status == GT_CANCELLED) {
        merge_report(merge);
        return false;
    }
    for (size_t i = 0; i < merge->count; i++) {
        if (!tracefile_is_free(merge->output, merge->names[i]))
            return false;
    }
    if (!tracefile_open(&file, merge->output, merge->names[0], out))
        return false;
    bool is_good = is_whole ? merge_copy(merge, &file) : merge_join(merge, &file);
    return tracefile_close(&file, is_good) && is_good;
}

/* Joins the inputs. Returns whether that succeeded. */
static bool merge_all(struct merge *merge, struct output *out)
{
    merge->inputs = calloc(merge->count, sizeof(*merge->inputs));
    merge->numbers = calloc(merge->count, sizeof(*merge->numbers));
    merge->delayed = calloc(merge->count, sizeof(*merge->delayed));
    bool is_good = merge->inputs && merge->numbers && merge->delayed;
    if (!is_good)
        terminal_report("%s", gt_status_text(GT_ERR_NO_MEMORY));
    for (size_t i = 0; is_good && i < merge->count; i++)
        is_good = merge_open(merge, merge->names[i]);
    if (is_good)
        spans_add_tail(&merge->spans, &merge->inputs[merge->open - 1], merge->last + 1);
    is_good = is_good && merge_write(merge, out);
    for (size_t i = 0; i < merge->open; i++)
        generations_close(&merge->inputs[i]);
    spans_free(&merge->spans);
    free(merge->inputs);
    free(merge->numbers);
    free(merge->delayed);
    return is_good;
}

static int merge_run(const struct command *self, struct output *out, char **arguments)
{
    struct merge merge = {.error = GT_ERROR_INIT};
    const struct operands operands = {.list = merge.names, .min = 2, .max = MERGE_MOST};
    int code = options_parse(self, out, arguments, &merge, &operands);
    if (code == COMMAND_GO_ON)
        code = rewrite_check(&merge.output, self, out);
    if (code != COMMAND_GO_ON)
        return code;
    while (merge.count < MERGE_MOST && merge.names[merge.count])
        merge.count++;
    interrupt_arm(NULL, NULL);
    return merge_all(&merge, out) ? COMMAND_GOOD : COMMAND_BAD;
}

const struct command command_merge = {
    .name = "merge",
    .usage = "merge [OPTION...] FILE FILE...",
    .summary = "join traces that follow each other",
    .help = "Writes one trace with the generations of several, which must be parts of one\n"
            "trace in their order, such as the files of 'gotrace split'. What does not\n"
            "continue the trace before is refused, as are traces of different programs, which\n"
            "cannot be one Go trace. All traces must have the same version of the format, Go\n"
            "1.22 or later.\n",
    COMMAND_OPTIONS(merge_options),
    .run = merge_run,
};
