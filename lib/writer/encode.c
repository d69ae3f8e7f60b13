/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/encode.h"

#include "base/decimal.h"
#include "writer/number.h"
#include "writer/quote.h"

#define PUT_STRING(out, key, string)                                                               \
    do {                                                                                           \
        if ((string).size != 0) {                                                                  \
            GT_JSON_PUT(out, key);                                                                 \
            gt_json_put_string(out, (string));                                                     \
        }                                                                                          \
    } while (0)

#define PUT_UNSIGNED(out, key, number)                                                             \
    do {                                                                                           \
        GT_JSON_PUT(out, key);                                                                     \
        (out)->at = gt_decimal_put((out)->at, (number));                                           \
    } while (0)

static void put_numbers(struct gt_json_out *out, const gt_viewer_event *event)
{
    GT_JSON_PUT(out, ",\"ts\":");
    out->at = gt_put_microseconds(out->at, event->time);
    if (event->duration != 0) {
        GT_JSON_PUT(out, ",\"dur\":");
        out->at = gt_put_microseconds(out->at, event->duration);
    }
    PUT_UNSIGNED(out, ",\"pid\":", event->section);
    PUT_UNSIGNED(out, ",\"tid\":", event->resource);
    if (event->id != 0)
        PUT_UNSIGNED(out, ",\"id\":", event->id);
    if (event->stack != 0)
        PUT_UNSIGNED(out, ",\"sf\":", event->stack);
    if (event->end_stack != 0)
        PUT_UNSIGNED(out, ",\"esf\":", event->end_stack);
}

static void put_argument(struct gt_json_out *out, const gt_viewer_argument *argument)
{
    gt_json_put_string(out, argument->key);
    *out->at++ = ':';
    switch (argument->kind) {
    case GT_VIEWER_STRING:
        gt_json_put_string(out, argument->string);
        break;
    case GT_VIEWER_SIGNED:
        out->at = gt_decimal_put_signed(out->at, (int64_t) argument->number);
        break;
    default:
        out->at = gt_decimal_put(out->at, argument->number);
        break;
    }
}

static void put_arguments(struct gt_json_out *out, const gt_viewer_event *event)
{
    GT_JSON_PUT(out, ",\"args\":{");
    for (size_t i = 0; i < event->argument_count; i++) {
        if (i != 0)
            *out->at++ = ',';
        put_argument(out, &event->arguments[i]);
    }
    gt_json_out_reserve(out);
    *out->at++ = '}';
}

void gt_json_put_event(struct gt_json_out *out, const gt_viewer_event *event)
{
    gt_json_out_reserve(out);
    *out->at++ = '{';
    if (event->name.size != 0) {
        GT_JSON_PUT(out, "\"name\":");
        gt_json_put_string(out, event->name);
        *out->at++ = ',';
    }
    GT_JSON_PUT(out, "\"ph\":\"");
    *out->at++ = (char) event->phase;
    *out->at++ = '"';
    PUT_STRING(out, ",\"s\":", event->scope);
    gt_json_out_reserve(out);
    put_numbers(out, event);
    gt_json_out_reserve(out);
    if (event->arguments)
        put_arguments(out, event);
    PUT_STRING(out, ",\"cname\":", event->color);
    PUT_STRING(out, ",\"cat\":", event->category);
    *out->at++ = '}';
    *out->at++ = '\n';
}
