/* SPDX-License-Identifier: BSD-3-Clause */

/* Converts the records of a trace in bytes in every way, which gives the same bytes. */

#include "fuzz/convert.h"
#include "support/test.h"

/* Bit of the choices: the failure happens while text is written. */
#define AS_TEXT 1

static void check_text(const struct converted *bytes)
{
    struct converted text = {0}, again = {0};

    convert(&text, bytes->data, bytes->size, GT_RAW_TEXT, 0);
    assert_status(text.status, GT_END);
    convert(&again, text.data, text.size, GT_RAW_BYTES, 0);
    assert_status(again.status, GT_END);
    converted_assert_equal(&again, bytes);
    convert(&text, bytes->data, bytes->size, GT_RAW_TEXT, GT_RAW_AS_GO);
    converted_free(&text);
    converted_free(&again);
}

/* Sizes that have been set once do not change when they are set again. */
static void check_sizes(const struct input *input, const struct converted *bytes)
{
    struct converted once = {0}, twice = {0};

    convert(&once, input->data, input->size, GT_RAW_BYTES, GT_RAW_SET_SIZES);
    convert(&twice, once.data, once.size, GT_RAW_BYTES, GT_RAW_SET_SIZES);
    assert_status(twice.status, GT_END);
    assert_int_equal(twice.info.events, bytes->info.events);
    converted_assert_equal(&twice, &once);
    convert_troubled(input, GT_RAW_BYTES, GT_RAW_SET_SIZES, &once);
    converted_free(&once);
    converted_free(&twice);
}

static void check(const struct input *input)
{
    struct converted bytes = {0}, text = {0};

    convert(&bytes, input->data, input->size, GT_RAW_BYTES, 0);
    if (bytes.info.form == GT_RAW_BYTES) {
        assert_int_equal(bytes.size,
                         bytes.status == GT_END ? input->size : (size_t) bytes.error.offset);
        assert_memory_equal(bytes.data, input->data, bytes.size);
        check_text(&bytes);
        check_sizes(input, &bytes);
        convert(&text, input->data, input->size, GT_RAW_TEXT, 0);
        if (input->flags & AS_TEXT)
            convert_troubled(input, GT_RAW_TEXT, 0, &text);
        else
            convert_troubled(input, GT_RAW_BYTES, 0, &bytes);
    }
    converted_free(&text);
    converted_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;

    if (!input_take(&input, data, size, 0))
        return 0;
    check(&input);
    input_free(&input);
    return 0;
}
