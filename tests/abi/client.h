/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ABI_CLIENT_H
#define ABI_CLIENT_H

/*
 * client TRACE: uses everything that the libraries offer, and prints the results. It must print the
 * same whether it was built with the headers of the first release (GT_OLDEST) or with today's.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GT_OLDEST
#include "gotrace-0.1.h"
#else
#include <gotrace/arrow.h>
#include <gotrace/columns.h>
#include <gotrace/gotrace.h>
#include <gotrace/parquet.h>
#include <gotrace/recorder.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>
#include <gotrace/viewer_perfetto.h>
#include <gotrace/web.h>
#endif

enum {
    GUARD = 24,
    UNTOUCHED = 0x5a,
    MAX_FRAMES = 128
};

/* A structure that the library fills, followed by bytes that it must not touch. */
#define FILLED(type, name, init)                                                                   \
    struct {                                                                                       \
        type value;                                                                                \
        unsigned char guard[GUARD];                                                                \
    } name = {init, {0}};                                                                          \
    memset(name.guard, UNTOUCHED, GUARD)

#define INTACT(type, name) intact(#type, name.guard)

#define NUMBER(structure, member) say("  " #member " %lld", (long long) (structure).member)
/* The numbers may differ between releases. */
#define MEMORY(info)              say("  memory %d", (info).memory <= (info).memory_peak)
#define STRING(structure, member) say_string(#member, (structure).member)

void die(const char *what, const char *why);
void intact(const char *type, const unsigned char *guard);
void must(const char *what, gt_status status);

void say(const char *format, ...);
void says(const char *what, gt_status status);
void say_string(const char *what, gt_string string);
void say_value(gt_value value);
void say_resource(gt_resource resource);
void say_frames(const char *what, const gt_frame *frames, size_t count);
void say_error(const char *what, const gt_error *error);
gt_string text(const char *from);

/* An allocator that checks the size that blocks are freed with. */
struct heap {
    size_t held;
    size_t calls;
};

extern struct heap heap;
extern const gt_allocator allocator;

/* The trace. */
struct trace {
    const char *path;
    unsigned char *data;
    size_t size;
    size_t taken;
};

extern struct trace trace;

/* Output in memory. */
struct sink {
    unsigned char *data;
    size_t size;
    unsigned long long sum;
};

int take_bytes(void *user_data, const void *data, size_t size);
void say_sink(const char *what, struct sink *sink);

/* Opens a reader at the start of the trace. */
gt_reader *open_trace(void);

void use_readers(void);
void use_live(void);
void use_raw(void);
void use_writer(void);
void use_analyses(void);
void use_viewer(void);
void use_timelines(void);
void use_web(void);
void use_columns(void);
void use_recorder(void);

/* Checks that structures that are too small are refused. */
void use_structures(void);
#ifdef GT_LATER
/* Checks, if built with the headers of a later release, that unknown members are refused. */
void ask_for_more(void);
#endif

#endif
