/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON that `go tool trace` makes for its trace viewer. */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "drawing.h"
#include "input.h"

struct json_command {
    struct input in;
    /* What the options say, as text. */
    const char *view;
    const char *goroutine;
    const char *task;
    const char *focus_task;
    const char *first;
    const char *last;
    const char *part_size;
    bool parts;
    bool exact;
};

static const struct option json_options[] = {
    {OPTION_VALUE(struct json_command, view, "view", "VIEW",
                  "what a row is: a proc, which is the default, a thread or a goroutine"),
     .summary = "what a row is", .words = "proc thread goroutine"},
    {OPTION_VALUE(struct json_command, goroutine, "goid", "N",
                  "only goroutine N and those that unblocked it, while it ran"),
     .summary = "a goroutine and those that unblocked it", .excludes = "--taskid --focustask"},
    {OPTION_VALUE(struct json_command, task, "taskid", "N",
                  "only task N, its subtasks and their goroutines"),
     .summary = "a task, its subtasks and their goroutines", .excludes = "--goid --focustask"},
    {OPTION_VALUE(struct json_command, focus_task, "focustask", "N",
                  "the same tasks, above the rows of the view"),
     .summary = "a task above the rows of the view", .excludes = "--goid --taskid"},
    {OPTION_VALUE(struct json_command, first, "start", "N",
                  "only the events from number N on, counted from 0; needs --end"),
     .summary = "only the events from number N on"},
    {OPTION_VALUE(struct json_command, last, "end", "N",
                  "only the events up to number N, and those that name the rows"),
     .summary = "only the events up to number N"},
    {OPTION_FLAG(struct json_command, parts, "parts",
                 "instead of JSON print the --start and --end of parts that a viewer can hold; "
                 "nothing if the whole trace is one"),
     .summary = "print the parts that a viewer can hold instead"},
    {OPTION_VALUE(struct json_command, part_size, "part-size", "N",
                  "parts of about N bytes of JSON; the default is 100 MiB"),
     .summary = "bytes of a part"},
    {OPTION_FLAG(struct json_command, exact, "exact",
                 "draw also what go tool trace leaves out or gets wrong"),
     .summary = "draw also what go tool trace leaves out"},
};

static int json_parse_view(const char *name, const struct command *self, uint32_t *view)
{
    if (!name || drawing_parse_view(name, view))
        return COMMAND_GO_ON;
    return command_misused(self, "no view:", name);
}

/* If `text` is NULL, `*value` stays as it is. */
static int json_parse_number(const char *text, const struct command *self, uint64_t *value)
{
    if (!text || drawing_parse_number(text, value))
        return COMMAND_GO_ON;
    return command_misused(self, "not a number:", text);
}

static int json_parse_selection(const struct json_command *texts, const struct command *self,
                                struct drawing_request *request)
{
    const char *const ids[] = {
        [GT_SELECT_GOROUTINE] = texts->goroutine,
        [GT_SELECT_TASK] = texts->task,
        [GT_SELECT_FOCUS_TASK] = texts->focus_task,
    };
    int code = COMMAND_GO_ON;
    for (uint32_t i = 1; i < sizeof(ids) / sizeof(ids[0]) && code == COMMAND_GO_ON; i++) {
        if (!ids[i])
            continue;
        if (request->selection != 0)
            return command_misused(self, "only one of --goid, --taskid and --focustask", NULL);
        request->selection = i;
        code = json_parse_number(ids[i], self, &request->id);
    }
    return code;
}

static int json_parse_request(const struct json_command *texts, const struct command *self,
                              struct drawing_request *request)
{
    request->parts = texts->parts;
    request->exact = texts->exact;
    int code = json_parse_view(texts->view, self, &request->view);
    if (code == COMMAND_GO_ON)
        code = json_parse_selection(texts, self, request);
    if (code != COMMAND_GO_ON)
        return code;
    if ((!texts->first) != (!texts->last))
        return command_misused(self, "--start and --end go together", NULL);
    code = json_parse_number(texts->first, self, &request->first);
    if (code == COMMAND_GO_ON)
        code = json_parse_number(texts->last, self, &request->last);
    if (code == COMMAND_GO_ON)
        code = json_parse_number(texts->part_size, self, &request->part_size);
    return code;
}

/* Reads the trace once to find out what to draw, and opens it again. */
static int json_select(struct drawing *drawing, struct input *in, struct output *out)
{
    static const char *const kinds[] = {"", "goroutine", "task", "task"};
    const struct drawing_request *request = &drawing->request;
    gt_status reading;
    if (request->selection == 0)
        return COMMAND_GO_ON;
    gt_status status = drawing_select(drawing, in->reader, &reading);
    if (status == GT_ERR_NOT_AVAILABLE) {
        terminal_report("%s: nothing to show of %s %" PRIu64, in->name, kinds[request->selection],
                        request->id);
        input_close(in, out, GT_END);
        return COMMAND_BAD;
    }
    if (status != GT_OK)
        return input_close(in, out, status);
    return input_restart(in);
}

static int json_write(void *user_data, const void *data, size_t size)
{
    struct output *out = user_data;
    output_bytes(out, data, size);
    return out->error;
}

static void json_write_parts(const struct drawing *drawing, struct output *out)
{
    size_t count;
    const gt_part *parts = gt_splitter_parts(drawing->splitter, &count);
    for (size_t i = 0; i < count; i++) {
        char line[5 * OUTPUT_NUMBER_MAX];
        int size =
            snprintf(line, sizeof(line),
                     "--start %" PRIu64 " --end %" PRIu64 " # %" PRId64 " to %" PRId64 " ns\n",
                     parts[i].first, parts[i].last, parts[i].start_time, parts[i].end_time);
        output_bytes(out, line, (size_t) size);
    }
}

static int json_draw(struct drawing *drawing, struct input *in, struct output *out)
{
    gt_status reading;
    gt_status status = drawing_draw(drawing, in->reader, &reading);
    if (status == GT_OK && drawing->splitter)
        json_write_parts(drawing, out);
    /* main reports that the output cannot be written. */
    if (status == GT_ERR_IO && out->error != 0)
        status = GT_OK;
    return input_close(in, out, status != GT_OK ? status : reading);
}

static int json_run(const struct command *self, struct output *out, char **arguments)
{
    struct json_command c = {.view = NULL};
    struct drawing drawing = {
        .request = {.last = UINT64_MAX}, .write = json_write, .user_data = out};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = json_parse_request(&c, self, &drawing.request);
    if (code != COMMAND_GO_ON)
        return code;
    c.in.twice = drawing.request.selection != 0;
    code = input_start(&c.in);
    if (code == COMMAND_GO_ON)
        code = json_select(&drawing, &c.in, out);
    if (code == COMMAND_GO_ON)
        code = json_draw(&drawing, &c.in, out);
    drawing_close(&drawing);
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
