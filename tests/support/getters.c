/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/getters.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define KIND(kind) (UINT32_C(1) << (kind))

#define KINDS_RANGE                                                                                \
    (KIND(GT_EVENT_RANGE_BEGIN) | KIND(GT_EVENT_RANGE_ACTIVE) | KIND(GT_EVENT_RANGE_END))
#define KINDS_TASK   (KIND(GT_EVENT_TASK_BEGIN) | KIND(GT_EVENT_TASK_END))
#define KINDS_REGION (KIND(GT_EVENT_REGION_BEGIN) | KIND(GT_EVENT_REGION_END))

/* The most frames that a stack of any version has. */
#define FRAMES_MAX 1000

/* Each byte of an output before a getter fills it. */
#define UNTOUCHED 0x5a

/* What any getter fills; each member starts with its size. */
union output {
    size_t size;
    uint64_t words[16];
    gt_metric metric;
    gt_label label;
    gt_range range;
    gt_task task;
    gt_region region;
    gt_log log;
    gt_transition transition;
    gt_sync sync;
    gt_experimental experimental;
};

_Static_assert(sizeof(union output) == 16 * sizeof(uint64_t), "the words are the largest member");

static void fold_number(struct fold *fold, uint64_t number)
{
    uint64_t hash = (fold->hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);

    fold->hash = hash ^ (hash >> 29);
}

/* The first eight bytes as a number, which is the same on all processors, as hashes shall be. */
static uint64_t first_word(const char *data, size_t size)
{
    uint64_t word = 0;

    memcpy(&word, data, size < sizeof(word) ? size : sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static void fold_string(struct fold *fold, gt_string string)
{
    assert_non_null(string.data);
    fold_number(fold, string.size);
    for (size_t done = 0; done < string.size; done += sizeof(uint64_t))
        fold_number(fold, first_word(string.data + done, string.size - done));
}

static void fold_resource(struct fold *fold, gt_resource resource)
{
    fold_number(fold, resource.kind);
    fold_number(fold, (uint64_t) resource.id);
    if (resource.kind == GT_RESOURCE_NONE)
        assert_int_equal(resource.id, 0);
}

static void fold_value(struct fold *fold, const gt_value *value)
{
    fold_number(fold, value->kind);
    if (value->kind == GT_VALUE_UINT64)
        fold_number(fold, value->number);
    else if (value->kind == GT_VALUE_STRING)
        fold_string(fold, value->string);
    else
        fail_msg("value of kind %u", (unsigned) value->kind);
}

static uint64_t hash_frames(struct fold *fold, const gt_frame *frames, size_t count)
{
    uint64_t before = fold->hash, hash;

    fold->hash = count;
    for (size_t i = 0; i < count; i++) {
        fold_number(fold, frames[i].pc);
        fold_number(fold, frames[i].line);
        fold_string(fold, frames[i].function);
        fold_string(fold, frames[i].file);
    }
    hash = fold->hash;
    fold->hash = before;
    return hash;
}

/* Hashes a stack of the copy of an event. */
static uint64_t hash_copied_stack(struct fold *fold, gt_stack stack)
{
    const gt_frame *frames;
    size_t count;

    assert_status(gt_event_frames(NULL, fold->copy, stack, &frames, &count), GT_OK);
    return hash_frames(fold, frames, count);
}

static gt_status hash_stack(struct fold *fold, gt_stack stack, uint64_t *hash)
{
    size_t count = 0, again = 0;
    gt_frame *frames;
    gt_status status = gt_stack_frames(fold->reader, stack, NULL, 0, &count);

    if (status != GT_OK)
        return status;
    assert_true(count <= FRAMES_MAX);
    frames = calloc(count > 0 ? count : 1, sizeof(*frames));
    assert_non_null(frames);
    assert_status(gt_stack_frames(fold->reader, stack, frames, count, &again), GT_OK);
    assert_int_equal(again, count);
    *hash = hash_frames(fold, frames, count);
    free(frames);
    return GT_OK;
}

static gt_status fold_stack(struct fold *fold, gt_stack stack)
{
    size_t slot = (size_t) stack % FOLD_STACKS;
    gt_status status = GT_OK;

    fold_number(fold, stack == GT_STACK_NONE);
    if (stack == GT_STACK_NONE)
        return GT_OK;
    if (fold->copy || fold->stacks[slot] != stack) {
        if (fold->copy)
            fold->stack_hashes[slot] = hash_copied_stack(fold, stack);
        else
            status = hash_stack(fold, stack, &fold->stack_hashes[slot]);
        if (status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT)
            return status;
        assert_status(status, GT_OK);
        fold->stacks[slot] = stack;
    }
    fold_number(fold, (uint32_t) stack == GT_STACK_EMPTY_SLOT);
    fold_number(fold, fold->stack_hashes[slot]);
    return GT_OK;
}

static gt_status call_metric(const gt_event *event, void *out)
{
    return gt_event_metric(event, out);
}

static gt_status fold_metric(struct fold *fold, const gt_event *event, const union output *out)
{
    (void) event;
    fold_string(fold, out->metric.name);
    fold_value(fold, &out->metric.value);
    return GT_OK;
}

static gt_status call_label(const gt_event *event, void *out)
{
    return gt_event_label(event, out);
}

static gt_status fold_label(struct fold *fold, const gt_event *event, const union output *out)
{
    (void) event;
    fold_string(fold, out->label.label);
    fold_resource(fold, out->label.resource);
    return GT_OK;
}

static gt_status call_range(const gt_event *event, void *out)
{
    return gt_event_range(event, out);
}

static gt_status fold_range(struct fold *fold, const gt_event *event, const union output *out)
{
    const gt_range *range = &out->range;
    gt_string name;
    gt_value value;
    uint32_t i;

    fold_string(fold, range->name);
    fold_string(fold, range->cause);
    fold_number(fold, range->has_cause);
    fold_number(fold, range->attribute_count);
    fold_resource(fold, range->scope);
    if (event->kind != GT_EVENT_RANGE_END) {
        assert_int_equal(range->attribute_count, 0);
        assert_status(gt_event_range_attribute(event, 0, &name, &value), GT_ERR_WRONG_KIND);
        return GT_OK;
    }
    for (i = 0; i < range->attribute_count; i++) {
        assert_status(gt_event_range_attribute(event, i, &name, &value), GT_OK);
        fold_string(fold, name);
        fold_value(fold, &value);
    }
    assert_status(gt_event_range_attribute(event, i, &name, &value), GT_ERR_INVALID_ARGUMENT);
    return GT_OK;
}

static gt_status call_task(const gt_event *event, void *out)
{
    return gt_event_task(event, out);
}

static gt_status fold_task(struct fold *fold, const gt_event *event, const union output *out)
{
    (void) event;
    fold_number(fold, out->task.id);
    fold_number(fold, out->task.parent);
    fold_string(fold, out->task.type);
    return GT_OK;
}

static gt_status call_region(const gt_event *event, void *out)
{
    return gt_event_region(event, out);
}

static gt_status fold_region(struct fold *fold, const gt_event *event, const union output *out)
{
    (void) event;
    fold_number(fold, out->region.task);
    fold_string(fold, out->region.type);
    return GT_OK;
}

static gt_status call_log(const gt_event *event, void *out)
{
    return gt_event_log(event, out);
}

static gt_status fold_log(struct fold *fold, const gt_event *event, const union output *out)
{
    (void) event;
    fold_number(fold, out->log.task);
    fold_string(fold, out->log.category);
    fold_string(fold, out->log.message);
    return GT_OK;
}

static gt_status call_transition(const gt_event *event, void *out)
{
    return gt_event_transition(event, out);
}

static gt_status fold_transition(struct fold *fold, const gt_event *event, const union output *out)
{
    (void) event;
    fold_resource(fold, out->transition.resource);
    fold_number(fold, out->transition.from);
    fold_number(fold, out->transition.to);
    fold_string(fold, out->transition.reason);
    return fold_stack(fold, out->transition.stack);
}

static gt_status call_sync(const gt_event *event, void *out)
{
    return gt_event_sync(event, out);
}

static gt_status fold_sync(struct fold *fold, const gt_event *event, const union output *out)
{
    const gt_sync *sync = &out->sync;
    gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
    uint32_t i;

    fold_number(fold, sync->number);
    fold_number(fold, sync->generation);
    fold_number(fold, sync->has_clock);
    fold_number(fold, sync->batch_count);
    fold_number(fold, (uint64_t) sync->clock_trace);
    fold_number(fold, sync->clock_monotonic);
    fold_number(fold, (uint64_t) sync->clock_seconds);
    fold_number(fold, sync->clock_nanoseconds);
    for (i = 0; i < sync->batch_count; i++) {
        assert_status(gt_event_experimental_batch(event, i, &batch), GT_OK);
        fold_string(fold, batch.experiment);
        fold_number(fold, batch.experiment_id);
        fold_number(fold, (uint64_t) batch.thread);
        fold_string(fold, batch.data);
    }
    assert_status(gt_event_experimental_batch(event, i, &batch), GT_ERR_INVALID_ARGUMENT);
    return GT_OK;
}

static gt_status call_experimental(const gt_event *event, void *out)
{
    return gt_event_experimental(event, out);
}

static gt_status fold_experimental(struct fold *fold, const gt_event *event,
                                   const union output *out)
{
    gt_string name;
    gt_value value;
    uint32_t i, count = out->experimental.argument_count;

    fold_string(fold, out->experimental.name);
    fold_string(fold, out->experimental.experiment);
    fold_number(fold, count);
    for (i = 0; i < count; i++) {
        assert_status(gt_event_experimental_argument(event, i, &name, &value), GT_OK);
        fold_string(fold, name);
        fold_value(fold, &value);
    }
    assert_status(gt_event_experimental_argument(event, i, &name, &value), GT_ERR_INVALID_ARGUMENT);
    return GT_OK;
}

/* Every getter that fills a structure, and the kinds that it goes with. */
static const struct getter {
    uint32_t kinds;
    size_t size;
    gt_status (*call)(const gt_event *event, void *out);
    gt_status (*fold)(struct fold *fold, const gt_event *event, const union output *out);
} getters[] = {
    {KIND(GT_EVENT_METRIC), sizeof(gt_metric), call_metric, fold_metric},
    {KIND(GT_EVENT_LABEL), sizeof(gt_label), call_label, fold_label},
    {KINDS_RANGE, sizeof(gt_range), call_range, fold_range},
    {KINDS_TASK, sizeof(gt_task), call_task, fold_task},
    {KINDS_REGION, sizeof(gt_region), call_region, fold_region},
    {KIND(GT_EVENT_LOG), sizeof(gt_log), call_log, fold_log},
    {KIND(GT_EVENT_STATE_TRANSITION), sizeof(gt_transition), call_transition, fold_transition},
    {KIND(GT_EVENT_SYNC), sizeof(gt_sync), call_sync, fold_sync},
    {KIND(GT_EVENT_EXPERIMENTAL), sizeof(gt_experimental), call_experimental, fold_experimental},
};

/* `*out` is untouched but for its size, and stays so if the getter is for events of other kinds. */
static gt_status use_getter(struct fold *fold, const gt_event *event, const struct getter *getter,
                            union output *out)
{
    union output filled;

    out->size = getter->size;
    if (getter->kinds & KIND(event->kind)) {
        filled = *out;
        assert_status(getter->call(event, &filled), GT_OK);
        assert_int_equal(filled.size, getter->size);
        return getter->fold(fold, event, &filled);
    }
    assert_status(getter->call(event, out), GT_ERR_WRONG_KIND);
    assert_int_equal(out->size, getter->size);
    return GT_OK;
}

/* Makes an event use all getters. Those that are not for its kind touch no output. */
static gt_status use_getters(struct fold *fold, const gt_event *event)
{
    union output out;
    uint64_t changed = 0;

    memset(&out, UNTOUCHED, sizeof(out));
    for (size_t i = 0; i < COUNT(getters); i++) {
        gt_status status = use_getter(fold, event, &getters[i], &out);
        if (status != GT_OK)
            return status;
    }
    memset(&out.size, UNTOUCHED, sizeof(out.size));
    for (size_t i = 0; i < COUNT(out.words); i++)
        changed |= out.words[i] ^ out.words[0];
    assert_int_equal(changed, 0);
    return GT_OK;
}

/* The getters that take an index, where the event has nothing to count. */
static void refuse_indexed(const gt_event *event)
{
    gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
    gt_string name = {NULL, 0};
    gt_value value = {0, 0, 0, {NULL, 0}};

    if (!(KINDS_RANGE & KIND(event->kind)))
        assert_status(gt_event_range_attribute(event, 0, &name, &value), GT_ERR_WRONG_KIND);
    if (event->kind != GT_EVENT_SYNC)
        assert_status(gt_event_experimental_batch(event, 0, &batch), GT_ERR_WRONG_KIND);
    if (event->kind != GT_EVENT_EXPERIMENTAL)
        assert_status(gt_event_experimental_argument(event, 0, &name, &value), GT_ERR_WRONG_KIND);
    assert_null(name.data);
    assert_null(batch.data.data);
    assert_int_equal(value.kind, GT_VALUE_NONE);
}

static void fold_wall_clock(struct fold *fold, const gt_event *event)
{
    int64_t seconds = 0;
    uint32_t nanoseconds = 0;
    gt_status status = gt_event_wall_clock(event, &seconds, &nanoseconds);

    if (status != GT_ERR_NOT_AVAILABLE) {
        assert_status(status, GT_OK);
        assert_true(nanoseconds < 1000000000);
    }
    fold_number(fold, (uint64_t) status);
    fold_number(fold, (uint64_t) seconds);
    fold_number(fold, nanoseconds);
}

gt_status fold_event(struct fold *fold, const gt_event *event)
{
    gt_status status;

    assert_in_range(event->kind, GT_EVENT_SYNC, GT_EVENT_EXPERIMENTAL);
    fold_number(fold, event->kind);
    fold_number(fold, (uint64_t) event->time);
    fold_number(fold, (uint64_t) event->thread);
    fold_number(fold, (uint64_t) event->proc);
    fold_number(fold, (uint64_t) event->goroutine);
    fold_wall_clock(fold, event);
    refuse_indexed(event);
    status = use_getters(fold, event);
    if (status != GT_OK)
        return status;
    return fold_stack(fold, gt_event_stack(event));
}
