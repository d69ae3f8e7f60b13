/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "writer/perfetto.h"

enum {
    FIRST_HASHES = 8,
    /* The section of the rows of all sections that no emitter has by itself. */
    SECTION_OTHER = GT_SECTION_TASKS + 1
};

static uint32_t row_section(uint32_t section)
{
    return section <= GT_SECTION_TASKS ? section : SECTION_OTHER;
}

/* Returns where the number of the first row with the hash of a key is. There must be rows. */
static uint32_t *row_first(const struct gt_perfetto_writer *writer, uint32_t rows, uint32_t section,
                           uint64_t id)
{
    uint64_t hash = gt_hash_pair(id, (uint64_t) section << 8 | rows, writer->secret);
    return &writer->hashes.items[hash & (writer->hashes.capacity - 1)];
}

static bool row_is(const struct gt_pf_row *row, uint32_t rows, uint32_t section, uint64_t id)
{
    return row->id == id && row->section == section && row->source == rows;
}

/*
 * Looks for a row among those with its hash but the first one. If it is there, it becomes the first
 * one, because it is likely to be looked up soon again.
 */
static uint32_t row_find_behind(const struct gt_perfetto_writer *writer, uint32_t *first,
                                uint32_t rows, uint32_t section, uint64_t id)
{
    struct gt_pf_row *before = gt_pf_row(writer, *first - 1);
    while (before->next != 0) {
        uint32_t number = before->next - 1;
        struct gt_pf_row *row = gt_pf_row(writer, number);
        if (row_is(row, rows, section, id)) {
            before->next = row->next;
            row->next = *first & GT_PF_ROW_MASK;
            *first = number + 1;
            return number;
        }
        before = row;
    }
    return GT_PF_NO_ROW;
}

uint32_t gt_pf_row_find(struct gt_pf_source *source, uint32_t section, uint64_t id)
{
    const struct gt_perfetto_writer *writer = source->writer;
    uint32_t kept = row_section(section);
    if (writer->rows.count == 0)
        return GT_PF_NO_ROW;
    uint32_t *first = row_first(writer, source->rows, kept, id);
    if (*first == 0)
        return GT_PF_NO_ROW;
    return row_is(gt_pf_row(writer, *first - 1), source->rows, kept, id)
               ? *first - 1
               : row_find_behind(writer, first, source->rows, kept, id);
}

/* Makes a row the first one of its hash. */
static void row_link(struct gt_perfetto_writer *writer, uint32_t number)
{
    struct gt_pf_row *row = gt_pf_row(writer, number);
    uint32_t *first = row_first(writer, row->source, row->section, row->id);
    row->next = *first & GT_PF_ROW_MASK;
    *first = number + 1;
}

/* Doubles the number of hashes. The old list is freed first, as rows have what the new one needs.
 */
static gt_status rows_rehash(struct gt_perfetto_writer *writer)
{
    size_t count = writer->hashes.capacity != 0 ? 2 * writer->hashes.capacity : FIRST_HASHES;
    gt_array_free(&writer->mem, &writer->hashes);
    writer->hashes.items = gt_mem_zeros(&writer->mem, count * sizeof(*writer->hashes.items));
    if (!writer->hashes.items)
        return gt_mem_failure(&writer->mem);
    writer->hashes.capacity = count;
    for (uint32_t i = 0; i < writer->rows.count; i++)
        row_link(writer, i);
    return GT_OK;
}

/* Makes room for the hash of one more row. */
static gt_status rows_reserve(struct gt_perfetto_writer *writer)
{
    if (writer->rows.count >= GT_PF_ROWS_MAX)
        return gt_mem_fail(&writer->mem, GT_ERR_LIMIT);
    return writer->rows.count < 2 * writer->hashes.capacity ? GT_OK : rows_rehash(writer);
}

uint32_t gt_pf_row_make(struct gt_pf_source *source, uint32_t section, uint64_t id)
{
    struct gt_perfetto_writer *writer = source->writer;
    uint32_t number = gt_pf_row_find(source, section, id);
    if (number != GT_PF_NO_ROW)
        return number;
    if (rows_reserve(writer) != GT_OK)
        return GT_PF_NO_ROW;
    struct gt_pf_row *row = gt_pf_chunks_push(&writer->rows, &writer->mem, sizeof(*row));
    if (!row)
        return GT_PF_NO_ROW;
    *row = (struct gt_pf_row){
        .id = id,
        .section = row_section(section) & 3,
        .source = source->rows & 3,
    };
    number = (uint32_t) writer->rows.count - 1;
    row_link(writer, number);
    return number;
}

/* Sets the name or the position of a row, which events of plain emitters make. */
static gt_status row_take_argument(struct gt_pf_source *source, const gt_viewer_event *event,
                                   const gt_viewer_argument *argument)
{
    struct gt_perfetto_writer *writer = source->writer;
    uint32_t number = source->rows == GT_PERFETTO_PLAIN
                          ? gt_pf_row_make(source, event->section, event->resource)
                          : gt_pf_row_find(source, event->section, event->resource);
    if (number == GT_PF_NO_ROW)
        return source->rows == GT_PERFETTO_PLAIN ? gt_mem_failure(&writer->mem) : GT_OK;
    struct gt_pf_row *row = gt_pf_row(writer, number);
    if (argument->kind == GT_VIEWER_STRING)
        return gt_pf_text(writer, argument->string, &row->text);
    int64_t rank = (int64_t) argument->number;
    row->rank = (int32_t) (rank < INT32_MIN ? INT32_MIN : rank < INT32_MAX ? rank : INT32_MAX);
    row->has_rank = true;
    row->has_label = false;
    return GT_OK;
}

gt_status gt_pf_row_describe(struct gt_pf_source *source, const gt_viewer_event *event)
{
    if (event->argument_count == 0)
        return GT_OK;
    const gt_viewer_argument *argument = &event->arguments[0];
    if (gt_text_is(event->name, "process_name") && argument->kind == GT_VIEWER_STRING &&
        source->is_first && event->section <= GT_SECTION_TASKS)
        return gt_pf_text(source->writer, argument->string,
                          &source->writer->section_names[event->section]);
    bool is_name = gt_text_is(event->name, "thread_name") && argument->kind == GT_VIEWER_STRING;
    bool is_rank =
        gt_text_is(event->name, "thread_sort_index") && argument->kind == GT_VIEWER_SIGNED;
    return is_name || is_rank ? row_take_argument(source, event, argument) : GT_OK;
}
