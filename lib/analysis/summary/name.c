/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/summary/summary.h"

gt_status gt_summary_root(struct gt_summary *s, gt_stack stack, gt_frame *frame)
{
    static const gt_frame none = {0, 0, {"", 0}, {"", 0}};
    *frame = none;
    if (stack == GT_STACK_NONE || !s->reader)
        return GT_OK;
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(s->reader, stack, &frames, &count);
    if (count > 0)
        *frame = frames[count - 1];
    return status;
}

/* "stop-the-world (" cause ")", or the string itself. NULL: no memory. */
static const char *full_name(struct gt_summary *s, gt_string *string, int is_cause)
{
    static const char begin[] = "stop-the-world (";
    if (!is_cause)
        return string->data;
    size_t size = sizeof(begin) + string->size;
    if (gt_mem_reserve(&s->mem, &s->full_name, &s->full_name_capacity, size, 1) != GT_OK)
        return NULL;
    memcpy(s->full_name, begin, sizeof(begin) - 1);
    memcpy(s->full_name + sizeof(begin) - 1, string->data, string->size);
    s->full_name[size - 1] = ')';
    string->size = size;
    return s->full_name;
}

/* Counts the text, which is a name for the first time, or gives the one for the rest. */
static struct gt_shared_text *new_name(struct gt_summary *s, struct gt_shared_text *text)
{
    static const gt_string other = {GT_SUMMARY_OTHER, sizeof(GT_SUMMARY_OTHER) - 1};
    if (s->name_count < GT_SUMMARY_MAX_NAMES) {
        s->name_count++;
        text->mark = 1;
        return text;
    }
    gt_shared_text_drop(&s->texts, text);
    if (!s->other)
        s->other = gt_shared_text_get(&s->texts, other);
    return s->other;
}

static const struct gt_shared_text *find_name(struct gt_summary *s, gt_string string, int is_cause)
{
    string.data = full_name(s, &string, is_cause);
    if (!string.data)
        return NULL;
    struct gt_shared_text *text = gt_shared_text_get(&s->texts, string);
    if (!text || !text->mark)
        return text ? new_name(s, text) : NULL;
    gt_shared_text_drop(&s->texts, text);
    return text;
}

const struct gt_shared_text *gt_summary_name(struct gt_summary *s, gt_string string, int is_cause)
{
    uintptr_t place = (uintptr_t) string.data;
    struct gt_recent_name *recent = &s->recent[(place ^ place >> 5) % GT_RECENT_NAMES];
    if (recent->name && recent->data == string.data && recent->size == string.size &&
        recent->is_cause == is_cause)
        return recent->name;
    const struct gt_shared_text *name = find_name(s, string, is_cause);
    recent->data = string.data;
    recent->size = string.size;
    recent->is_cause = is_cause;
    recent->name = name;
    return name;
}
