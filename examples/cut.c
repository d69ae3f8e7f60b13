/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the second that begins when a goroutine first runs that starts with FUNCTION, without the
 * regions, logs and samples of other goroutines. Their states stay, as no trace can be without.
 *
 *     cut FUNCTION FILE >OUTPUT
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/gotrace.h>

static int write_bytes(void *user_data, const void *data, size_t size)
{
    return fwrite(data, 1, size, user_data) != size;
}

static bool is_of_group(gt_reader *reader, const gt_event *event, const char *function)
{
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    return gt_reader_goroutine(reader, event->goroutine, &info) == GT_OK &&
           info.name.size == strlen(function) &&
           memcmp(info.name.data, function, info.name.size) == 0;
}

static bool is_extra(const gt_event *event)
{
    return event->kind == GT_EVENT_REGION_BEGIN || event->kind == GT_EVENT_REGION_END ||
           event->kind == GT_EVENT_LOG || event->kind == GT_EVENT_STACK_SAMPLE;
}

/* If the trace is damaged, writes what precedes that. */
static gt_status write_second(gt_writer *writer, gt_reader *reader, const char *function)
{
    const gt_event *event;
    gt_status status = GT_OK;
    int64_t start = -1;
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK) {
        bool is_in_group = is_of_group(reader, event, function);
        if (start < 0 && is_in_group)
            start = event->time;
        if (start >= 0 && event->time - start >= 1000000000)
            break;
        bool is_written = start >= 0 && (is_in_group || !is_extra(event));
        status = is_written ? gt_writer_event(writer, event) : gt_writer_skip(writer, event);
    }
    return status == GT_OK ? gt_writer_finish(writer) : status;
}

int main(int argc, char **argv)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT, of_reader = GT_ERROR_INIT;
    gt_reader *reader = NULL;
    gt_writer *writer = NULL;
    options.flags = GT_READER_TRACK; /* for gt_reader_goroutine */
    if (argc != 3)
        return fprintf(stderr, "usage: cut FUNCTION FILE >OUTPUT\n"), 2;
    if (gt_reader_open_file(&reader, argv[2], &options, &error) == GT_OK &&
        gt_writer_open(&writer, reader, write_bytes, stdout, NULL, &error) == GT_OK &&
        write_second(writer, reader, argv[1]) != GT_OK)
        gt_writer_error(writer, &error);
    if (writer && gt_reader_error(reader, &of_reader) == GT_OK && of_reader.status != GT_OK)
        error = of_reader;
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    if (error.status != GT_OK)
        return fprintf(stderr, "cut: %s: %s\n", argv[2], error.message), 1;
    if (fclose(stdout) != 0)
        return perror("cut: standard output"), 1;
    return 0;
}
