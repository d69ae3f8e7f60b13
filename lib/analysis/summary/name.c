/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

#include "analysis/frames.h"

gt_status gt_summary_root_frame(struct gt_summary *summary, gt_stack stack, gt_frame *frame)
{
    static const gt_frame none = {0, 0, {"", 0}, {"", 0}};
    *frame = none;
    if (stack == GT_STACK_NONE || !gt_frames_are_known(summary->reader, summary->event))
        return GT_OK;
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_event_frames(summary->reader, summary->event, stack, &frames, &count);
    if (count > 0)
        *frame = frames[count - 1];
    return status;
}

/* Puts "stop-the-world (CAUSE)" together in the buffer. */
static gt_status name_of_cause(struct gt_summary *summary, gt_string *cause)
{
    static const char begin[] = "stop-the-world (";
    size_t size = sizeof(begin) + cause->size;
    gt_status status = gt_array_reserve(&summary->mem, &summary->full_name, size);
    if (status != GT_OK)
        return status;
    char *name = summary->full_name.items;
    memcpy(name, begin, sizeof(begin) - 1);
    memcpy(name + sizeof(begin) - 1, cause->data, cause->size);
    name[size - 1] = ')';
    *cause = (gt_string){name, size};
    return GT_OK;
}

/*
 * Makes a name of a text that is not one yet, and keeps the reference to it. When there are
 * GT_SUMMARY_MAX_NAMES already, the result is the name that stands for all others.
 */
static struct gt_shared_text *name_admit(struct gt_summary *summary, struct gt_shared_text *text)
{
    static const gt_string other = {GT_SUMMARY_OTHER, sizeof(GT_SUMMARY_OTHER) - 1};
    if (summary->name_count < GT_SUMMARY_MAX_NAMES) {
        summary->name_count++;
        text->mark = 1;
        return text;
    }
    gt_shared_text_drop(&summary->texts, text);
    if (!summary->other)
        summary->other = gt_shared_text_get(&summary->texts, other);
    return summary->other;
}

static const struct gt_shared_text *name_find(struct gt_summary *summary, gt_string string,
                                              bool is_cause)
{
    if (is_cause && name_of_cause(summary, &string) != GT_OK)
        return NULL;
    struct gt_shared_text *text = gt_shared_text_get(&summary->texts, string);
    if (!text || !text->mark)
        return text ? name_admit(summary, text) : NULL;
    gt_shared_text_drop(&summary->texts, text);
    return text;
}

const struct gt_shared_text *gt_summary_name(struct gt_summary *summary, gt_string string,
                                             bool is_cause)
{
    uintptr_t address = (uintptr_t) string.data;
    struct gt_recent_name *recent = &summary->recent[(address ^ address >> 5) % GT_RECENT_NAMES];
    if (recent->name && recent->data == string.data && recent->size == string.size &&
        recent->is_cause == is_cause)
        return recent->name;
    const struct gt_shared_text *name = name_find(summary, string, is_cause);
    *recent = (struct gt_recent_name){string.data, string.size, is_cause, name};
    return name;
}
