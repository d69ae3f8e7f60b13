/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

/* What lives, copies of events, texts of events, and what can be asked before the end. */

enum {
    /* Of so many events everything is said. */
    EVENTS = 300,
    /* So often everything that lives is said. */
    EVERY = 50,
    ROOM = 4096
};

struct live {
    gt_reader *reader;
    gt_formatter *formatter;
    gt_summary *summary;
    gt_profile *profile;
    gt_latency *latency;
    unsigned progress;
};

static int on_progress(void *user_data, const gt_progress *progress)
{
    struct live *live = user_data;
    if (live->progress++ == 0) {
        say("progress %d", progress->bytes_read >= progress->bytes_decoded);
        NUMBER(*progress, bytes_total);
    }
    return 0;
}

static void say_goroutine_info(const gt_goroutine_info *info)
{
    NUMBER(*info, number);
    NUMBER(*info, id);
    NUMBER(*info, state);
    NUMBER(*info, since_known);
    NUMBER(*info, since);
    NUMBER(*info, previous_known);
    NUMBER(*info, previous_state);
    NUMBER(*info, previous_since);
    STRING(*info, reason);
    STRING(*info, name);
    NUMBER(*info, thread);
    NUMBER(*info, proc);
    NUMBER(*info, stack);
    NUMBER(*info, start_stack);
    NUMBER(*info, created);
    NUMBER(*info, creator);
    NUMBER(*info, creator_stack);
    say("  executing %d", gt_goroutine_state_executing(info->state));
}

static void say_goroutines(gt_reader *reader)
{
    FILLED(gt_goroutine_info, info, GT_GOROUTINE_INFO_INIT);
    FILLED(gt_goroutine_info, same, GT_GOROUTINE_INFO_INIT);
    while (gt_reader_next_goroutine(reader, &info.value) == GT_OK) {
        say_goroutine_info(&info.value);
        must("goroutine", gt_reader_goroutine(reader, info.value.id, &same.value));
        say("  same %d", same.value.number == info.value.number);
    }
    INTACT(gt_goroutine_info, info);
    INTACT(gt_goroutine_info, same);
}

static void say_procs(gt_reader *reader)
{
    FILLED(gt_proc_info, info, GT_PROC_INFO_INIT);
    FILLED(gt_proc_info, same, GT_PROC_INFO_INIT);
    while (gt_reader_next_proc(reader, &info.value) == GT_OK) {
        NUMBER(info.value, number);
        NUMBER(info.value, id);
        NUMBER(info.value, state);
        NUMBER(info.value, since_known);
        NUMBER(info.value, since);
        NUMBER(info.value, previous_known);
        NUMBER(info.value, previous_state);
        NUMBER(info.value, previous_since);
        NUMBER(info.value, thread);
        NUMBER(info.value, goroutine);
        must("proc", gt_reader_proc(reader, info.value.id, &same.value));
        say("  same %d, executing %d", same.value.number == info.value.number,
            gt_proc_state_executing(info.value.state));
    }
    INTACT(gt_proc_info, info);
    INTACT(gt_proc_info, same);
}

static void say_threads(gt_reader *reader)
{
    FILLED(gt_thread_info, info, GT_THREAD_INFO_INIT);
    FILLED(gt_thread_info, same, GT_THREAD_INFO_INIT);
    while (gt_reader_next_thread(reader, &info.value) == GT_OK) {
        NUMBER(info.value, number);
        NUMBER(info.value, id);
        NUMBER(info.value, since);
        NUMBER(info.value, proc);
        NUMBER(info.value, goroutine);
        must("thread", gt_reader_thread(reader, info.value.id, &same.value));
        say("  same %d", same.value.number == info.value.number);
    }
    INTACT(gt_thread_info, info);
    INTACT(gt_thread_info, same);
}

static void say_text(const char *what, gt_status status, const char *letters, size_t size)
{
    gt_string made = {letters, size};
    says(what, status);
    say("  %lld", (long long) size);
    if (size < ROOM)
        say_string(what, made);
}

static int take_text(void *user_data, const void *data, size_t size)
{
    (void) data;
    *(size_t *) user_data += size;
    return 0;
}

static void say_texts(const struct live *live, const gt_event *event)
{
    char made[ROOM];
    size_t size = 0, written = 0;
    gt_status status = gt_event_format(live->reader, event, made, ROOM, &size);
    say_text("event", status, made, size);
    status = gt_formatter_event(live->formatter, event, made, ROOM, &size);
    say_text("formatter", status, made, size);
    must("write", gt_formatter_write(live->formatter, event, take_text, &written));
    say("  %lld bytes written", (long long) written);
    status = gt_stack_format(live->reader, gt_event_stack(event), made, ROOM, &size);
    say_text("stack", status, made, size);
}

static void say_transition_texts(const gt_event *event)
{
    char made[ROOM];
    FILLED(gt_transition, goroutine, GT_TRANSITION_INIT);
    FILLED(gt_transition, proc, GT_TRANSITION_INIT);
    if (gt_event_goroutine_transition(event, &goroutine.value) == GT_OK)
        say_text("of a goroutine", GT_OK, made,
                 gt_resource_format(&goroutine.value.resource, made, ROOM));
    if (gt_event_proc_transition(event, &proc.value) == GT_OK)
        say_text("of a proc", GT_OK, made, gt_resource_format(&proc.value.resource, made, ROOM));
    INTACT(gt_transition, goroutine);
    INTACT(gt_transition, proc);
}

static void say_other_texts(const gt_event *event)
{
    char made[ROOM];
    int64_t seconds = 0;
    uint32_t nanoseconds = 0;
    gt_range range = GT_RANGE_INIT;
    gt_metric metric = GT_METRIC_INIT;
    gt_sync sync = GT_SYNC_INIT;
    if (gt_event_range(event, &range) == GT_OK)
        say_text("range", GT_OK, made, gt_range_format_name(&range, made, ROOM));
    if (gt_event_metric(event, &metric) == GT_OK)
        say_text("value", GT_OK, made, gt_value_format(&metric.value, made, ROOM));
    if (gt_event_sync(event, &sync) == GT_OK &&
        gt_sync_wall_clock(&sync, event->time, &seconds, &nanoseconds) == GT_OK)
        say("  %lld.%09u", (long long) seconds, nanoseconds);
}

static void say_event_frames(gt_reader *reader, const gt_event *event)
{
    const gt_frame *frames;
    size_t count = 0;
    if (gt_event_frames(reader, event, gt_event_stack(event), &frames, &count) == GT_OK)
        say_frames("frames", frames, count < MAX_FRAMES ? count : MAX_FRAMES);
}

static void say_copies(gt_reader *reader, const gt_event *event)
{
    uint64_t memory[ROOM];
    size_t size = 0;
    gt_event *copy = NULL, *inside = NULL;
    must("copy", gt_event_copy(reader, event, &allocator, &copy));
    say("copy %lld, number %lld, current %d %d", (long long) copy->time,
        (long long) gt_reader_event_number(reader), gt_reader_has_event(reader, event),
        gt_reader_has_event(reader, copy));
    say_event_frames(NULL, copy);
    gt_event_free(&copy);
    if (gt_event_copy_into(reader, event, memory, sizeof(memory), &size, &inside) == GT_OK)
        say_event_frames(NULL, inside);
}

/* A change of the state of the event's goroutine and its proc, made without a reader. */
static void say_made(const gt_event *event)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_transition change = GT_TRANSITION_INIT;
    gt_frame frame = {7, 8, {"function", 8}, {"file", 4}};
    gt_event *made = NULL;
    options.allocator = &allocator;
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.time = event->time;
    options.stack = gt_stack_make(1, 2);
    options.frames = &frame;
    options.frame_count = 1;
    options.transition = &change;
    for (int i = 0; i < 2; i++) {
        must("transition",
             i == 0 ? gt_goroutine_transition_make(event->goroutine, GT_GO_RUNNABLE, GT_GO_RUNNING,
                                                   &change)
                    : gt_proc_transition_make(event->proc, GT_PROC_IDLE, GT_PROC_RUNNING, &change));
        must("make", gt_event_make(&made, &options, NULL));
        say_transition_texts(made);
        say_event_frames(NULL, made);
        gt_event_free(&made);
    }
}

static void say_interned(gt_reader *reader, gt_stack stack)
{
    uint32_t id = 0;
    const gt_frame *frames;
    size_t count = 0;
    says("intern", gt_stack_intern(reader, stack, &id));
    say("  %u of %u", id, gt_stack_interned_count(reader));
    if (id != 0 && gt_stack_interned(reader, id, &frames, &count) == GT_OK)
        say_frames("interned", frames, count < MAX_FRAMES ? count : MAX_FRAMES);
}

static void say_snapshots(struct live *live)
{
    says("summary", gt_summary_snapshot(live->summary));
    says("profile", gt_profile_snapshot(live->profile));
    says("latency", gt_latency_snapshot(live->latency));
}

static void live_open(struct live *live)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_formatter_options formats = GT_FORMATTER_OPTIONS_INIT;
    gt_profile_options profile = GT_PROFILE_OPTIONS_INIT;
    options.flags = GT_READER_TRACK;
    options.allocator = &allocator;
    options.on_progress = on_progress;
    options.progress_data = live;
    must("open", gt_reader_open_memory(&live->reader, trace.data, trace.size, &options, NULL));
    formats.allocator = &allocator;
    must("formatter", gt_formatter_open(&live->formatter, live->reader, &formats, NULL));
    must("summary", gt_summary_open(&live->summary, NULL, NULL));
    profile.kinds = GT_PROFILE_BIT(GT_PROFILE_SCHED);
    must("profile", gt_profile_open(&live->profile, &profile, NULL));
    must("latency", gt_latency_open(&live->latency, NULL, NULL));
}

static void live_close(struct live *live)
{
    gt_latency_close(&live->latency);
    gt_profile_close(&live->profile);
    gt_summary_close(&live->summary);
    gt_formatter_close(&live->formatter);
    gt_reader_close(&live->reader);
}

static void say_all_of(struct live *live, const gt_event *event)
{
    must("summary", gt_summary_event(live->summary, live->reader, event));
    must("profile", gt_profile_event(live->profile, live->reader, event));
    must("latency", gt_latency_event(live->latency, live->reader, event));
    say_texts(live, event);
    say_transition_texts(event);
    say_other_texts(event);
    say_event_frames(live->reader, event);
    say_copies(live->reader, event);
    say_made(event);
    say_interned(live->reader, gt_event_stack(event));
}

static void cancel_raw(void)
{
    gt_raw_reader *raw = NULL;
    const gt_raw_event *event;
    must("raw", gt_raw_reader_open_memory(&raw, trace.data, trace.size, NULL, NULL));
    gt_raw_reader_cancel(raw);
    says("raw", gt_raw_reader_next_event(raw, &event));
    gt_raw_reader_close(&raw);
}

/* What the first events that one call returns say, and what is asked about them. */
static void use_batch(void)
{
    gt_reader *reader = NULL;
    const gt_event *const *events;
    size_t count;
    must("open", gt_reader_open_memory(&reader, trace.data, trace.size, NULL, NULL));
    must("batch", gt_reader_next_events(reader, &events, &count));
    say("batch %lld %d, then %lld", (long long) events[0]->time,
        gt_reader_has_event(reader, events[count - 1]),
        (long long) gt_reader_event_number(reader) - (long long) count);
    gt_reader_cancel(reader);
    says("batch", gt_reader_next_events(reader, &events, &count));
    gt_reader_close(&reader);
}

void use_live(void)
{
    struct live live = {NULL};
    const gt_event *event;
    gt_status status = GT_OK;
    live_open(&live);
    for (int i = 0; i < EVENTS && status == GT_OK; i++) {
        status = gt_reader_next_event(live.reader, &event);
        if (status == GT_OK)
            say_all_of(&live, event);
        if (status != GT_OK || i % EVERY != 0)
            continue;
        say_goroutines(live.reader);
        say_procs(live.reader);
        say_threads(live.reader);
        say_snapshots(&live);
    }
    gt_reader_cancel(live.reader);
    says("events", gt_reader_next_event(live.reader, &event));
    live_close(&live);
    use_batch();
    cancel_raw();
}
