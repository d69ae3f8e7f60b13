/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "utf8.h"

enum {
    /* Enough for a message that names a file by the longest path; a longer one is cut. */
    MESSAGE_MAX = 8192,
    /* How many bytes of a message are escaped at a time. */
    PIECE = 256,
    /* How many bytes of messages are held back. */
    HELD_SIZE = 64 * 1024
};

/* Where the messages of this thread go, or NULL. */
static _Thread_local struct terminal_messages *terminal_diverted;

/* Whether a character above ASCII is a control character, or changes the order of the text. */
static bool terminal_is_harmful(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        /* The control characters C1. */
        {0x80, 0x9f},
        /* The Arabic letter mark, and the marks from left to right and from right to left. */
        {0x61c, 0x61c},
        {0x200e, 0x200f},
        /* The separators of lines and paragraphs, and the embeddings and overrides. */
        {0x2028, 0x202e},
        /* The isolates. */
        {0x2066, 0x2069},
    };

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (character >= ranges[i].first && character <= ranges[i].last)
            return true;
    }
    return false;
}

static char *terminal_put_hex(char *to, char kind, uint32_t value, int digits)
{
    *to++ = '\\';
    *to++ = kind;
    for (int i = digits; --i >= 0;)
        *to++ = "0123456789abcdef"[value >> 4 * i & 15];
    return to;
}

static char *terminal_put_byte(char *to, char byte)
{
    return terminal_put_hex(to, 'x', (unsigned char) byte, 2);
}

/* Writes the escape for a control character of ASCII. */
static char *terminal_put_control(char *to, char character)
{
    static const char controls[] = "\t\n\r", letters[] = "tnr";
    const char *found = character != '\0' ? strchr(controls, character) : NULL;
    if (!found)
        return terminal_put_byte(to, character);
    *to++ = '\\';
    *to++ = letters[found - controls];
    return to;
}

/* Copies the first `length` bytes of what is held, which are `character`, or writes its escape. */
static char *terminal_put_character(char *to, const struct terminal *terminal, uint32_t character,
                                    size_t length)
{
    bool is_layout = terminal->keeps_lines && (character == '\n' || character == '\t');
    if (character < ' ' && !is_layout)
        return terminal_put_control(to, terminal->held[0]);
    if (character == 0x7f || terminal_is_harmful(character))
        return terminal_put_hex(to, 'u', character, 4);
    memcpy(to, terminal->held, length);
    return to + length;
}

/* Returns whether the bytes that are held could be completed to a character. */
static bool terminal_is_incomplete(const struct terminal *terminal)
{
    unsigned char first = (unsigned char) terminal->held[0];
    size_t length = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < terminal->held_size; i++) {
        if (((unsigned char) terminal->held[i] & 0xc0) != 0x80)
            return false;
    }
    return terminal->held_size < length;
}

static void terminal_drop(struct terminal *terminal, size_t size)
{
    terminal->held_size -= size;
    memmove(terminal->held, terminal->held + size, terminal->held_size);
}

/* Writes what is held, except the beginning of a character unless that `is_last`. */
static char *terminal_settle(struct terminal *terminal, bool is_last, char *to)
{
    while (terminal->held_size > 0) {
        uint32_t character = 0;
        size_t length = utf8_decode(terminal->held, terminal->held_size, &character);
        if (length > 0)
            to = terminal_put_character(to, terminal, character, length);
        else if (!is_last && terminal_is_incomplete(terminal))
            break;
        else
            to = terminal_put_byte(to, terminal->held[0]);
        terminal_drop(terminal, length > 0 ? length : 1);
    }
    return to;
}

size_t terminal_escape(struct terminal *terminal, const char *data, size_t size, bool is_last,
                       char *to)
{
    char *start = to;
    for (size_t i = 0; i < size; i++) {
        terminal->held[terminal->held_size++] = data[i];
        to = terminal_settle(terminal, false, to);
    }
    return (size_t) (terminal_settle(terminal, is_last, to) - start);
}

/* Writes a message that is too long for a buffer. */
static void terminal_report_long(const char *format, va_list arguments)
{
    flockfile(stderr);
    fputs("gotrace: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    funlockfile(stderr);
}

static void terminal_report_escaped(const char *text)
{
    struct terminal terminal = {.keeps_lines = false};
    char shown[(PIECE + UTF8_MAX) * TERMINAL_STEP];
    size_t size = strlen(text);
    flockfile(stderr);
    fputs("gotrace: ", stderr);
    for (size_t i = 0; i < size; i += PIECE) {
        size_t part = size - i < PIECE ? size - i : PIECE;
        fwrite(shown, 1, terminal_escape(&terminal, text + i, part, i + part == size, shown),
               stderr);
    }
    fputs("\n", stderr);
    funlockfile(stderr);
}

void terminal_divert(struct terminal_messages *messages)
{
    terminal_diverted = messages;
}

/* Keeps a message for later. Returns false if that is not wanted, or there is no memory. */
static bool terminal_keep(const char *text)
{
    struct terminal_messages *messages = terminal_diverted;
    size_t size = strlen(text) + 1;
    char *grown = messages ? realloc(messages->text, messages->size + size) : NULL;
    if (!grown)
        return false;
    memcpy(grown + messages->size, text, size);
    messages->text = grown;
    messages->size += size;
    return true;
}

void terminal_settle_messages(struct terminal_messages *messages, bool writes)
{
    for (size_t at = 0; at < messages->size && writes; at += strlen(messages->text + at) + 1)
        terminal_report("%s", messages->text + at);
    free(messages->text);
    *messages = (struct terminal_messages){NULL, 0};
}

void terminal_report(const char *format, ...)
{
    va_list arguments;
    char text[MESSAGE_MAX];
    va_start(arguments, format);
    size_t size = (size_t) vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (terminal_keep(text))
        return;
    progress_clear();
    if (isatty(STDERR_FILENO)) {
        terminal_report_escaped(text);
    } else if (size < sizeof(text)) {
        /* Unless messages are held back, one call is one write. */
        fprintf(stderr, "gotrace: %s\n", text);
    } else {
        va_start(arguments, format);
        terminal_report_long(format, arguments);
        va_end(arguments);
    }
}

void terminal_hold(void)
{
    /* The buffer is static because it is used until the program ends. */
    static char buffer[HELD_SIZE];
    static bool is_held;
    if (!is_held && !isatty(STDERR_FILENO))
        setvbuf(stderr, buffer, _IOFBF, sizeof(buffer));
    is_held = true;
}

void terminal_release(void)
{
    fflush(stderr);
}
