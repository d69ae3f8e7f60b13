/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/encode.h"

#include <assert.h>

#include "base/decimal.h"
#include "base/json_string.h"
#include "viewer/words.h"
#include "writer/number.h"

/*
 * Where the next byte goes is handed from one function to the next as `at`. In `*out` it
 * would be written and read again for each of them, as bytes may be anything, also out->at.
 */

enum {
    /* Of these there is room for one each: a name, a scope, a colour and a category, ... */
    SHORT_STRING = 256,
    /* ... or a key and a value; and for keys and numbers. */
    NUMBERS = 512
};

static_assert(4 * SHORT_STRING + NUMBERS <= GT_JSON_PIECE, "GT_JSON_PIECE");

/* Puts a literal. */
static inline char *put(char *at, const char *literal, size_t size)
{
    memcpy(at, literal, size);
    return at + size;
}

#define PUT(at, literal) put((at), (literal), sizeof(literal) - 1)

static inline char *reserve(struct gt_json_out *out, char *at)
{
    if (out->data + GT_JSON_BUFFER - at >= GT_JSON_PIECE)
        return at;
    out->at = at;
    gt_json_out_flush(out);
    return out->at;
}

/* One that is long, or has something to escape. Makes room again. */
static char *put_any_string(struct gt_json_out *out, char *at, gt_string text)
{
    out->at = at;
    gt_json_put_string(out, text);
    return out->at;
}

static inline char *put_string(struct gt_json_out *out, char *at, gt_string text)
{
    *at = '"';
    if (gt_is_word(text))
        memcpy(at + 1, text.data, GT_WORD_SIZE);
    else if (text.size > SHORT_STRING - 2 || !gt_json_string_copy(at + 1, text))
        return put_any_string(out, at, text);
    at += 1 + text.size;
    *at = '"';
    return at + 1;
}

#define PUT_NUMBER(at, key, number) gt_put_keyed((at), (key), sizeof(key) - 1, (number))

static inline char *put_row(char *at, const gt_viewer_event *event)
{
    if (event->section > 9)
        at = PUT_NUMBER(at, ",\"pid\":", event->section);
    else {
        at = PUT(at, ",\"pid\":?");
        at[-1] = (char) ('0' + event->section);
    }
    return PUT_NUMBER(at, ",\"tid\":", event->resource);
}

static inline char *put_numbers(struct gt_json_out *out, char *at, const gt_viewer_event *event)
{
    static const char duration[] = ",\"dur\":";
    at = gt_put_time(&out->time, PUT(at, ",\"ts\":"), event->time);
    if (event->duration != 0)
        at = gt_put_keyed_microseconds(at, duration, sizeof(duration) - 1, event->duration);
    at = put_row(at, event);
    if (event->id != 0)
        at = PUT_NUMBER(at, ",\"id\":", event->id);
    if (event->stack != 0)
        at = PUT_NUMBER(at, ",\"sf\":", event->stack);
    if (event->end_stack != 0)
        at = PUT_NUMBER(at, ",\"esf\":", event->end_stack);
    return at;
}

static inline char *put_argument(struct gt_json_out *out, char *at,
                                 const gt_viewer_argument *argument)
{
    at = put_string(out, at, argument->key);
    switch (argument->kind) {
    case GT_VIEWER_STRING:
        *at++ = ':';
        return put_string(out, at, argument->string);
    case GT_VIEWER_SIGNED:
        *at++ = ':';
        return gt_decimal_put_signed(at, (int64_t) argument->number);
    default:
        *at++ = ':';
        return gt_put_count(at, argument->number);
    }
}

static inline char *put_arguments(struct gt_json_out *out, char *at, const gt_viewer_event *event)
{
    at = PUT(at, ",\"args\":{");
    for (size_t i = 0; i < event->argument_count; i++) {
        if (i != 0)
            *at++ = ',';
        at = put_argument(out, reserve(out, at), &event->arguments[i]);
    }
    *at = '}';
    return at + 1;
}

void gt_json_put_event(struct gt_json_out *out, const gt_viewer_event *event)
{
    char *at = reserve(out, out->at);
    *at++ = '{';
    if (event->name.size != 0) {
        at = put_string(out, PUT(at, "\"name\":"), event->name);
        *at++ = ',';
    }
    at = PUT(at, "\"ph\":\"?\"");
    at[-2] = (char) event->phase;
    if (event->scope.size != 0)
        at = put_string(out, PUT(at, ",\"s\":"), event->scope);
    at = put_numbers(out, at, event);
    if (event->arguments)
        at = put_arguments(out, at, event);
    if (event->color.size != 0)
        at = put_string(out, PUT(at, ",\"cname\":"), event->color);
    if (event->category.size != 0)
        at = put_string(out, PUT(at, ",\"cat\":"), event->category);
    *at++ = '}';
    *at++ = '\n';
    out->at = at;
}
