/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace for a trace viewer, as `go tool trace` hands it to its own. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "command.h"
#include "input.h"

/* What is asked for, as text and as what it means. */
struct request {
    const char *view_name;
    const char *goroutine;
    const char *task;
    const char *focus_task;
    const char *first_text;
    const char *last_text;
    const char *size_text;
    bool exact;
    bool parts;
    uint32_t view;
    uint32_t selection; /* 0 for none */
    uint64_t id;
    uint64_t first;
    uint64_t last;
    uint64_t part_size;
};

struct drawing {
    struct input in;
    struct request request;
    struct output *out;
    gt_selector *selector;
    gt_json_writer *writer;
    gt_splitter *splitter;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

/* `text` may be NULL: then `*value` stays as it is. */
static bool parse_number(const char *text, uint64_t *value)
{
    char *end;
    if (text == NULL)
        return true;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

static int parse_view(struct request *request, const struct command *self)
{
    static const char *const names[] = {"proc", "thread", "goroutine"};
    if (request->view_name == NULL)
        return COMMAND_GO_ON;
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        request->view = i;
        if (strcmp(request->view_name, names[i]) == 0)
            return COMMAND_GO_ON;
    }
    return command_misused(self, "no view:", request->view_name);
}

static int parse_selection(struct request *request, const struct command *self)
{
    const char *const texts[] = {NULL, request->goroutine, request->task, request->focus_task};
    for (uint32_t i = 1; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (texts[i] == NULL)
            continue;
        if (request->selection != 0)
            return command_misused(self, "only one of --goid, --taskid and --focustask", NULL);
        request->selection = i;
        if (!parse_number(texts[i], &request->id))
            return command_misused(self, "not a number:", texts[i]);
    }
    return COMMAND_GO_ON;
}

static int check_request(struct request *request, const struct command *self)
{
    int code = parse_view(request, self);
    if (code == COMMAND_GO_ON)
        code = parse_selection(request, self);
    if (code != COMMAND_GO_ON)
        return code;
    if ((request->first_text == NULL) != (request->last_text == NULL))
        return command_misused(self, "--start and --end go together", NULL);
    if (!parse_number(request->first_text, &request->first))
        return command_misused(self, "not a number:", request->first_text);
    if (!parse_number(request->last_text, &request->last))
        return command_misused(self, "not a number:", request->last_text);
    if (!parse_number(request->size_text, &request->part_size))
        return command_misused(self, "not a number:", request->size_text);
    return COMMAND_GO_ON;
}

/* Goes through the trace once to find out what to show, and opens it again. */
static int select_part(struct drawing *drawing)
{
    static const char *const kinds[] = {"", "goroutine", "task", "task"};
    const struct request *request = &drawing->request;
    const gt_event *event;
    if (request->selection == 0)
        return COMMAND_GO_ON;
    gt_status status = gt_selector_open(&drawing->selector, request->selection, request->id, NULL);
    while (status == GT_OK && (status = gt_reader_next_event(drawing->in.reader, &event)) == GT_OK)
        status = gt_selector_event(drawing->selector, event);
    gt_error error = GT_ERROR_INIT;
    gt_reader_error(drawing->in.reader, &error);
    /* What is good before an error is shown, and the error comes again then. */
    if (status == GT_END || error.status != GT_OK)
        status = gt_selector_finish(drawing->selector);
    if (status == GT_ERR_NOT_AVAILABLE) {
        fprintf(stderr, "gotrace: %s: nothing to show of %s %" PRIu64 "\n", drawing->in.name,
                kinds[request->selection], request->id);
        input_close(&drawing->in, drawing->out, GT_END);
        return COMMAND_BAD;
    }
    if (status != GT_OK)
        return input_close(&drawing->in, drawing->out, status);
    return input_restart(&drawing->in);
}

static int write_out(void *user_data, const void *data, size_t size)
{
    struct output *out = user_data;
    output_bytes(out, data, size);
    return out->error;
}

static gt_status open_consumer(struct drawing *drawing, gt_consumer *consumer)
{
    const struct request *request = &drawing->request;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_status status;
    if (request->parts) {
        status = gt_splitter_open(&drawing->splitter, request->part_size, NULL);
        if (status == GT_OK)
            status = gt_splitter_consumer(drawing->splitter, consumer);
        return status;
    }
    options.first = request->first;
    options.last = request->last;
    status = gt_json_writer_open(&drawing->writer, write_out, drawing->out, &options);
    if (status == GT_OK)
        status = gt_json_writer_consumer(drawing->writer, consumer);
    return status;
}

static gt_status open_timeline(struct drawing *drawing)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = open_consumer(drawing, &consumer);
    if (status == GT_OK && drawing->selector != NULL)
        status = gt_selector_apply(drawing->selector, &emitter);
    if (drawing->request.exact) {
        emitter.flags |= GT_EMITTER_ENCLOSING;
        timeline.flags |= GT_TIMELINE_EXACT;
    }
    timeline.view = drawing->request.view;
    timeline.selector = drawing->selector;
    if (status == GT_OK)
        status = gt_emitter_open(&drawing->emitter, &consumer, &emitter);
    if (status == GT_OK)
        status =
            gt_timeline_open(&drawing->timeline, drawing->in.reader, drawing->emitter, &timeline);
    return status;
}

static void write_parts(struct drawing *drawing)
{
    size_t count;
    const gt_part *parts = gt_splitter_parts(drawing->splitter, &count);
    for (size_t i = 0; i < count; i++) {
        char line[5 * OUTPUT_NUMBER_MAX];
        int size =
            snprintf(line, sizeof(line),
                     "--start %" PRIu64 " --end %" PRIu64 " # %" PRId64 " to %" PRId64 " ns\n",
                     parts[i].first, parts[i].last, parts[i].start_time, parts[i].end_time);
        output_bytes(drawing->out, line, (size_t) size);
    }
}

/* Returns what went wrong in drawing; how the reading ended goes to `*reading`. */
static gt_status draw(struct drawing *drawing, gt_status *reading)
{
    const gt_event *event;
    gt_status status = open_timeline(drawing);
    while (status == GT_OK &&
           (*reading = gt_reader_next_event(drawing->in.reader, &event)) == GT_OK)
        status = gt_timeline_event(drawing->timeline, event);
    if (status == GT_OK)
        status = gt_timeline_finish(drawing->timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(drawing->emitter);
    if (status == GT_ERR_CALLBACK)
        status = drawing->writer != NULL ? gt_json_writer_status(drawing->writer)
                                         : gt_splitter_status(drawing->splitter);
    if (status == GT_OK && drawing->splitter != NULL)
        write_parts(drawing);
    return status;
}

static void close_drawing(struct drawing *drawing)
{
    gt_timeline_close(&drawing->timeline);
    gt_emitter_close(&drawing->emitter);
    gt_splitter_close(&drawing->splitter);
    gt_json_writer_close(&drawing->writer);
    gt_selector_close(&drawing->selector);
}

static int json_run(const struct command *self, struct output *out, char **arguments)
{
    struct drawing drawing = {.out = out, .request = {.last = UINT64_MAX}};
    struct request *request = &drawing.request;
    const struct option own[] = {
        {.name = "view", .value = &request->view_name},
        {.name = "goid", .value = &request->goroutine},
        {.name = "taskid", .value = &request->task},
        {.name = "focustask", .value = &request->focus_task},
        {.name = "start", .value = &request->first_text},
        {.name = "end", .value = &request->last_text},
        {.name = "exact", .flag = &request->exact},
        {.name = "parts", .flag = &request->parts},
        {.name = "part-size", .value = &request->size_text},
    };
    int code = input_parse(&drawing.in, self, out, arguments, own, sizeof(own) / sizeof(own[0]));
    if (code == COMMAND_GO_ON)
        code = check_request(request, self);
    if (code != COMMAND_GO_ON)
        return code;
    drawing.in.twice = request->selection != 0;
    code = input_start(&drawing.in);
    if (code == COMMAND_GO_ON)
        code = select_part(&drawing);
    if (code == COMMAND_GO_ON) {
        gt_status reading = GT_END;
        gt_status status = draw(&drawing, &reading);
        /* That the output cannot be written is for main to say. */
        if (status == GT_ERR_IO && out->error != 0)
            status = GT_OK;
        code = input_close(&drawing.in, out, status != GT_OK ? status : reading);
    }
    close_drawing(&drawing);
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
