/* SPDX-License-Identifier: BSD-3-Clause */
#include "profiletext.h"

#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "text.h"

/* Lines one after the other. */
struct text {
    char *data;
    size_t size;
    size_t capacity;
};

/* Returns room for `size` bytes after the text, or NULL if there is not enough memory. */
static char *profiletext_reserve(struct text *text, size_t size)
{
    if (!list_reserve(&text->data, &text->capacity, text->size + size, 1))
        return NULL;
    return text->data + text->size;
}

static bool profiletext_add_text(struct text *text, const char *from, size_t size)
{
    char *to = profiletext_reserve(text, size);
    if (!to)
        return false;
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char) from[i] < ' ' ? '?' : from[i];
    text->size += size;
    return true;
}

static bool profiletext_add_number(struct text *text, uint64_t number, char end)
{
    char *to = profiletext_reserve(text, OUTPUT_NUMBER_MAX + 1);
    if (!to)
        return false;
    to = put_unsigned(to, number);
    *to++ = end;
    text->size = (size_t) (to - text->data);
    return true;
}

static bool profiletext_add_state(struct text *text, const gt_profile_sample *sample)
{
    if (sample->state == GT_GO_UNDETERMINED)
        return true;
    const char *name = gt_go_state_name(sample->state);
    return profiletext_add_text(text, "[", 1) && profiletext_add_text(text, name, strlen(name)) &&
           profiletext_add_text(text, "];", sample->frame_count > 0 ? 2 : 1);
}

static bool profiletext_end_line(struct text *text)
{
    char *to = profiletext_reserve(text, 1);
    if (!to)
        return false;
    *to = '\n';
    text->size++;
    return true;
}

static bool profiletext_add_line(struct text *text, const gt_profile_sample *sample)
{
    bool good = profiletext_add_number(text, sample->count, ' ') &&
                profiletext_add_number(text, sample->nanoseconds, ' ') &&
                profiletext_add_state(text, sample);
    for (size_t i = 0; i < sample->frame_count && good; i++) {
        const gt_frame *frame = &sample->frames[i];
        good = profiletext_add_text(text, frame->function.data, frame->function.size) &&
               profiletext_add_text(text, ":", 1) &&
               profiletext_add_number(text, frame->line, i + 1 < sample->frame_count ? ';' : '\n');
    }
    return good && (sample->frame_count > 0 || profiletext_end_line(text));
}

static int profiletext_compare_lines(const void *a, const void *b)
{
    return text_compare(*(const gt_string *) a, *(const gt_string *) b);
}

/* Sorts the lines without their line feeds, because some characters in lines are smaller than a
 * line feed. */
static bool profiletext_write_sorted(struct output *out, const struct text *text, size_t count)
{
    gt_string *lines = malloc(count * sizeof(*lines));
    if (!lines)
        return false;
    const char *start = text->data;
    for (size_t i = 0; i < count; i++) {
        const char *end = memchr(start, '\n', text->size - (size_t) (start - text->data));
        lines[i] = (gt_string){start, (size_t) (end - start)};
        start = end + 1;
    }
    qsort(lines, count, sizeof(*lines), profiletext_compare_lines);
    for (size_t i = 0; i < count; i++) {
        output_bytes(out, lines[i].data, lines[i].size);
        output_text(out, "\n");
    }
    free(lines);
    return true;
}

gt_status profiletext_write(struct output *out, gt_profile *profile, uint32_t kind)
{
    struct text text = {NULL, 0, 0};
    size_t count = gt_profile_count(profile, kind);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
        gt_status status = gt_profile_get_sample(profile, kind, i, &sample);
        good = status == GT_OK && profiletext_add_line(&text, &sample);
    }
    if (good && count > 0)
        good = profiletext_write_sorted(out, &text, count);
    free(text.data);
    return good ? GT_OK : GT_ERR_NO_MEMORY;
}
