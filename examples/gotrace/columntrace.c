/* SPDX-License-Identifier: BSD-3-Clause */
#include "columntrace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problem.h"
#include "terminal.h"

enum {
    /* The first version that has the time of the wall clock. */
    COLUMNTRACE_CLOCK_VERSION = 25
};

/* A gt_progress_fn: the beginning of a trace is read in no time. */
static int columntrace_progress(void *user_data, const gt_progress *to)
{
    (void) user_data;
    (void) to;
    return 0;
}

void columntrace_close(struct columntrace *trace)
{
    if (trace->copy)
        fclose(trace->copy);
    trace->copy = NULL;
}

/* Finds out the id of a trace that is open. */
static bool columntrace_identify(struct columntrace *trace, const struct input *in)
{
    int fd = in->copy ? fileno(in->copy) : open(trace->name, O_RDONLY | O_CLOEXEC);
    bool is_read = fd >= 0 && traceid_of(fd, &trace->id, &trace->bytes);
    if (!is_read)
        terminal_report("%s: %s", trace->name, strerror(errno));
    if (fd >= 0 && !in->copy)
        close(fd);
    return is_read;
}

/*
 * Sets the date to that of the first event. A trace without events or without a clock has none.
 * Returns false, after a report, if there is no memory to find it out.
 */
static bool columntrace_date(struct columntrace *trace, const struct input *in)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    const gt_event *event;
    int64_t seconds;
    uint32_t nanoseconds;
    snprintf(trace->date, sizeof(trace->date), "unknown");
    /* The first event of an old trace comes after all of it was read. */
    gt_reader_get_info(in->reader, &info);
    if (info.version != 0 && info.version < COLUMNTRACE_CLOCK_VERSION)
        return true;
    gt_status status = gt_reader_next_event(in->reader, &event);
    if (status == GT_ERR_NO_MEMORY) {
        terminal_report("%s: %s", trace->name, gt_status_text(status));
        return false;
    }
    if (status != GT_OK || gt_event_wall_clock(event, &seconds, &nanoseconds) != GT_OK)
        return true;
    gt_wall_clock_format(seconds, nanoseconds, 0, trace->date, sizeof(trace->date));
    trace->date[strcspn(trace->date, "T")] = '\0';
    return true;
}

bool columntrace_survey(struct columntrace *trace, const struct input *settings)
{
    struct input in = *settings;
    struct stat about;
    in.name = trace->name;
    in.one_thread = true;
    in.on_progress = columntrace_progress;
    if (input_start(&in) != COMMAND_GO_ON)
        return false;
    trace->copy = in.copy;
    bool is_known = columntrace_identify(trace, &in) && columntrace_date(trace, &in);
    input_release(&in);
    /* What was decompressed takes too much room to wait in a temporary file. */
    if (!is_known || (stat(trace->name, &about) == 0 && S_ISREG(about.st_mode)))
        columntrace_close(trace);
    return is_known;
}

/* Tells the tables of the trace, whose reader is open. */
static gt_status columntrace_begin(const struct columntrace *trace, const struct input *in,
                                   const gt_columns_about *about, struct partition *partition)
{
    char id[TRACEID_DIGITS + 1];
    gt_columns_about own = *about;
    traceid_format(&trace->id, id);
    own.id = (gt_string){id, TRACEID_DIGITS};
    own.file = (gt_string){trace->name, strlen(trace->name)};
    own.bytes = trace->bytes;
    return gt_columns_begin(partition->columns, in->reader, &own);
}

/* Passes on all events. `*reading` becomes the end of the reading. */
static gt_status columntrace_events(const struct input *in, gt_columns *columns, gt_status *reading,
                                    bool *has_rows)
{
    const gt_event *const *events;
    size_t count;
    gt_status status = GT_OK;
    while (status == GT_OK &&
           (*reading = gt_reader_next_events(in->reader, &events, &count)) == GT_OK) {
        *has_rows = true;
        for (size_t i = 0; i < count && status == GT_OK; i++)
            status = gt_columns_event(columns, in->reader, events[i]);
    }
    return status;
}

static void columntrace_report_repairs(const struct input *in)
{
    if (in->repairs != 0)
        terminal_report("%s: repaired: %" PRIu64 " %s; 'gotrace check' names %s", in->name,
                        in->repairs, in->repairs == 1 ? "fault" : "faults",
                        in->repairs == 1 ? "it" : "them");
}

/* Ends the trace, and reports what was repaired and why reading has ended, if that is a fault. */
static gt_status columntrace_end(const struct input *in, gt_columns *columns, gt_status reading)
{
    gt_error error;
    input_error(in, reading, &error);
    if (error.status != GT_OK)
        problem_report(in->name, "", &error);
    columntrace_report_repairs(in);
    if (reading == GT_CANCELLED)
        return GT_OK;
    const gt_string text = {error.message, error.status == GT_OK ? 0 : strlen(error.message)};
    return gt_columns_end(columns, in->reader, text);
}

enum columntrace_end columntrace_read(struct columntrace *trace, struct partition *partition,
                                      const struct columntrace_reading *how)
{
    struct input in = *how->settings;
    gt_status reading = GT_OK;
    bool has_rows = false;
    in.name = trace->name;
    in.copy = trace->copy;
    in.on_progress = how->on_progress;
    in.progress_data = how->progress_data;
    trace->copy = NULL;
    if (input_start(&in) != COMMAND_GO_ON)
        return COLUMNTRACE_BAD;
    trace->copy = in.copy;
    partition_add(partition, &trace->id);
    gt_status status = columntrace_begin(trace, &in, how->about, partition);
    if (status == GT_OK)
        status = columntrace_events(&in, partition->columns, &reading, &has_rows);
    /* The tables would lack what can be read when there is more memory. */
    if (status == GT_OK && reading == GT_ERR_NO_MEMORY)
        status = reading;
    if (status == GT_OK)
        status = columntrace_end(&in, partition->columns, reading);
    input_release(&in);
    columntrace_close(trace);
    if (status == GT_ERR_CALLBACK)
        partition_explain(partition);
    else if (status != GT_OK)
        terminal_report("%s: %s", trace->name, gt_status_text(status));
    if (status != GT_OK)
        return COLUMNTRACE_FAILED;
    if (reading == GT_CANCELLED)
        return COLUMNTRACE_CANCELLED;
    return has_rows ? COLUMNTRACE_GOOD : COLUMNTRACE_BAD;
}
