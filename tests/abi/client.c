/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <stdarg.h>

void die(const char *what, const char *why)
{
    fprintf(stderr, "client: %s: %s\n", what, why);
    exit(1);
}

void intact(const char *type, const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++) {
        if (guard[i] != UNTOUCHED)
            die(type, "was written beyond its end");
    }
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void says(const char *what, gt_status status)
{
    say("%s: %s", what, gt_status_text(status));
}

void must(const char *what, gt_status status)
{
    if (status != GT_OK)
        die(what, gt_status_text(status));
}

gt_string text(const char *from)
{
    gt_string string = {from, strlen(from)};
    return string;
}

void say_string(const char *what, gt_string string)
{
    printf("  %s \"", what);
    fwrite(string.data, 1, string.size, stdout);
    puts("\"");
}

void say_value(gt_value value)
{
    NUMBER(value, kind);
    NUMBER(value, number);
    if (value.kind == GT_VALUE_STRING)
        STRING(value, string);
}

void say_resource(gt_resource resource)
{
    say("  %s %lld", gt_resource_kind_name(resource.kind), (long long) resource.id);
}

/* Prints the innermost frame, and a sum over all frames. */
void say_frames(const char *what, const gt_frame *frames, size_t count)
{
    unsigned long long sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum = sum * 31 + frames[i].pc + frames[i].line * 7;
        sum = sum * 31 + frames[i].function.size + frames[i].file.size * 7;
    }
    say("  %s of %zu: %llx", what, count, sum);
    if (count > 0)
        STRING(frames[0], function);
}

void say_error(const char *what, const gt_error *error)
{
    say("%s %lld at %llu", what, (long long) error->status, (unsigned long long) error->offset);
    NUMBER(*error, generation);
    NUMBER(*error, system_error);
    say("  %s", error->message);
}

static void *heap_allocate(void *context, size_t bytes)
{
    struct heap *own = context;
    own->held += bytes;
    own->calls++;
    return malloc(bytes);
}

static void *heap_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct heap *own = context;
    own->held += bytes - old_bytes;
    return realloc(block, bytes);
}

static void heap_release(void *context, void *block, size_t bytes)
{
    struct heap *own = context;
    own->held -= bytes;
    free(block);
}

struct heap heap;
const gt_allocator allocator = {sizeof(gt_allocator), &heap, heap_allocate, heap_reallocate,
                                heap_release};

struct trace trace;

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    trace.path = path;
    trace.data = malloc(1 << 20);
    if (!file || !trace.data) {
        die(path, "cannot be read");
        return;
    }
    trace.size = fread(trace.data, 1, 1 << 20, file);
    fclose(file);
}

gt_reader *open_trace(void)
{
    gt_reader *reader = NULL;
    must("open", gt_reader_open_memory(&reader, trace.data, trace.size, NULL, NULL));
    return reader;
}

int take_bytes(void *user_data, const void *data, size_t size)
{
    struct sink *sink = user_data;
    const unsigned char *bytes = data;
    sink->data = realloc(sink->data, sink->size + size);
    memcpy(sink->data + sink->size, bytes, size);
    sink->size += size;
    for (size_t i = 0; i < size; i++)
        sink->sum = sink->sum * 31 + bytes[i];
    return 0;
}

void say_sink(const char *what, struct sink *sink)
{
    say("%s: %zu bytes, %llx", what, sink->size, sink->sum);
    free(sink->data);
    memset(sink, 0, sizeof(*sink));
}

static void say_times(void)
{
    gt_error error = GT_ERROR_INIT;
    char written[GT_ERROR_TEXT_SIZE];
    int64_t duration = 0;
    strcpy(error.message, "malformed batch");
    error.offset = 12;
    error.generation = 3;
    gt_error_format(&error, written, sizeof(written));
    say("error %s", written);
    say("status %d", gt_duration_parse("1.5ms", &duration));
    gt_duration_format(duration, written, sizeof(written));
    say("duration %s", written);
    gt_wall_clock_format(1795222113, 794275359, 3600, written, sizeof(written));
    say("wall clock %s", written);
    say("flag %s, %d", gt_mmu_flag_name(GT_MMU_SWEEP), (int) gt_mmu_flag_find(text("assist")));
}

static void say_names(void)
{
    say("gt_library_version %d, %d", gt_library_version() >= GT_VERSION,
        gt_library_version_text()[0] != 0);
    for (int status = -40; status < 3; status++)
        says("status", (gt_status) status);
    for (uint32_t i = 0; i < 24; i++) {
        say("%u %s %s %s", i, gt_event_kind_name(i), gt_go_state_name(i), gt_proc_state_name(i));
        say("%s %s %s", gt_profile_kind_name(i), gt_latency_kind_name(i), gt_latency_group_name(i));
        say("%s; %s", gt_resource_kind_name(i), gt_rule_text(i));
    }
    char quoted[64];
    gt_string rest = text("a\"b\\c\n\001");
    size_t size = gt_string_quote(&rest, quoted, sizeof(quoted));
    say("quoted %.*s, %zu left", (int) size, quoted, rest.size);
    rest = text("a\"<b>\n\001");
    size = gt_string_escape_json(&rest, quoted, sizeof(quoted));
    say("escaped %.*s, %zu left", (int) size, quoted, rest.size);
    say_times();
}

int main(int argc, char **argv)
{
    if (argc != 2)
        die("usage", "client TRACE");
    load(argv[1]);
    say_names();
    use_readers();
    use_live();
    use_raw();
    use_writer();
    use_analyses();
    use_viewer();
    use_timelines();
    use_web();
    use_columns();
    use_recorder();
    use_structures();
#ifdef GT_LATER
    ask_for_more();
#endif
    free(trace.data);
    return 0;
}
