/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut FUNCTION FILE OUTPUT writes the second that begins when a goroutine first runs that starts
 * with FUNCTION. All states must be in the output; of other goroutines the rest is left out.
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

int main(int argc, char **argv)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_event *event;
    gt_reader *reader = NULL;
    gt_writer *writer = NULL;
    int64_t end = INT64_MAX;
    FILE *file = argc == 4 ? fopen(argv[3], "wb") : NULL;
    options.flags = GT_READER_TRACK; /* for gt_reader_goroutine */
    if (!file)
        return fprintf(stderr, "usage: cut FUNCTION FILE OUTPUT\n"), 2;
    gt_status status = gt_reader_open_file(&reader, argv[2], &options, &error);
    if (status == GT_OK)
        status = gt_writer_open(&writer, reader, write_bytes, file, NULL, &error);
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
        bool is_in_group = is_of_group(reader, event, argv[1]);
        if (end == INT64_MAX && is_in_group)
            end = event->time + 1000000000;
        if (event->time >= end)
            break;
        bool is_extra = event->kind == GT_EVENT_REGION_BEGIN ||
                        event->kind == GT_EVENT_REGION_END || event->kind == GT_EVENT_LOG ||
                        event->kind == GT_EVENT_STACK_SAMPLE;
        status = end == INT64_MAX || (is_extra && !is_in_group) ? gt_writer_skip(writer, event)
                                                                : gt_writer_event(writer, event);
    }
    if (status == GT_OK || status == GT_END)
        status = gt_writer_finish(writer);
    if (writer && gt_reader_error(reader, &error) == GT_OK && error.status == GT_OK)
        gt_writer_error(writer, &error);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    if (fclose(file) == 0 && status == GT_OK)
        return 0;
    return fprintf(stderr, "cut: %s: %s\n", argv[2], error.message), 1;
}
