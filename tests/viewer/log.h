/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEWER_LOG_H
#define TESTS_VIEWER_LOG_H

#include <stddef.h>

#include <gotrace/emitter.h>

/*
 * A consumer that logs its calls, one line for each:
 *
 *     unit ns
 *     frame 2<1 pc=20 main.f:7
 *     X 0/3 @1500+20 name cat=c s=t color=good id=1 sf=2/1 {key=5,other="text"}
 *     flush
 *
 * A line of an event has its phase, section and row, time and duration; members that are empty or
 * 0 are omitted. A ! before it marks a required event.
 */
struct log {
    gt_consumer consumer;
    /* The number of the call, from 1, that asks to end; 0 for none. */
    size_t end_at;
    size_t calls;
    /* Called in each call, unless it is NULL. */
    void (*meddle)(void *data);
    void *meddle_data;
    size_t size;
    char text[1 << 16];
};

void log_init(struct log *log);

/* Asserts that the log has this text, and empties it. */
#define assert_log(log, expected) log_check((log), (expected), __FILE__, __LINE__)
void log_check(struct log *log, const char *expected, const char *file, int line);

gt_string text_of(const char *text);

#endif
