/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the calls of an emitter that standard input lists, and writes JSON to standard output.
 *
 *     draw [--range START END] [--enclosing] [--even] [--events FIRST LAST]
 *          [--split BYTES]
 *
 * --even shows only resources with even numbers. --split prints the parts instead of JSON. Each
 * line of the input is one call: its name and its arguments, as the functions below read them. A
 * text is "=" and its bytes in hexadecimal; a stack is 0 or the number, from 1, of the line that
 * made it.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/viewer_json.h>

#define MOST_WORDS 2048

struct line {
    char *words[MOST_WORDS];
    size_t count;
    size_t next;
    gt_viewer_argument arguments[MOST_WORDS / 3];
};

static uint32_t *stacks;
static size_t stack_count;

static void fail(const char *what)
{
    fprintf(stderr, "draw: %s\n", what);
    exit(1);
}

static char *word(struct line *line)
{
    if (line->next == line->count)
        fail("a line is too short");
    return line->words[line->next++];
}

static uint64_t number(struct line *line)
{
    return strtoull(word(line), NULL, 10);
}

static int64_t time_of(struct line *line)
{
    return strtoll(word(line), NULL, 10);
}

static unsigned digit(char c)
{
    return (unsigned) (c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Decodes the text in place. */
static gt_string text(struct line *line)
{
    char *data = word(line);
    gt_string result = {data, 0};
    const char *from = data + 1;
    if (*data != '=')
        fail("a text begins with =");
    for (; from[0] != '\0'; from += 2)
        data[result.size++] = (char) (digit(from[0]) << 4 | digit(from[1]));
    return result;
}

static uint32_t stack(struct line *line)
{
    uint64_t at = number(line);
    if (at > stack_count)
        fail("no such stack");
    return at == 0 ? 0 : stacks[at - 1];
}

/*
 * Reads the rest of the line: keys, each with a value after "u", "s" or "d" for numbers or "t"
 * for texts.
 */
static size_t arguments(struct line *line, const gt_viewer_argument **list)
{
    size_t count = 0;
    while (line->next < line->count) {
        gt_viewer_argument *argument = &line->arguments[count++];
        const char *kind;
        memset(argument, 0, sizeof(*argument));
        argument->key = text(line);
        kind = word(line);
        if (*kind == 't') {
            argument->kind = GT_VIEWER_STRING;
            argument->string = text(line);
        } else if (*kind == 'd') {
            argument->kind = GT_VIEWER_DOUBLE;
            argument->real = strtod(word(line), NULL);
        } else {
            argument->kind = *kind == 's' ? GT_VIEWER_SIGNED : GT_VIEWER_UNSIGNED;
            argument->number = *kind == 's' ? (uint64_t) time_of(line) : number(line);
        }
    }
    *list = count != 0 ? line->arguments : NULL;
    return count;
}

static gt_status make_stack(gt_emitter *emitter, struct line *line)
{
    static gt_emitter_frame frames[MOST_WORDS / 3];
    size_t count = 0;
    for (; line->next < line->count; count++) {
        frames[count].pc = number(line);
        frames[count].line = number(line);
        frames[count].function = text(line);
        frames[count].file = (gt_string){"", 0};
    }
    stacks = realloc(stacks, (stack_count + 1) * sizeof(*stacks));
    return gt_emitter_stack(emitter, frames, count, &stacks[stack_count++]);
}

static gt_slice slice(struct line *line, bool asynchronous)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.resource = number(line);
    slice.time = time_of(line);
    slice.duration = time_of(line);
    slice.name = text(line);
    slice.stack = stack(line);
    slice.end_stack = stack(line);
    if (asynchronous) {
        slice.category = text(line);
        slice.scope = text(line);
        slice.task = number(line);
    }
    slice.argument_count = arguments(line, &slice.arguments);
    return slice;
}

static gt_status draw_slice(gt_emitter *emitter, struct line *line)
{
    gt_slice drawn = slice(line, 0);
    return gt_emitter_slice(emitter, &drawn);
}

static gt_status draw_task_slice(gt_emitter *emitter, struct line *line)
{
    gt_slice drawn = slice(line, 0);
    return gt_emitter_task_slice(emitter, &drawn);
}

static gt_status draw_async_slice(gt_emitter *emitter, struct line *line)
{
    gt_slice drawn = slice(line, 1);
    return gt_emitter_async_slice(emitter, &drawn);
}

static gt_status draw_instant(gt_emitter *emitter, struct line *line)
{
    gt_instant instant = GT_INSTANT_INIT;
    instant.resource = number(line);
    instant.time = time_of(line);
    instant.name = text(line);
    instant.category = text(line);
    instant.stack = stack(line);
    instant.argument_count = arguments(line, &instant.arguments);
    return gt_emitter_instant(emitter, &instant);
}

static gt_arrow arrow(struct line *line)
{
    gt_arrow arrow = GT_ARROW_INIT;
    arrow.from = number(line);
    arrow.to = number(line);
    arrow.from_time = time_of(line);
    arrow.to_time = time_of(line);
    arrow.name = text(line);
    arrow.from_stack = stack(line);
    return arrow;
}

static gt_status draw_arrow(gt_emitter *emitter, struct line *line)
{
    gt_arrow drawn = arrow(line);
    return gt_emitter_arrow(emitter, &drawn);
}

static gt_status draw_task_arrow(gt_emitter *emitter, struct line *line)
{
    gt_arrow drawn = arrow(line);
    return gt_emitter_task_arrow(emitter, &drawn);
}

static gt_status count_goroutine(gt_emitter *emitter, struct line *line)
{
    int64_t time = time_of(line);
    uint32_t from = (uint32_t) number(line), to = (uint32_t) number(line);
    return gt_emitter_count_goroutine(emitter, time, from, to);
}

static gt_status count_threads(gt_emitter *emitter, struct line *line)
{
    int64_t time = time_of(line);
    uint32_t state = (uint32_t) number(line);
    return gt_emitter_count_threads(emitter, time, state, time_of(line));
}

static gt_status set_heap(gt_emitter *emitter, struct line *line)
{
    int64_t time = time_of(line);
    return gt_emitter_heap(emitter, time, number(line));
}

static gt_status set_goal(gt_emitter *emitter, struct line *line)
{
    int64_t time = time_of(line);
    return gt_emitter_heap_goal(emitter, time, number(line));
}

static gt_status follow_go(gt_emitter *emitter, struct line *line)
{
    (void) line;
    return gt_emitter_follow_go(emitter);
}

static gt_status draw_counter(gt_emitter *emitter, struct line *line)
{
    gt_counter counter = GT_COUNTER_INIT;
    counter.time = time_of(line);
    counter.name = text(line);
    counter.unit = text(line);
    counter.value_count = arguments(line, &counter.values);
    return gt_emitter_counter(emitter, &counter);
}

static gt_status set_type(gt_emitter *emitter, struct line *line)
{
    return gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, text(line));
}

static gt_status set_name(gt_emitter *emitter, struct line *line)
{
    uint64_t resource = number(line);
    return gt_emitter_name_resource(emitter, resource, text(line));
}

static gt_status set_focus(gt_emitter *emitter, struct line *line)
{
    return gt_emitter_focus(emitter, number(line));
}

static gt_status name_task(gt_emitter *emitter, struct line *line)
{
    uint64_t task = number(line);
    gt_string name = text(line);
    return gt_emitter_name_task(emitter, task, name, time_of(line));
}

static gt_status draw_event(gt_emitter *emitter, struct line *line)
{
    gt_viewer_event event;
    bool required = word(line)[0] == '1';
    memset(&event, 0, sizeof(event));
    event.size = sizeof(event);
    event.phase = (uint32_t) word(line)[0];
    event.section = (uint32_t) number(line);
    event.resource = number(line);
    event.time = time_of(line);
    event.name = text(line);
    event.stack = stack(line);
    event.argument_count = arguments(line, &event.arguments);
    return gt_emitter_event(emitter, &event, required);
}

static const struct {
    const char *name;
    gt_status (*call)(gt_emitter *emitter, struct line *line);
} calls[] = {
    {"go", follow_go},
    {"stack", make_stack},
    {"counter", draw_counter},
    {"slice", draw_slice},
    {"task_slice", draw_task_slice},
    {"async_slice", draw_async_slice},
    {"instant", draw_instant},
    {"arrow", draw_arrow},
    {"task_arrow", draw_task_arrow},
    {"goroutine", count_goroutine},
    {"threads", count_threads},
    {"heap", set_heap},
    {"goal", set_goal},
    {"type", set_type},
    {"name", set_name},
    {"focus", set_focus},
    {"task", name_task},
    {"event", draw_event},
};

static gt_status call(gt_emitter *emitter, struct line *line)
{
    const char *name = word(line);
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        if (strcmp(name, calls[i].name) == 0)
            return calls[i].call(emitter, line);
    }
    fail("no such call");
    return GT_ERR_INVALID_ARGUMENT;
}

static void split_words(struct line *line, char *buffer)
{
    char *at = strtok(buffer, " \n");
    line->count = line->next = 0;
    for (; at && line->count < MOST_WORDS; at = strtok(NULL, " \n"))
        line->words[line->count++] = at;
    if (at)
        fail("a line is too long");
}

static void draw(gt_emitter *emitter)
{
    static struct line line;
    static char buffer[1 << 20];
    while (fgets(buffer, sizeof(buffer), stdin)) {
        split_words(&line, buffer);
        if (line.count != 0 && call(emitter, &line) != GT_OK)
            fail("a call failed");
    }
    if (gt_emitter_flush(emitter) != GT_OK)
        fail("flushing failed");
}

static int write_out(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    return fwrite(data, 1, size, stdout) != size;
}

static int filter_even(void *user_data, uint64_t resource)
{
    (void) user_data;
    return resource % 2 == 0;
}

static void print_parts(const gt_splitter *splitter)
{
    size_t count;
    const gt_part *parts = gt_splitter_parts(splitter, &count);
    for (size_t i = 0; i < count; i++)
        printf("%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 "\n", parts[i].first, parts[i].last,
               parts[i].start_time, parts[i].end_time);
}

struct wishes {
    gt_emitter_options emitter;
    gt_json_options json;
    uint64_t split;
};

static void read_wishes(struct wishes *wishes, int argc, char **argv)
{
    struct line line = {{NULL}, 0, 1, {{{NULL, 0}, 0, 0, 0, {NULL, 0}, 0}}};
    for (int i = 0; i < argc; i++)
        line.words[line.count++] = argv[i];
    while (line.next < line.count) {
        const char *name = word(&line);
        if (strcmp(name, "--range") == 0) {
            wishes->emitter.range_start = time_of(&line);
            wishes->emitter.range_end = time_of(&line);
        } else if (strcmp(name, "--events") == 0) {
            wishes->json.first = number(&line);
            wishes->json.last = number(&line);
        } else if (strcmp(name, "--split") == 0) {
            wishes->split = number(&line);
        } else if (strcmp(name, "--enclosing") == 0) {
            wishes->emitter.flags |= GT_EMITTER_ENCLOSING;
        } else if (strcmp(name, "--even") == 0) {
            wishes->emitter.filter = filter_even;
        } else {
            fail("no such option");
        }
    }
}

int main(int argc, char **argv)
{
    static const struct wishes none = {GT_EMITTER_OPTIONS_INIT, GT_JSON_OPTIONS_INIT, 0};
    struct wishes wishes = none;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_splitter *splitter = NULL;
    gt_json_writer *writer = NULL;
    gt_emitter *emitter = NULL;
    read_wishes(&wishes, argc, argv);
    if (gt_splitter_open(&splitter, wishes.split, NULL, NULL) != GT_OK ||
        gt_json_writer_open(&writer, write_out, NULL, &wishes.json, NULL) != GT_OK ||
        (wishes.split != 0 ? gt_splitter_consumer(splitter, &consumer)
                           : gt_json_writer_consumer(writer, &consumer)) != GT_OK ||
        gt_emitter_open(&emitter, &consumer, &wishes.emitter, NULL) != GT_OK)
        fail("opening failed");
    draw(emitter);
    print_parts(splitter);
    gt_emitter_close(&emitter);
    gt_json_writer_close(&writer);
    gt_splitter_close(&splitter);
    free(stacks);
    return ferror(stdout) || fflush(stdout) != 0;
}
