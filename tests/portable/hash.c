/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Prints a line for each trace and each thing that can be made of it, with a hash of
 * all values: hash [--wrong] FILE... What it prints must not depend on the processor, the
 * compiler and its options. With --wrong it takes a number of each file as the processor
 * has it in memory, so that a comparison can be seen to fail.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sum.h"
#include "support/digest.h"
#include "support/test.h"

static void sum_reading(struct sum *sum, const struct trace *trace, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest digest;

    options.flags = flags;
    digest_memory(&digest, trace->data, trace->size, &options);
    sum_signed(sum, digest.status);
    sum_number(sum, digest.error.offset);
    sum_number(sum, digest.error.generation);
    sum_bytes(sum, digest.error.message, strlen(digest.error.message));
    if (digest.count > 0)
        sum_number(sum, digest.chain[digest.count - 1]);
    sum->count = digest.count;
    digest_free(&digest);
}

void sum_events(struct sum *sum, const struct trace *trace)
{
    sum_reading(sum, trace, 0);
}

void sum_lenient(struct sum *sum, const struct trace *trace)
{
    sum_reading(sum, trace, GT_READER_LENIENT | GT_READER_KEEP);
}

void sum_text(struct sum *sum, const struct trace *trace)
{
    gt_raw_reader *reader;
    gt_raw_writer *writer;
    const gt_raw_event *event;
    gt_status status;

    assert_status(gt_raw_reader_open_memory(&reader, trace->data, trace->size, NULL, NULL), GT_OK);
    assert_status(
        gt_raw_writer_open(&writer, trace->version, GT_RAW_TEXT, sum_write, sum, NULL, NULL),
        GT_OK);
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
        assert_status(gt_raw_writer_write_event(writer, event), GT_OK);
    assert_status(gt_raw_writer_flush(writer), GT_OK);
    sum_signed(sum, status);
    gt_raw_writer_close(&writer);
    gt_raw_reader_close(&reader);
}

static void sum_finding(void *user_data, const gt_finding *finding)
{
    struct sum *sum = user_data;

    sum_number(sum, finding->rule);
    sum_number(sum, finding->number);
    sum_signed(sum, finding->time);
    sum_bytes(sum, finding->message, strlen(finding->message));
}

/* The rules of the newest version give findings in older traces. */
void sum_findings(struct sum *sum, const struct trace *trace)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_reader *reader = sum_open(trace, 0);
    gt_validator *validator;
    const gt_event *event;

    options.on_finding = sum_finding;
    options.user_data = sum;
    assert_status(gt_validator_open(&validator, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_validator_event(validator, reader, event), GT_OK);
    sum_number(sum, gt_validator_count(validator));
    gt_validator_close(&validator);
    gt_reader_close(&reader);
}

static const struct {
    const char *name;
    void (*sum)(struct sum *sum, const struct trace *trace);
} things[] = {
    {"events", sum_events},     {"lenient", sum_lenient}, {"text", sum_text},
    {"findings", sum_findings}, {"summary", sum_summary}, {"latency", sum_latency},
    {"profile", sum_profile},   {"mmu", sum_mmu},         {"json", sum_json},
};

static uint8_t *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    long end;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) {
        perror(path);
        exit(2);
    }
    rewind(file);
    *size = (size_t) end;
    data = malloc(*size + 1);
    if (!data || fread(data, 1, *size, file) != *size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return data;
}

/* Reads a number as it lies in memory, which is the planted mistake. */
static void sum_wrongly(struct sum *sum, const struct trace *trace)
{
    uint32_t number = 0;

    if (trace->size >= sizeof(number))
        memcpy(&number, trace->data, sizeof(number));
    sum_number(sum, number);
}

static void hash_file(const char *path, int wrong)
{
    const char *slash = strrchr(path, '/');
    struct trace trace;
    uint8_t *data = load(path, &trace.size);
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader *reader;

    trace.data = data;
    reader = sum_open(&trace, 0);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    gt_reader_close(&reader);
    trace.version = info.version;
    for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
        struct sum sum = {UINT64_C(0xcbf29ce484222325), 0};

        things[i].sum(&sum, &trace);
        if (wrong)
            sum_wrongly(&sum, &trace);
        printf("%s %s %016" PRIx64 " %" PRIu64 "\n", slash ? slash + 1 : path, things[i].name,
               sum.hash, sum.count);
    }
    free(data);
}

int main(int argc, char **argv)
{
    int wrong = argc > 1 && strcmp(argv[1], "--wrong") == 0, i;

    for (i = 1 + wrong; i < argc; i++)
        hash_file(argv[i], wrong);
    return fflush(stdout) != 0;
}
