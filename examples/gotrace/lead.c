/* SPDX-License-Identifier: BSD-3-Clause */
#include "lead.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gotrace/reader.h>

#include "descriptor.h"

enum {
    /*
     * The generations to read before the one in which the time is: events at that time can be in
     * the generation before, which is then not over, so the one before that must be complete.
     */
    LEAD_GENERATIONS = 2
};

/* Returns whether the file is one that can be read several times, and not compressed. */
static bool lead_is_plain(const char *name)
{
    struct stat about;
    int fd = stat(name, &about) == 0 && S_ISREG(about.st_mode) ? open(name, O_RDONLY) : -1;
    if (fd < 0)
        return false;
    bool is_plain = descriptor_has_trace(fd);
    close(fd);
    return is_plain;
}

/*
 * Reads a generation as a trace of its own. Sets the times of its first event, and of the last one
 * unless `last` is NULL. Returns whether it can be read.
 */
static bool lead_read(const struct lead *lead, size_t number, int64_t *first, int64_t *last)
{
    const struct generation *generation = &lead->input.list[number];
    const gt_event *event;
    gt_reader *reader;
    struct spans spans = {.count = 0};
    spans_add(&spans, lead->input.fd, 0, TRACE_HEAD);
    spans_add(&spans, lead->input.fd, generation->offset, generation->size);
    gt_status status = gt_reader_open_callback(&reader, spans_read, &spans, NULL, NULL);
    bool is_good = status == GT_OK;
    if (is_good) {
        status = gt_reader_next_event(reader, &event);
        is_good = status == GT_OK;
        *first = is_good ? event->time : 0;
        while (is_good && last && status == GT_OK) {
            *last = event->time;
            status = gt_reader_next_event(reader, &event);
        }
        is_good = is_good && (!last || status == GT_END);
        gt_reader_close(&reader);
    }
    spans_free(&spans);
    return is_good;
}

bool lead_open(struct lead *lead, const char *name)
{
    *lead = (struct lead){.is_open = false};
    if (!lead_is_plain(name))
        return false;
    lead->is_open = true;
    bool is_good = generations_open(&lead->input, name);
    const struct generations *input = &lead->input;
    if (is_good && input->error.status == GT_OK && input->count > LEAD_GENERATIONS + 1 &&
        lead_read(lead, 0, &lead->first, NULL) &&
        lead_read(lead, input->count - 1, &lead->final, NULL))
        return true;
    lead_close(lead);
    return false;
}

bool lead_last(const struct lead *lead, int64_t *last)
{
    int64_t first;
    return lead_read(lead, lead->input.count - 1, &first, last);
}

/* Returns the last generation that begins at a time or before. */
static size_t lead_find(const struct lead *lead, int64_t time)
{
    const struct generations *input = &lead->input;
    uint64_t first = input->list[0].first.time;
    uint64_t final = input->list[input->count - 1].first.time;
    size_t found = 0;
    if (final <= first || lead->final <= lead->first)
        return 0;
    double unit = ((double) lead->final - (double) lead->first) / (double) (final - first);
    for (size_t i = 1; i < input->count && input->list[i].first.time >= first; i++) {
        double passed = (double) (input->list[i].first.time - first) * unit;
        if ((double) time - (double) lead->first >= passed)
            found = i;
    }
    return found;
}

/*
 * Returns the last generation, at most `number`, after which the next one begins at a time or
 * before. The times by which lead_find chooses are those of the first batches in the file, which
 * can be later than others of their generations. The result is 0 if there is none.
 */
static size_t lead_check(const struct lead *lead, size_t number, int64_t time)
{
    int64_t first;
    while (number > 0 && (!lead_read(lead, number + 1, &first, NULL) || first > time))
        number--;
    return number;
}

bool lead_begin(struct lead *lead, int64_t time)
{
    const struct generations *input = &lead->input;
    size_t number = lead_find(lead, time);
    if (number <= LEAD_GENERATIONS)
        return false;
    number = lead_check(lead, number - LEAD_GENERATIONS, time);
    if (number == 0)
        return false;
    for (; number < input->count; number++)
        spans_add_generation(&lead->spans, input, number);
    spans_add_tail(&lead->spans, input, input->tail.generation);
    return !lead->spans.has_failed;
}

void lead_close(struct lead *lead)
{
    if (!lead->is_open)
        return;
    lead->is_open = false;
    spans_free(&lead->spans);
    generations_close(&lead->input);
}
