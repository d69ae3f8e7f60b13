/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/drawing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/grow.h"
#include "support/test.h"
#include "viewer/log.h"
#include "viewer/packets.h"

/* Nothing may be done with a writer in its own callback. */
static void meddle(struct drawing *drawing)
{
    gt_perfetto_writer *writer = drawing->writer;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_perfetto_writer_close(&writer);
    assert_non_null(writer);
    assert_status(gt_perfetto_writer_consumer(writer, GT_PERFETTO_THREADS, &consumer),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_clock(writer, &clock), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_set_pid(writer, 5), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_finish(writer), GT_ERR_INVALID_ARGUMENT);
    assert_int_not_equal(drawing->consumer.time_unit(drawing->consumer.user_data, "ns"), 0);
    assert_int_not_equal(drawing->consumer.event(drawing->consumer.user_data, NULL, 0), 0);
    assert_int_not_equal(drawing->consumer.frame(drawing->consumer.user_data, NULL), 0);
    assert_int_not_equal(drawing->consumer.flush(drawing->consumer.user_data), 0);
}

static int take(void *user_data, const void *data, size_t size)
{
    struct drawing *drawing = user_data;
    assert_true(size > 0);
    if (++drawing->calls == drawing->fail_at)
        return -1;
    if (drawing->meddles)
        meddle(drawing);
    drawing->data = grow(drawing->data, drawing->size, size);
    memcpy(drawing->data + drawing->size, data, size);
    drawing->size += size;
    return 0;
}

gt_status drawing_open(struct drawing *drawing, uint32_t rows, const gt_perfetto_options *options)
{
    *drawing = (struct drawing){.consumer = GT_CONSUMER_INIT};
    gt_status status = gt_perfetto_writer_open(&drawing->writer, take, drawing, options, NULL);
    if (status != GT_OK) {
        assert_null(drawing->writer);
        return status;
    }
    return gt_perfetto_writer_consumer(drawing->writer, rows, &drawing->consumer);
}

void drawing_begin(struct drawing *drawing, uint32_t rows, const gt_perfetto_options *options)
{
    assert_status(drawing_open(drawing, rows, options), GT_OK);
    assert_int_equal(drawing->consumer.time_unit(drawing->consumer.user_data, "ns"), 0);
}

/* Returns the status of the writer after a callback returned `result`. */
static gt_status drawing_status(const struct drawing *drawing, int result)
{
    gt_status status = gt_perfetto_writer_status(drawing->writer);
    assert_int_equal(result != 0, status != GT_OK);
    return status;
}

gt_status drawing_add(struct drawing *drawing, const gt_viewer_event *event)
{
    return drawing_status(drawing, drawing->consumer.event(drawing->consumer.user_data, event, 0));
}

gt_status drawing_add_frame(struct drawing *drawing, uint32_t id, uint32_t parent,
                            const char *function, const char *file, uint64_t line)
{
    gt_viewer_frame frame = {
        .size = sizeof(frame),
        .id = id,
        .parent = parent,
        .function = text_of(function),
        .file = text_of(file),
        .line = line,
    };
    return drawing_status(drawing, drawing->consumer.frame(drawing->consumer.user_data, &frame));
}

gt_status drawing_finish(struct drawing *drawing)
{
    gt_status status =
        drawing_status(drawing, drawing->consumer.flush(drawing->consumer.user_data));
    return status == GT_OK ? gt_perfetto_writer_finish(drawing->writer) : status;
}

char *drawing_text(struct drawing *drawing)
{
    assert_status(drawing_finish(drawing), GT_OK);
    return packets_text(drawing->data, drawing->size);
}

void drawing_check(struct drawing *drawing, const char *expected, const char *file, int line)
{
    static const char head[] = "flags=3 defaults 58:64\nclocks 3=0 6=0 64=0\n";
    char *text = drawing_text(drawing);
    bool has_head = strncmp(text, head, sizeof(head) - 1) == 0;
    const char *found = has_head ? text + sizeof(head) - 1 : text;
    if (strcmp(found, expected) != 0) {
        print_error("found:\n%s\nexpected:\n%s\n", found, expected);
        _fail(file, line);
    }
    free(text);
    drawing_close(drawing);
}

void drawing_close(struct drawing *drawing)
{
    gt_perfetto_writer_close(&drawing->writer);
    assert_null(drawing->writer);
    free(drawing->data);
}

gt_viewer_event event_of(char phase, uint64_t resource, int64_t time, int64_t duration,
                         const char *name)
{
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    event.phase = (uint32_t) phase;
    event.resource = resource;
    event.time = time;
    event.duration = duration;
    event.name = text_of(name);
    return event;
}

gt_viewer_argument text_argument(const char *key, const char *value)
{
    gt_viewer_argument argument = {.key = text_of(key), .kind = GT_VIEWER_STRING};
    argument.string = text_of(value);
    return argument;
}

gt_viewer_argument number_argument(const char *key, uint64_t value)
{
    gt_viewer_argument argument = {.key = text_of(key), .kind = GT_VIEWER_UNSIGNED};
    argument.number = value;
    argument.string = text_of("");
    return argument;
}
