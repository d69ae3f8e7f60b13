/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a trace in text form, which must read the same after a conversion to bytes. */

#include "fuzz/convert.h"
#include "support/test.h"

/* Bit of the choices: the failure happens while bytes are written. */
#define AS_BYTES 1

/* The texts themselves can differ, as one may state widths that are the default. */
static void check_bytes(const struct converted *text, const struct converted *bytes)
{
    struct converted again = {0}, last = {0};

    convert(&last, text->data, text->size, GT_RAW_BYTES, 0);
    assert_status(last.status, GT_END);
    converted_assert_equal(&last, bytes);
    convert(&again, bytes->data, bytes->size, GT_RAW_TEXT, 0);
    assert_status(again.status, GT_END);
    convert(&last, again.data, again.size, GT_RAW_BYTES, 0);
    assert_status(last.status, GT_END);
    converted_assert_equal(&last, bytes);
    convert(&last, again.data, again.size, GT_RAW_TEXT, 0);
    converted_assert_equal(&last, &again);
    converted_free(&again);
    converted_free(&last);
}

static void check(const struct input *input)
{
    struct converted text = {0}, bytes = {0};

    convert(&text, input->data, input->size, GT_RAW_TEXT, 0);
    convert(&bytes, input->data, input->size, GT_RAW_BYTES, 0);
    if (input->flags & AS_BYTES)
        convert_troubled(input, GT_RAW_BYTES, 0, &bytes);
    else
        convert_troubled(input, GT_RAW_TEXT, 0, &text);
    if (text.info.form == GT_RAW_TEXT)
        check_bytes(&text, &bytes);
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
