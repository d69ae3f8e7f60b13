/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/copied.h"
#include "base/decimal.h"
#include "base/hex.h"
#include "base/sized.h"

enum {
    /* Room for the text that the C library has for an errno. */
    ERROR_REASON_SIZE = 128
};

/*
 * A message that is being written. It is formatted here because printf depends on the locale and
 * may allocate memory.
 */
struct error_text {
    char *data;
    size_t size;
    size_t capacity; /* without the byte for the terminating NUL */
};

static void error_put_bytes(struct error_text *text, const char *bytes, size_t size)
{
    size_t room = text->capacity - text->size;
    if (size > room)
        size = room;
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
}

static void error_put_string(struct error_text *text, const char *string)
{
    error_put_bytes(text, string, strlen(string));
}

static void error_put_unsigned(struct error_text *text, uint64_t number)
{
    char digits[GT_DECIMAL_MAX];
    size_t size = (size_t) (gt_decimal_put(digits, number) - digits);
    error_put_bytes(text, digits, size);
}

static void error_put_hex(struct error_text *text, uint64_t number)
{
    char digits[GT_HEX_MAX];
    size_t size = (size_t) (gt_hex_put(digits, number) - digits);
    error_put_bytes(text, digits, size);
}

static void error_put_signed(struct error_text *text, int64_t number)
{
    if (number < 0)
        error_put_string(text, "-");
    error_put_unsigned(text, gt_decimal_magnitude(number));
}

static void error_put_format(struct error_text *text, const char *format, va_list arguments)
{
    for (; *format; format++) {
        size_t plain = strcspn(format, "%");
        error_put_bytes(text, format, plain);
        format += plain;
        if (!*format)
            break;
        switch (*++format) {
        case 'u':
            error_put_unsigned(text, va_arg(arguments, uint64_t));
            break;
        case 'x':
            error_put_hex(text, va_arg(arguments, uint64_t));
            break;
        case 'd':
            error_put_signed(text, va_arg(arguments, int64_t));
            break;
        default:
            error_put_string(text, va_arg(arguments, const char *));
            break;
        }
    }
}

gt_status gt_error_set_list(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                            const char *format, va_list arguments)
{
    struct error_text text = {error->message, 0, sizeof(error->message) - 1};
    error_put_format(&text, format, arguments);
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
    struct error_text text = {error->message, strlen(error->message), sizeof(error->message) - 1};
    error_put_string(&text, string);
    text.data[text.size] = '\0';
}

gt_status gt_error_set_system(gt_error *error, int code)
{
    char reason[ERROR_REASON_SIZE];
    error->system_error = code;
    if (code != 0 && strerror_r(code, reason, sizeof(reason)) == 0) {
        gt_error_append(error, ": ");
        gt_error_append(error, reason);
    }
    return (gt_status) error->status;
}

gt_status gt_error_plain(gt_error *error, gt_status status)
{
    return gt_error_set(error, status, GT_NO_OFFSET, 0, "%s", gt_status_text(status));
}

gt_status gt_error_refuse(gt_error *error, const char *message)
{
    return gt_error_set(error, GT_ERR_INVALID_ARGUMENT, GT_NO_OFFSET, 0, "%s", message);
}

bool gt_error_is_usable(const gt_error *error)
{
    return !error || gt_struct_fits(error, GT_UP_TO(gt_error, message));
}

gt_status gt_error_report(gt_error *error, const gt_error *failure)
{
    if (failure->status != GT_OK && gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        gt_struct_give(error, failure, sizeof(*failure));
    return (gt_status) failure->status;
}

gt_status gt_error_report_plain(gt_error *error, gt_status status)
{
    gt_error failure = GT_ERROR_INIT;
    gt_error_plain(&failure, status);
    return gt_error_report(error, &failure);
}

gt_status gt_error_report_refusal(gt_error *error, const char *message)
{
    gt_error failure = GT_ERROR_INIT;
    gt_error_refuse(&failure, message);
    return gt_error_report(error, &failure);
}

gt_status gt_error_give(gt_error *error, const gt_error *from)
{
    if (!gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_struct_give(error, from, sizeof(*from));
    return GT_OK;
}

static void error_put_place(struct error_text *text, const char *before, const char *what,
                            uint64_t number)
{
    error_put_string(text, before);
    error_put_string(text, what);
    error_put_unsigned(text, number);
}

GT_COPIED size_t gt_error_format(const gt_error *error, char *to, size_t room)
{
    if (!to || room == 0)
        return 0;
    struct error_text text = {to, 0, room - 1};
    if (gt_struct_fits(error, GT_UP_TO(gt_error, message))) {
        bool has_offset = error->offset != GT_NO_OFFSET, has_generation = error->generation != 0;
        error_put_string(&text, error->message);
        if (has_offset)
            error_put_place(&text, " (", "offset ", error->offset);
        if (has_generation)
            error_put_place(&text, has_offset ? ", " : " (", "generation ", error->generation);
        error_put_string(&text, has_offset || has_generation ? ")" : "");
    }
    to[text.size] = '\0';
    return text.size;
}

GT_COPIED const char *gt_status_text(gt_status status)
{
    static const struct {
        gt_status status;
        const char *text;
    } texts[] = {
        {GT_OK, "success"},
        {GT_END, "end of the trace"},
        {GT_AGAIN, "more input is needed"},
        {GT_CANCELLED, "cancelled"},
        {GT_STALE, "not in that state any more"},
        {GT_ERR_INVALID_ARGUMENT, "invalid argument"},
        {GT_ERR_NO_MEMORY, "out of memory"},
        {GT_ERR_LIMIT, "memory limit reached"},
        {GT_ERR_IO, "reading or writing failed"},
        {GT_ERR_WRONG_KIND, "wrong kind of event"},
        {GT_ERR_EXPIRED, "handle of an earlier generation"},
        {GT_ERR_NOT_AVAILABLE, "not in the trace"},
        {GT_ERR_CALLBACK, "ended by a callback"},
        {GT_ERR_STATE, "impossible in this state"},
        {GT_ERR_BUSY, "called from within a callback"},
        {GT_ERR_NOT_A_TRACE, "not a Go execution trace"},
        {GT_ERR_VERSION, "unsupported trace version"},
        {GT_ERR_TRUNCATED, "trace is cut off"},
        {GT_ERR_BATCH, "malformed batch"},
        {GT_ERR_GENERATION, "malformed generation"},
        {GT_ERR_STRINGS, "malformed string table"},
        {GT_ERR_STACKS, "malformed stack table"},
        {GT_ERR_SAMPLES, "malformed CPU samples"},
        {GT_ERR_SYNC, "malformed frequency or clock"},
        {GT_ERR_EVENT, "malformed event"},
        {GT_ERR_ORDER, "impossible event"},
        {GT_ERR_STUCK, "no event can come next"},
        {GT_ERR_REFERENCE, "unknown string or stack"},
        {GT_ERR_TIME, "times contradict the order of events"},
        {GT_ERR_SYMBOLS, "symbols could not be found"},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (texts[i].status == status)
            return texts[i].text;
    }
    return "unknown status";
}
