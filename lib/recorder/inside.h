/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_INSIDE_H
#define GT_RECORDER_INSIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/recorder.h>

#include "base/array.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/texts.h"
#include "base/thread.h"
#include "recorder/atomic.h"
#include "recorder/system.h"
#include "recorder/word.h"

/*
 * A recorder. A thread changes the word of a goroutine or proc, and writes the event of it, within
 * a section, in which it belongs to one generation. Nobody waits for a section but the thread that
 * ends a generation, which waits until all threads have left those of the old one.
 */

/* A batch of events that is being written. */
struct gt_recorder_buffer {
    struct gt_recorder_buffer *next;
    size_t size;
    size_t capacity;
    size_t content; /* where the content of the batch begins; its size is written before that */
    bool is_lead;   /* it has only the first begin of a cycle of the collector in its generation */
    uint8_t bytes[];
};

/* A generation that never comes. */
#define GT_NO_GENERATION UINT64_MAX

/* The buffers that a thread writes to, by the lowest bit of the generation. */
struct gt_recorder_slots {
    struct gt_recorder_buffer *buffers[2];
    size_t sizes[2]; /* of the last one in the generation, 0: there was none */
};

/* The full buffers of a generation, in the order in which they became full. */
struct gt_recorder_queue {
    struct gt_recorder_buffer *first, *last;
};

/*
 * A list to whose beginning any thread adds. Only a thread that holds the lock of generations
 * removes elements.
 */
struct gt_recorder_list {
    struct gt_atomic_pointer first;
};

struct gt_recorder_link {
    struct gt_recorder_link *next;
};

/* What goroutines and procs have in common. */
struct gt_recorder_resource {
    struct gt_recorder_link link; /* the first member */
    struct gt_atomic word;
    struct gt_atomic_pointer thread; /* where it runs or is in a system call */
    uint64_t id;
    /* Copies of the first two, from before the end of a generation. */
    uint64_t copied_word;
    gt_rec_thread *copied_thread;
};

/* Where a stack lies. Zeros: nobody knows. */
struct gt_recorder_bounds {
    uintptr_t low, high;
};

/* A stack in the table of a thread. */
struct gt_recorder_stack {
    uint64_t number;
    size_t first, count; /* in `pcs` of the table */
};

enum {
    GT_STACK_MOST = 128 /* frames that readers take */
};

struct gt_recorder_stacks {
    GT_ARRAY(uint64_t) pcs;
    GT_ARRAY(struct gt_recorder_stack) list;
    struct gt_index index;
};

/* What an address in the program is. */
struct gt_recorder_frame {
    uint64_t pc;
    gt_rec_text function, file;
    uint64_t line;
};

struct gt_recorder_frames {
    GT_ARRAY(struct gt_recorder_frame) list;
    struct gt_index index;
    size_t text_count; /* how many texts were registered for frames */
};

/* A stop of the world. Changed by the thread that has the goroutine. */
struct gt_recorder_stop {
    bool is_open;
    uint64_t generation; /* in which it began */
};

/* What there was of the collector in a generation. */
struct gt_recorder_gc_part {
    uint64_t generation;
    /* At the beginning: whether a cycle had begun, and the number of the last event. */
    bool is_open;
    uint64_t number;
    /* The first event in it that begins a cycle. The number 0: there is none. */
    uint64_t lead_number, lead_time;
};

/* The state of the collector, and of its events. */
struct gt_recorder_gc {
    struct gt_system_mutex lock; /* of all this */
    bool is_open;                /* a cycle has begun */
    uint64_t number, time;       /* of the last event */
    /* By the lowest bit of the generation: the last in which a cycle began or ended. */
    struct gt_recorder_gc_part parts[2];
};

struct gt_recorder_region {
    uint64_t task;
    gt_rec_text type;
};

struct gt_rec_go {
    struct gt_recorder_resource resource; /* the first member */
    gt_recorder *recorder;
    gt_rec_text name;
    struct gt_atomic is_released;
    /* Of the thread on which it runs: the regions that are open, the innermost last. */
    GT_ARRAY(struct gt_recorder_region) regions;
    struct gt_recorder_stop stop;
    struct gt_recorder_bounds bounds; /* of its stack */
};

struct gt_rec_proc {
    struct gt_recorder_resource resource; /* the first member */
    gt_recorder *recorder;
    struct gt_atomic is_released; /* changed with the lock of the registry */
};

/*
 * The word of a system call of a thread: GT_SYSCALL_ in the two lowest bits, then 28 bits for the
 * generation in which that was set, then the number of the call. With the number a thief cannot
 * take one call for another.
 */
enum {
    GT_SYSCALL_NONE,
    GT_SYSCALL_OPEN,  /* the thread has a proc, which may be stolen */
    GT_SYSCALL_STOLEN /* the proc was stolen */
};

struct gt_rec_thread {
    struct gt_recorder_link link; /* the first member */
    gt_recorder *recorder;
    struct gt_atomic sections; /* odd: the thread is in a section */
    struct gt_atomic call;
    struct gt_atomic_pointer proc; /* changed by the thread itself */
    gt_rec_go *go;
    bool is_in_call;
    /* Of the section. */
    bool is_on;
    uint64_t generation;
    /* The time of the last event. */
    uint64_t time;
    uint64_t id;
    /* Ids that are still to be given, each up to the last one. */
    uint64_t next_go, last_go;
    uint64_t next_task, last_task;
    uint64_t next_string, last_string;
    struct gt_recorder_slots events, strings;
    uint64_t stack_depth; /* the most frames of stacks, 0: there are none */
    uint64_t next_stack, last_stack;
    struct gt_recorder_bounds bounds; /* of its own stack */
    struct gt_recorder_stacks stacks[2];
    /* The addresses of the stack that is being taken: too many for the small stack of a fiber. */
    uint64_t pcs[GT_STACK_MOST];
    struct gt_atomic is_detached;
    /* Of the thread that ends a generation: the thread was detached before. */
    bool is_leaving;
    /* No other thread's memory is in the same cache line. */
    char padding[64];
};

/* A piece of a generation in the window. */
struct gt_recorder_piece {
    struct gt_recorder_piece *next;
    size_t size;
    bool is_lead; /* as in struct gt_recorder_buffer */
    uint8_t bytes[];
};

/* A generation in the window. */
struct gt_recorder_kept {
    struct gt_recorder_kept *next;
    struct gt_recorder_piece *first, *last;
    uint64_t number, size;
    uint64_t begin; /* ns of the monotonic clock */
    struct gt_recorder_gc_part gc;
    bool can_be_first; /* in a trace */
    bool is_taken;     /* it is being written */
    bool is_removed;   /* from the list, while it is being written */
};

/* The newest generations. */
struct gt_recorder_window {
    bool is_on; /* with the lock of generations */
    uint64_t min_age, max_bytes;
    void (*on_request)(void *user_data);
    void *user_data;
    struct gt_recorder_kept *open; /* the generation that is being added */
    struct gt_system_mutex lock;   /* of the list; held for short moments, in sections, too */
    struct gt_recorder_kept *first, *last;
    struct gt_atomic size; /* of the generations in the list */
    struct gt_atomic is_writing, is_requested;
    struct gt_system_mutex answering; /* held while `on_request` is taken and called */
    struct gt_atomic answerer;        /* the thread that holds it, or 0 */
};

/* A descriptor that is written to. */
struct gt_recorder_file {
    int fd;
    int error; /* the errno of the last write */
};

/* What happens with what is recorded. Changed with the lock of generations. */
enum gt_recorder_stream {
    GT_STREAM_NONE,
    GT_STREAM_OPEN,
    GT_STREAM_FAILED /* recording ended because of an error; not stopped yet */
};

/* Adds to the objects that wait to be freed, and frees them if that is due. */
void gt_recorder_note_released(gt_recorder *recorder);

struct gt_recorder {
    struct gt_mem mem;
    struct gt_thread_mutex mem_lock;
    uint64_t flags;
    uint64_t period;
    uint64_t stack_depth;
    gt_rec_unwind_fn unwind;
    gt_rec_name_fn name;
    void *user_data; /* of both */
    bool has_barrier;
    struct gt_system_self self; /* the handle of a thread */

    /* The number of the generation, and in the lowest bit whether it is recorded. */
    struct gt_atomic generation;
    /* By the lowest bit of the generation: minus the status why events could not be written. */
    struct gt_atomic losses[2];
    struct gt_atomic next_go, next_task, next_string, next_stack;
    /* The first generations of the stream and of the window, or GT_NO_GENERATION. */
    struct gt_atomic first_streamed, first_kept;
    /*
     * By the lowest bit of the generation: stops of the world that ended in it, and began in an
     * older one: ~ of the first of these, and 1 + the last one of which the end was left out; or 0.
     */
    struct gt_atomic stops_ended[2], stops_cut[2];
    struct gt_recorder_gc gc;
    struct gt_atomic released; /* how many objects wait to be freed */
    struct gt_recorder_list threads, gos, procs;

    /* Held for starting and stopping, in callbacks, too. */
    struct gt_system_mutex control;
    /* Held for ending generations, in callbacks, too; whose thread has it. */
    struct gt_system_mutex advancing;
    struct gt_atomic advancer;
    /* Held for short moments, never in callbacks. */
    struct gt_system_mutex registry; /* texts, ids of procs */
    struct gt_system_mutex queueing; /* the queues */

    struct gt_recorder_queue queues[2];
    struct gt_texts texts;
    struct gt_atomic text_count;

    /* Of the stream. */
    enum gt_recorder_stream stream;
    gt_write_fn write;
    void *write_data;
    struct gt_recorder_file file; /* where the program gave a descriptor */
    bool has_file;
    gt_error error;                      /* why it failed */
    struct gt_system_moment moment;      /* when the generation began */
    bool has_gc;                         /* readers know whether the collector works */
    struct gt_atomic bytes, generations; /* so far */
    struct gt_recorder_output *output;
    struct gt_recorder_frames frames;
    struct gt_recorder_window window;

    /* The thread that ends generations. */
    pthread_t ticker;
    bool has_ticker;
    struct gt_atomic ticker_stops, ticker_id;
    struct gt_atomic ticker_period; /* ns */
    struct gt_system_bell bell;
};

#endif
