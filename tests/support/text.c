/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "support/text_events.h"

#define WIDTH_DIRECTIVE "#!width "

/* The longest data of an event: an experimental batch's. */
#define DATA_MAX 65536

struct input {
    struct wire *wire;
    const char *at;
    const char *end;
    /* The current line, without its newline. */
    const char *line;
    const char *line_end;
    int number;
    const char *problem;
};

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static int fail_line(struct input *in, const char *problem)
{
    if (!in->problem)
        in->problem = problem;
    return -1;
}

/* Takes the next word of the line; an empty one at its end or at a comment. */
static size_t take_word(struct input *in, const char **word)
{
    while (in->line < in->line_end && is_space(*in->line))
        in->line++;
    *word = in->line;
    while (in->line < in->line_end && !is_space(*in->line) && *in->line != '#')
        in->line++;
    return (size_t) (in->line - *word);
}

static void obey(struct input *in)
{
    const char *line = in->line;

    while (line < in->line_end && is_space(*line))
        line++;
    if (strncmp(line, WIDTH_DIRECTIVE, strlen(WIDTH_DIRECTIVE)) == 0)
        in->wire->width = (unsigned) strtoul(line + strlen(WIDTH_DIRECTIVE), NULL, 10);
}

/* Goes to the next line that is not empty and no comment; returns 0 at the end. */
static int next_line(struct input *in)
{
    const char *word;

    while (in->at < in->end) {
        in->line = in->at;
        in->line_end = memchr(in->at, '\n', (size_t) (in->end - in->at));
        if (!in->line_end)
            in->line_end = in->end;
        in->at = in->line_end < in->end ? in->line_end + 1 : in->end;
        in->number++;
        obey(in);
        if (take_word(in, &word) > 0) {
            in->line = word;
            return 1;
        }
    }
    return 0;
}

static int is_word(const char *word, size_t size, const char *text)
{
    return size == strlen(text) && memcmp(word, text, size) == 0;
}

/* Reads "name=value", where the name has `size` bytes. */
static int take_argument(struct input *in, const char *name, size_t size, uint64_t *value)
{
    const char *word;
    char *after;
    size_t length = take_word(in, &word);

    if (length <= size + 1 || memcmp(word, name, size) != 0 || word[size] != '=')
        return fail_line(in, "missing or misnamed argument");
    if (!isdigit((unsigned char) word[size + 1]))
        return fail_line(in, "argument is no number");
    errno = 0;
    *value = strtoull(word + size + 1, &after, 10);
    if (errno != 0 || after != word + length)
        return fail_line(in, "argument is no number");
    return 0;
}

/* Reads the arguments that `names` names and writes them; the last one is kept. */
static int take_arguments(struct input *in, const char *names, uint64_t *last)
{
    const char *word;
    size_t size;

    while (*names) {
        size = strcspn(names, " ");
        if (take_argument(in, names, size, last) < 0)
            return -1;
        wire_varint(in->wire, *last);
        names += size;
        names += strspn(names, " ");
    }
    if (take_word(in, &word) > 0 || in->line < in->line_end)
        return fail_line(in, "more on the line than the event has");
    return 0;
}

static int take_frames(struct input *in, uint64_t count)
{
    uint64_t last, i;

    for (i = 0; i < count; i++) {
        if (!next_line(in))
            return fail_line(in, "the trace ends in a stack");
        if (take_arguments(in, "pc func file line", &last) < 0)
            return -1;
    }
    return 0;
}

static size_t put_utf8(char *out, unsigned long rune)
{
    if (rune < 0x80) {
        out[0] = (char) rune;
        return 1;
    }
    if (rune < 0x800) {
        out[0] = (char) (0xc0 | rune >> 6);
        out[1] = (char) (0x80 | (rune & 0x3f));
        return 2;
    }
    if (rune < 0x10000) {
        out[0] = (char) (0xe0 | rune >> 12);
        out[1] = (char) (0x80 | ((rune >> 6) & 0x3f));
        out[2] = (char) (0x80 | (rune & 0x3f));
        return 3;
    }
    out[0] = (char) (0xf0 | rune >> 18);
    out[1] = (char) (0x80 | ((rune >> 12) & 0x3f));
    out[2] = (char) (0x80 | ((rune >> 6) & 0x3f));
    out[3] = (char) (0x80 | (rune & 0x3f));
    return 4;
}

/* Decodes the number of `digits` digits after an escape, and moves past it. */
static int take_digits(const char **at, const char *end, size_t digits, int base,
                       unsigned long *value)
{
    char copy[9], *after;

    if ((size_t) (end - *at) < digits)
        return -1;
    memcpy(copy, *at, digits);
    copy[digits] = '\0';
    *value = strtoul(copy, &after, base);
    *at += digits;
    return after == copy + digits ? 0 : -1;
}

/* Decodes one escape sequence, `*at` being behind its backslash. */
static int unescape(const char **at, const char *end, char *out, size_t *size)
{
    static const char letters[] = "abfnrtv\\\"'";
    static const char meanings[] = "\a\b\f\n\r\t\v\\\"'";
    const char *letter;
    unsigned long value = 0;
    int bad;

    if (*at == end)
        return -1;
    letter = strchr(letters, **at);
    if (letter && *letter) {
        ++*at;
        out[(*size)++] = meanings[letter - letters];
        return 0;
    }
    if (**at >= '0' && **at <= '7') {
        bad = take_digits(at, end, 3, 8, &value);
        out[(*size)++] = (char) value;
        return bad;
    }
    switch (*(*at)++) {
    case 'x':
        bad = take_digits(at, end, 2, 16, &value);
        out[(*size)++] = (char) value;
        return bad;
    case 'u':
        bad = take_digits(at, end, 4, 16, &value);
        break;
    case 'U':
        bad = take_digits(at, end, 8, 16, &value);
        break;
    default:
        return -1;
    }
    *size += put_utf8(out + *size, value);
    return bad;
}

/* Decodes a Go string literal of one of its two kinds. */
static int unquote(const char *at, const char *end, char *out, size_t *size)
{
    char quote;

    *size = 0;
    if (end - at < 2 || at[0] != end[-1] || (at[0] != '"' && at[0] != '`'))
        return -1;
    quote = *at++;
    end--;
    while (at < end) {
        if (*at == quote)
            return -1;
        if (*at != '\\' || quote == '`') {
            out[(*size)++] = *at++;
            continue;
        }
        at++;
        if (unescape(&at, end, out, size) < 0)
            return -1;
    }
    return 0;
}

static int take_data(struct input *in)
{
    static const char key[] = "data=";
    static char data[DATA_MAX];
    const char *end;
    size_t size;

    if (!next_line(in))
        return fail_line(in, "the trace ends before an event's data");
    end = in->line_end;
    while (end > in->line && is_space(end[-1]))
        end--;
    if (end - in->line > DATA_MAX || strncmp(in->line, key, strlen(key)) != 0 ||
        unquote(in->line + strlen(key), end, data, &size) < 0)
        return fail_line(in, "malformed data");
    wire_varint(in->wire, size);
    wire_bytes(in->wire, data, size);
    return 0;
}

static int take_event(struct input *in)
{
    const char *word;
    size_t size = take_word(in, &word);
    const struct text_event *event = text_event_find(word, size);
    uint64_t last = 0;

    if (!event)
        return fail_line(in, "unknown event");
    wire_byte(in->wire, event->type);
    if (take_arguments(in, event->arguments, &last) < 0)
        return -1;
    if (event->type == EV_STACK)
        return take_frames(in, last);
    return event->has_data ? take_data(in) : 0;
}

/* The line "Trace Go1.N". */
static int take_header(struct input *in)
{
    static const char version[] = "Go1.";
    const char *word;
    size_t size;

    if (!next_line(in))
        return fail_line(in, "there is no header");
    size = take_word(in, &word);
    if (!is_word(word, size, "Trace"))
        return fail_line(in, "malformed header");
    size = take_word(in, &word);
    if (size <= strlen(version) || strncmp(word, version, strlen(version)) != 0)
        return fail_line(in, "malformed version");
    wire_begin(in->wire, (unsigned) strtoul(word + strlen(version), NULL, 10));
    return 0;
}

int text_encode(struct wire *wire, const char *text, size_t size)
{
    struct input in = {wire, text, text + size, text, text, 0, NULL};

    take_header(&in);
    while (!in.problem && next_line(&in))
        take_event(&in);
    if (!in.problem)
        return 0;
    print_error("line %d: %s\n", in.number, in.problem);
    return in.number ? in.number : 1;
}

/* Finds the line `marker` and sets `*begin` and `*end` to what follows up to the next marker. */
static int find_section(const char *text, const char *end_of_text, const char *marker,
                        const char **begin, const char **end)
{
    const char *at = text, *next;

    if (strncmp(at, marker, strlen(marker)) != 0) {
        at = strstr(text, marker);
        while (at && at[-1] != '\n')
            at = strstr(at + 1, marker);
    }
    if (!at)
        return -1;
    *begin = at + strlen(marker);
    next = strstr(*begin, "\n-- ");
    *end = next ? next + 1 : end_of_text;
    return 0;
}

int text_parse_case(struct text_case *result, const char *text, size_t size)
{
    const char *begin, *end;

    if (strncmp(text, "Trace ", 6) == 0) {
        *result = (struct text_case){1, text, size};
        return 0;
    }
    if (find_section(text, text + size, "-- expect --\n", &begin, &end) < 0)
        return -1;
    result->success = strncmp(begin, "SUCCESS", 7) == 0;
    if (!result->success && strncmp(begin, "FAILURE \"", 9) != 0)
        return -1;
    if (find_section(text, text + size, "-- trace --\n", &begin, &end) < 0)
        return -1;
    result->trace = begin;
    result->trace_size = (size_t) (end - begin);
    return 0;
}
