/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"
#include "viewer/check.h"
#include "writer/perfetto.h"
#include "writer/perfetto_fields.h"

/* Samples of a profiler. Their message is younger than TrackEvent: version 58 is the first. */

enum {
    SAMPLE_MAX = 6 * GT_PROTO_FIELD_MAX,
    CONTEXT_NAME_MAX = 1 + GT_DECIMAL_MAX
};

gt_status gt_pf_sample_add_defaults(struct gt_perfetto_writer *writer)
{
    static const gt_string source = GT_LITERAL("go.cpu"), name = GT_LITERAL("cpu-time");
    struct gt_pf_bytes *counter = &writer->annotation, *defaults = &writer->inner;
    counter->count = defaults->count = 0;
    gt_status status = gt_pf_text_field(writer, counter, GT_PF_SAMPLE_COUNTER_NAME, name);
    if (status == GT_OK)
        status = gt_pf_reserve(writer, counter, GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    gt_pf_number(counter, GT_PF_SAMPLE_COUNTER_UNIT, GT_PF_UNIT_NANOSECONDS);
    status = gt_pf_text_field(writer, defaults, GT_PF_SAMPLE_SOURCE, source);
    if (status == GT_OK)
        status = gt_pf_nested(writer, defaults, GT_PF_SAMPLE_COUNTER, counter);
    return status == GT_OK ? gt_pf_nested(writer, &writer->event, GT_PF_DEFAULTS_SAMPLE, defaults)
                           : status;
}

/* Defines a row as what samples are of, unless it is. */
static gt_status context_define(struct gt_perfetto_writer *writer, uint32_t number)
{
    struct gt_pf_row *row = gt_pf_row(writer, number);
    static const gt_string goroutine = GT_LITERAL("goroutine"), other = GT_LITERAL("row");
    struct gt_pf_bytes *inner = &writer->inner;
    bool is_goroutine = row->source == GT_PERFETTO_GOROUTINES;
    char name[CONTEXT_NAME_MAX] = "G";
    const char *end = gt_decimal_put_signed(name + is_goroutine, (int64_t) row->id);
    const gt_string text = {name, (size_t) (end - name)};
    if (row->is_context)
        return GT_OK;
    gt_status status = gt_pf_reserve(writer, inner, GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    inner->count = 0;
    gt_pf_number(inner, GT_PF_ENTRY_IID, (uint64_t) number + 1);
    status = gt_pf_text_field(writer, inner, GT_PF_ENTRY_TEXT, text);
    if (status == GT_OK)
        status =
            gt_pf_text_field(writer, inner, GT_PF_CONTEXT_KIND, is_goroutine ? goroutine : other);
    if (status == GT_OK)
        status = gt_pf_nested(writer, &writer->interned, GT_PF_INTERNED_CONTEXTS, inner);
    row->is_context = status == GT_OK;
    return status;
}

/* Appends the thread and the row of a sample. */
static gt_status sample_add_task(struct gt_perfetto_writer *writer,
                                 const gt_perfetto_sample *sample, uint32_t row)
{
    struct gt_pf_bytes *inner = &writer->inner;
    gt_status status = gt_pf_reserve(writer, inner, 3 * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    inner->count = 0;
    if (sample->thread != 0)
        gt_pf_number(inner, GT_PF_TASK_TID, sample->thread);
    else if (writer->has_pid)
        gt_pf_number(inner, GT_PF_TASK_PID, writer->options.pid);
    if (row != GT_PF_NO_ROW)
        gt_pf_number(inner, GT_PF_TASK_CONTEXT, (uint64_t) row + 1);
    return gt_pf_nested(writer, &writer->event, GT_PF_SAMPLE_TASK, inner);
}

gt_status gt_pf_sample(struct gt_pf_source *source, const gt_perfetto_sample *sample)
{
    struct gt_perfetto_writer *writer = source->writer;
    uint32_t row = GT_PF_NO_ROW, stack;
    /* The descriptor of the thread says to which process it belongs. */
    if (sample->thread != 0 && gt_pf_row_make(&writer->sources[GT_PERFETTO_THREADS],
                                              GT_SECTION_RESOURCES, sample->thread) == GT_PF_NO_ROW)
        return gt_mem_failure(&writer->mem);
    if (sample->resource != 0) {
        row = gt_pf_row_make(source, GT_SECTION_RESOURCES, sample->resource);
        if (row == GT_PF_NO_ROW)
            return gt_mem_failure(&writer->mem);
    }
    gt_status status = row != GT_PF_NO_ROW ? context_define(writer, row) : GT_OK;
    if (status == GT_OK)
        status = gt_pf_stack(source, sample->stack, &stack);
    if (status == GT_OK)
        status = gt_pf_reserve(writer, &writer->event, SAMPLE_MAX);
    if (status != GT_OK)
        return status;
    writer->event.count = 0;
    status = sample_add_task(writer, sample, row);
    if (status == GT_OK)
        status = gt_pf_reserve(writer, &writer->event, SAMPLE_MAX);
    if (status != GT_OK)
        return status;
    gt_pf_number(&writer->event, GT_PF_SAMPLE_CALLSTACK_IID, stack);
    gt_pf_number(&writer->event, GT_PF_SAMPLE_WEIGHT, sample->weight);
    gt_pf_put_timed(writer, GT_PF_PACKET_STACK_SAMPLE, sample->time);
    writer->info.stacks++;
    return GT_OK;
}
