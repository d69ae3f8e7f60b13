/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON that `go tool trace` makes for its trace viewer. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "command.h"
#include "input.h"
#include "selection.h"

/* The values of the options, as text. */
struct json_texts {
    const char *view;
    const char *goroutine;
    const char *task;
    const char *focus_task;
    const char *first;
    const char *last;
    const char *part_size;
};

struct json_command {
    struct input in;
    struct output *out;
    struct json_texts texts;
    /* Instead of drawing, divide the trace into parts of about `part_size` bytes. */
    bool parts;
    uint64_t part_size;
    bool exact;
    /* A GT_VIEW_ value. */
    uint32_t view;
    struct selection selection;
    /* The numbers of the first and of the last event. */
    uint64_t first, last;
    gt_json_writer *writer;
    gt_splitter *splitter;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

static const struct option json_options[] = {
    {OPTION_VALUE(struct json_command, texts.view, "view", "VIEW",
                  "what a row is: a proc, which is the default, a thread or a goroutine"),
     .summary = "what a row is", .words = "proc thread goroutine"},
    {OPTION_VALUE(struct json_command, texts.goroutine, "goid", "N",
                  "only goroutine N and those that unblocked it, while it ran"),
     .summary = "a goroutine and those that unblocked it", .excludes = "--taskid --focustask"},
    {OPTION_VALUE(struct json_command, texts.task, "taskid", "N",
                  "only task N, its subtasks and their goroutines"),
     .summary = "a task, its subtasks and their goroutines", .excludes = "--goid --focustask"},
    {OPTION_VALUE(struct json_command, texts.focus_task, "focustask", "N",
                  "the same tasks, above the rows of the view"),
     .summary = "a task above the rows of the view", .excludes = "--goid --taskid"},
    {OPTION_VALUE(struct json_command, texts.first, "start", "N",
                  "only the events from number N on, counted from 0; needs --end"),
     .summary = "only the events from number N on"},
    {OPTION_VALUE(struct json_command, texts.last, "end", "N",
                  "only the events up to number N, and those that name the rows"),
     .summary = "only the events up to number N"},
    {OPTION_FLAG(struct json_command, parts, "parts",
                 "instead of JSON print the --start and --end of parts that a viewer can hold; "
                 "nothing if the whole trace is one"),
     .summary = "print the parts that a viewer can hold instead"},
    {OPTION_VALUE(struct json_command, texts.part_size, "part-size", "N",
                  "parts of about N bytes of JSON; the default is 100 MiB"),
     .summary = "bytes of a part"},
    {OPTION_FLAG(struct json_command, exact, "exact",
                 "draw also what go tool trace leaves out or gets wrong"),
     .summary = "draw also what go tool trace leaves out"},
};

static const char *const json_views[] = {
    [GT_VIEW_PROC] = "proc",
    [GT_VIEW_THREAD] = "thread",
    [GT_VIEW_GOROUTINE] = "goroutine",
};

static int json_parse_view(struct json_command *c, const struct command *self)
{
    const char *name = c->texts.view;
    for (uint32_t i = 0; name && i < sizeof(json_views) / sizeof(json_views[0]); i++) {
        c->view = i;
        if (strcmp(name, json_views[i]) == 0)
            return COMMAND_GO_ON;
    }
    return name ? command_misused(self, "no view:", name) : COMMAND_GO_ON;
}

static int json_parse_selection(struct json_command *c, const struct command *self)
{
    const char *const ids[] = {
        [GT_SELECT_GOROUTINE] = c->texts.goroutine,
        [GT_SELECT_TASK] = c->texts.task,
        [GT_SELECT_FOCUS_TASK] = c->texts.focus_task,
    };
    int code = COMMAND_GO_ON;
    for (uint32_t i = 1; i < sizeof(ids) / sizeof(ids[0]) && code == COMMAND_GO_ON; i++) {
        code = selection_parse(&c->selection, i, ids[i], self,
                               "only one of --goid, --taskid and --focustask");
    }
    return code;
}

static int json_parse_options(struct json_command *c, const struct command *self)
{
    int code = json_parse_view(c, self);
    if (code == COMMAND_GO_ON)
        code = json_parse_selection(c, self);
    if (code != COMMAND_GO_ON)
        return code;
    if ((!c->texts.first) != (!c->texts.last))
        return command_misused(self, "--start and --end go together", NULL);
    code = selection_parse_number(c->texts.first, self, &c->first);
    if (code == COMMAND_GO_ON)
        code = selection_parse_number(c->texts.last, self, &c->last);
    if (code == COMMAND_GO_ON)
        code = selection_parse_number(c->texts.part_size, self, &c->part_size);
    return code;
}

static int json_write(void *user_data, const void *data, size_t size)
{
    struct output *out = user_data;
    output_bytes(out, data, size);
    return out->error;
}

static gt_status json_open_consumer(struct json_command *c, gt_consumer *consumer)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_status status;
    if (c->parts) {
        status = gt_splitter_open(&c->splitter, c->part_size, NULL, &c->in.failure);
        return status == GT_OK ? gt_splitter_consumer(c->splitter, consumer) : status;
    }
    options.first = c->first;
    options.last = c->last;
    status = gt_json_writer_open(&c->writer, json_write, c->out, &options, &c->in.failure);
    return status == GT_OK ? gt_json_writer_consumer(c->writer, consumer) : status;
}

static gt_status json_open_timeline(struct json_command *c)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = json_open_consumer(c, &consumer);
    if (status == GT_OK && c->selection.selector)
        status = gt_selector_apply(c->selection.selector, &emitter);
    if (c->exact) {
        emitter.flags |= GT_EMITTER_ENCLOSING;
        timeline.flags |= GT_TIMELINE_EXACT;
    }
    timeline.view = c->view;
    timeline.selector = c->selection.selector;
    if (status == GT_OK)
        status = gt_emitter_open(&c->emitter, &consumer, &emitter, &c->in.failure);
    if (status == GT_OK)
        status =
            gt_timeline_open(&c->timeline, c->in.reader, c->emitter, &timeline, &c->in.failure);
    return status;
}

static gt_status json_draw_event(void *user_data, const gt_event *event)
{
    struct json_command *c = user_data;
    return gt_timeline_event(c->timeline, event);
}

/* Draws the trace, or fills the splitter. Sets `*reading` to the status that ended the reading. */
static gt_status json_draw(struct json_command *c, gt_status *reading)
{
    gt_status status = json_open_timeline(c);
    if (status == GT_OK)
        status = input_for_each_event(c->in.reader, json_draw_event, c, reading);
    if (status == GT_OK)
        status = gt_timeline_finish(c->timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(c->emitter);
    if (status != GT_ERR_CALLBACK)
        return status;
    gt_status why = c->writer ? gt_json_writer_status(c->writer) : gt_splitter_status(c->splitter);
    return why != GT_OK ? why : status;
}

static void json_write_parts(const struct json_command *c)
{
    size_t count;
    const gt_part *parts = gt_splitter_parts(c->splitter, &count);
    for (size_t i = 0; i < count; i++) {
        char line[5 * OUTPUT_NUMBER_MAX];
        int size =
            snprintf(line, sizeof(line),
                     "--start %" PRIu64 " --end %" PRIu64 " # %" PRId64 " to %" PRId64 " ns\n",
                     parts[i].first, parts[i].last, parts[i].start_time, parts[i].end_time);
        output_bytes(c->out, line, (size_t) size);
    }
}

static int json_print(struct json_command *c)
{
    gt_status reading = GT_OK, status = json_draw(c, &reading);
    if (status == GT_OK && c->splitter)
        json_write_parts(c);
    /* main reports that the output cannot be written. */
    if (status == GT_ERR_IO && c->out->error != 0)
        status = GT_OK;
    gt_timeline_close(&c->timeline);
    gt_emitter_close(&c->emitter);
    gt_splitter_close(&c->splitter);
    gt_json_writer_close(&c->writer);
    return input_close(&c->in, c->out, status != GT_OK ? status : reading);
}

static int json_run(const struct command *self, struct output *out, char **arguments)
{
    struct json_command c = {.out = out, .last = UINT64_MAX};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = json_parse_options(&c, self);
    if (code != COMMAND_GO_ON)
        return code;
    code = selection_start(&c.selection, &c.in, out);
    if (code == COMMAND_GO_ON)
        code = json_print(&c);
    selection_close(&c.selection);
    return code;
}

const struct command command_json = {
    .name = "json",
    .usage = "json [OPTION...] FILE",
    .summary = "convert the trace for a trace viewer",
    .help = "Prints the JSON that go tool trace makes for its trace viewer, and that\n"
            "ui.perfetto.dev and chrome://tracing read: what ran where and when, and which\n"
            "event led to which.\n",
    COMMAND_OPTIONS(json_options),
    .notes = "With --goid, --taskid and --focustask the trace is read twice, and a pipe is\n"
             "copied to a temporary file.\n",
    .shared = input_options,
    .run = json_run,
};
