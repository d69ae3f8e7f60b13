/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "viewer/check.h"
#include "viewer/emitter.h"

/* Says what is wrong with a counter; NULL if nothing is. */
static const char *counter_fault(const gt_counter *counter)
{
    if (!gt_string_is_good(counter->name))
        return "the name of the counter has no data";
    if (!gt_string_is_good(counter->unit))
        return "the unit of the counter has no data";
    if (!counter->values || counter->value_count == 0)
        return "the counter has no values";
    if (!gt_arguments_are_good(counter->values, counter->value_count))
        return "a value of the counter is not valid";
    for (size_t i = 0; i < counter->value_count; i++) {
        if (counter->values[i].kind == GT_VIEWER_STRING)
            return "a value of the counter is not a number";
    }
    return NULL;
}

/* Composes "NAME (UNIT)", because the format has no field for a unit. */
static gt_status counter_label(struct gt_emitter *emitter, const gt_counter *counter,
                               gt_string *label)
{
    *label = counter->name;
    if (counter->unit.size == 0)
        return GT_OK;
    const size_t name = counter->name.size, unit = counter->unit.size;
    if (name > SIZE_MAX / 4 || unit > SIZE_MAX / 4)
        return GT_ERR_LIMIT;
    emitter->label.count = 0;
    gt_status status = gt_array_reserve(&emitter->mem, &emitter->label, name + unit + 3);
    if (status != GT_OK)
        return status;
    char *text = emitter->label.items;
    if (name != 0)
        memcpy(text, counter->name.data, name);
    memcpy(text + name, " (", 2);
    memcpy(text + name + 2, counter->unit.data, unit);
    text[name + 2 + unit] = ')';
    *label = (gt_string){text, name + unit + 3};
    return GT_OK;
}

static gt_status counter_emit(struct gt_emitter *emitter, const gt_counter *in)
{
    gt_counter copy;
    const gt_counter *counter =
        gt_struct_view(in, &copy, sizeof(copy), GT_UP_TO(gt_counter, value_count));
    const char *fault = counter ? counter_fault(counter) : "the size of the counter is wrong";
    if (fault)
        return gt_emitter_refuse(emitter, fault);
    if (!gt_emitter_in_range(emitter, counter->time))
        return GT_OK;
    gt_viewer_event event = gt_viewer_event_make('C', GT_SECTION_STATS, 0, counter->time);
    gt_status status = counter_label(emitter, counter, &event.name);
    if (status != GT_OK)
        return status;
    event.arguments = counter->values;
    event.argument_count = counter->value_count;
    return gt_emitter_give(emitter, &event, false);
}

gt_status gt_emitter_counter(gt_emitter *emitter, const gt_counter *counter)
{
    return gt_emitter_enter(emitter) ? gt_emitter_leave(emitter, counter_emit(emitter, counter))
                                     : gt_emitter_refusal(emitter);
}
