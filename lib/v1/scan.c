/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/scan.h"

#include <string.h>

#include "base/error.h"
#include "base/varint.h"
#include "v1/fit.h"
#include "v1/gap.h"
#include "v1/repair.h"
#include "v1/v1.h"

/* The wire format: Go 1.21's internal/trace/parser.go, readTrace and parseEvents. */

struct scan {
    struct gt_v1 *v1;
    struct gt_cursor cursor;
    const uint8_t *event;   /* the first byte of the event */
    const uint8_t *batch;   /* the first byte of the last batch; NULL before the first batch */
    const uint8_t *watched; /* the end of the bytes that were reported as progress */
    int32_t proc_id;        /* the proc of the last batch */
    bool proc_pending;      /* the last batch has had no events so far */
    unsigned type;
    unsigned code;
    uint64_t numbers[GT_V1_NUMBERS];
};

/* Sets an error at the event that is being scanned, after which nothing can be read. */
static gt_status v1_scan_fail(struct scan *scan, gt_status status, const char *text, uint64_t a,
                              uint64_t b)
{
    const char *name = gt_v1_name(scan->type < GT_V1_TYPES ? scan->type : GT_V1_NONE);
    return gt_error_set(scan->v1->error, status, gt_v1_offset(scan->v1, scan->event), 0, text, name,
                        a, b);
}

/* Sets the error that made the cursor stop. */
static gt_status v1_scan_fail_cursor(struct scan *scan, gt_status status)
{
    if (scan->cursor.fault == GT_VARINT_CUT)
        return v1_scan_fail(scan, GT_ERR_TRUNCATED, "%s is cut off by the end of the input", 0, 0);
    return v1_scan_fail(scan, status, "%s has a number of more than 64 bits", 0, 0);
}

/* Takes `size` bytes, or returns NULL if fewer are left. */
static const uint8_t *v1_scan_bytes(struct scan *scan, uint64_t size)
{
    const uint8_t *bytes = scan->cursor.p;
    if (size > gt_cursor_left(&scan->cursor)) {
        gt_cursor_fail(&scan->cursor, GT_VARINT_CUT);
        return NULL;
    }
    scan->cursor.p += size;
    return bytes;
}

static gt_status v1_scan_string(struct scan *scan)
{
    struct gt_strings *strings = &scan->v1->table.strings;
    uint32_t slot;
    uint64_t id = gt_cursor_varint(&scan->cursor);
    uint64_t size = gt_cursor_varint(&scan->cursor);
    if (scan->cursor.fault != GT_VARINT_OK)
        return v1_scan_fail_cursor(scan, GT_ERR_STRINGS);
    if (id == 0 ||
        (gt_strings_find(strings, id, &slot) && slot != 0 &&
         !gt_v1_fit_is_left_out(scan->v1, gt_strings_get(strings, slot).data, scan->event)))
        return v1_scan_fail(scan, GT_ERR_STRINGS, "%s has id %u, which is reserved or used already",
                            id, 0);
    if (size == 0 || size > GT_V1_MAX_TEXT)
        return v1_scan_fail(scan, GT_ERR_STRINGS, "%s %u has a length of %u", id, size);
    const uint8_t *bytes = v1_scan_bytes(scan, size);
    if (!bytes)
        return v1_scan_fail_cursor(scan, GT_ERR_STRINGS);
    if (scan->v1->repair.lenient &&
        !gt_v1_fit_is_string(scan->v1, scan->event, id, bytes, (size_t) size))
        return v1_scan_fail(scan, GT_ERR_STRINGS, "%s %u is not of this trace", id, 0);
    scan->v1->input.gaps.last_string = id;
    if (gt_strings_add(strings, id, bytes, (uint32_t) size) != GT_OK)
        return gt_v1_no_memory(scan->v1);
    return GT_OK;
}

/* Reads the header of a batch, which has one number more than its argument code says. */
static gt_status v1_scan_batch(struct scan *scan)
{
    if (scan->code != 1)
        return v1_scan_fail(scan, GT_ERR_BATCH, "%s has the argument code %u, where it should be 1",
                            scan->code, 0);
    uint64_t proc = gt_cursor_varint(&scan->cursor);
    uint64_t ticks = 0;
    for (unsigned i = scan->v1->version < 7 ? 2 : 1; i > 0; i--)
        ticks = gt_cursor_varint(&scan->cursor);
    if (scan->cursor.fault != GT_VARINT_OK)
        return v1_scan_fail_cursor(scan, GT_ERR_BATCH);
    if (proc != UINT64_MAX && proc > INT32_MAX)
        return v1_scan_fail(scan, GT_ERR_BATCH, "%s of proc %u, which is too large a number", proc,
                            0);
    if (scan->v1->repair.lenient && !gt_v1_fit_is_batch(scan->v1, scan->event))
        return v1_scan_fail(scan, GT_ERR_BATCH, "%s is not of this trace", 0, 0);
    gt_v1_fit_note_batch(scan->v1, ticks);
    scan->batch = scan->event;
    scan->proc_id = (int32_t) proc;
    scan->proc_pending = true;
    return GT_OK;
}

static gt_status v1_proc_get(struct gt_v1 *v1, int32_t id, struct gt_v1_proc **out)
{
    struct gt_v1_proc *proc = gt_idmap_get(&v1->input.proc_map, (uint32_t) id);
    *out = proc;
    if (proc)
        return GT_OK;
    proc = gt_idmap_add(&v1->input.proc_map, (uint32_t) id);
    if (!proc)
        return gt_mem_failure(v1->mem);
    proc->id = id;
    proc->thread = GT_NO_THREAD;
    proc->first_batch = -1;
    proc->lane.rank = (uint32_t) v1->input.proc_count++;
    if (v1->input.last_proc)
        v1->input.last_proc->next = proc;
    else
        v1->input.procs = proc;
    v1->input.last_proc = *out = proc;
    return GT_OK;
}

/*
 * Adds the last batch to the list when its first event is found. Batches without events are
 * ignored.
 */
static gt_status v1_batch_add(struct scan *scan)
{
    struct gt_v1 *v1 = scan->v1;
    struct gt_v1_proc *proc;
    scan->proc_pending = false;
    if (v1->input.batches.count == INT32_MAX)
        return gt_error_plain(v1->error, GT_ERR_LIMIT);
    if (v1_proc_get(v1, scan->proc_id, &proc) != GT_OK ||
        gt_array_reserve(v1->mem, &v1->input.batches, 1) != GT_OK)
        return gt_v1_no_memory(scan->v1);
    int32_t index = (int32_t) v1->input.batches.count++;
    v1->input.batches.items[index].start = scan->batch;
    v1->input.batches.items[index].end = v1->input.end;
    v1->input.batches.items[index].next = -1;
    v1->input.batches.items[index].is_opened = false;
    if (proc->first_batch < 0)
        proc->first_batch = index;
    else
        v1->input.batches.items[proc->last_batch].next = index;
    proc->last_batch = index;
    return GT_OK;
}

/*
 * Limits the cursor to arguments that are preceded by their length in bytes. Sets `*end` to the
 * cursor's former end.
 */
static gt_status v1_counted_enter(struct scan *scan, const uint8_t **end)
{
    uint64_t size = gt_cursor_varint(&scan->cursor);
    if (scan->cursor.fault == GT_VARINT_OK && size > gt_cursor_left(&scan->cursor))
        gt_cursor_fail(&scan->cursor, GT_VARINT_CUT);
    if (scan->cursor.fault != GT_VARINT_OK)
        return v1_scan_fail_cursor(scan, GT_ERR_EVENT);
    *end = scan->cursor.end;
    scan->cursor.end = scan->cursor.p + size;
    return GT_OK;
}

/* Removes the limit. Returns whether the cursor has read exactly the bytes of the arguments. */
static bool v1_counted_leave(struct scan *scan, const uint8_t *end)
{
    bool all = scan->cursor.fault == GT_VARINT_OK && scan->cursor.p == scan->cursor.end;
    scan->cursor.end = end;
    return all;
}

static gt_status v1_bare_stack_add(struct scan *scan, uint64_t id, const uint8_t *data,
                                   bool is_start)
{
    struct gt_v1 *v1 = scan->v1;
    struct gt_v1_bare_stack bare = {id, data, is_start};
    gt_status status = gt_array_add(v1->mem, &v1->symbols.bare, bare);
    return status == GT_OK ? GT_OK : gt_v1_no_memory(v1);
}

static gt_status v1_scan_add_stack(struct scan *scan, uint64_t id, const uint8_t *data)
{
    if (scan->v1->version < 7)
        return v1_bare_stack_add(scan, id, data, false);
    if (gt_stacks_add(&scan->v1->table.stacks, id, data) != GT_OK)
        return gt_v1_no_memory(scan->v1);
    return GT_OK;
}

/*
 * Adds a program counter, of a frame or of the start of a goroutine, to those that need a symbol.
 */
static gt_status v1_pc_add(struct scan *scan, uint64_t pc)
{
    struct gt_v1 *v1 = scan->v1;
    gt_status status = gt_array_add(v1->mem, &v1->symbols.pcs, pc);
    return status == GT_OK ? GT_OK : gt_v1_no_memory(v1);
}

static gt_status v1_scan_frames(struct scan *scan, uint64_t frames)
{
    bool bare = scan->v1->version < 7;
    for (uint64_t i = 0; i < frames; i++) {
        uint64_t pc = gt_cursor_varint(&scan->cursor);
        if (bare) {
            gt_status status = v1_pc_add(scan, pc);
            if (status != GT_OK)
                return status;
            continue;
        }
        for (unsigned k = 0; k < 3; k++)
            gt_cursor_varint(&scan->cursor);
    }
    return GT_OK;
}

/*
 * Scans a stack, which must have as many numbers as its frames need. A short stack may have no
 * length in bytes; then the argument code must be right.
 */
static gt_status v1_scan_stack(struct scan *scan)
{
    const uint8_t *end = NULL;
    if (scan->code == GT_V1_COUNTED) {
        gt_status status = v1_counted_enter(scan, &end);
        if (status != GT_OK)
            return status;
    }
    scan->v1->input.has_stacks = true;
    uint64_t id = gt_cursor_varint(&scan->cursor);
    const uint8_t *data = scan->cursor.p;
    uint64_t frames = gt_cursor_varint(&scan->cursor);
    if (scan->cursor.fault == GT_VARINT_OK && frames > GT_V1_MAX_FRAMES)
        return v1_scan_fail(scan, GT_ERR_STACKS, "%s %u has %u frames", id, frames);
    gt_status status = scan->cursor.fault == GT_VARINT_OK ? v1_scan_frames(scan, frames) : GT_OK;
    if (status != GT_OK)
        return status;
    if (scan->cursor.fault != GT_VARINT_OK && !(end && scan->cursor.fault == GT_VARINT_CUT))
        return v1_scan_fail_cursor(scan, GT_ERR_STACKS);
    uint64_t inline_numbers = scan->code + (scan->v1->version < 7 ? 2U : 1U);
    uint64_t numbers = 2 + frames * (scan->v1->version < 7 ? 1 : 4);
    if (end ? !v1_counted_leave(scan, end) : numbers != inline_numbers)
        return v1_scan_fail(scan, GT_ERR_STACKS,
                            "%s %u does not have as many numbers as its %u frames need", id,
                            frames);
    /* Events refer to stacks by 32-bit ids, because Go's reader truncates the ids. */
    if (scan->v1->version >= 7)
        id = (uint32_t) id;
    if (scan->v1->repair.lenient && !gt_v1_fit_is_stack(scan->v1, id, data, scan->cursor.p))
        return v1_scan_fail(scan, GT_ERR_STACKS, "%s %u is not of this trace", id, 0);
    return id == 0 || frames == 0 ? GT_OK : v1_scan_add_stack(scan, id, data);
}

static void v1_scan_numbers(struct scan *scan, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        scan->numbers[i] = gt_cursor_varint(&scan->cursor);
}

static gt_status v1_scan_fail_count(struct scan *scan, unsigned expected)
{
    return v1_scan_fail(scan, GT_ERR_EVENT, "%s does not have the %u numbers that it should",
                        expected, 0);
}

static gt_status v1_scan_log_text(struct scan *scan)
{
    uint64_t size = gt_cursor_varint(&scan->cursor);
    if (scan->cursor.fault == GT_VARINT_OK && size > GT_V1_MAX_TEXT)
        return v1_scan_fail(scan, GT_ERR_EVENT, "%s has a message of %u bytes", size, 0);
    if (scan->cursor.fault != GT_VARINT_OK || !v1_scan_bytes(scan, size))
        return v1_scan_fail_cursor(scan, GT_ERR_EVENT);
    return GT_OK;
}

/* Reads an event's numbers, and checks that it has `expected` of them. */
static gt_status v1_scan_arguments(struct scan *scan, unsigned expected)
{
    const uint8_t *end = NULL;
    gt_status status = GT_OK;
    if (scan->code == GT_V1_COUNTED) {
        scan->v1->input.is_odd |= scan->event + 1 != scan->cursor.end && scan->event[1] >= 0x80;
        status = v1_counted_enter(scan, &end);
    } else if (expected != scan->code + (scan->v1->version < 7 ? 2U : 1U))
        status = v1_scan_fail_count(scan, expected);
    if (status != GT_OK)
        return status;
    v1_scan_numbers(scan, expected);
    if (scan->cursor.fault != GT_VARINT_OK && !(end && scan->cursor.fault == GT_VARINT_CUT))
        return v1_scan_fail_cursor(scan, GT_ERR_EVENT);
    return !end || v1_counted_leave(scan, end) ? GT_OK : v1_scan_fail_count(scan, expected);
}

/*
 * Version 5: adds the program counter at which a goroutine starts, converted to a return address
 * like those in frames.
 */
GT_WRAPS static gt_status v1_scan_add_start(struct scan *scan, uint64_t pc)
{
    gt_status status = GT_OK;
    if (scan->v1->version < 7)
        status = v1_pc_add(scan, pc + 1);
    return scan->v1->version < 7 && status == GT_OK ? v1_bare_stack_add(scan, pc, NULL, true)
                                                    : status;
}

static gt_status v1_scan_frequency(struct scan *scan)
{
    if (scan->numbers[0] == 0 || scan->numbers[0] > INT64_MAX)
        return v1_scan_fail(scan, GT_ERR_TIME, "%s of %u ticks a second", scan->numbers[0], 0);
    scan->v1->input.frequency = scan->numbers[0];
    if (scan->v1->repair.lenient)
        gt_v1_fit_note_frequency(scan->v1, scan->event, scan->cursor.p);
    return GT_OK;
}

/*
 * Adds the end of a system call. It contains the time at which the call ended, or 0 if it was
 * recorded at once. In Go 1.5 it also has a sequence number of its own for its place among the
 * events. `when` is the number by which it is ordered.
 */
static gt_status v1_scan_exit(struct scan *scan, uint64_t time, uint64_t when)
{
    if (time == 0)
        return GT_OK;
    if (gt_v1_late_add(&scan->v1->input.exits, scan->v1->mem, (int64_t) when,
                       gt_v1_offset(scan->v1, scan->event)) != GT_OK)
        return gt_v1_no_memory(scan->v1);
    return GT_OK;
}

static gt_status v1_scan_sample(struct scan *scan)
{
    if (gt_v1_late_add(&scan->v1->input.samples, scan->v1->mem, (int64_t) scan->numbers[1],
                       gt_v1_offset(scan->v1, scan->event)) != GT_OK)
        return gt_v1_no_memory(scan->v1);
    return GT_OK;
}

/* Records the information of the event that is needed before the merge. */
static gt_status v1_scan_note(struct scan *scan)
{
    struct gt_v1 *v1 = scan->v1;
    switch (scan->type) {
    case GT_V1_FREQUENCY:
        return v1_scan_frequency(scan);
    case GT_V1_TIMER_GOROUTINE:
        return gt_idmap_put(&v1->input.timers, scan->numbers[0], v1) == GT_OK
                   ? GT_OK
                   : gt_v1_no_memory(scan->v1);
    case GT_V1_CPU_SAMPLE:
        return v1_scan_sample(scan);
    case GT_V1_GO_SYS_EXIT:
        return v1_scan_exit(scan, scan->numbers[v1->version < 7 ? 4 : 3], scan->numbers[3]);
    case GT_V1_GO_SYS_EXIT_LOCAL:
        return v1_scan_exit(scan, scan->numbers[2], scan->numbers[2]);
    case GT_V1_GO_CREATE:
        return v1_scan_add_start(scan, scan->numbers[3]);
    case GT_V1_FUTILE_WAKEUP:
        v1->input.futile_wakeups++;
        return GT_OK;
    case GT_V1_USER_LOG:
        return v1_scan_log_text(scan);
    default:
        return GT_OK;
    }
}

/*
 * Whether events of this type may be the beginning of a text and would have effects, or hide the
 * batch behind it: a line feed looks like the end of a stopped world.
 */
static bool v1_may_be_text(const struct gt_v1 *v1, unsigned type)
{
    return v1->repair.lenient && (type == GT_V1_TIMER_GOROUTINE || type == GT_V1_STW_DONE);
}

static gt_status v1_scan_event(struct scan *scan)
{
    unsigned expected = scan->v1->input.numbers[scan->type];
    if (expected == 0)
        return gt_error_set(scan->v1->error, GT_ERR_EVENT, gt_v1_offset(scan->v1, scan->event), 0,
                            "there is no event of type %u in this version", (uint64_t) scan->type);
    if (!scan->batch)
        return v1_scan_fail(scan, GT_ERR_EVENT, "%s comes before any batch", 0, 0);
    if (scan->type == GT_V1_STACK)
        return v1_scan_stack(scan);
    if (scan->v1->input.gaps.is_closing && scan->type != GT_V1_TIMER_GOROUTINE)
        return v1_scan_fail(scan, GT_ERR_EVENT, "%s follows the end of the trace", 0, 0);
    if (v1_may_be_text(scan->v1, scan->type) && gt_v1_fit_is_text(scan->v1, scan->event))
        return v1_scan_fail(scan, GT_ERR_EVENT, "%s is text", 0, 0);
    gt_status status = v1_scan_arguments(scan, expected);
    if (status == GT_OK)
        status = v1_scan_note(scan);
    if (status == GT_OK && scan->proc_pending && gt_v1_has_time(scan->type) &&
        scan->type != GT_V1_CPU_SAMPLE)
        status = v1_batch_add(scan);
    return status;
}

static gt_status v1_scan_record(struct scan *scan)
{
    scan->event = scan->cursor.p++;
    scan->type = *scan->event & 0x3f;
    scan->code = *scan->event >> 6;
    if (scan->type == GT_V1_BATCH)
        return v1_scan_batch(scan);
    if (scan->type == GT_V1_STRING && scan->v1->version >= 7)
        return v1_scan_string(scan);
    return v1_scan_event(scan);
}

/* Forgets the late events behind an offset, which have turned out to be something else. */
static void v1_late_cut(struct gt_v1_late *late, uint64_t offset)
{
    while (late->count != 0 && gt_v1_late_offset(&late->events[late->count - 1]) >= offset)
        late->count--;
}

/* Goes on behind a fault, if the reader is lenient: see v1/gap.h. */
static gt_status v1_scan_pass(struct scan *scan)
{
    struct gt_v1 *v1 = scan->v1;
    const uint8_t *begin, *next;
    gt_status status = gt_v1_gap_pass(v1, scan->batch, scan->event, &begin, &next);
    if (status != GT_OK)
        return status;
    v1_late_cut(&v1->input.exits, gt_v1_offset(v1, begin));
    v1_late_cut(&v1->input.samples, gt_v1_offset(v1, begin));
    scan->proc_pending = false;
    scan->cursor = gt_cursor_make(next, (size_t) (scan->v1->input.end - next));
    return GT_OK;
}

/* Returns whether events of this type need only a check that they are well formed. */
static bool v1_is_plain(const struct gt_v1 *v1, unsigned type)
{
    if (v1->input.numbers[type] == 0 || !gt_v1_has_time(type) || v1_may_be_text(v1, type))
        return false;
    switch (type) {
    case GT_V1_CPU_SAMPLE:
    case GT_V1_GO_SYS_EXIT:
    case GT_V1_GO_SYS_EXIT_LOCAL:
    case GT_V1_FUTILE_WAKEUP:
    case GT_V1_USER_LOG:
        return false;
    case GT_V1_GO_CREATE:
        return v1->version >= 7;
    default:
        return true;
    }
}

/*
 * Skips a number of at least 3 bytes, and returns its end. Returns NULL if it has GT_VARINT_MAX
 * bytes or more.
 */
static const uint8_t *v1_skip_long(const uint8_t *p)
{
    for (unsigned i = 2; i < GT_VARINT_MAX - 1; i++) {
        if (p[i] < 0x80)
            return p + i + 1;
    }
    return NULL;
}

/* Skips `count` numbers, and returns their end. Returns NULL if one is too long. */
static inline const uint8_t *v1_skip_numbers(const uint8_t *p, unsigned count)
{
    for (; count > 0; count--) {
        if (p[0] < 0x80) {
            p++;
        } else if (p[1] < 0x80) {
            p += 2;
        } else {
            p = v1_skip_long(p);
            if (!p)
                return NULL;
        }
    }
    return p;
}

enum {
    /* The most bytes of a plain event; if so many are left, it is skipped without bounds checks. */
    EVENT_MAX = 2 + GT_V1_NUMBERS * GT_VARINT_MAX,

    /* A flag in the table of plain events: a length in bytes precedes the arguments. */
    PLAIN_COUNTED = 0x80
};

/*
 * The address at which the skipping of plain events pauses: near the end of the input, or earlier
 * to report progress.
 */
static const uint8_t *v1_skip_end(const struct scan *scan)
{
    size_t left = gt_cursor_left(&scan->cursor);
    if (left < EVENT_MAX)
        return scan->cursor.p;
    const uint8_t *stop = scan->cursor.end - EVENT_MAX + 1;
    return stop - scan->watched > GT_WATCH_STEP ? scan->watched + GT_WATCH_STEP : stop;
}

/*
 * Skips an event's length, which is at `p`, and its arguments, and returns their end. Returns NULL
 * if the arguments are not exactly `count` numbers.
 */
static const uint8_t *v1_skip_counted_numbers(const uint8_t *p, unsigned count)
{
    const uint8_t *end = p + 1 + *p;
    return *p < 0x80 && v1_skip_numbers(p + 1, count) == end ? end : NULL;
}

/*
 * Checks and skips plain events, which are most of the input. Stops at the first record that is not
 * plain or not well formed.
 */
static void v1_skip_plain(struct scan *scan, const uint8_t *plain)
{
    const uint8_t *p = scan->cursor.p;
    const uint8_t *stop = v1_skip_end(scan);
    while (p < stop) {
        unsigned count = plain[*p];
        if (count == 0)
            break;
        const uint8_t *end = count < PLAIN_COUNTED
                                 ? v1_skip_numbers(p + 1, count)
                                 : v1_skip_counted_numbers(p + 1, count - PLAIN_COUNTED);
        if (!end)
            break;
        p = end;
    }
    scan->cursor.p = p;
}

/* Sets the number of arguments of plain events for each first byte, and 0 for other records. */
static void v1_plain_types(const struct gt_v1 *v1, uint8_t plain[256])
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned count = v1_is_plain(v1, byte & 0x3f) ? v1->input.numbers[byte & 0x3f] : 0;
        unsigned code = byte >> 6;
        plain[byte] = 0;
        if (count != 0 && code == GT_V1_COUNTED)
            plain[byte] = (uint8_t) (count | PLAIN_COUNTED);
        else if (count == code + (v1->version < 7 ? 2U : 1U))
            plain[byte] = (uint8_t) count;
    }
}

/* Reports the progress of the scan to the program. */
static gt_status v1_scan_watch(struct scan *scan)
{
    size_t bytes = (size_t) (scan->cursor.p - scan->watched);
    scan->watched = scan->cursor.p;
    scan->event = scan->cursor.p;
    return gt_source_pass(scan->v1->source, gt_v1_offset(scan->v1, scan->cursor.p), bytes);
}

/* Scans records up to the end, or to a fault. */
static gt_status v1_scan_records(struct scan *scan, const uint8_t *plain)
{
    const struct gt_v1 *v1 = scan->v1;
    gt_status status = GT_OK;
    while (status == GT_OK && scan->cursor.p != scan->cursor.end) {
        status = v1_scan_record(scan);
        if (status == GT_OK && scan->cursor.p - scan->watched >= GT_WATCH_STEP)
            status = v1_scan_watch(scan);
        /* A batch's first event is not skipped, because it adds the batch to the list. */
        if (status == GT_OK && scan->batch && !scan->proc_pending && !v1->input.gaps.is_closing)
            v1_skip_plain(scan, plain);
    }
    return status;
}

gt_status gt_v1_scan(struct gt_v1 *v1)
{
    struct scan scan = {
        .v1 = v1,
        .cursor = gt_cursor_make(v1->input.data, (size_t) (v1->input.end - v1->input.data)),
        .watched = v1->input.data};
    uint8_t plain[256];
    gt_status status;
    v1_plain_types(v1, plain);
    do {
        status = v1_scan_records(&scan, plain);
        if (status != GT_OK)
            status = v1_scan_pass(&scan);
    } while (status == GT_OK && scan.cursor.p != scan.cursor.end);
    if (v1->input.batches.count != 0)
        v1->input.undecoded = (uint64_t) (v1->input.end - v1->input.batches.items[0].start);
    return status;
}
