/* SPDX-License-Identifier: BSD-3-Clause */
/* Every event as text, byte for byte as `go tool trace -d=parsed` of Go 1.27 prints it. */
#include <time.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"

struct dump {
    struct input in;
    struct output *out;
    gt_formatter *formatter;
};

/*
 * Returns by how many seconds local time is ahead of UTC at `seconds` since 1970-01-01 UTC, or 0
 * for a time that the C library cannot convert.
 */
static int32_t dump_zone(void *user_data, int64_t seconds)
{
    (void) user_data;
    time_t time = (time_t) seconds;
    struct tm local, utc;
    if (time != seconds || !localtime_r(&time, &local) || !gmtime_r(&time, &utc))
        return 0;
    int days = local.tm_yday - utc.tm_yday;
    if (local.tm_year != utc.tm_year)
        days = local.tm_year > utc.tm_year ? 1 : -1;
    int hours = 24 * days + local.tm_hour - utc.tm_hour;
    return 3600 * hours + 60 * (local.tm_min - utc.tm_min) + local.tm_sec - utc.tm_sec;
}

static int dump_write(void *user_data, const void *data, size_t size)
{
    struct output *out = user_data;
    output_bytes(out, data, size);
    return out->error;
}

/* Writes an event that does not fit into the rest of the output's buffer. */
static gt_status dump_long_text(struct dump *dump, const gt_event *event)
{
    struct output *out = dump->out;
    size_t size;
    output_make_room(out);
    gt_status status = gt_formatter_event(dump->formatter, event, out->buffer, OUTPUT_SIZE, &size);
    if (size < OUTPUT_SIZE)
        output_commit(out, out->buffer + size);
    else
        status = gt_formatter_write(dump->formatter, event, dump_write, out);
    output_bytes(out, "\n", 1);
    return status;
}

static gt_status dump_event(void *user_data, const gt_event *event)
{
    struct dump *dump = user_data;
    struct output *out = dump->out;
    char *to = out->buffer + out->used;
    size_t size, room = OUTPUT_SIZE - out->used;
    gt_status status = gt_formatter_event(dump->formatter, event, to, room, &size);
    if (size < room) {
        /* The newline takes the place of the NUL. */
        to[size] = '\n';
        output_commit(out, to + size + 1);
    } else {
        status = dump_long_text(dump, event);
    }
    return status == GT_OK && out->error != 0 ? GT_ERR_CALLBACK : status;
}

static gt_status dump_open(struct dump *dump)
{
    gt_formatter_options options = GT_FORMATTER_OPTIONS_INIT;
    options.zone = dump_zone;
    if (output_escapes(dump->out))
        options.escape = output_escape;
    return gt_formatter_open(&dump->formatter, dump->in.reader, &options, &dump->in.failure);
}

static int dump_run(const struct command *self, struct output *out, char **arguments)
{
    struct dump dump = {.out = out};
    int code = input_open(&dump.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    tzset();
    gt_status reading = GT_OK;
    gt_status status = dump_open(&dump);
    if (status == GT_OK)
        status = input_for_each_event(dump.in.reader, dump_event, &dump, &reading);
    gt_formatter_close(&dump.formatter);
    /* main reports that the output cannot be written. */
    if (out->error != 0)
        status = reading = GT_OK;
    return input_close(&dump.in, out, status != GT_OK ? status : reading);
}

const struct command command_dump = {
    .name = "dump",
    .usage = "dump [OPTION...] FILE",
    .summary = "print every event",
    .help = "Prints every event with its stacks, in the form of go tool trace -d=parsed.\n"
            "The wall-clock time of a Sync is in the local time zone, see TZ.\n",
    .shared = input_follow_options,
    .run = dump_run,
};
