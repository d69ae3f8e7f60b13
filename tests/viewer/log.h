/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEWER_LOG_H
#define TESTS_VIEWER_LOG_H

#include <stddef.h>

#include <gotrace/emitter.h>

/*
 * A consumer that writes down what it is given, a line for each call:
 *
 *     unit ns
 *     frame 2<1 pc=20 main.f:7
 *     X 0/3 @1500+20 name cat=c s=t color=good id=1 sf=2/1 {key=5,other="text"}
 *     flush
 *
 * An event is its phase, section and row, time and duration; what is empty or 0 is left
 * out. A ! before it says that it is required.
 */
struct log {
    gt_consumer consumer;
    /* The call, from 1, that asks to end; 0 for none. */
    size_t end_at;
    size_t calls;
    /* Called by each call, if it is not NULL. */
    void (*meddle)(void *data);
    void *meddle_data;
    size_t size;
    char text[1 << 16];
};

void log_init(struct log *log);

/* Asserts that the log is the text, and empties it. */
#define assert_log(log, expected) log_check((log), (expected), __FILE__, __LINE__)
void log_check(struct log *log, const char *expected, const char *file, int line);

gt_string text_of(const char *text);

#endif
