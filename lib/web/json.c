/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/json_string.h"
#include "base/text.h"

enum {
    PIECE = 256,
    REAL_MAX = 32,
    /* After so many digits most numbers are rounded; with these ones none is changed. */
    REAL_DIGITS = 12,
    EXACT_DIGITS = 17,
    /* The bytes that are reserved for what gt_json_finish writes, and for members after a list that
     * was cut. */
    LAST_ROOM = 32,
    MEMBERS_ROOM = 64 * 1024,
    /* The most bytes after a value in the outermost object, and after one that is deeper. */
    MOST = GT_RESPONSE_MOST - LAST_ROOM,
    MOST_IN_LISTS = MOST - MEMBERS_ROOM
};

/* Whole numbers whose absolute value is below this are written as integers. */
#define WHOLE_MAX 1e15

/* Drops the incomplete value, and the rest of the member that it is a part of. */
static void json_cut(struct gt_json *json)
{
    json->out->used = json->complete_size;
    json->is_dropping = true;
    json->is_truncated = true;
}

static void json_put(struct gt_json *json, const char *data, size_t size)
{
    const size_t most = json->depth > 1 ? MOST_IN_LISTS : MOST;
    if (!json->is_dropping && json->out->used + size > most)
        json_cut(json);
    if (!json->is_dropping)
        gt_response_bytes(json->out, data, size);
}

/* Writes the comma before a value or a key, if one is needed. */
static void json_begin(struct gt_json *json)
{
    if (json->comma)
        json_put(json, ",", 1);
    json->comma = true;
}

/* Saves the state after a complete value, or after the beginning of one, to which json_cut
 * returns. */
static void json_complete(struct gt_json *json)
{
    if (json->is_dropping || json->depth > 2)
        return;
    json->complete_size = json->out->used;
    json->complete_depth = json->depth;
}

/* Follows each value. The end of a member of the outermost object also ends the dropping. */
static void json_end_value(struct gt_json *json)
{
    if (json->depth <= 1)
        json->is_dropping = false;
    json_complete(json);
}

/* Writes a value that is neither an object nor an array and needs no escapes. */
static void json_put_value(struct gt_json *json, const char *data, size_t size)
{
    json_begin(json);
    json_put(json, data, size);
    json_end_value(json);
}

static void json_open(struct gt_json *json, bool is_array)
{
    json_begin(json);
    json_put(json, is_array ? "[" : "{", 1);
    json->arrays = json->arrays << 1 | is_array;
    json->depth++;
    json->comma = false;
    json_complete(json);
}

void gt_json_start(struct gt_json *json, struct gt_response *out)
{
    *json = (struct gt_json){.out = out};
    gt_response_set_type(out, "application/json");
    gt_json_object(json);
}

void gt_json_finish(struct gt_json *json)
{
    while (json->depth > 1)
        gt_json_end(json);
    /* There is room for this, and other members come before it: only what is large is dropped. */
    gt_response_text(json->out, json->is_truncated ? ",\"truncated\":true}" : "}");
}

void gt_json_object(struct gt_json *json)
{
    json_open(json, false);
}

void gt_json_array(struct gt_json *json)
{
    json_open(json, true);
}

void gt_json_end(struct gt_json *json)
{
    const char bracket = json->arrays & 1 ? ']' : '}';
    /* The member that was cut must be closed, unless its beginning was dropped as well. */
    if (json->is_dropping && json->depth == 2 && json->complete_depth == 2)
        gt_response_bytes(json->out, &bracket, 1);
    json->arrays >>= 1;
    json->depth--;
    json_put(json, &bracket, 1);
    json->comma = true;
    json_end_value(json);
}

static void json_put_string(struct gt_json *json, gt_string string)
{
    char piece[PIECE];
    json_begin(json);
    json_put(json, "\"", 1);
    while (string.size > 0)
        json_put(json, piece, gt_json_string_put(&string, piece, sizeof(piece)));
    json_put(json, "\"", 1);
}

void gt_json_string(struct gt_json *json, gt_string string)
{
    json_put_string(json, string);
    json_end_value(json);
}

void gt_json_text(struct gt_json *json, const char *text)
{
    gt_json_string(json, (gt_string){text, strlen(text)});
}

void gt_json_int(struct gt_json *json, int64_t value)
{
    char piece[1 + GT_DECIMAL_MAX];
    json_put_value(json, piece, (size_t) (gt_decimal_put_signed(piece, value) - piece));
}

void gt_json_uint(struct gt_json *json, uint64_t value)
{
    char piece[1 + GT_DECIMAL_MAX];
    json_put_value(json, piece, (size_t) (gt_decimal_put(piece, value) - piece));
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

/* Writes a number with so many digits, and whole ones with all of them. */
static void json_put_real(struct gt_json *json, double value, int digits)
{
    char piece[REAL_MAX];
    if (!isfinite(value))
        value = 0;
    if (value > -WHOLE_MAX && value < WHOLE_MAX && value == (double) (int64_t) value) {
        gt_json_int(json, (int64_t) value);
        return;
    }
    snprintf(piece, sizeof(piece), "%.*g", digits, value);
    json_put_value(json, piece, decimal_point_fix(piece));
}

void gt_json_real(struct gt_json *json, double value)
{
    json_put_real(json, value, REAL_DIGITS);
}

void gt_json_key(struct gt_json *json, gt_string key)
{
    json_put_string(json, key);
    json_put(json, ":", 1);
    json->comma = false;
}

/* Writes a key. Returns the JSON, for which a value is to be written. */
static struct gt_json *json_at(struct gt_json *json, const char *key)
{
    gt_json_key(json, (gt_string){key, strlen(key)});
    return json;
}

void gt_json_key_raw(struct gt_json *json, const char *key, gt_string value)
{
    json_put_value(json_at(json, key), value.data, value.size);
}

static void json_word(struct gt_json *json, const char *word)
{
    json_put_value(json, word, strlen(word));
}

void gt_json_key_object(struct gt_json *json, const char *key)
{
    gt_json_object(json_at(json, key));
}

void gt_json_key_array(struct gt_json *json, const char *key)
{
    gt_json_array(json_at(json, key));
}

void gt_json_key_string(struct gt_json *json, const char *key, gt_string value)
{
    gt_json_string(json_at(json, key), value);
}

void gt_json_key_text(struct gt_json *json, const char *key, const char *value)
{
    gt_json_text(json_at(json, key), value);
}

void gt_json_key_int(struct gt_json *json, const char *key, int64_t value)
{
    gt_json_int(json_at(json, key), value);
}

void gt_json_key_uint(struct gt_json *json, const char *key, uint64_t value)
{
    gt_json_uint(json_at(json, key), value);
}

void gt_json_key_real(struct gt_json *json, const char *key, double value)
{
    gt_json_real(json_at(json, key), value);
}

void gt_json_key_exact(struct gt_json *json, const char *key, double value)
{
    json_put_real(json_at(json, key), value, EXACT_DIGITS);
}

void gt_json_key_bool(struct gt_json *json, const char *key, bool value)
{
    json_word(json_at(json, key), value ? "true" : "false");
}

void gt_json_key_null(struct gt_json *json, const char *key)
{
    json_word(json_at(json, key), "null");
}

void gt_json_key_int_if(struct gt_json *json, const char *key, bool is_known, int64_t value)
{
    if (is_known)
        gt_json_key_int(json, key, value);
    else
        gt_json_key_null(json, key);
}

bool gt_json_key_object_if(struct gt_json *json, const char *key, bool is_known)
{
    if (is_known)
        gt_json_key_object(json, key);
    else
        gt_json_key_null(json, key);
    return is_known;
}
