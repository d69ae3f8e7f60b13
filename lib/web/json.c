/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/json_string.h"
#include "web/array.h"
#include "web/put.h"

enum {
    PIECE = 256,
    REAL_MAX = 32
};

/* Whole numbers whose absolute value is below this are written as integers. */
#define WHOLE_MAX 1e15

static void json_put(struct gt_json *json, const char *data, size_t size)
{
    if (!json->held) {
        gt_response_bytes(json->out, data, size);
    } else if (!json->failed &&
               gt_web_array_reserve(&json->data, &json->room, json->used + size, 1)) {
        memcpy(json->data + json->used, data, size);
        json->used += size;
    } else {
        json->failed = true;
    }
}

/* Writes the comma before a value or a key, if one is needed. */
static void json_begin(struct gt_json *json)
{
    if (json->comma)
        json_put(json, ",", 1);
    json->comma = true;
}

static void json_begin_list(struct gt_json *json, const char *bracket)
{
    json_begin(json);
    json_put(json, bracket, 1);
    json->comma = false;
}

static void json_end_list(struct gt_json *json, const char *bracket)
{
    json_put(json, bracket, 1);
    json->comma = true;
}

void gt_json_init(struct gt_json *json, struct gt_response *out)
{
    *json = (struct gt_json){.out = out};
    gt_response_set_type(out, "application/json");
}

void gt_json_hold(struct gt_json *json)
{
    json->held = true;
}

void gt_json_release(struct gt_json *json)
{
    json->held = false;
    if (json->failed)
        gt_response_error(json->out, 503, "out of memory");
    else
        gt_response_bytes(json->out, json->data, json->used);
    free(json->data);
    json->data = NULL;
    json->used = json->room = 0;
}

void gt_json_object(struct gt_json *json)
{
    json_begin_list(json, "{");
}

void gt_json_end_object(struct gt_json *json)
{
    json_end_list(json, "}");
}

void gt_json_array(struct gt_json *json)
{
    json_begin_list(json, "[");
}

void gt_json_end_array(struct gt_json *json)
{
    json_end_list(json, "]");
}

void gt_json_key(struct gt_json *json, const char *key)
{
    char piece[PIECE];
    size_t size = strlen(key);
    json_begin(json);
    json->comma = false;
    if (size > sizeof(piece) - 3)
        size = sizeof(piece) - 3;
    char *to = gt_web_put_bytes(gt_web_put_text(piece, "\""), key, size);
    to = gt_web_put_text(to, "\":");
    json_put(json, piece, (size_t) (to - piece));
}

void gt_json_string(struct gt_json *json, gt_string string)
{
    char piece[PIECE];
    json_begin(json);
    json_put(json, "\"", 1);
    while (string.size > 0)
        json_put(json, piece,
                 gt_json_string_put(&string, piece, sizeof(piece), GT_JSON_REPLACEMENT_ESCAPED));
    json_put(json, "\"", 1);
}

void gt_json_text(struct gt_json *json, const char *text)
{
    gt_json_string(json, (gt_string){text, strlen(text)});
}

void gt_json_int(struct gt_json *json, int64_t value)
{
    char piece[1 + GT_DECIMAL_MAX];
    json_begin(json);
    json_put(json, piece, (size_t) (gt_decimal_put_signed(piece, value) - piece));
}

void gt_json_uint(struct gt_json *json, uint64_t value)
{
    char piece[1 + GT_DECIMAL_MAX];
    json_begin(json);
    json_put(json, piece, (size_t) (gt_decimal_put(piece, value) - piece));
}

/*
 * Replaces the locale's decimal point, which may have several bytes, by '.'. Returns the new size.
 */
static size_t decimal_point_fix(char *number)
{
    char *to = number;
    for (const char *from = number; *from != '\0'; from++) {
        if (strchr("+-0123456789e", *from))
            *to++ = *from;
        else if (to == number || to[-1] != '.')
            *to++ = '.';
    }
    return (size_t) (to - number);
}

void gt_json_real(struct gt_json *json, double value)
{
    char piece[REAL_MAX];
    if (!isfinite(value))
        value = 0;
    if (value > -WHOLE_MAX && value < WHOLE_MAX && value == (double) (int64_t) value) {
        gt_json_int(json, (int64_t) value);
        return;
    }
    json_begin(json);
    snprintf(piece, sizeof(piece), "%.12g", value);
    json_put(json, piece, decimal_point_fix(piece));
}

void gt_json_bool(struct gt_json *json, bool value)
{
    json_begin(json);
    json_put(json, value ? "true" : "false", value ? 4 : 5);
}

void gt_json_null(struct gt_json *json)
{
    json_begin(json);
    json_put(json, "null", 4);
}

void gt_json_key_string(struct gt_json *json, const char *key, gt_string value)
{
    gt_json_key(json, key);
    gt_json_string(json, value);
}

void gt_json_key_text(struct gt_json *json, const char *key, const char *value)
{
    gt_json_key(json, key);
    gt_json_text(json, value);
}

void gt_json_key_int(struct gt_json *json, const char *key, int64_t value)
{
    gt_json_key(json, key);
    gt_json_int(json, value);
}

void gt_json_key_uint(struct gt_json *json, const char *key, uint64_t value)
{
    gt_json_key(json, key);
    gt_json_uint(json, value);
}

void gt_json_key_real(struct gt_json *json, const char *key, double value)
{
    gt_json_key(json, key);
    gt_json_real(json, value);
}

void gt_json_key_bool(struct gt_json *json, const char *key, bool value)
{
    gt_json_key(json, key);
    gt_json_bool(json, value);
}

void gt_json_key_null(struct gt_json *json, const char *key)
{
    gt_json_key(json, key);
    gt_json_null(json);
}
