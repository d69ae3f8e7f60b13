/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/text.h"

#include <string.h>

#include <gotrace/gotrace.h>

#include "support/test.h"

static int take_bytes(void *user_data, const void *data, size_t size)
{
    wire_bytes(user_data, data, size);
    return 0;
}

static gt_status copy_events(gt_raw_reader *reader, gt_raw_writer *writer)
{
    const gt_raw_event *event;
    gt_status status;

    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
        assert_status(gt_raw_writer_write_event(writer, event), GT_OK);
    assert_status(gt_raw_writer_flush(writer), GT_OK);
    return status;
}

int text_encode(struct wire *wire, const char *text, size_t size)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader *reader;
    gt_raw_writer *writer;
    gt_status status;

    status = gt_raw_reader_open_memory(&reader, text, size, NULL, &error);
    if (status == GT_OK) {
        assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.form, GT_RAW_TEXT);
        assert_status(
            gt_raw_writer_open(&writer, info.version, GT_RAW_BYTES, take_bytes, wire, NULL, NULL),
            GT_OK);
        status = copy_events(reader, writer);
        assert_status(gt_raw_reader_error(reader, &error), GT_OK);
        gt_raw_writer_close(&writer);
        gt_raw_reader_close(&reader);
    }
    if (status == GT_END)
        return 0;
    print_error("%s\n", error.message);
    return -1;
}

/* Finds the line `marker` and sets `*begin` and `*end` to what follows up to the next marker. */
static int find_section(const char *text, const char *end_of_text, const char *marker,
                        const char **begin, const char **end)
{
    const char *at = text, *next;

    if (strncmp(at, marker, strlen(marker)) != 0) {
        at = strstr(text, marker);
        while (at && at[-1] != '\n')
            at = strstr(at + 1, marker);
    }
    if (!at)
        return -1;
    *begin = at + strlen(marker);
    next = strstr(*begin, "\n-- ");
    *end = next ? next + 1 : end_of_text;
    return 0;
}

int text_parse_case(struct text_case *result, const char *text, size_t size)
{
    const char *begin, *end;

    if (strncmp(text, "Trace ", 6) == 0) {
        *result = (struct text_case){1, text, size};
        return 0;
    }
    if (find_section(text, text + size, "-- expect --\n", &begin, &end) < 0)
        return -1;
    result->success = strncmp(begin, "SUCCESS", 7) == 0;
    if (!result->success && strncmp(begin, "FAILURE \"", 9) != 0)
        return -1;
    if (find_section(text, text + size, "-- trace --\n", &begin, &end) < 0)
        return -1;
    result->trace = begin;
    result->trace_size = (size_t) (end - begin);
    return 0;
}
