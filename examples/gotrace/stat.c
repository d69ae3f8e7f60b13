/* SPDX-License-Identifier: BSD-3-Clause */
/* An overview of a trace: what it has, and whether it is complete. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "ending.h"
#include "input.h"
#include "report.h"
#include "stats.h"

enum {
    /* Enough for the name of a kind, and for any line of text here. */
    NAME_MAX_SIZE = 32,
    TEXT_MAX = GT_ERROR_MESSAGE_SIZE + 100
};

struct stat_command {
    struct input in;
    bool json;
    struct stats stats;
};

static const struct option stat_options[] = {
    {OPTION_FLAG(struct stat_command, json, "json",
                 "as one JSON object, in which null stands for what is not known"),
     .summary = "as one JSON object"},
};

static void stat_report_count(struct report *report, const char *label, const char *key,
                              uint64_t value)
{
    report_number(report, label, key, value, REPORT_COUNT);
}

static void stat_report_version(struct report *report, const gt_reader_info *info)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof(text), "1.%" PRIu32, info->version);
    report_text(report, NULL, "go_version", text);
    report_bool(report, "newer", info->newer != 0);
    snprintf(text, sizeof(text), "go 1.%" PRIu32 "%s", info->version,
             info->newer != 0 ? ", newer than what is known: read as the newest known" : "");
    report_text(report, "header", NULL, text);
}

/* Reports an error and its position in the trace. */
static void stat_report_fault(struct report *report, const char *key, const gt_error *fault)
{
    report_object_begin(report, key);
    report_text(report, NULL, "message", fault->message);
    if (fault->offset != GT_NO_OFFSET)
        stat_report_count(report, "  offset", "offset", fault->offset);
    else
        report_null(report, "offset");
    if (fault->generation != 0)
        stat_report_count(report, "  generation", "generation", fault->generation);
    else
        report_null(report, "generation");
    report_object_end(report);
}

/*
 * Reports whether the trace is complete, and if it is not, the first fault. It is not either if the
 * program ended while it was recorded.
 */
static void stat_report_completeness(struct report *report, const gt_error *error,
                                     const struct input *in)
{
    bool is_repaired = in->repairs != 0, is_read = error->status == GT_OK;
    bool is_lost = gt_reader_get_ending(in->reader) == GT_ENDING_RUNNING;
    const gt_error *first = is_repaired ? &in->first_repair : error;
    char text[TEXT_MAX] = "yes";
    if (is_repaired || !is_read)
        snprintf(text, sizeof(text), "no, %s: %s", is_repaired ? "repaired" : "ended by an error",
                 first->message);
    else if (is_lost)
        snprintf(text, sizeof(text), "no, %s", ending_text(GT_ENDING_RUNNING));
    report_bool(report, "complete", is_read && !is_repaired && !is_lost);
    report_text(report, "complete", NULL, text);
    if (is_repaired)
        stat_report_fault(report, "first_repair", first);
    else
        report_null(report, "first_repair");
    if (is_read) {
        report_null(report, "error");
        return;
    }
    if (is_repaired) {
        snprintf(text, sizeof(text), "ended by an error: %s", error->message);
        report_text(report, "end", NULL, text);
    }
    stat_report_fault(report, "error", error);
}

/* Reports how the recording has ended, where the trace was read to its end. */
static void stat_report_ending(struct report *report, const gt_reader *reader, bool is_read)
{
    gt_ending ending = gt_reader_get_ending(reader);
    if (is_read)
        report_text(report, "ending", NULL, ending_text(ending));
    if (ending_word(ending))
        report_text(report, NULL, "ending", ending_word(ending));
    else
        report_null(report, "ending");
}

static void stat_report_times(struct report *report, const struct stats *stats)
{
    if (stats->has_wall_clock) {
        char text[GT_WALL_CLOCK_TEXT_SIZE];
        gt_wall_clock_format(stats->wall_seconds, stats->wall_nanoseconds, 0, text, sizeof(text));
        report_text(report, "start", "start", text);
    } else {
        report_null(report, "start");
    }
    report_number(report, "duration", "duration_ns", stats_duration(stats), REPORT_NANOSECONDS);
}

/* "StateTransition" becomes "state_transition". */
static void stat_make_key(char *key, const char *name)
{
    const char *start = name;
    for (; *name != '\0'; name++) {
        if (isupper((unsigned char) *name) && name != start)
            *key++ = '_';
        *key++ = (char) tolower((unsigned char) *name);
    }
    *key = '\0';
}

static void stat_report_kinds(struct report *report, const struct stats *stats)
{
    stat_report_count(report, "events", "events", stats->events);
    report_object_begin(report, "events_by_kind");
    for (uint32_t kind = 1; kind < STATS_KINDS; kind++) {
        char label[NAME_MAX_SIZE], key[2 * NAME_MAX_SIZE];
        snprintf(label, sizeof(label), "  %s", gt_event_kind_name(kind));
        stat_make_key(key, label + 2);
        stat_report_count(report, stats->kinds[kind] != 0 ? label : NULL, key, stats->kinds[kind]);
    }
    stat_report_count(report, stats->kinds[0] != 0 ? "  other" : NULL, "other", stats->kinds[0]);
    report_object_end(report);
}

static void stat_report_peak(struct report *report, const char *label, const char *key,
                             const struct stats_peak *peak, enum report_unit unit)
{
    if (peak->known)
        report_number(report, label, key, peak->value, unit);
    else
        report_null(report, key);
}

static void stat_report_program(struct report *report, const struct stats *stats)
{
    stat_report_count(report, "goroutines", "goroutines", stats->goroutines.count);
    stat_report_count(report, "  created", "goroutines_created", stats->goroutines_created);
    stat_report_count(report, "  ended", "goroutines_ended", stats->goroutines_ended);
    stat_report_count(report, "procs", "procs", stats->procs.count);
    stat_report_count(report, "threads", "threads", stats->threads.count);
    stat_report_peak(report, "GOMAXPROCS, peak", "gomaxprocs_max", &stats->gomaxprocs,
                     REPORT_COUNT);
    stat_report_peak(report, "heap, peak", "heap_peak_bytes", &stats->heap, REPORT_BYTES);
    stat_report_count(report, "GC cycles", "gc_cycles", stats->gc_cycles);
    stat_report_count(report, "stop-the-world", "stop_the_world", stats->stops);
    report_number(report, "  total time", "stop_the_world_ns", stats_stopped(stats),
                  REPORT_NANOSECONDS);
    stat_report_count(report, "tasks", "tasks", stats->kinds[GT_EVENT_TASK_BEGIN]);
    stat_report_count(report, "regions", "regions", stats->kinds[GT_EVENT_REGION_BEGIN]);
    stat_report_count(report, "logs", "logs", stats->kinds[GT_EVENT_LOG]);
    stat_report_count(report, "CPU samples", "cpu_samples", stats->kinds[GT_EVENT_STACK_SAMPLE]);
}

static void stat_report_all(struct report *report, const struct input *in, gt_status status,
                            const struct stats *stats)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error error;
    gt_reader_get_info(in->reader, &info);
    input_error(in, status, &error);
    stat_report_version(report, &info);
    stat_report_completeness(report, &error, in);
    stat_report_count(report, info.repairs != 0 || in->lenient ? "repairs" : NULL, "repairs",
                      info.repairs);
    stat_report_ending(report, in->reader, error.status == GT_OK);
    stat_report_times(report, stats);
    stat_report_count(report, "generations", "generations", info.generations);
    report_number(report, "bytes", "bytes", info.bytes, REPORT_BYTES);
    stat_report_kinds(report, stats);
    stat_report_program(report, stats);
    report_number(report, "reader memory, peak", "reader_memory_peak_bytes", info.memory_peak,
                  REPORT_BYTES);
}

static gt_status stat_event(void *user_data, const gt_event *event)
{
    struct stat_command *c = user_data;
    return stats_add(&c->stats, event) ? GT_OK : GT_ERR_NO_MEMORY;
}

static bool stat_uses_stand_ins(const gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(reader, &info);
    return info.version < 22;
}

static int stat_run(const struct command *self, struct output *out, char **arguments)
{
    /*
     * For an event stat takes two thirds of the instructions that decoding takes, and less than
     * any other command. Handing events from one thread to another costs as much as that saves.
     */
    struct stat_command c = {.in = {.one_thread = true}};
    int code = input_open(&c.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    c.stats.has_stand_ins = stat_uses_stand_ins(c.in.reader);
    struct report report;
    gt_status reading;
    gt_status status = input_for_each_event(c.in.reader, stat_event, &c, &reading);
    if (status == GT_OK)
        status = reading;
    stats_note_first_procs(&c.stats, gt_reader_get_first_procs(c.in.reader));
    report_begin(&report, out, c.json);
    stat_report_all(&report, &c.in, status, &c.stats);
    report_end(&report);
    stats_free(&c.stats);
    return input_close(&c.in, out, status);
}

const struct command command_stat = {
    .name = "stat",
    .usage = "stat [OPTION...] FILE",
    .summary = "print an overview of the trace",
    .help = "Prints how many events of each kind the trace has, how long it is, how many\n"
            "goroutines ran, and so on, and whether the trace is complete.\n",
    COMMAND_OPTIONS(stat_options),
    .shared = input_salvage_options,
    .run = stat_run,
};
