/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/encode.h"

#include <assert.h>

#include "base/decimal.h"
#include "base/json_string.h"
#include "viewer/words.h"
#include "writer/number.h"
#include "writer/real.h"

/*
 * The functions of this file pass the position in the buffer as `to` instead of updating out->end:
 * any write of a char could change out->end, so the compiler would have to load and store it each
 * time.
 */

enum {
    /*
     * Strings up to this size need no separate check for room: GT_JSON_PIECE suffices for the four
     * strings of an event (name, scope, colour and category), or the two of an argument.
     */
    SHORT_STRING = 256,
    /* Room for all keys and numbers of an event. */
    NUMBERS = 512
};

static_assert(4 * SHORT_STRING + NUMBERS <= GT_JSON_PIECE, "GT_JSON_PIECE");

static inline char *encode_literal(char *to, const char *literal, size_t size)
{
    memcpy(to, literal, size);
    return to + size;
}

#define PUT_LITERAL(to, literal) encode_literal((to), (literal), sizeof(literal) - 1)

static inline char *encode_reserve(struct gt_json_out *out, char *to)
{
    if (out->limit - to >= GT_JSON_PIECE)
        return to;
    out->end = to;
    gt_json_out_flush(out);
    return out->end;
}

/* Writes a string that is long or needs escapes, and then makes room for the rest of the event. */
static char *encode_any_string(struct gt_json_out *out, char *to, gt_string text)
{
    out->end = to;
    gt_json_put_string(out, text);
    return out->end;
}

static inline char *encode_string(struct gt_json_out *out, char *to, gt_string text)
{
    *to = '"';
    if (gt_is_word(text))
        memcpy(to + 1, text.data, GT_WORD_SIZE);
    else if (text.size > SHORT_STRING - 2 || !gt_json_string_copy(to + 1, text))
        return encode_any_string(out, to, text);
    to += 1 + text.size;
    *to = '"';
    return to + 1;
}

#define PUT_NUMBER(to, key, number) gt_number_put_keyed((to), (key), sizeof(key) - 1, (number))

static inline char *encode_row(char *to, const gt_viewer_event *event)
{
    if (event->section > 9)
        to = PUT_NUMBER(to, ",\"pid\":", event->section);
    else {
        to = PUT_LITERAL(to, ",\"pid\":?");
        to[-1] = (char) ('0' + event->section);
    }
    return PUT_NUMBER(to, ",\"tid\":", event->resource);
}

static inline char *encode_numbers(struct gt_json_out *out, char *to, const gt_viewer_event *event)
{
    static const char duration[] = ",\"dur\":";
    to = gt_time_put(&out->time, PUT_LITERAL(to, ",\"ts\":"), event->time);
    if (event->duration != 0)
        to = gt_microseconds_put_keyed(to, duration, sizeof(duration) - 1, event->duration);
    to = encode_row(to, event);
    if (event->id != 0)
        to = PUT_NUMBER(to, ",\"id\":", event->id);
    if (event->stack != 0)
        to = PUT_NUMBER(to, ",\"sf\":", event->stack);
    if (event->end_stack != 0)
        to = PUT_NUMBER(to, ",\"esf\":", event->end_stack);
    return to;
}

static inline char *encode_argument(struct gt_json_out *out, char *to,
                                    const gt_viewer_argument *argument)
{
    to = encode_string(out, to, argument->key);
    *to++ = ':';
    switch (argument->kind) {
    case GT_VIEWER_STRING:
        return encode_string(out, to, argument->string);
    case GT_VIEWER_DOUBLE:
        return gt_real_put(to, argument->real);
    case GT_VIEWER_SIGNED:
        return gt_decimal_put_signed(to, (int64_t) argument->number);
    default:
        return gt_number_put(to, argument->number);
    }
}

static inline char *encode_arguments(struct gt_json_out *out, char *to,
                                     const gt_viewer_event *event)
{
    to = PUT_LITERAL(to, ",\"args\":{");
    for (size_t i = 0; i < event->argument_count; i++) {
        if (i != 0)
            *to++ = ',';
        to = encode_argument(out, encode_reserve(out, to), &event->arguments[i]);
    }
    *to = '}';
    return to + 1;
}

void gt_json_put_event(struct gt_json_out *out, const gt_viewer_event *event)
{
    char *to = encode_reserve(out, out->end);
    *to++ = '{';
    if (event->name.size != 0) {
        to = encode_string(out, PUT_LITERAL(to, "\"name\":"), event->name);
        *to++ = ',';
    }
    to = PUT_LITERAL(to, "\"ph\":\"?\"");
    to[-2] = (char) event->phase;
    if (event->scope.size != 0)
        to = encode_string(out, PUT_LITERAL(to, ",\"s\":"), event->scope);
    to = encode_numbers(out, to, event);
    if (event->arguments)
        to = encode_arguments(out, to, event);
    if (event->color.size != 0)
        to = encode_string(out, PUT_LITERAL(to, ",\"cname\":"), event->color);
    if (event->category.size != 0)
        to = encode_string(out, PUT_LITERAL(to, ",\"cat\":"), event->category);
    *to++ = '}';
    *to++ = '\n';
    out->end = to;
}
