/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_PERFETTO_H
#define GT_WRITER_PERFETTO_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/viewer_perfetto.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/proto.h"
#include "base/texts.h"
#include "base/wraps.h"
#include "writer/out.h"

enum {
    GT_PF_SOURCES = 4,
    /* The bytes of packets that are passed on at a time. */
    GT_PF_BUFFER = 6144,
    /* The number of texts that gt_pf_text finds without hashing. */
    GT_PF_RECENT = 64,
    /* Nanoseconds between the 0 of the sequence's clock and the emitters'. */
    GT_PF_SLACK = 4096
};

/* Part of a message. */
struct gt_pf_bytes {
    uint8_t *items;
    size_t count;
    size_t capacity;
};

/* A node of the tree of stacks of an emitter. There may be millions, few of which are leaves. */
struct gt_pf_frame {
    uint32_t parent; /* an id, or 0 */
    /*
     * Twice the index of its place; or, after a stack of which it is the leaf was written, 1 plus
     * twice the index of that stack.
     */
    uint32_t place_or_stack;
};

/* A place in the program, which is a frame in the file. Texts are the numbers of the interner. */
struct gt_pf_place {
    uint32_t function;
    uint32_t file;
    uint32_t line;
    bool is_defined;
};

enum {
    /* The bits of the number of a row plus 1, and of the index of what is known of its slices. */
    GT_PF_ROW_BITS = 27,
    GT_PF_ROW_MASK = (1 << GT_PF_ROW_BITS) - 1,
    GT_PF_ROWS_MAX = GT_PF_ROW_MASK - 1,
    /* Not the number of a row. */
    GT_PF_NO_ROW = GT_PF_ROW_MASK,
    GT_PF_SIBLINGS = 8
};

/* A row of an emitter. A trace may have a million goroutines, so it takes 24 bytes. */
struct gt_pf_row {
    uint64_t id;

    union {
        int32_t rank;
        uint32_t label; /* of a goroutine: the text of its label, if has_label is set */
    };

    uint32_t text; /* the name of the row, or of the function of a goroutine */
    /* 1 plus the index of its gt_pf_nest or its only slice; 0: it has none. */
    uint32_t nest : GT_PF_ROW_BITS;
    uint32_t has_nest : 1;  /* several of its slices may nest */
    uint32_t has_child : 1; /* there is a track below it */
    uint32_t has_rank : 1;
    uint32_t is_created : 1; /* it was announced with its creator and has had no state since */
    uint32_t has_label : 1;  /* no state has been written since the goroutine got its label */
    /* 1 plus the number of the next row with the same hash; 0: it is the last one. */
    uint32_t next : GT_PF_ROW_BITS;
    uint32_t is_context : 1; /* it was defined as what samples are of */
    uint32_t section : 2;
    uint32_t source : 2;
};

/*
 * Items that do not move, by number. An array that grows by half wastes up to a third, and has its
 * items twice while it grows.
 */
struct gt_pf_chunks {
    GT_ARRAY(void *) list;
    size_t count; /* of items */
};

struct gt_pf_extent {
    int64_t begin;
    int64_t end;
};

/* The only slice of a row. */
struct gt_pf_lone {
    uint32_t begin_low;
    uint32_t begin_high;
    uint32_t duration; /* UINT32_MAX: it ends at INT64_MAX */
};

/* What is known of the slices of a row that may nest. */
struct gt_pf_nest {
    /* The earliest begin of a slice, and the latest end of those with that begin. */
    struct gt_pf_extent first;
    uint32_t same; /* the number of other slices with that begin */
    /* The last slices in the file that are in no other one so far, by time. */
    uint32_t sibling_count;
    struct gt_pf_extent siblings[GT_PF_SIBLINGS];
};

/* The series of a counter. */
struct gt_pf_series {
    uint32_t name; /* the name of the counter */
    uint32_t key;
    uint8_t uuid; /* one of those that have a meaning, or 0 */
    bool has_value;
    bool is_double;
    uint64_t bits; /* the last value, a signed number or a double */
};

/* An emitter, whose consumer has this as its user data. */
struct gt_pf_source {
    struct gt_perfetto_writer *writer;
    uint32_t rows; /* a GT_PERFETTO_ value */
    bool is_open;
    bool is_first; /* the one from which counters, tasks and collections are taken */
    bool has_unit;
    bool is_flushed;
    GT_ARRAY(struct gt_pf_frame) frames; /* by id - 1 */
};

struct gt_pf_recent {
    gt_string text;
    uint32_t number;
};

struct gt_perfetto_writer {
    struct gt_mem mem;
    gt_perfetto_options options;
    gt_status status;
    bool busy;
    bool has_pid; /* the caller has set the id of the process */
    bool has_begun;
    bool is_finished;
    bool has_sources;
    uint32_t process_name;
    uint64_t wakes;
    uint64_t lone_tracks;
    uint64_t async_track; /* of the asynchronous slice in a row that has begun and not ended */
    gt_perfetto_info info;
    struct gt_pf_source sources[GT_PF_SOURCES];
    /* All texts, the numbers of which are their ids in the file, and in which lists they are. */
    struct gt_texts texts;
    GT_ARRAY(uint8_t) defined;
    uint64_t text_bytes;  /* of those that need not have been interned */
    struct gt_idmap once; /* by their hashes: long texts that came, but are not kept */
    struct gt_pf_recent recent[GT_PF_RECENT];
    GT_ARRAY(struct gt_pf_place) places; /* by iid - 1 */
    struct gt_index place_index;
    GT_ARRAY(uint32_t) stacks; /* by iid - 1: the place of the leaf */
    GT_ARRAY(uint32_t) path;   /* the frames of a stack that is being written */
    uint64_t secret;
    struct gt_pf_chunks rows;
    /*
     * 1 plus the number of the first row of each hash; 0: there is none. The others follow by
     * gt_pf_row.next, roughly those first that were looked up last: most rows are of goroutines
     * that have ended. There are at least half as many hashes as rows, and a power of two.
     */
    GT_ARRAY(uint32_t) hashes;
    /*
     * What is known of slices, by gt_pf_row.nest. A trace may have a hundred thousand goroutines
     * with one region each, and a nest takes ten times as much as a lone slice.
     */
    struct gt_pf_chunks lone_slices;
    GT_ARRAY(struct gt_pf_nest) nests;
    GT_ARRAY(struct gt_pf_series) series;
    struct gt_index series_index;
    size_t next_series;         /* the index of the one that is likely to come next */
    GT_ARRAY(uint32_t) changed; /* the series that the event changes */
    uint32_t section_names[3];
    struct gt_pf_bytes event;      /* the message of a packet */
    struct gt_pf_bytes annotation; /* an argument inside it */
    struct gt_pf_bytes inner;      /* another message inside it, or inside interned data */
    struct gt_pf_bytes interned;   /* definitions for the next packet */
    size_t head_size;
    uint8_t head[GT_PROTO_FIELD_MAX]; /* the sequence of each packet */
    struct gt_json_out out;
    char buffer[GT_PF_BUFFER];
};

/* In lib/writer/perfetto_packet.c. */

/* Begins the output with the packets that the first event needs. */
gt_status gt_pf_begin(struct gt_perfetto_writer *writer);

/* Makes room for `more` bytes. */
static inline gt_status gt_pf_reserve(struct gt_perfetto_writer *writer, struct gt_pf_bytes *bytes,
                                      size_t more)
{
    return gt_array_reserve(&writer->mem, bytes, more);
}

/* Appends a field with a number, for which there must be room. */
static inline void gt_pf_number(struct gt_pf_bytes *bytes, uint32_t field, uint64_t value)
{
    uint8_t *end = gt_proto_put_number(bytes->items + bytes->count, field, value);
    bytes->count = (size_t) (end - bytes->items);
}

/* Appends a field with a number of fixed size, for which there must be room. */
static inline void gt_pf_fixed64(struct gt_pf_bytes *bytes, uint32_t field, uint64_t value)
{
    uint8_t *end = gt_proto_put_fixed64(bytes->items + bytes->count, field, value);
    bytes->count = (size_t) (end - bytes->items);
}

/* Appends a field that contains a text as valid UTF-8. Makes room for it. */
gt_status gt_pf_text_field(struct gt_perfetto_writer *writer, struct gt_pf_bytes *bytes,
                           uint32_t field, gt_string text);

/* Appends a field that contains a message. Makes room for it. */
gt_status gt_pf_nested(struct gt_perfetto_writer *writer, struct gt_pf_bytes *bytes, uint32_t field,
                       const struct gt_pf_bytes *inner);

/* Writes writer->event as a packet with a time of the emitters, as `field`. */
void gt_pf_put_timed(struct gt_perfetto_writer *writer, uint32_t field, int64_t time);

/* Writes writer->event as the packet of a TrackEvent with a time of the emitters. */
void gt_pf_put_event(struct gt_perfetto_writer *writer, int64_t time);

/* Writes writer->event as a packet without a time, as `field`. */
void gt_pf_put_other(struct gt_perfetto_writer *writer, uint32_t field);

/* Writes a snapshot of clocks. */
gt_status gt_pf_put_clock(struct gt_perfetto_writer *writer, const gt_perfetto_clock *clock);

/* In lib/writer/perfetto_intern.c. */

/* The lists of texts in the interned data of a file. */
enum gt_pf_list {
    GT_PF_LIST_NAMES = 1 << 0,
    GT_PF_LIST_CATEGORIES = 1 << 1,
    GT_PF_LIST_KEYS = 1 << 2,
    GT_PF_LIST_VALUES = 1 << 3,
    GT_PF_LIST_FUNCTIONS = 1 << 4,
    GT_PF_LIST_SOURCE_PATHS = 1 << 5
};

/* Sets `*number` to the number of a text, which is kept. */
gt_status gt_pf_text(struct gt_perfetto_writer *writer, gt_string text, uint32_t *number);

/*
 * Sets `*iid` to the id of a text in a list, and defines it where that is needed. The id is 0 if
 * the text is empty, or if it is long or comes after many others and so has to be written as it is,
 * the first time that it comes.
 */
gt_status gt_pf_intern(struct gt_perfetto_writer *writer, enum gt_pf_list list, gt_string text,
                       uint32_t *iid);

/* Takes a frame of an emitter. */
gt_status gt_pf_frame_add(struct gt_pf_source *source, const gt_viewer_frame *frame);

/* Sets `*iid` to the id of the stack of which `leaf` is the leaf; 0 if there is none. */
gt_status gt_pf_stack(struct gt_pf_source *source, uint32_t leaf, uint32_t *iid);

/* In lib/writer/perfetto_chunks.c. `item` is the size of an item, which is always the same. */

enum {
    GT_PF_CHUNK_ITEMS = 64
};

static inline void *gt_pf_chunks_item(const struct gt_pf_chunks *chunks, size_t number, size_t item)
{
    return (char *) chunks->list.items[number / GT_PF_CHUNK_ITEMS] +
           number % GT_PF_CHUNK_ITEMS * item;
}

/* Appends an item, whose content is undefined. Returns NULL on failure; see gt_mem_failure. */
void *gt_pf_chunks_push(struct gt_pf_chunks *chunks, struct gt_mem *mem, size_t item);

void gt_pf_chunks_free(struct gt_pf_chunks *chunks, struct gt_mem *mem, size_t item);

/* In lib/writer/perfetto_rows.c. */

static inline struct gt_pf_row *gt_pf_row(const struct gt_perfetto_writer *writer, uint32_t number)
{
    return gt_pf_chunks_item(&writer->rows, number, sizeof(struct gt_pf_row));
}

/* Returns the number of a row, or GT_PF_NO_ROW if it is not known. */
uint32_t gt_pf_row_find(struct gt_pf_source *source, uint32_t section, uint64_t id);

/*
 * Returns the number of a row, which is made if it is not known. GT_PF_NO_ROW on failure; see
 * gt_mem_failure.
 */
uint32_t gt_pf_row_make(struct gt_pf_source *source, uint32_t section, uint64_t id);

/* Takes a name or position of a row or section. */
gt_status gt_pf_row_describe(struct gt_pf_source *source, const gt_viewer_event *event);

/* The identifiers of tracks. */
enum {
    GT_PF_UUID_PROCESS = 1,
    GT_PF_UUID_COUNTERS = 2,
    GT_PF_UUID_RUNTIME = 3,
    GT_PF_UUID_PROCS = 4,
    GT_PF_UUID_GOROUTINES = 5,
    GT_PF_UUID_TASKS = 6,
    GT_PF_UUID_PLAIN = 7,
    GT_PF_UUID_OTHER = 8,
    /* Two series, which events without tracks are of. */
    GT_PF_UUID_RUNNING = 9,
    GT_PF_UUID_RUNNABLE = 10,
    GT_PF_UUID_FIRST = 16,
    /* There are as many kinds of tracks whose identifiers are the numbers of something. */
    GT_PF_UUID_KINDS = 6
};

enum gt_pf_track {
    GT_PF_TRACK_ROW,
    GT_PF_TRACK_CHILD,    /* below a row */
    GT_PF_TRACK_FUNCTION, /* a group of goroutines, by the number of its text */
    GT_PF_TRACK_SERIES,
    GT_PF_TRACK_ASYNC, /* an asynchronous slice of a plain row */
    GT_PF_TRACK_LONE   /* a slice that does not nest in the others of its row */
};

/* A uuid by its number. The caller's base may be so large that it wraps around. */
GT_WRAPS static inline uint64_t gt_pf_uuid_at(const struct gt_perfetto_writer *writer,
                                              uint64_t number)
{
    return writer->options.uuid_base + number;
}

GT_WRAPS static inline uint64_t gt_pf_uuid(const struct gt_perfetto_writer *writer,
                                           enum gt_pf_track kind, uint64_t number)
{
    return gt_pf_uuid_at(writer, GT_PF_UUID_FIRST + GT_PF_UUID_KINDS * number + kind);
}

/* In lib/writer/perfetto_nest.c. */

/*
 * Finds a place for a slice in a row. Sets `*begin` to the time at which it begins in the file, and
 * `*is_alone` to whether it needs a track of its own, because it does not nest in the others.
 */
gt_status gt_pf_row_place(struct gt_perfetto_writer *writer, struct gt_pf_row *row, int64_t *begin,
                          int64_t end, bool *is_alone);

/* Tells the end of the row's last slice, which was placed with the end INT64_MAX. */
gt_status gt_pf_row_finish(struct gt_perfetto_writer *writer, struct gt_pf_row *row, int64_t end);

/* What a flow is, whose id is unique together with this. */
enum gt_pf_flow_kind {
    GT_PF_FLOW_WAKE,
    GT_PF_FLOW_ARROW
};

/* Returns the id of a flow, which is different from those of other emitters and other files. */
GT_WRAPS static inline uint64_t gt_pf_flow(const struct gt_pf_source *source,
                                           enum gt_pf_flow_kind kind, uint64_t id)
{
    uint64_t place = (uint64_t) source->writer->options.sequence << 40;
    return (id << 3 | source->rows << 1 | kind) ^ place;
}

/* Writes the descriptor of the track of a single slice, which is below its row. */
gt_status gt_pf_put_lone_track(struct gt_perfetto_writer *writer, uint32_t row, gt_string name,
                               uint64_t uuid);

/* Writes the descriptors of all other tracks but those of counters. */
gt_status gt_pf_put_tracks(struct gt_perfetto_writer *writer);

/* In lib/writer/perfetto_counter.c. */
gt_status gt_pf_counter(struct gt_pf_source *source, const gt_viewer_event *event);

/* In lib/writer/perfetto_sample.c. */

/* Appends what samples have in common to the defaults of the sequence, which are writer->event. */
gt_status gt_pf_sample_add_defaults(struct gt_perfetto_writer *writer);

gt_status gt_pf_sample(struct gt_pf_source *source, const gt_perfetto_sample *sample);

/* In lib/writer/perfetto_event.c: an event that is no counter, name or position. */
gt_status gt_pf_event(struct gt_pf_source *source, const gt_viewer_event *event);

#endif
