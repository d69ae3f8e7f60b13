/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The records of recorded traces: compared with what Go's own tool prints, and converted to text
 * and back. Each trace is a test.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/process.h"
#include "support/report.h"
#include "support/suite.h"
#include "support/test.h"

/* The output of a command; `data` ends in NUL. */
struct output {
    char *data;
    size_t size;
    int exit_status;
    char errors[PROCESS_ERRORS_SIZE];
};

struct trace {
    char *path;
    /* What Go prints, and its error if it fails. Either may not exist. */
    char *wire;
    char *wire_error;
    char *footprint;
};

static void run_program(struct output *output, const char *const *arguments)
{
    struct process process;
    size_t capacity = 1 << 16, got;

    assert_non_null(arguments[0]);
    process_start(&process, arguments);
    output->size = 0;
    output->data = malloc(capacity);
    assert_non_null(output->data);
    while ((got = fread(output->data + output->size, 1, capacity - output->size - 1,
                        process.output)) > 0) {
        output->size += got;
        if (capacity - output->size == 1) {
            capacity *= 2;
            output->data = realloc(output->data, capacity);
            assert_non_null(output->data);
        }
    }
    output->data[output->size] = '\0';
    output->exit_status = process_wait(&process);
    memcpy(output->errors, process.errors, sizeof(output->errors));
}

static void run(struct output *output, const char *command, const char *path)
{
    const char *const arguments[] = {getenv("GT_COMMAND"), command, path, NULL};

    run_program(output, arguments);
}

/* The same for a good input in memory. */
static void run_good(struct output *output, const char *command, const struct output *input)
{
    char *path = files_temporary(input->data, input->size);

    run(output, command, path);
    assert_string_equal(output->errors, "");
    assert_int_equal(output->exit_status, 0);
    unlink(path);
    free(path);
}

static void assert_same(const struct output *a, const struct output *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* Returns how many bytes of the trace the command read: up to the error, if there was one. */
static size_t good_size(const struct trace *trace, const struct output *text, size_t size)
{
    if (text->exit_status == 0) {
        assert_string_equal(text->errors, "");
        return size;
    }
    assert_int_equal(text->exit_status, 1);
    assert_string_equal(
        report_expect(text->errors, trace->path, "", strstr(text->errors, ", generation ") != NULL),
        "");
    return strtoul(strstr(text->errors, "(offset ") + strlen("(offset "), NULL, 10);
}

/*
 * Asserts that the text of the trace converts back to the same bytes, and those to the same text.
 */
static void check_round_trip(const struct trace *trace, const struct output *text)
{
    struct output bytes, again;
    size_t size;
    uint8_t *data = files_read(trace->path, &size);

    run_good(&bytes, "encode", text);
    assert_int_equal(bytes.size, good_size(trace, text, size));
    assert_memory_equal(bytes.data, data, bytes.size);
    run_good(&again, "text", &bytes);
    assert_same(&again, text);
    free(again.data);
    free(bytes.data);
    free(data);
}

static bool is_own(const char *line)
{
    static const char *const starts[] = {"Trace Go1.", "#!widths ", "\tdata=\"\"\n"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (strncmp(line, starts[i], strlen(starts[i])) == 0)
            return 1;
    }
    return 0;
}

/* Removes lines that Go does not print. */
static void strip(struct output *text)
{
    char *line = text->data, *to = text->data, *end;

    while ((end = strchr(line, '\n'))) {
        if (!is_own(line)) {
            memmove(to, line, (size_t) (end + 1 - line));
            to += end + 1 - line;
        }
        line = end + 1;
    }
    *to = '\0';
    text->size = (size_t) (to - text->data);
}

static void check_wire(const struct trace *trace, const struct output *wire)
{
    const char *const theirs_command[] = {"gzip", "-dc", trace->wire, NULL};
    struct output theirs;

    if (!files_exist(trace->wire))
        return;
    run_program(&theirs, theirs_command);
    assert_int_equal(theirs.exit_status, 0);
    if (files_exist(trace->wire_error))
        assert_true(theirs.size < wire->size);
    else
        assert_int_equal(theirs.size, wire->size);
    assert_memory_equal(theirs.data, wire->data, theirs.size);
    free(theirs.data);
}

static void test_wire_equals_that_of_go_and_text_converts_back(void **state)
{
    const struct trace *trace = *state;
    struct output text, wire, from_text;

    run(&text, "text", trace->path);
    check_round_trip(trace, &text);
    run(&wire, "-d=wire", trace->path);
    assert_int_equal(wire.exit_status, text.exit_status);
    assert_string_equal(wire.errors, text.errors);
    check_wire(trace, &wire);
    run_good(&from_text, "wire", &text);
    assert_same(&from_text, &wire);
    strip(&text);
    assert_same(&text, &wire);
    free(from_text.data);
    free(wire.data);
    free(text.data);
}

static uint64_t width_of(uint64_t value)
{
    uint64_t width = 1;

    while (value >>= 7)
        width++;
    return width;
}

/* Returns the least size of the numbers on a line. */
static uint64_t line_bytes(const char *line, const char *end)
{
    uint64_t bytes = 0;

    for (; line < end; line++) {
        if (*line == '=')
            bytes += width_of(strtoull(line + 1, NULL, 10));
    }
    return bytes;
}

/* Adds up the records of one name in the output of `gotrace wire`, without their data. */
static void add_up(const char *wire, const char *name, size_t size, uint64_t *count,
                   uint64_t *bytes)
{
    const char *end;
    int within = 0;

    *count = *bytes = 0;
    for (; (end = strchr(wire, '\n')); wire = end + 1) {
        if (wire[0] != '\t') {
            within = strncmp(wire, name, size) == 0 && (wire[size] == ' ' || wire[size] == '\n');
            *count += (unsigned) within;
            *bytes += (unsigned) within;
        }
        if (within && strncmp(wire, "\tdata=", 6) != 0)
            *bytes += line_bytes(wire, end);
    }
}

/* A line of the footprint, and the sums over the lines so far. */
struct footprint {
    const gt_wire_spec *spec;
    uint64_t bytes;
    uint64_t all_bytes;
    uint64_t all_records;
    double shares[2];
};

/* Parses a line. Asserts that it agrees with the wire. */
static void take_line(struct footprint *footprint, const char *line, const char *wire,
                      uint32_t version)
{
    uint64_t bytes, records, wire_records, wire_bytes;
    const gt_wire_spec *spec;
    double share, of_records;
    char name[40];

    assert_int_equal(sscanf(line, "%39s %" SCNu64 " %lf%% %" SCNu64 " %lf%%", name, &bytes, &share,
                            &records, &of_records),
                     5);
    spec = gt_wire_spec_find(version, name, strlen(name));
    assert_non_null(spec);
    add_up(wire, name, strlen(name), &wire_records, &wire_bytes);
    assert_int_equal(records, wire_records);
    if (version > 21 && !(spec->flags & GT_WIRE_HAS_DATA))
        assert_int_equal(bytes, wire_bytes);
    else
        assert_true(bytes >= wire_bytes);
    if (footprint->spec)
        assert_true(bytes < footprint->bytes ||
                    (bytes == footprint->bytes && spec->type > footprint->spec->type));
    footprint->spec = spec;
    footprint->bytes = bytes;
    footprint->all_bytes += bytes;
    footprint->all_records += records;
    footprint->shares[0] += share;
    footprint->shares[1] += of_records;
}

static uint64_t count_records(const char *wire)
{
    uint64_t count = 0;

    for (; *wire; wire = strchr(wire, '\n') + 1)
        count += *wire != '\t';
    return count;
}

/* `exact`: no number takes more bytes than it needs, so the records make up all `size` bytes. */
static void check_table(const char *table, const char *wire, uint32_t version, size_t size,
                        int exact)
{
    const char *line = strchr(strchr(table, '\n') + 1, '\n') + 1;
    struct footprint footprint = {0};

    assert_int_equal(strncmp(table, "Event ", 6), 0);
    for (; *line; line = strchr(line, '\n') + 1)
        take_line(&footprint, line, wire, version);
    assert_int_equal(footprint.all_records, count_records(wire));
    if (exact)
        assert_int_equal(16 + footprint.all_bytes, size);
    else
        assert_true(16 + footprint.all_bytes < size);
    assert_true(footprint.shares[0] <= 100.3);
    assert_true(footprint.shares[1] > 99.7 && footprint.shares[1] < 100.3);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* Sorts the lines of a table with strcmp, after it has ended each with NUL. */
static size_t sort_lines(char *table, char **lines, size_t most)
{
    size_t count = 0;
    char *line = table, *end;

    for (; (end = strchr(line, '\n')); line = end + 1) {
        assert_true(count < most);
        *end = '\0';
        lines[count++] = line;
    }
    qsort(lines, count, sizeof(*lines), compare_lines);
    return count;
}

/* Go prints types with equal bytes in another order. */
static void check_golden(const struct trace *trace, struct output *ours)
{
    char *our_lines[300], *their_lines[300], *theirs;
    size_t count, size;

    if (!files_exist(trace->footprint))
        return;
    theirs = (char *) files_read(trace->footprint, &size);
    count = sort_lines(theirs, their_lines, 300);
    assert_true(count > 10);
    assert_int_equal(sort_lines(ours->data, our_lines, 300), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(our_lines[i], their_lines[i]);
    free(theirs);
}

static void test_footprint_adds_up_the_wire(void **state)
{
    const struct trace *trace = *state;
    struct output table, wire, text, from_text;
    uint32_t version;
    size_t size;
    int exact;
    uint8_t *data = files_read(trace->path, &size);

    run(&table, "-d=footprint", trace->path);
    run(&text, "text", trace->path);
    run(&wire, "wire", trace->path);
    assert_int_equal(table.exit_status, text.exit_status);
    assert_string_equal(table.errors, text.errors);
    assert_int_equal(sscanf(text.data, "Trace Go1.%" SCNu32, &version), 1);
    exact = version <= 21 && !strstr(text.data, "\n#!widths ");
    check_table(table.data, wire.data, version, good_size(trace, &text, size), exact);
    run_good(&from_text, "footprint", &text);
    assert_same(&from_text, &table);
    check_golden(trace, &table);
    free(from_text.data);
    free(text.data);
    free(wire.data);
    free(table.data);
    free(data);
}

static void free_trace(void *state)
{
    struct trace *trace = state;

    free(trace->path);
    free(trace->wire);
    free(trace->wire_error);
    free(trace->footprint);
    free(trace);
}

/* Each test needs a state of its own. */
static void add_test(struct suite *suite, CMUnitTestFunction function, const char *directory,
                     const char *name, const char *suffix)
{
    struct trace *trace = calloc(1, sizeof(*trace));

    assert_non_null(trace);
    trace->path = files_join(directory, name);
    trace->wire = files_replace(trace->path, suffix, "/wire.gz");
    trace->wire_error = files_replace(trace->path, suffix, "/wire.error");
    trace->footprint = files_replace(trace->path, suffix, ".footprint");
    suite_add(suite, trace->path, function, trace);
}

/* Returns how many traces there are. */
static size_t add_traces(struct suite *suite, const char *directory, const char *suffix)
{
    struct file_list list = {NULL, 0};
    size_t count;

    files_list(&list, directory, "go", suffix);
    for (size_t i = 0; i < list.count; i++) {
        add_test(suite, test_wire_equals_that_of_go_and_text_converts_back, directory,
                 list.names[i], suffix);
        add_test(suite, test_footprint_adds_up_the_wire, directory, list.names[i], suffix);
    }
    count = list.count;
    files_list_free(&list);
    return count;
}

/* Returns whether there were any. */
static int add_testdata(struct suite *suite, const char *name)
{
    char *directory = files_join(files_testdata(), name);
    size_t count = add_traces(suite, directory, ".trace");

    if (count == 0)
        fprintf(stderr, "no traces in %s\n", directory);
    free(directory);
    return count > 0;
}

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    if (!add_testdata(&suite, "v1") || !add_testdata(&suite, "v2")) {
        suite_free(&suite, free_trace);
        return 1;
    }
    if (files_corpus()) {
        add_traces(&suite, files_corpus(), ".trace");
        add_traces(&suite, files_corpus(), ".v1");
    } else {
        suite_add_skipped(&suite, "traces in $GT_CORPUS");
    }
    failures = suite_run(&suite, "wire");
    suite_free(&suite, free_trace);
    return failures;
}
