/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/json.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The deepest nesting of objects and arrays; a trace for a viewer needs 5. */
#define DEPTH 16

struct json {
    const uint8_t *at;
    const uint8_t *end;
    /* '{' or '[' for each value that is open. */
    char open[DEPTH];
    size_t depth;
};

static int peek(const struct json *json)
{
    return json->at < json->end ? *json->at : -1;
}

static int take(struct json *json, int c)
{
    if (peek(json) != c)
        return 0;
    json->at++;
    return 1;
}

static void skip_space(struct json *json)
{
    while (take(json, ' ') || take(json, '\n') || take(json, '\t') || take(json, '\r'))
        continue;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int take_digits(struct json *json)
{
    if (!is_digit(peek(json)))
        return 0;
    while (is_digit(peek(json)))
        json->at++;
    return 1;
}

static int take_number(struct json *json)
{
    take(json, '-');
    if (!take(json, '0') && !take_digits(json))
        return 0;
    if (take(json, '.') && !take_digits(json))
        return 0;
    if (take(json, 'e') || take(json, 'E')) {
        if (!take(json, '+'))
            take(json, '-');
        return take_digits(json);
    }
    return 1;
}

static bool is_hex(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int take_escape(struct json *json)
{
    int c = peek(json), i;

    if (c < 0 || !strchr("\"\\/bfnrtu", c) || c == 0)
        return 0;
    json->at++;
    for (i = 0; c == 'u' && i < 4; i++) {
        if (!is_hex(peek(json)))
            return 0;
        json->at++;
    }
    return 1;
}

/* Parses a UTF-8 character that is not ASCII: in its shortest form, and no surrogate. */
static int take_wide(struct json *json)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int c = *json->at++, size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    uint32_t code = (uint32_t) c & (0x7fu >> size);

    if (c < 0xc0 || c >= 0xf8)
        return 0;
    for (int i = 1; i < size; i++) {
        if ((peek(json) & 0xc0) != 0x80 || peek(json) < 0)
            return 0;
        code = code << 6 | (*json->at++ & 0x3f);
    }
    return code >= least[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

static int take_string(struct json *json)
{
    int c;

    if (!take(json, '"'))
        return 0;
    while ((c = peek(json)) != '"') {
        if (c < ' ')
            return 0;
        if (c >= 0x80) {
            if (!take_wide(json))
                return 0;
            continue;
        }
        json->at++;
        if (c == '\\' && !take_escape(json))
            return 0;
    }
    json->at++;
    return 1;
}

static int take_word(struct json *json, const char *word)
{
    size_t size = strlen(word);

    if ((size_t) (json->end - json->at) < size || memcmp(json->at, word, size) != 0)
        return 0;
    json->at += size;
    return 1;
}

static int take_key(struct json *json)
{
    skip_space(json);
    if (!take_string(json))
        return 0;
    skip_space(json);
    return take(json, ':');
}

/* Parses a value, or the beginning of one that is not empty, and then sets `*begun`. */
static int take_value(struct json *json, int *begun)
{
    int c;

    *begun = 0;
    skip_space(json);
    c = peek(json);
    if (c == '"')
        return take_string(json);
    if (c == '-' || is_digit(c))
        return take_number(json);
    if (c != '{' && c != '[')
        return take_word(json, "true") || take_word(json, "false") || take_word(json, "null");
    json->at++;
    skip_space(json);
    if (take(json, c == '{' ? '}' : ']'))
        return 1;
    if (json->depth == DEPTH)
        return 0;
    json->open[json->depth++] = (char) c;
    *begun = 1;
    return c == '[' || take_key(json);
}

/* Parses what may follow a value; sets `*more` if that is another value. */
static int take_behind(struct json *json, int *more)
{
    *more = 0;
    while (json->depth > 0) {
        char open = json->open[json->depth - 1];

        skip_space(json);
        if (take(json, ',')) {
            *more = 1;
            return open == '[' || take_key(json);
        }
        if (!take(json, open == '{' ? '}' : ']'))
            return 0;
        json->depth--;
    }
    return 1;
}

int json_is_good(const void *data, size_t size)
{
    struct json json = {data, (const uint8_t *) data + size, {0}, 0};
    int begun, more = 1;

    while (more) {
        do {
            if (!take_value(&json, &begun))
                return 0;
        } while (begun);
        if (!take_behind(&json, &more))
            return 0;
    }
    skip_space(&json);
    return json.at == json.end;
}
