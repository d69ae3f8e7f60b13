/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TERMINAL_H
#define TERMINAL_H

/*
 * Escapes text that is written to a terminal. Names in a trace and names of files may contain bytes
 * that make a terminal execute commands, or show text in another order. Such bytes are replaced by
 * escapes, such as \x1b for a control character, \u202e for a character that changes the direction
 * of text, and \xff for a byte that is not UTF-8.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
    /* The most bytes that one byte can become. */
    TERMINAL_STEP = 6
};

/* A stream of text on its way to a terminal. Its members begin as zeros. */
struct terminal {
    /* Line feeds and tabs are the program's own and are copied. Otherwise they are escaped, too. */
    bool keeps_lines;
    /* The first bytes of a character whose others have not come yet. */
    char held[4];
    size_t held_size;
};

/*
 * Copies `size` bytes with escapes to `to`, where there must be room for TERMINAL_STEP times as
 * many bytes as these and those that are held. Returns how many bytes it wrote. The beginning of a
 * character at the end of the data is held until the next call, unless `is_last`.
 */
size_t terminal_escape(struct terminal *terminal, const char *data, size_t size, bool is_last,
                       char *to);

/*
 * Writes "gotrace: " and a message as a line on standard error; every message of the command goes
 * through this function. On a terminal it is escaped, including line feeds and tabs in it. Any
 * thread may call it.
 */
__attribute__((format(printf, 1, 2))) void terminal_report(const char *format, ...);

/* Messages that are not written yet. Its members begin as zeros. */
struct terminal_messages {
    char *text; /* each message ends with a NUL */
    size_t size;
};

/*
 * Makes terminal_report in this thread append to `messages` until this is called with NULL. A
 * message for which there is no memory is written immediately.
 */
void terminal_divert(struct terminal_messages *messages);

/* Writes the messages, if `writes` is true, and frees them. */
void terminal_settle_messages(struct terminal_messages *messages, bool writes);

/*
 * Makes terminal_report hold messages back if standard error is no terminal, so that many of them
 * take one write. They appear when there are many, when terminal_release is called, and when the
 * program ends. The first call must be before the first message.
 */
void terminal_hold(void);
void terminal_release(void);

#endif
