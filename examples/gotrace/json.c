/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace for a trace viewer, as `go tool trace` hands it to its own. */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "drawing.h"
#include "input.h"

/* What is asked for, as text. */
struct request {
    const char *view;
    const char *goroutine;
    const char *task;
    const char *focus_task;
    const char *first;
    const char *last;
    const char *part_size;
};

static int json_parse_view(const char *name, const struct command *self, uint32_t *view)
{
    if (!name || drawing_parse_view(name, view))
        return COMMAND_GO_ON;
    return command_misused(self, "no view:", name);
}

/* `text` may be NULL: then `*value` stays as it is. */
static int json_parse_number(const char *text, const struct command *self, uint64_t *value)
{
    if (!text || drawing_parse_number(text, value))
        return COMMAND_GO_ON;
    return command_misused(self, "not a number:", text);
}

static int json_parse_selection(const struct request *texts, const struct command *self,
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

static int json_parse_request(const struct request *texts, const struct command *self,
                              struct drawing_request *request)
{
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

/* Goes through the trace once to find out what to show, and opens it again. */
static int json_select(struct drawing *drawing, struct input *in, struct output *out)
{
    static const char *const kinds[] = {"", "goroutine", "task", "task"};
    const struct drawing_request *request = &drawing->request;
    gt_status reading;
    if (request->selection == 0)
        return COMMAND_GO_ON;
    gt_status status = drawing_select(drawing, in->reader, &reading);
    if (status == GT_ERR_NOT_AVAILABLE) {
        fprintf(stderr, "gotrace: %s: nothing to show of %s %" PRIu64 "\n", in->name,
                kinds[request->selection], request->id);
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
    /* That the output cannot be written is for main to say. */
    if (status == GT_ERR_IO && out->error != 0)
        status = GT_OK;
    return input_close(in, out, status != GT_OK ? status : reading);
}

static int json_run(const struct command *self, struct output *out, char **arguments)
{
    struct drawing drawing = {
        .request = {.last = UINT64_MAX}, .write = json_write, .user_data = out};
    struct request texts = {0};
    struct input in;
    const struct option own[] = {
        {.name = "view", .value = &texts.view},
        {.name = "goid", .value = &texts.goroutine},
        {.name = "taskid", .value = &texts.task},
        {.name = "focustask", .value = &texts.focus_task},
        {.name = "start", .value = &texts.first},
        {.name = "end", .value = &texts.last},
        {.name = "exact", .flag = &drawing.request.exact},
        {.name = "parts", .flag = &drawing.request.parts},
        {.name = "part-size", .value = &texts.part_size},
    };
    int code = input_parse(&in, self, out, arguments, own, sizeof(own) / sizeof(own[0]));
    if (code == COMMAND_GO_ON)
        code = json_parse_request(&texts, self, &drawing.request);
    if (code != COMMAND_GO_ON)
        return code;
    in.twice = drawing.request.selection != 0;
    code = input_start(&in);
    if (code == COMMAND_GO_ON)
        code = json_select(&drawing, &in, out);
    if (code == COMMAND_GO_ON)
        code = json_draw(&drawing, &in, out);
    drawing_close(&drawing);
    return code;
}

const struct command command_json = {
    .name = "json",
    .usage = "json [OPTION...] FILE",
    .summary = "draw the trace for a trace viewer",
    .help = "Prints the JSON that go tool trace makes for its trace viewer, and that\n"
            "ui.perfetto.dev and chrome://tracing read: what ran where and when, and what led\n"
            "to what.\n"
            "\n"
            "  --view VIEW     rows of a proc each, which is the default, of a thread, or of a\n"
            "                  goroutine\n"
            "  --goid N        goroutine N and those that unblocked it, while it ran\n"
            "  --taskid N      task N, those that came of it and their goroutines\n"
            "  --focustask N   the same tasks, above the rows of the view\n"
            "  --start N       only the events from the Nth, from 0, ...\n"
            "  --end N         ... to the Nth, and what names the rows\n"
            "  --parts         instead of JSON the --start and --end of parts that a viewer can\n"
            "                  hold; nothing if all of the trace is one\n"
            "  --part-size N   parts of about N bytes of JSON, not of 100 MiB\n"
            "  --exact         draw also what go tool trace leaves out or gets wrong\n"
            "\n"
            "With --goid, --taskid and --focustask the trace is read twice, and a pipe is\n"
            "copied to a temporary file.\n" INPUT_HELP,
    .run = json_run,
};
