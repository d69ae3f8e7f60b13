/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut FUNCTION FILE OUTPUT writes the second that begins when a goroutine first runs that starts
 * with FUNCTION. States of goroutines must all be in the output; what else there is of goroutines
 * that start with another function is left out: their regions, logs and CPU samples.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/gotrace.h>

static int write_bytes(void *user_data, const void *data, size_t size)
{
    return fwrite(data, 1, size, user_data) != size;
}

/* Returns whether an event is of a goroutine that starts with the function. */
static bool is_of_group(gt_reader *reader, const gt_event *event, const char *function)
{
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    return gt_reader_goroutine(reader, event->goroutine, &info) == GT_OK &&
           info.name.size == strlen(function) &&
           memcmp(info.name.data, function, info.name.size) == 0;
}

/* Returns whether an event is of a kind that may be left out, and of a single goroutine. */
static bool is_extra(const gt_event *event)
{
    return event->kind == GT_EVENT_REGION_BEGIN || event->kind == GT_EVENT_REGION_END ||
           event->kind == GT_EVENT_LOG || event->kind == GT_EVENT_STACK_SAMPLE;
}

static gt_status cut(gt_reader *reader, gt_writer *writer, const char *function)
{
    const gt_event *event;
    gt_status status = GT_OK;
    int64_t end = 0;
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
        bool is_in_group = is_of_group(reader, event, function);
        if (end == 0 && is_in_group)
            end = event->time + 1000000000;
        if (end != 0 && event->time >= end)
            break;
        status = end == 0 || (is_extra(event) && !is_in_group) ? gt_writer_skip(writer, event)
                                                               : gt_writer_event(writer, event);
    }
    return status == GT_OK || status == GT_END ? gt_writer_finish(writer) : status;
}

int main(int argc, char **argv)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    gt_writer *writer;
    FILE *file = argc == 4 ? fopen(argv[3], "wb") : NULL;
    options.flags = GT_READER_TRACK; /* for gt_reader_goroutine */
    if (!file)
        return fprintf(stderr, "cut: usage: cut FUNCTION FILE OUTPUT\n"), 2;
    gt_status status = gt_reader_open_file(&reader, argv[2], &options, &error);
    if (status == GT_OK)
        status = gt_writer_open(&writer, reader, write_bytes, file, NULL, &error);
    if (status == GT_OK) {
        status = cut(reader, writer, argv[1]);
        if (gt_reader_error(reader, &error) == GT_OK && error.status == GT_OK)
            gt_writer_error(writer, &error);
        gt_writer_close(&writer);
    }
    gt_reader_close(&reader);
    char text[GT_ERROR_TEXT_SIZE];
    if (fclose(file) == 0 && status == GT_OK && error.status == GT_OK)
        return 0;
    if (gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "cut: %s: %s\n", argv[2], text);
    return 1;
}
