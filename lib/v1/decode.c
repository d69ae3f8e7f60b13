/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/decode.h"

#include "base/varint.h"

static unsigned type_of(const uint8_t *p)
{
    return *p & 0x3f;
}

static unsigned code_of(const uint8_t *p)
{
    return *p >> 6;
}

static const uint8_t *skip_numbers(const uint8_t *p, unsigned count)
{
    for (; count > 0; count--) {
        while (*p++ >= 0x80)
            ;
    }
    return p;
}

static const uint8_t *skip_counted(const uint8_t *p)
{
    uint64_t size = gt_varint_trusted(&p);
    return p + size;
}

/* Past a record that is no event of a proc. */
static const uint8_t *skip_record(const struct gt_v1 *v1, const uint8_t *p)
{
    unsigned code = code_of(p);
    if (type_of(p) == GT_V1_STRING)
        return skip_counted(skip_numbers(p + 1, 1));
    if (code == GT_V1_COUNTED)
        return skip_counted(p + 1);
    return skip_numbers(p + 1, code + (v1->version < 7 ? 2 : 1));
}

/* Where the numbers of an event start. */
static const uint8_t *numbers_of(const uint8_t *p)
{
    return code_of(p) == GT_V1_COUNTED ? skip_numbers(p + 1, 1) : p + 1;
}

static int is_event(unsigned type)
{
    return gt_v1_specs[type].has_time && type != GT_V1_CPU_SAMPLE;
}

static int64_t add(int64_t a, uint64_t b)
{
    return (int64_t) ((uint64_t) a + b);
}

/* The first event of the batch, which has one. */
static const uint8_t *open_batch(const struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    const uint8_t *p = skip_numbers(v1->batches[proc->last_batch].start + 1, 1);
    if (v1->version < 7)
        proc->lane.time = (int64_t) gt_varint_trusted(&p);
    proc->ticks = (int64_t) gt_varint_trusted(&p);
    return p;
}

static void take_event(const struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p)
{
    proc->event = p;
    proc->lane.type = (uint8_t) type_of(p);
    p = numbers_of(p);
    if (v1->version < 7)
        proc->lane.time = add(proc->lane.time, gt_varint_trusted(&p));
    proc->ticks = add(proc->ticks, gt_varint_trusted(&p));
    proc->behind = p;
    if (v1->version >= 7)
        proc->lane.time = proc->ticks;
}

int gt_v1_next(const struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p)
{
    for (;;) {
        if (p == v1->end || type_of(p) == GT_V1_BATCH) {
            int32_t next = v1->batches[proc->last_batch].next;
            if (next < 0)
                return 0;
            proc->last_batch = next;
            p = open_batch(v1, proc);
        } else if (is_event(type_of(p))) {
            take_event(v1, proc, p);
            return 1;
        } else {
            p = skip_record(v1, p);
        }
    }
}

int gt_v1_first(const struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    proc->last_batch = proc->first_batch;
    return gt_v1_next(v1, proc, open_batch(v1, proc));
}

/* What follows the time. */
static const uint8_t *decode_numbers(const struct gt_v1 *v1, const uint8_t *p,
                                     struct gt_v1_event *event)
{
    unsigned has_stack = gt_v1_specs[event->type].has_stack;
    unsigned count = v1->numbers[event->type] - (v1->version < 7 ? 2U : 1U) - has_stack;
    event->numbers[0] = event->numbers[1] = 0;
    for (unsigned i = 0; i < count; i++)
        event->numbers[i] = gt_varint_trusted(&p);
    event->stack = has_stack ? (uint32_t) gt_varint_trusted(&p) : 0;
    return p;
}

const uint8_t *gt_v1_decode(const struct gt_v1 *v1, struct gt_v1_proc *proc,
                            struct gt_v1_event *event)
{
    event->at = proc->event;
    event->proc = proc;
    event->proc_id = proc->id;
    event->ticks = proc->ticks;
    event->goroutine = proc->current;
    event->type = proc->lane.type;
    event->subject = NULL;
    event->forced = 0;
    const uint8_t *p = decode_numbers(v1, proc->behind, event);
    if (event->type == GT_V1_GO_SYS_EXIT_LOCAL)
        event->numbers[2] = event->numbers[1];
    switch (event->type) {
    case GT_V1_GO_START:
    case GT_V1_GO_START_LOCAL:
    case GT_V1_GO_START_LABEL:
    case GT_V1_GO_SYS_EXIT:
    case GT_V1_GO_SYS_EXIT_LOCAL:
    case GT_V1_GO_WAITING:
    case GT_V1_GO_IN_SYSCALL:
        event->goroutine = event->numbers[0];
        break;
    case GT_V1_USER_LOG:
        event->text = p;
        p = skip_counted(p);
        break;
    default:
        break;
    }
    return p;
}

void gt_v1_decode_late(const struct gt_v1 *v1, uint64_t offset, struct gt_v1_event *event)
{
    const uint8_t *p = gt_v1_at(v1, offset);
    event->at = p;
    event->proc = NULL;
    event->type = (uint8_t) type_of(p);
    event->subject = NULL;
    event->forced = 0;
    decode_numbers(v1, skip_numbers(numbers_of(p), v1->version < 7 ? 2 : 1), event);
    event->goroutine = event->numbers[0];
    event->proc_id = GT_PROC_SYSCALLS;
    if (event->type == GT_V1_CPU_SAMPLE) {
        event->ticks = (int64_t) event->numbers[0];
        event->proc_id = (int32_t) event->numbers[1];
        event->goroutine = event->numbers[2];
    } else if (event->type == GT_V1_GO_SYS_EXIT_LOCAL) {
        event->type = GT_V1_GO_SYS_EXIT;
        event->numbers[2] = event->numbers[1];
    }
}

/* Types whose context is not the goroutine that the proc runs. */
static int names_its_goroutine(unsigned type)
{
    return type == GT_V1_GO_SYS_EXIT || type == GT_V1_GO_SYS_EXIT_LOCAL ||
           type == GT_V1_GO_WAITING || type == GT_V1_GO_IN_SYSCALL;
}

/*
 * The goroutine runs on the proc until one of its events there says otherwise, so
 * its next event is that proc's, unless the proc helps others meanwhile. A proc that
 * starts another goroutine instead is one of a damaged trace.
 */
int gt_v1_blocks(const struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t goroutine,
                 int64_t *ticks)
{
    struct gt_v1_proc ahead = *proc;
    struct gt_v1_event event;
    do {
        if (!names_its_goroutine(ahead.lane.type)) {
            *ticks = ahead.ticks;
            return ahead.lane.type == GT_V1_GO_SYS_BLOCK;
        }
        const uint8_t *p = gt_v1_decode(v1, &ahead, &event);
        if (event.goroutine == goroutine)
            return 0;
        if (!gt_v1_next(v1, &ahead, p))
            return 0;
    } while (1);
}
