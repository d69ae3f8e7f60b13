/* SPDX-License-Identifier: BSD-3-Clause */
#include "answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "head.h"

enum {
    /* The most digits of a length in decimal, and of the size of a chunk: no uint64_t overflows. */
    ANSWER_LENGTH_DIGITS = 18,
    FRAMING_SIZE_DIGITS = 15,
    /* The most bytes of the extensions of a chunk, and of all trailers. */
    FRAMING_OVERHEAD_MAX = HTTP_HEAD_MAX
};

/* Parses "HTTP/1.1 200 OK". */
static bool answer_parse_status_line(const char *line, struct http_answer *answer)
{
    if (strncmp(line, "HTTP/1.", 7) != 0 || line[7] < '0' || line[7] > '9' || line[8] != ' ' ||
        strspn(line + 9, "0123456789") != 3 || (line[12] != ' ' && line[12] != '\0'))
        return false;
    answer->status = (int) strtol(line + 9, NULL, 10);
    return true;
}

/* Lengths that differ are refused, because each would leave another body. */
static bool answer_parse_length(const char *text, bool *has_length, uint64_t *length)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > ANSWER_LENGTH_DIGITS || text[digits] != '\0')
        return false;
    uint64_t number = strtoull(text, NULL, 10);
    if (*has_length && number != *length)
        return false;
    *has_length = true;
    *length = number;
    return true;
}

static bool answer_apply_header(struct http_answer *answer, const char *name, const char *value,
                                bool *has_length)
{
    if (strcasecmp(name, "Location") == 0)
        answer->location = value;
    if (strcasecmp(name, "Content-Length") == 0)
        return answer_parse_length(value, has_length, &answer->framing.left);
    if (strcasecmp(name, "Transfer-Encoding") != 0 || strcasecmp(value, "identity") == 0)
        return true;
    answer->framing.is_chunked = true;
    return strcasecmp(value, "chunked") == 0;
}

bool http_answer_parse(char *data, size_t size, struct http_answer *answer)
{
    char *at = data;
    bool has_length = false;
    *answer = (struct http_answer){.status = 0};
    /* The last line is empty. A NUL in its place ends the head. */
    data[size - 2] = '\0';
    if (!answer_parse_status_line(http_head_take_line(&at), answer))
        return false;
    while (at < data + size - 2) {
        char *name = http_head_take_line(&at);
        const char *value = http_head_split(name);
        if (!value || !answer_apply_header(answer, name, value, &has_length))
            return false;
    }
    struct http_framing *framing = &answer->framing;
    if (framing->is_chunked)
        framing->state = HTTP_FRAMING_SIZE;
    else if (!has_length)
        framing->state = HTTP_FRAMING_TO_END;
    else
        framing->state = framing->left > 0 ? HTTP_FRAMING_DATA : HTTP_FRAMING_COMPLETE;
    if (framing->is_chunked)
        framing->left = 0;
    return true;
}

/* Returns the value of a hexadecimal digit, or -1. */
static int framing_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char) (c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses a byte of the size of a chunk. */
static enum http_framing_state framing_take_digit(struct http_framing *framing, char c)
{
    int digit = framing_digit(c);
    if (digit < 0 && framing->digits > 0 && (c == '\r' || c == ';' || c == ' ' || c == '\t'))
        return HTTP_FRAMING_EXTENSION;
    if (digit < 0 || framing->digits == FRAMING_SIZE_DIGITS)
        return HTTP_FRAMING_MALFORMED;
    framing->left = framing->left * 16 + (uint64_t) digit;
    framing->digits++;
    return HTTP_FRAMING_SIZE;
}

/* Parses a byte of a line after the last chunk. */
static enum http_framing_state framing_take_trailer(struct http_framing *framing, char c)
{
    if (c == '\n' && !framing->has_text)
        return HTTP_FRAMING_COMPLETE;
    framing->has_text = c != '\n' && (c != '\r' || framing->has_text);
    return HTTP_FRAMING_TRAILER;
}

/* Parses a byte that belongs to the framing. Returns the state for the next one. */
static enum http_framing_state framing_take_framing(struct http_framing *framing, char c)
{
    if (++framing->overhead > FRAMING_OVERHEAD_MAX)
        return HTTP_FRAMING_MALFORMED;
    switch (framing->state) {
    case HTTP_FRAMING_SIZE:
        return framing_take_digit(framing, c);
    case HTTP_FRAMING_EXTENSION:
        if (c != '\n')
            return HTTP_FRAMING_EXTENSION;
        return framing->left > 0 ? HTTP_FRAMING_DATA : HTTP_FRAMING_TRAILER;
    case HTTP_FRAMING_CHUNK_END:
        if (c == '\r')
            return HTTP_FRAMING_CHUNK_END;
        framing->digits = 0;
        return c == '\n' ? HTTP_FRAMING_SIZE : HTTP_FRAMING_MALFORMED;
    default:
        return framing_take_trailer(framing, c);
    }
}

/* Takes up to `size` bytes of the body. Returns their number. */
static size_t framing_take_data(struct http_framing *framing, size_t size)
{
    framing->overhead = 0;
    if (framing->state == HTTP_FRAMING_TO_END)
        return size;
    size_t taken = framing->left < size ? (size_t) framing->left : size;
    framing->left -= taken;
    if (framing->left == 0)
        framing->state = framing->is_chunked ? HTTP_FRAMING_CHUNK_END : HTTP_FRAMING_COMPLETE;
    return taken;
}

size_t http_framing_take(struct http_framing *framing, const char *data, size_t size,
                         size_t *skipped)
{
    size_t at = 0;
    while (at < size && framing->state != HTTP_FRAMING_DATA &&
           framing->state != HTTP_FRAMING_TO_END && framing->state != HTTP_FRAMING_COMPLETE &&
           framing->state != HTTP_FRAMING_MALFORMED)
        framing->state = framing_take_framing(framing, data[at++]);
    *skipped = at;
    bool has_data = framing->state == HTTP_FRAMING_DATA || framing->state == HTTP_FRAMING_TO_END;
    return at < size && has_data ? framing_take_data(framing, size - at) : 0;
}
