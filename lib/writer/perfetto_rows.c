/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/time.h"
#include "writer/perfetto.h"

static uint64_t row_hash(const struct gt_pf_source *source, uint16_t section, uint64_t id)
{
    return gt_hash_pair(id, (uint64_t) section << 8 | source->rows, source->writer->secret);
}

/* All sections that no emitter has by itself are one. */
static uint16_t row_section(uint32_t section)
{
    return section <= GT_SECTION_TASKS ? (uint16_t) section : UINT16_MAX;
}

struct gt_pf_row *gt_pf_row_find(struct gt_pf_source *source, uint32_t section, uint64_t id)
{
    struct gt_perfetto_writer *writer = source->writer;
    uint16_t kept = row_section(section);
    struct gt_pf_row *row;
    GT_INDEX_FIND(row, &writer->rows, &writer->row_index, row_hash(source, kept, id),
                  row->id == id && row->section == kept && row->source == source->rows);
    return row;
}

struct gt_pf_row *gt_pf_row_make(struct gt_pf_source *source, uint32_t section, uint64_t id)
{
    struct gt_perfetto_writer *writer = source->writer;
    struct gt_pf_row *row = gt_pf_row_find(source, section, id);
    if (row)
        return row;
    const struct gt_pf_row made = {
        .id = id,
        .section = row_section(section),
        .source = (uint8_t) source->rows,
    };
    gt_status status = gt_index_append(&writer->row_index, &writer->rows, &writer->mem,
                                       row_hash(source, made.section, id), made);
    return status == GT_OK ? &writer->rows.items[writer->rows.count - 1] : NULL;
}

/* Keeps the first slice of a row. */
static gt_status row_keep_slice(struct gt_perfetto_writer *writer, struct gt_pf_row *row,
                                int64_t begin, int64_t end)
{
    const struct gt_pf_extent slice = {begin, end};
    gt_status status = gt_array_add(&writer->mem, &writer->lone_extents, slice);
    if (status == GT_OK)
        row->nest = (uint32_t) writer->lone_extents.count;
    return status;
}

/*
 * Returns what is known of the slices of a row that has at least one. NULL on failure; see
 * gt_mem_failure.
 */
static struct gt_pf_nest *row_nest(struct gt_perfetto_writer *writer, struct gt_pf_row *row)
{
    if (row->has_nest)
        return &writer->nests.items[row->nest - 1];
    struct gt_pf_nest *nest = gt_array_push(&writer->mem, &writer->nests);
    if (!nest)
        return NULL;
    const struct gt_pf_extent slice = writer->lone_extents.items[row->nest - 1];
    *nest = (struct gt_pf_nest){.first = slice, .sibling_count = 1, .siblings = {slice}};
    row->nest = (uint32_t) writer->nests.count;
    row->has_nest = true;
    return nest;
}

/*
 * Adds a slice to the siblings, in place of those that are inside it. Returns false if it begins
 * within one that ends before it, such as a system call that blocks and the next goroutine of its
 * proc. Slices come in the order of their ends, with few exceptions.
 */
static bool nest_add_sibling(struct gt_pf_nest *nest, int64_t begin, int64_t end)
{
    uint32_t kept = nest->sibling_count;
    while (kept > 0 && nest->siblings[kept - 1].begin >= begin)
        kept--;
    const struct gt_pf_extent *before = kept > 0 ? &nest->siblings[kept - 1] : NULL;
    if (before && before->end > begin)
        return end <= before->end;
    nest->sibling_count = kept;
    if (kept == GT_PF_SIBLINGS) {
        memmove(nest->siblings, nest->siblings + 1, sizeof(nest->siblings[0]) * (kept - 1));
        nest->sibling_count--;
    }
    nest->siblings[nest->sibling_count++] = (struct gt_pf_extent){begin, end};
    return true;
}

/*
 * Perfetto takes the one of several slices with the same begin that comes first in the file for the
 * outermost. Emitters draw most slices when they have ended, so that is the innermost. Each that
 * ends later therefore begins a nanosecond earlier. Events have distinct times, so only slices from
 * before the trace, which begin with it, have the same begin. Returns false if a slice cannot be
 * put between others.
 */
static bool nest_move_begin(struct gt_pf_nest *nest, int64_t *begin, int64_t end)
{
    struct gt_pf_extent *first = &nest->first;
    if (*begin > first->begin)
        return true;
    if (*begin < first->begin) {
        *first = (struct gt_pf_extent){*begin, end};
        nest->same = 0;
        return true;
    }
    if (nest->same == GT_PF_SLACK - 1 || (nest->same > 0 && end <= first->end))
        return false;
    nest->same++;
    if (end > first->end) {
        first->end = end;
        *begin = gt_time_minus(*begin, nest->same);
    }
    return true;
}

gt_status gt_pf_row_place(struct gt_perfetto_writer *writer, struct gt_pf_row *row, int64_t *begin,
                          int64_t end, bool *is_alone)
{
    *is_alone = false;
    if (row->nest == 0)
        return row_keep_slice(writer, row, *begin, end);
    struct gt_pf_nest *nest = row_nest(writer, row);
    if (!nest)
        return gt_mem_failure(&writer->mem);
    *is_alone = !nest_add_sibling(nest, *begin, end) || !nest_move_begin(nest, begin, end);
    return GT_OK;
}

/* Sets the name or the position of a row, which events of plain emitters make. */
static gt_status row_take_argument(struct gt_pf_source *source, const gt_viewer_event *event,
                                   const gt_viewer_argument *argument)
{
    struct gt_perfetto_writer *writer = source->writer;
    struct gt_pf_row *row = source->rows == GT_PERFETTO_PLAIN
                                ? gt_pf_row_make(source, event->section, event->resource)
                                : gt_pf_row_find(source, event->section, event->resource);
    if (!row)
        return source->rows == GT_PERFETTO_PLAIN ? gt_mem_failure(&writer->mem) : GT_OK;
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
