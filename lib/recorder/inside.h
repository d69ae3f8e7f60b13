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
#include "recorder/clock.h"
#include "recorder/elf.h"
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

/*
 * What is done in a generation. Before recording begins there is a strict one, in which each change
 * of a goroutine shows whether another thread has the goroutine, too.
 */
enum gt_recorder_mode {
    GT_MODE_OFF,
    GT_MODE_ON, /* it is recorded */
    GT_MODE_STRICT
};

enum {
    GT_MODE_BITS = 2
};

/* The versions of traces that are written. Version 26 brought the byte that ends a generation. */
enum {
    GT_RECORDER_OLDEST = 23,
    GT_RECORDER_NEWEST = 26
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
    struct gt_atomic_pointer thread; /* of a proc: where it runs or is in a system call */
    uint64_t id;
    /* From before the end of a generation: a copy of the word, and the thread that has it. */
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

/* What the process has loaded. With the lock of generations. */
struct gt_recorder_module;

struct gt_recorder_modules {
    struct gt_recorder_module *first; /* the newest */
    uint64_t changes;                 /* how often the system has loaded and unloaded some */
    uint64_t functions, rows;         /* of all of them together */
    struct gt_atomic_pointer map;     /* struct gt_unwind_map, read by threads in sections */
    uint64_t maps;                    /* how many there were */
    void *old_map;                    /* which threads may still read */
    char name[GT_ELF_NAME_SIZE];
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
    /* Of the thread that ends a generation: it was released before, and no thread has it. */
    bool is_leaving;
    /* Of the thread on which it runs: the regions that are open, the innermost last. */
    GT_ARRAY(struct gt_recorder_region) regions;
    struct gt_recorder_stop stop;
    struct gt_recorder_bounds bounds; /* of its stack */
    struct gt_atomic_pointer home;    /* the thread whose own it is, or NULL */
};

struct gt_rec_proc {
    struct gt_recorder_resource resource; /* the first member */
    gt_recorder *recorder;
    struct gt_atomic is_released; /* changed with the lock of the registry */
    gt_rec_proc *next_free;       /* of those of threads that were detached */
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
    /*
     * The goroutine that runs on it or is in a system call, and the word that the thread gave that
     * last. A goroutine with another word is not the thread's: see gt_recorder_set_go.
     */
    struct gt_atomic_pointer go;
    struct gt_atomic claim;
    uint64_t tag; /* in words while nothing is recorded */
    bool is_in_call;
    bool is_bound; /* it has a lock that whoever ends a generation needs */
    /* What it has of its own with GT_RECORDER_IMPLICIT, or NULL. */
    gt_rec_go *home_go;
    gt_rec_proc *home_proc;
    bool keeps_proc;     /* while it waits */
    uint64_t procs_told; /* the last generation of which it knows that somebody told of procs */
    /* Of the section. */
    enum gt_recorder_mode mode;
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
    struct gt_recorder_samples *samples; /* or NULL */
    struct gt_recorder_recent *recent;   /* stacks, or NULL */
    struct gt_recorder_bounds bounds;    /* of its own stack */
    struct gt_recorder_stacks stacks[2];
    /* The addresses of the stack that is being taken: too many for the small stack of a fiber. */
    uint64_t pcs[GT_STACK_MOST];
    struct gt_atomic is_detached;
    /* Of the thread that ends a generation: the thread was detached before. */
    bool is_leaving;
    /* No other thread's memory is in the same cache line. */
    char padding[64];
};

static inline gt_rec_go *gt_recorder_own_go(const gt_rec_thread *t)
{
    return gt_atomic_pointer_peek(&t->go);
}

/* Whether the section of the thread is of a generation that is recorded. */
static inline bool gt_recorder_is_on(const gt_rec_thread *t)
{
    return t->mode == GT_MODE_ON;
}

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
    uint64_t time;  /* the same by the clock of the recorder */
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

/* What takes samples of threads after so much of their processor time. */
struct gt_recorder_sampler {
    struct gt_system_timers *timers; /* or NULL */
    struct gt_system_mutex lock;     /* of the timers of all threads */
    bool is_on;                      /* they run */
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
    size_t thread_size;    /* of a thread, with its recent stacks and its samples behind it */
    uint64_t sample_hz;    /* or 0 */
    uint64_t sample_words; /* of the ring of a thread; 0: there are no samples */
    uint64_t version; /* of Go, whose traces are written: one of GT_RECORDER_NEWEST and _OLDEST */
    gt_rec_unwind_fn unwind;
    gt_rec_name_fn name;
    void *user_data; /* of both */
    bool has_barrier;
    uint64_t process; /* that has opened it */
    /* The handle of a thread, or the recorder while the thread has none for what it calls. */
    struct gt_system_self self;
    struct gt_recorder_clock clock;

    /* The number of the generation, and in the lowest GT_MODE_BITS its enum gt_recorder_mode. */
    struct gt_atomic generation;
    /* There is no barrier, or memory has become scarce and threads shall wait: see relief.h. */
    struct gt_atomic enters_slowly, is_scarce;
    void (*relieve)(gt_rec_thread *thread); /* called before a section where memory is scarce */
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
    struct gt_atomic lost_samples, conflicts;
    struct gt_atomic next_tag;
    struct gt_recorder_list threads, gos, procs;
    /* How many procs may run at once, or 0; by the lowest bit, the last generation that tells. */
    struct gt_atomic proc_count, procs_told[2];
    /* Of threads that have a proc of their own, with the lock of the registry. */
    gt_rec_proc *free_procs;
    uint64_t next_proc;

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
    struct gt_recorder_moment moment;    /* when the generation began */
    bool has_gc;                         /* readers know whether the collector works */
    struct gt_atomic bytes, generations; /* so far */
    struct gt_recorder_output *output;
    struct gt_recorder_frames frames;
    struct gt_recorder_modules modules;
    struct gt_recorder_window window;
    struct gt_recorder_sampler sampler;

    /* The thread that ends generations. */
    pthread_t ticker;
    bool has_ticker;
    struct gt_atomic ticker_stops, ticker_id;
    struct gt_atomic ticker_period; /* ns */
    struct gt_system_bell bell;
};

static inline uint64_t gt_recorder_number(const gt_recorder *recorder)
{
    return gt_atomic_get(&recorder->generation) >> GT_MODE_BITS;
}

static inline enum gt_recorder_mode gt_recorder_mode_of(uint64_t generation)
{
    return generation & ((1 << GT_MODE_BITS) - 1);
}

/* Whether the current generation is recorded. */
static inline bool gt_recorder_records(const gt_recorder *recorder)
{
    return gt_recorder_mode_of(gt_atomic_get(&recorder->generation)) == GT_MODE_ON;
}

/* Whether a recorder takes stacks of events or of samples. */
static inline bool gt_recorder_has_stacks(const gt_recorder *recorder)
{
    return recorder->stack_depth > 0 || recorder->sample_words > 0;
}

#endif
