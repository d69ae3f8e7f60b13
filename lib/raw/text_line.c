/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/error.h"
#include "base/varint.h"
#include "raw/text.h"

gt_status gt_raw_text_fail(struct gt_raw_reader *reader, gt_status status, const char *text, ...)
{
    gt_error inner;
    va_list arguments;
    va_start(arguments, text);
    gt_error_set_list(&inner, status, 0, 0, text, arguments);
    va_end(arguments);
    return gt_error_set(&reader->input.fault, status, reader->text->offset, reader->generation,
                        "line %u: %s", reader->text->line, inner.message);
}

const char *gt_raw_text_word(const uint8_t *p, char word[GT_RAW_WORD_MAX])
{
    const uint8_t *end = p;
    while (!gt_raw_text_is_gap(end))
        end++;
    gt_string rest = {(const char *) p, (size_t) (end - p)};
    size_t size = gt_string_quote(&rest, word, GT_RAW_WORD_MAX - 1);
    word[size] = '\0';
    return word;
}

size_t gt_raw_text_wide_space(const uint8_t *p)
{
    if (p[0] == 0xc2)
        return p[1] == 0x85 || p[1] == 0xa0 ? 2 : 0;
    if (p[0] == 0xe1)
        return p[1] == 0x9a && p[2] == 0x80 ? 3 : 0;
    if (p[0] == 0xe3)
        return p[1] == 0x80 && p[2] == 0x80 ? 3 : 0;
    if (p[0] != 0xe2)
        return 0;
    if (p[1] == 0x81)
        return p[2] == 0x9f ? 3 : 0;
    if (p[1] != 0x80)
        return 0;
    return (p[2] >= 0x80 && p[2] <= 0x8a) || p[2] == 0xa8 || p[2] == 0xa9 || p[2] == 0xaf ? 3 : 0;
}

bool gt_raw_text_number(const uint8_t **p, uint64_t *value)
{
    const uint8_t *at = *p;
    uint64_t number = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned) (*at - '0');
        if (number >= UINT64_MAX / 10 && (number > UINT64_MAX / 10 || digit > UINT64_MAX % 10))
            return false;
        number = number * 10 + digit;
    }
    bool is_found = at > *p;
    *p = at;
    *value = number;
    return is_found;
}

/* Copies the last line, which has no newline, and appends a newline. */
static gt_status line_copy_last(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    size_t size = gt_source_left(&reader->input.source);
    if (gt_mem_reserve(&reader->input.mem, &text->last, &text->last_capacity, size + 1, 1) != GT_OK)
        return gt_error_plain(&reader->input.fault, gt_mem_failure(&reader->input.mem));
    memcpy(text->last, reader->input.source.cur, size);
    text->last[size] = '\n';
    text->p = text->last;
    text->end = text->last + size;
    reader->input.source.cur += size;
    return GT_OK;
}

/* Reads the next line, whatever it contains. */
static gt_status line_next(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    struct gt_source *source = &reader->input.source;
    const uint8_t *newline;
    gt_source_drop(source);
    uint64_t offset = gt_source_offset(source);
    while (
        !(newline = memchr(source->cur + text->seen, '\n', gt_source_left(source) - text->seen))) {
        text->seen = gt_source_left(source);
        if (source->ended && text->seen == 0)
            return GT_END;
        if (source->ended)
            break;
        gt_status status = gt_source_need(source, text->seen + 1);
        if (status != GT_OK)
            return status;
    }
    text->seen = 0;
    text->line++;
    text->offset = offset;
    if (!newline)
        return line_copy_last(reader);
    text->p = source->cur;
    text->end = newline;
    source->cur = newline + 1;
    return GT_OK;
}

/* Reads the widths at text->p into the record that follows. */
static gt_status line_take_widths(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    const uint8_t *p = gt_raw_text_skip(text->p);
    if (text->has_widths)
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "the record has widths already");
    text->has_widths = true;
    while (!gt_raw_text_is_end(p)) {
        char word[GT_RAW_WORD_MAX];
        const uint8_t *start = p;
        uint64_t value;
        if (!gt_raw_text_number(&p, &value) || !gt_raw_text_is_gap(p) || value > GT_VARINT_MAX)
            return gt_raw_text_fail(reader, GT_ERR_EVENT, "'%s' is no width",
                                    gt_raw_text_word(start, word));
        uint8_t *width = gt_raw_add_width(&reader->input.mem, &reader->record);
        if (!width)
            return gt_error_plain(&reader->input.fault, gt_mem_failure(&reader->input.mem));
        *width = (uint8_t) value;
        p = gt_raw_text_skip(p);
    }
    return GT_OK;
}

static gt_status line_take_comment(struct gt_raw_reader *reader, enum gt_raw_place place)
{
    struct gt_raw_text *text = reader->text;
    const uint8_t *p = text->p;
    bool is_widths = gt_raw_text_take(&p, GT_RAW_WIDTHS) && gt_raw_text_is_gap(p);
    if (!is_widths || place == GT_RAW_BEFORE_HEADER)
        return GT_OK;
    if (place == GT_RAW_WITHIN_RECORD)
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "widths within a record");
    text->p = p;
    return line_take_widths(reader);
}

gt_status gt_raw_text_next(struct gt_raw_reader *reader, enum gt_raw_place place)
{
    struct gt_raw_text *text = reader->text;
    for (;;) {
        gt_status status = line_next(reader);
        if (status != GT_OK)
            return status;
        text->p = gt_raw_text_skip(text->p);
        if (!gt_raw_text_is_end(text->p))
            return GT_OK;
        if (*text->p == '#')
            status = line_take_comment(reader, place);
        if (status != GT_OK)
            return status;
    }
}
