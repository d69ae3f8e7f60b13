/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/time.h"
#include "writer/perfetto.h"

/* What is known of the slices of a row that may nest, and where a further one has its place. */

/* The duration of a slice that ends at INT64_MAX. */
#define LONE_ENDLESS UINT32_MAX

/* Returns whether a slice can be kept as a struct gt_pf_lone, as nearly all can. */
GT_WRAPS static bool lone_fits(int64_t begin, int64_t end)
{
    return end == INT64_MAX || (uint64_t) end - (uint64_t) begin < LONE_ENDLESS;
}

static struct gt_pf_lone lone_pack(int64_t begin, int64_t end)
{
    return (struct gt_pf_lone){
        .begin_low = (uint32_t) begin,
        .begin_high = (uint32_t) ((uint64_t) begin >> 32),
        .duration = end == INT64_MAX ? LONE_ENDLESS : (uint32_t) gt_time_span(begin, end),
    };
}

static struct gt_pf_extent lone_extent(const struct gt_pf_lone *lone)
{
    int64_t begin = (int64_t) ((uint64_t) lone->begin_high << 32 | lone->begin_low);
    int64_t end = lone->duration == LONE_ENDLESS ? INT64_MAX : gt_time_plus(begin, lone->duration);
    return (struct gt_pf_extent){begin, end};
}

/* Gives a row a nest with its first slice. Returns NULL on failure; see gt_mem_failure. */
static struct gt_pf_nest *nest_make(struct gt_perfetto_writer *writer, struct gt_pf_row *row,
                                    struct gt_pf_extent slice)
{
    struct gt_pf_nest *nest = gt_array_push(&writer->mem, &writer->nests);
    if (!nest)
        return NULL;
    *nest = (struct gt_pf_nest){.first = slice, .sibling_count = 1, .siblings = {slice}};
    row->nest = (uint32_t) writer->nests.count & GT_PF_ROW_MASK;
    row->has_nest = true;
    return nest;
}

/* Keeps the first slice of a row. */
static gt_status row_keep_slice(struct gt_perfetto_writer *writer, struct gt_pf_row *row,
                                int64_t begin, int64_t end)
{
    const struct gt_pf_extent slice = {begin, end};
    if (!lone_fits(begin, end))
        return nest_make(writer, row, slice) ? GT_OK : gt_mem_failure(&writer->mem);
    struct gt_pf_lone *lone = gt_pf_chunks_push(&writer->lone_slices, &writer->mem, sizeof(*lone));
    if (!lone)
        return gt_mem_failure(&writer->mem);
    *lone = lone_pack(begin, end);
    row->nest = (uint32_t) writer->lone_slices.count & GT_PF_ROW_MASK;
    return GT_OK;
}

/*
 * Returns what is known of the slices of a row that has at least one. NULL on failure; see
 * gt_mem_failure.
 */
static struct gt_pf_nest *row_nest(struct gt_perfetto_writer *writer, struct gt_pf_row *row)
{
    if (row->has_nest)
        return &writer->nests.items[row->nest - 1];
    const struct gt_pf_lone *lone =
        gt_pf_chunks_item(&writer->lone_slices, row->nest - 1, sizeof(*lone));
    return nest_make(writer, row, lone_extent(lone));
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

/* Replaces an end that was not known. */
static void extent_end(struct gt_pf_extent *extent, int64_t end)
{
    if (extent->end == INT64_MAX)
        extent->end = end;
}

/* Replaces the end of the only slice of a row, if it was not known. Returns false if the slice
 * needs a nest then. */
static bool lone_finish(struct gt_perfetto_writer *writer, const struct gt_pf_row *row, int64_t end)
{
    struct gt_pf_lone *lone = gt_pf_chunks_item(&writer->lone_slices, row->nest - 1, sizeof(*lone));
    struct gt_pf_extent slice = lone_extent(lone);
    if (slice.end != INT64_MAX)
        return true;
    if (!lone_fits(slice.begin, end))
        return false;
    *lone = lone_pack(slice.begin, end);
    return true;
}

gt_status gt_pf_row_finish(struct gt_perfetto_writer *writer, struct gt_pf_row *row, int64_t end)
{
    if (row->nest == 0 || (!row->has_nest && lone_finish(writer, row, end)))
        return GT_OK;
    struct gt_pf_nest *nest = row_nest(writer, row);
    if (!nest)
        return gt_mem_failure(&writer->mem);
    extent_end(&nest->first, end);
    extent_end(&nest->siblings[nest->sibling_count - 1], end);
    return GT_OK;
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
