/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/decimal.h"

/* printf is left out on purpose: it depends on the locale and may allocate. */
struct text {
    char *data;
    size_t size;
    size_t capacity; /* one less than the buffer has, for the NUL */
};

static void put(struct text *text, char c)
{
    if (text->size < text->capacity)
        text->data[text->size++] = c;
}

static void put_string(struct text *text, const char *string)
{
    while (*string)
        put(text, *string++);
}

static void put_unsigned(struct text *text, uint64_t number)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char) ('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count > 0)
        put(text, digits[--count]);
}

static void put_signed(struct text *text, int64_t number)
{
    if (number < 0)
        put(text, '-');
    put_unsigned(text, gt_decimal_magnitude(number));
}

static void put_arguments(struct text *text, const char *format, va_list arguments)
{
    for (; *format; format++) {
        if (*format != '%') {
            put(text, *format);
            continue;
        }
        switch (*++format) {
        case 'u':
            put_unsigned(text, va_arg(arguments, uint64_t));
            break;
        case 'd':
            put_signed(text, va_arg(arguments, int64_t));
            break;
        default:
            put_string(text, va_arg(arguments, const char *));
            break;
        }
    }
}

gt_status gt_error_set_list(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                            const char *format, va_list arguments)
{
    struct text text = {error->message, 0, sizeof(error->message) - 1};
    put_arguments(&text, format, arguments);
    text.data[text.size] = '\0';
    error->status = status;
    error->offset = offset;
    error->generation = generation;
    error->system_error = 0;
    return status;
}

gt_status gt_error_set(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gt_error_set_list(error, status, offset, generation, format, arguments);
    va_end(arguments);
    return status;
}

void gt_error_append(gt_error *error, const char *string)
{
    struct text text = {error->message, strlen(error->message), sizeof(error->message) - 1};
    put_string(&text, string);
    text.data[text.size] = '\0';
}

gt_status gt_error_plain(gt_error *error, gt_status status)
{
    return gt_error_set(error, status, GT_NO_OFFSET, 0, "%s", gt_status_text(status));
}

const char *gt_status_text(gt_status status)
{
    switch (status) {
    case GT_OK:
        return "success";
    case GT_END:
        return "end of the trace";
    case GT_ERR_INVALID_ARGUMENT:
        return "invalid argument";
    case GT_ERR_NO_MEMORY:
        return "out of memory";
    case GT_ERR_LIMIT:
        return "memory limit reached";
    case GT_ERR_IO:
        return "reading or writing failed";
    case GT_ERR_WRONG_KIND:
        return "wrong kind of event";
    case GT_ERR_EXPIRED:
        return "handle of an earlier generation";
    case GT_ERR_NOT_AVAILABLE:
        return "not in the trace";
    case GT_ERR_CALLBACK:
        return "ended by a callback";
    case GT_ERR_NOT_A_TRACE:
        return "not a Go execution trace";
    case GT_ERR_VERSION:
        return "unsupported trace version";
    case GT_ERR_TRUNCATED:
        return "trace is cut off";
    case GT_ERR_BATCH:
        return "malformed batch";
    case GT_ERR_GENERATION:
        return "malformed generation";
    case GT_ERR_STRINGS:
        return "malformed string table";
    case GT_ERR_STACKS:
        return "malformed stack table";
    case GT_ERR_SAMPLES:
        return "malformed CPU samples";
    case GT_ERR_SYNC:
        return "malformed frequency or clock";
    case GT_ERR_EVENT:
        return "malformed event";
    case GT_ERR_ORDER:
        return "impossible event";
    case GT_ERR_STUCK:
        return "no event can come next";
    case GT_ERR_REFERENCE:
        return "unknown string or stack";
    case GT_ERR_TIME:
        return "times contradict the order of events";
    case GT_ERR_SYMBOLS:
        return "symbols could not be found";
    }
    return "unknown status";
}
