/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/decode.h"

#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "store/classes.h"
#include "store/span.h"

/* Whether `string` equals the literal `text`. A macro, so that compilers turn it into a comparison
 * of integers. */
#define IS(string, text)                                                                           \
    ((string).size == sizeof(text) - 1 && memcmp((string).data, (text), sizeof(text) - 1) == 0)

bool gt_decode_init(struct gt_store_decoder *decoder, const gt_allocator *allocator, gt_op_fn *put,
                    void *user_data)
{
    memset(decoder, 0, sizeof(*decoder));
    decoder->put = put;
    decoder->user_data = user_data;
    gt_mem_init(&decoder->mem, allocator, 0);
    return gt_texts_init(&decoder->texts, &decoder->mem) == GT_OK;
}

void gt_decode_destroy(struct gt_store_decoder *decoder)
{
    gt_texts_destroy(&decoder->texts);
}

static bool decode_put(struct gt_store_decoder *decoder, const struct gt_op *op)
{
    return decoder->put(decoder->user_data, op);
}

/* Adds a text, and sends it to the store if it is new. */
static bool decode_add_text(struct gt_store_decoder *decoder, gt_string string, uint32_t *id)
{
    size_t count = decoder->texts.list.count;
    if (gt_texts_add(&decoder->texts, string, id) != GT_OK)
        return false;
    if (decoder->texts.list.count == count)
        return true;
    struct gt_op op = {.kind = GT_OP_TEXT, .string = decoder->texts.list.items[*id]};
    return decode_put(decoder, &op);
}

/* Finds the id of a text, and sends the text to the store if it is new. */
static bool decode_find_text(struct gt_store_decoder *decoder, gt_string string, uint32_t *id)
{
    *id = 0;
    if (string.size == 0)
        return true;
    struct gt_decode_recent *recent =
        &decoder->recent[((uintptr_t) string.data >> 3) % GT_DECODE_RECENT];
    /* The bytes at that address may have changed since. */
    if (recent->data == string.data &&
        gt_text_equal(decoder->texts.list.items[recent->text], string)) {
        *id = recent->text;
        return true;
    }
    if (!decode_add_text(decoder, string, id))
        return false;
    *recent = (struct gt_decode_recent){string.data, *id};
    return true;
}

static struct gt_op decode_make_op(const gt_viewer_event *event, uint8_t kind, uint8_t which)
{
    struct gt_op op;
    op.kind = kind;
    op.which = which;
    op.text = op.file = 0;
    op.stack = event->stack;
    op.end_stack = event->end_stack;
    op.row = (int64_t) event->resource;
    op.start = event->time;
    op.end = gt_time_plus(event->time, event->duration);
    op.has = 0;
    op.by = op.proc = op.thread = 0;
    return op;
}

static void decode_set_by(struct gt_op *op, int64_t by)
{
    op->by = by;
    op->has |= GT_OP_HAS_BY;
}

/* Sends an operation whose text is the name of the event. */
static bool decode_put_named(struct gt_store_decoder *decoder, const gt_viewer_event *event,
                             struct gt_op *op)
{
    return decode_find_text(decoder, event->name, &op->text) && decode_put(decoder, op);
}

static bool decode_argument(struct gt_store_decoder *decoder, const gt_viewer_argument *argument,
                            struct gt_op *op)
{
    int64_t number = (int64_t) argument->number;
    if (IS(argument->key, "proc")) {
        op->proc = number;
        op->has |= GT_OP_HAS_PROC;
    } else if (IS(argument->key, "thread")) {
        op->thread = number;
        op->has |= GT_OP_HAS_THREAD;
    } else if (IS(argument->key, "by")) {
        decode_set_by(op, number);
    } else if (IS(argument->key, "reason")) {
        return decode_find_text(decoder, argument->string, &op->text);
    }
    return true;
}

/* The class of a state by its name; GT_STORE_CLASSES if it is not a state. */
static uint8_t decode_class_of(gt_string state)
{
    if (IS(state, "Running"))
        return GT_CLASS_RUNNING;
    if (IS(state, "Runnable"))
        return GT_CLASS_RUNNABLE;
    if (IS(state, "Waiting"))
        return GT_CLASS_WAIT_OTHER;
    if (IS(state, "Syscall"))
        return GT_CLASS_SYSCALL;
    return IS(state, "Syscall, blocked") ? GT_CLASS_SYSCALL_BLOCKED : GT_STORE_CLASSES;
}

static bool decode_state(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op op = decode_make_op(event, GT_OP_STATE, decode_class_of(event->name));
    if (op.which == GT_STORE_CLASSES)
        return true;
    for (size_t i = 0; i < event->argument_count; i++) {
        if (!decode_argument(decoder, &event->arguments[i], &op))
            return false;
    }
    return decode_put(decoder, &op);
}

static bool decode_task(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op op = decode_make_op(event, GT_OP_TASK, GT_CLASS_TASK);
    for (size_t i = 0; i < event->argument_count; i++) {
        if (IS(event->arguments[i].key, "start_g"))
            decode_set_by(&op, (int64_t) event->arguments[i].number);
    }
    return decode_put_named(decoder, event, &op);
}

static bool decode_slice(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    bool is_stop, is_global;
    struct gt_op op;
    if (event->section == GT_SECTION_TASKS)
        return decode_task(decoder, event);
    if (event->section != GT_SECTION_RESOURCES)
        return true;
    if (IS(event->category, "state"))
        return decode_state(decoder, event);
    is_stop = gt_class_is_stop(event->name);
    is_global = event->resource == GT_ROW_GC;
    op = decode_make_op(event, is_global ? GT_OP_COLLECTION : GT_OP_RANGE,
                        is_stop     ? GT_CLASS_STW
                        : is_global ? GT_CLASS_GC
                                    : GT_CLASS_RANGE);
    return decode_put_named(decoder, event, &op);
}

/* A region's start or end; the end follows the start immediately. */
static bool decode_region(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op *op = &decoder->region_op;
    if (event->phase == 'b') {
        decoder->region = event->id;
        *op = decode_make_op(event, GT_OP_REGION, GT_CLASS_REGION);
        return decode_find_text(decoder, event->name, &op->text);
    }
    if (event->id != decoder->region || event->id == 0)
        return true;
    decoder->region = 0;
    op->end = event->time;
    op->end_stack = event->stack;
    return decode_put(decoder, op);
}

/* The start or the end of an arrow from a task to its child. */
static bool decode_arrow(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op op;
    if (event->section != GT_SECTION_TASKS)
        return true;
    if (event->phase == 's') {
        decoder->arrow = event->id;
        decoder->arrow_from = (int64_t) event->resource;
        return true;
    }
    if (event->id != decoder->arrow || event->id == 0)
        return true;
    decoder->arrow = 0;
    op = decode_make_op(event, GT_OP_PARENT, 0);
    decode_set_by(&op, decoder->arrow_from);
    return decode_put(decoder, &op);
}

static bool decode_goroutine(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op op = decode_make_op(event, GT_OP_GOROUTINE, gt_class_is_collector(event->name));
    for (size_t i = 0; i < event->argument_count; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        if (IS(argument->key, "by"))
            decode_set_by(&op, (int64_t) argument->number);
        else if (IS(argument->key, "label") &&
                 !decode_find_text(decoder, argument->string, &op.file))
            return false;
    }
    return decode_put_named(decoder, event, &op);
}

static bool decode_log(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op op = decode_make_op(event, GT_OP_LOG, 0);
    for (size_t i = 0; i < event->argument_count; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        if (IS(argument->key, "task"))
            decode_set_by(&op, (int64_t) argument->number);
        else if (IS(argument->key, "category") &&
                 !decode_find_text(decoder, argument->string, &op.file))
            return false;
    }
    return decode_put_named(decoder, event, &op);
}

static bool decode_instant(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    struct gt_op op;
    if (event->section != GT_SECTION_RESOURCES)
        return true;
    if (IS(event->category, "goroutine"))
        return decode_goroutine(decoder, event);
    if (IS(event->category, "user event"))
        return decode_log(decoder, event);
    if (!IS(event->name, "CPU profile sample"))
        return true;
    op = decode_make_op(event, GT_OP_SAMPLE, 0);
    return decode_put(decoder, &op);
}

/* Sends the value of a counter if it has changed: an event has the values of several counters. */
static bool decode_count(struct gt_store_decoder *decoder, uint8_t which,
                         const gt_viewer_event *event, uint64_t value)
{
    struct gt_op op;
    if (decoder->counted[which] == value)
        return true;
    decoder->counted[which] = value;
    op = decode_make_op(event, GT_OP_COUNT, which);
    decode_set_by(&op, (int64_t) value);
    return decode_put(decoder, &op);
}

/*
 * The event has the heap goal as the number of bytes that may still be allocated, which is 0 both
 * if there is no goal and if the heap has grown beyond it. In the latter case, which is when the
 * last goal is at most the heap, the goal stays as it was.
 */
static bool decode_heap(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    uint64_t allocated = 0, left = 0, goal = decoder->counted[GT_COUNTER_GOAL];
    for (size_t i = 0; i < event->argument_count; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        if (IS(argument->key, "Allocated"))
            allocated = argument->number;
        else if (IS(argument->key, "NextGC"))
            left = argument->number;
    }
    if (left > 0)
        goal = allocated + left;
    else if (goal > allocated)
        goal = 0;
    return decode_count(decoder, GT_COUNTER_HEAP, event, allocated) &&
           decode_count(decoder, GT_COUNTER_GOAL, event, goal);
}

static bool decode_goroutines(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    bool good = true;
    for (size_t i = 0; i < event->argument_count && good; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        if (IS(argument->key, "Running"))
            good = decode_count(decoder, GT_COUNTER_RUNNING, event, argument->number);
        else if (IS(argument->key, "Runnable"))
            good = decode_count(decoder, GT_COUNTER_RUNNABLE, event, argument->number);
        else if (IS(argument->key, "GCWaiting"))
            good = decode_count(decoder, GT_COUNTER_GC_WAITING, event, argument->number);
    }
    return good;
}

static bool decode_threads(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    bool good = true;
    for (size_t i = 0; i < event->argument_count && good; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        if (IS(argument->key, "Running"))
            good = decode_count(decoder, GT_COUNTER_THREADS_RUNNING, event, argument->number);
        else if (IS(argument->key, "InSyscall"))
            good = decode_count(decoder, GT_COUNTER_THREADS_SYSCALL, event, argument->number);
    }
    return good;
}

static bool decode_counters(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    if (IS(event->name, "Goroutines"))
        return decode_goroutines(decoder, event);
    if (IS(event->name, "Heap"))
        return decode_heap(decoder, event);
    if (IS(event->name, "Threads"))
        return decode_threads(decoder, event);
    return true;
}

bool gt_decode_event(struct gt_store_decoder *decoder, const gt_viewer_event *event)
{
    switch (event->phase) {
    case 'X':
        return decode_slice(decoder, event);
    case 'b':
    case 'e':
        return decode_region(decoder, event);
    case 's':
    case 't':
        return decode_arrow(decoder, event);
    case 'I':
        return decode_instant(decoder, event);
    case 'C':
        return decode_counters(decoder, event);
    default:
        return true;
    }
}

bool gt_decode_frame(struct gt_store_decoder *decoder, const gt_viewer_frame *frame)
{
    struct gt_op op;
    memset(&op, 0, sizeof(op));
    op.kind = GT_OP_FRAME;
    op.stack = frame->parent;
    op.start = (int64_t) frame->line;
    op.end = (int64_t) frame->pc;
    return decode_find_text(decoder, frame->function, &op.text) &&
           decode_find_text(decoder, frame->file, &op.file) && decode_put(decoder, &op);
}
