/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes each type of record takes, as `go tool trace -d=footprint` of Go 1.27. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "rawinput.h"

enum {
    TYPES = 256,
    COLUMNS = 5,
    /* Enough for a name, a number or a percentage. */
    CELL_MAX = 32,
    GAP = 2,
    V1_NEWEST = 21
};

struct row {
    const gt_wire_spec *spec;
    uint64_t count;
    uint64_t bytes;
};

struct footprint {
    uint32_t version;
    uint64_t count;
    /* The size of the trace. */
    uint64_t bytes;
    struct row rows[TYPES];
};

struct line {
    char cells[COLUMNS][CELL_MAX];
};

static unsigned int footprint_varint_size(uint64_t value)
{
    unsigned int width = 1;
    for (; value >= 0x80; value >>= 7)
        width++;
    return width;
}

static uint64_t footprint_numbers_size(const gt_wire_spec *spec, const gt_raw_event *event)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < event->argument_count; i++)
        size += footprint_varint_size(event->arguments[i]);
    for (size_t i = 0; i < event->frame_count; i++) {
        const gt_raw_frame *frame = &event->frames[i];
        size += footprint_varint_size(frame->pc);
        if (!(spec->flags & GT_WIRE_BARE_FRAMES))
            size += footprint_varint_size(frame->function) + footprint_varint_size(frame->file) +
                    footprint_varint_size(frame->line);
    }
    return size;
}

/* Returns whether a length precedes the numbers. The first byte of a record can count only a few
 * numbers. */
static bool footprint_has_length(uint32_t version, const gt_raw_event *event)
{
    if (version > V1_NEWEST)
        return false;
    return event->type == GT_V1_STACK || event->argument_count > (version < 7 ? 4 : 3);
}

/* Returns the size of the record if each of its numbers has the shortest encoding. */
static uint64_t footprint_record_size(uint32_t version, const gt_wire_spec *spec,
                                      const gt_raw_event *event)
{
    uint64_t size = footprint_numbers_size(spec, event);
    if (footprint_has_length(version, event))
        size += footprint_varint_size(size);
    if (spec->flags & GT_WIRE_HAS_DATA)
        size += footprint_varint_size(event->data.size) + event->data.size;
    return 1 + size;
}

static gt_status footprint_add_records(struct footprint *footprint, gt_raw_reader *reader,
                                       gt_raw_writer *writer)
{
    const gt_raw_event *event;
    gt_status status;
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        struct row *row = &footprint->rows[event->type];
        row->count++;
        row->bytes += footprint_record_size(footprint->version, row->spec, event);
        footprint->count++;
        if (writer && (status = gt_raw_writer_write_event(writer, event)) != GT_OK)
            break;
    }
    return status;
}

static int footprint_count_bytes(void *user_data, const void *data, size_t size)
{
    (void) data;
    *(uint64_t *) user_data += size;
    return 0;
}

/* Encodes a trace in text form to find out its size in bytes. */
static gt_status footprint_read_text(struct footprint *footprint, gt_raw_reader *reader)
{
    gt_raw_writer *writer;
    gt_status status = gt_raw_writer_open(&writer, footprint->version, GT_RAW_BYTES,
                                          footprint_count_bytes, &footprint->bytes, NULL, NULL);
    if (status == GT_OK)
        status = footprint_add_records(footprint, reader, writer);
    gt_raw_writer_flush(writer);
    gt_raw_writer_close(&writer);
    return status;
}

static gt_status footprint_read(struct footprint *footprint, gt_raw_reader *reader)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_raw_reader_get_info(reader, &info);
    *footprint = (struct footprint){.version = info.version};
    for (uint32_t type = 0; type < TYPES; type++)
        footprint->rows[type].spec = gt_wire_spec_get(info.version, type);
    if (info.form == GT_RAW_TEXT)
        return footprint_read_text(footprint, reader);
    gt_status status = footprint_add_records(footprint, reader, NULL);
    gt_raw_reader_get_info(reader, &info);
    footprint->bytes = info.bytes;
    return status;
}

/* Sorts by bytes, largest first, and then by the number of the type. */
static int footprint_compare_rows(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return left->spec->type < right->spec->type ? -1 : 1;
}

/* Removes rows without records, and returns how many are left. */
static size_t footprint_sort_rows(struct footprint *footprint)
{
    size_t count = 0;
    for (size_t i = 0; i < TYPES; i++) {
        if (footprint->rows[i].count != 0)
            footprint->rows[count++] = footprint->rows[i];
    }
    qsort(footprint->rows, count, sizeof(footprint->rows[0]), footprint_compare_rows);
    return count;
}

static void footprint_put_share(char *cell, uint64_t part, uint64_t whole)
{
    snprintf(cell, CELL_MAX, "%.2f%%", (double) part / (double) whole * 100);
}

static void footprint_fill_line(struct line *line, const struct footprint *footprint,
                                const struct row *row)
{
    snprintf(line->cells[0], CELL_MAX, "%s", row->spec->name);
    snprintf(line->cells[1], CELL_MAX, "%" PRIu64, row->bytes);
    footprint_put_share(line->cells[2], row->bytes, footprint->bytes);
    snprintf(line->cells[3], CELL_MAX, "%" PRIu64, row->count);
    footprint_put_share(line->cells[4], row->count, footprint->count);
}

static void footprint_widen_column(size_t *width, size_t least)
{
    if (*width < least)
        *width = least;
}

/* Go lists all types, so its first column is as wide as the longest name. */
static void footprint_measure_columns(size_t widths[COLUMNS], uint32_t version,
                                      const struct line *lines, size_t count)
{
    for (uint32_t type = 0; type < TYPES; type++) {
        const gt_wire_spec *spec = gt_wire_spec_get(version, type);
        if (spec)
            footprint_widen_column(&widths[0], strlen(spec->name));
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t column = 0; column < COLUMNS; column++)
            footprint_widen_column(&widths[column], strlen(lines[i].cells[column]));
    }
}

static void footprint_write_line(struct output *out, const struct line *line,
                                 const size_t widths[COLUMNS])
{
    for (size_t column = 0; column < COLUMNS; column++) {
        size_t size = strlen(line->cells[column]);
        output_bytes(out, line->cells[column], size);
        for (; column + 1 < COLUMNS && size < widths[column] + GAP; size++)
            output_text(out, " ");
    }
    output_text(out, "\n");
}

static void footprint_write_table(struct output *out, struct footprint *footprint)
{
    struct line lines[2 + TYPES] = {
        {{"Event", "Bytes", "%", "Count", "%"}},
        {{"-", "-", "-", "-", "-"}},
    };
    size_t widths[COLUMNS] = {0};
    size_t rows = footprint_sort_rows(footprint);
    for (size_t i = 0; i < rows; i++)
        footprint_fill_line(&lines[2 + i], footprint, &footprint->rows[i]);
    footprint_measure_columns(widths, footprint->version, lines, 2 + rows);
    for (size_t i = 0; i < 2 + rows; i++)
        footprint_write_line(out, &lines[i], widths);
}

static int footprint_run(const struct command *self, struct output *out, char **arguments)
{
    struct rawinput in = {.name = NULL};
    struct footprint footprint;
    int code = rawinput_open(&in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    gt_status status = footprint_read(&footprint, in.reader);
    footprint_write_table(out, &footprint);
    return rawinput_close(&in, out, status);
}

const struct command command_footprint = {
    .name = "footprint",
    .usage = "footprint FILE",
    .summary = "print how much space the records take",
    .help = "Prints how many records of each type there are, and how many bytes they take, in\n"
            "the form of go tool trace -d=footprint. Types without records are left out;\n"
            "types with equal bytes are sorted by number. Each number counts with as few\n"
            "bytes as it needs. The first percentage is of all bytes of the trace, the second\n"
            "of all records. FILE may also be text that 'gotrace text' wrote.\n",
    .run = footprint_run,
};
