/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/scene.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

void scene_open(struct scene *s)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    scene_open_with(s, &options);
}

void scene_open_with(struct scene *s, const gt_recorder_options *options)
{
    gt_recorder_options own = *options;
    memset(s, 0, sizeof(*s));
    own.flags |= GT_RECORDER_NO_THREAD;
    assert_status(gt_recorder_open(&s->recorder, &own, NULL), GT_OK);
    s->name = recorded_text(s->recorder, "work");
    assert_status(gt_rec_thread_attach(s->recorder, &s->thread), GT_OK);
    assert_status(gt_rec_proc_create(s->recorder, 3, &s->proc), GT_OK);
    assert_status(gt_rec_proc_start(s->thread, s->proc), GT_OK);
}

void scene_start(struct scene *s)
{
    recorded_free(&s->trace);
    assert_status(gt_recorder_start(s->recorder, recorded_write, &s->trace, NULL), GT_OK);
}

gt_rec_go *scene_go(struct scene *s)
{
    gt_rec_go *go;
    assert_status(gt_rec_go_create(s->thread, s->name, 0, &go), GT_OK);
    return go;
}

void scene_close(struct scene *s)
{
    gt_recorder_close(&s->recorder);
    assert_null(s->recorder);
    recorded_free(&s->trace);
}

gt_rec_go *scene_run(struct scene *s)
{
    gt_rec_go *go = scene_go(s);
    assert_status(gt_rec_go_start(s->thread, go), GT_OK);
    return go;
}

void scene_run_and_stop(const struct scene *s, gt_rec_go *go, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        assert_status(gt_rec_go_start(s->thread, go), GT_OK);
        assert_status(gt_rec_go_stop(s->thread, GT_REC_YIELD), GT_OK);
    }
}

void scene_window(const struct scene *s, uint64_t max_bytes)
{
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.max_bytes = max_bytes;
    options.min_age = UINT64_MAX;
    assert_status(gt_recorder_window_start(s->recorder, &options, NULL), GT_OK);
}

void scene_open_window(struct scene *s, uint64_t max_bytes)
{
    scene_open(s);
    scene_window(s, max_bytes);
}

void scene_write_window(struct scene *s)
{
    recorded_free(&s->trace);
    assert_status(gt_recorder_window_write(s->recorder, recorded_write, &s->trace, NULL), GT_OK);
}

uint64_t scene_window_bytes(const struct scene *s)
{
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(s->recorder, &info), GT_OK);
    return info.window_bytes;
}

/* The events of a trace as text. */
struct story {
    char text[8000];
    size_t size;
};

static void tell(struct story *story, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size =
        vsnprintf(story->text + story->size, sizeof(story->text) - story->size, format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && (size_t) size < sizeof(story->text) - story->size);
    story->size += (size_t) size;
}

/* The arguments of %.*s. */
#define TEXT(string) (int) (string).size, (string).data ? (string).data : ""

static void tell_task(struct story *story, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    assert_status(gt_event_task(event, &task), GT_OK);
    tell(story, "task %s %d %d %.*s; ", event->kind == GT_EVENT_TASK_BEGIN ? "begin" : "end",
         (int) task.id, task.parent == GT_NO_TASK ? 0 : (int) task.parent, TEXT(task.type));
}

static void tell_region(struct story *story, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    assert_status(gt_event_region(event, &region), GT_OK);
    tell(story, "region %s %d %.*s; ", event->kind == GT_EVENT_REGION_BEGIN ? "begin" : "end",
         (int) region.task, TEXT(region.type));
}

static void tell_log(struct story *story, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    assert_status(gt_event_log(event, &log), GT_OK);
    tell(story, "log %d %.*s %.*s; ", (int) log.task, TEXT(log.category), TEXT(log.message));
}

static void tell_label(struct story *story, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    assert_status(gt_event_label(event, &label), GT_OK);
    tell(story, "label %d %.*s; ", (int) label.resource.id, TEXT(label.label));
}

static void tell_range(struct story *story, const gt_event *event)
{
    static const char *const kinds[] = {"begin", "active", "end"};
    gt_range range = GT_RANGE_INIT;
    assert_status(gt_event_range(event, &range), GT_OK);
    tell(story, "%.*s %s", TEXT(range.name), kinds[event->kind - GT_EVENT_RANGE_BEGIN]);
    if (range.scope.kind != GT_RESOURCE_NONE)
        tell(story, " %d", (int) range.scope.id);
    if (range.has_cause)
        tell(story, " %.*s", TEXT(range.cause));
    for (uint32_t i = 0; i < range.attribute_count; i++) {
        gt_string name;
        gt_value value;
        assert_status(gt_event_range_attribute(event, i, &name, &value), GT_OK);
        tell(story, " %d", (int) value.number);
    }
    tell(story, "; ");
}

static void tell_metric(struct story *story, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    assert_status(gt_event_metric(event, &metric), GT_OK);
    tell(story, "%.*s %d; ", TEXT(metric.name), (int) metric.value.number);
}

static void tell_event(struct story *story, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        tell_task(story, event);
        break;
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        tell_region(story, event);
        break;
    case GT_EVENT_LOG:
        tell_log(story, event);
        break;
    case GT_EVENT_LABEL:
        tell_label(story, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        tell_range(story, event);
        break;
    case GT_EVENT_METRIC:
        tell_metric(story, event);
        break;
    default:
        break;
    }
}

void scene_expect(struct scene *s, const char *expected)
{
    struct story story = {"", 0};
    const gt_event *event;
    assert_status(gt_recorder_stop(s->recorder, NULL), GT_OK);
    recorded_check_by_peer(&s->trace);
    gt_reader *reader = recorded_open(&s->trace);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        tell_event(&story, event);
    gt_reader_close(&reader);
    assert_string_equal(story.text, expected);
}
