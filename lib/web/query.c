/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/query.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"

enum {
    WHY_MAX = 160
};

void gt_query_fail(struct gt_query *query, const char *name, const char *what)
{
    char text[WHY_MAX];
    if (query->failed)
        return;
    query->failed = true;
    snprintf(text, sizeof(text), "%s: %s", name, what);
    gt_response_error(query->response, 400, text);
}

void gt_query_no_memory(struct gt_query *query)
{
    if (!query->failed)
        gt_response_no_memory(query->response);
    query->failed = true;
}

bool gt_query_has(const struct gt_query *query, const char *name)
{
    return gt_request_value(query->request, name);
}

void gt_query_need(struct gt_query *query, const char *name)
{
    if (!gt_query_has(query, name))
        gt_query_fail(query, name, "missing");
}

/* Returns whether a parameter is present and good, and otherwise fails if it is present. */
static bool query_accept(struct gt_query *query, const char *name, bool is_number, bool is_in_range)
{
    if (!query->failed && gt_query_has(query, name) && !(is_number && is_in_range))
        gt_query_fail(query, name, is_number ? "out of range" : "no number");
    return !query->failed && gt_query_has(query, name);
}

void gt_query_int(struct gt_query *query, const char *name, int64_t min, int64_t max,
                  int64_t *value)
{
    int64_t number = min;
    bool is_number = gt_request_i64(query->request, name, &number);
    if (query_accept(query, name, is_number, number >= min && number <= max))
        *value = number;
}

void gt_query_uint(struct gt_query *query, const char *name, uint64_t min, uint64_t max,
                   uint64_t *value)
{
    uint64_t number = min;
    bool is_number = gt_request_u64(query->request, name, &number);
    if (query_accept(query, name, is_number, number >= min && number <= max))
        *value = number;
}

void gt_query_bool(struct gt_query *query, const char *name, bool *value)
{
    static const char *const words[] = {"0", "1"};
    uint32_t index = *value;
    gt_query_word(query, name, words, 2, &index);
    *value = index == 1;
}

bool gt_query_word_find(const char *const *words, size_t count, const char *word, uint32_t *index)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            *index = (uint32_t) i;
            return true;
        }
    }
    return false;
}

void gt_query_word(struct gt_query *query, const char *name, const char *const *words, size_t count,
                   uint32_t *value)
{
    const char *word = gt_request_value(query->request, name);
    if (!query->failed && word && !gt_query_word_find(words, count, word, value))
        gt_query_fail(query, name, "no such value");
}

bool gt_query_text(struct gt_query *query, const char *name, gt_string *value)
{
    const char *text = gt_request_value(query->request, name);
    if (!query->failed && text)
        *value = (gt_string){text, strlen(text)};
    return text;
}

/*
 * Parses a time: an optional sign, digits, and optional decimals, which are ignored. Returns
 * false if the text is not a time or is out of range.
 */
static bool query_parse_time(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t time;
    text = gt_decimal_read(text + negative, GT_QUERY_TIME_MAX - 1, &time);
    if (!text)
        return false;
    if (*text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    *value = negative ? -(int64_t) time : (int64_t) time;
    return *text == '\0';
}

void gt_query_time(struct gt_query *query, const char *name, int64_t *value)
{
    const char *text = gt_request_value(query->request, name);
    int64_t time;
    if (query->failed || !text)
        return;
    if (query_parse_time(text, &time))
        *value = time;
    else
        gt_query_fail(query, name, "no time in nanoseconds");
}

/* Reads a range whose ends are the parameters `first` and `last`. */
static void query_range_take(struct gt_query *query, const char *first, const char *last,
                             struct gt_query_range *range)
{
    gt_query_time(query, first, &range->start);
    gt_query_time(query, last, &range->end);
    if (range->end < range->start) {
        /*
         * If only one end is given, the other is that of the trace, so the range is empty instead
         * of invalid.
         */
        if (gt_query_has(query, first) && gt_query_has(query, last))
            gt_query_fail(query, last, "before start");
        else if (gt_query_has(query, first))
            range->end = range->start;
        else
            range->start = range->end;
    }
    /* The end of a trace can be later than any time of a request, but the length must fit. */
    if (range->start < 0 && range->end > INT64_MAX + range->start)
        range->start = range->end - INT64_MAX;
}

void gt_query_range(struct gt_query *query, struct gt_query_range *range)
{
    query_range_take(query, "start", "end", range);
}

void gt_query_whole_of(struct gt_query *query, struct gt_store *store, const char *first,
                       const char *last, struct gt_query_range *range)
{
    gt_store_lock_read(store);
    *range = (struct gt_query_range){0, gt_store_end(store)};
    gt_store_unlock(store);
    query_range_take(query, first, last, range);
}

void gt_query_whole(struct gt_query *query, struct gt_store *store, struct gt_query_range *range)
{
    gt_query_whole_of(query, store, "start", "end", range);
}

void gt_query_view(struct gt_query *query, uint32_t *view)
{
    static const char *const views[GT_STORE_VIEWS] = {"proc", "thread", "goroutine", "task"};
    gt_query_word(query, "view", views, GT_STORE_VIEWS, view);
}

void gt_query_bins(struct gt_query *query, size_t *bins)
{
    uint64_t number = *bins;
    gt_query_uint(query, "bins", 1, GT_QUERY_BINS_MAX, &number);
    *bins = (size_t) number;
}

static size_t query_count_commas(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, ',')); text++)
        count++;
    return count;
}

/*
 * Parses one number. Returns a pointer to what follows it, which is a comma or the end of the
 * text, or NULL if the text is malformed.
 */
static const char *query_parse_track(const char *text, uint32_t *track)
{
    uint64_t number = 0;
    text = gt_decimal_read(text, UINT32_MAX, &number);
    *track = (uint32_t) number;
    return text && (*text == '\0' || *text == ',') ? text : NULL;
}

void gt_query_numbers(struct gt_query *query, const char *name, size_t max,
                      struct gt_query_tracks *tracks)
{
    const char *text = gt_request_value(query->request, name);
    if (query->failed || !text || *text == '\0')
        return;
    size_t count = query_count_commas(text) + 1;
    if (count > max) {
        gt_query_fail(query, name, "too many");
        return;
    }
    tracks->mem = query->response->mem;
    if (gt_mem_reserve(tracks->mem, &tracks->list, &tracks->capacity, count,
                       sizeof(*tracks->list)) != GT_OK) {
        gt_query_no_memory(query);
        return;
    }
    while (tracks->count < count) {
        text = query_parse_track(text, &tracks->list[tracks->count]);
        if (!text) {
            gt_query_fail(query, name, "no list of numbers");
            return;
        }
        tracks->count++;
        text += *text == ',';
    }
}

void gt_query_tracks(struct gt_query *query, size_t max, struct gt_query_tracks *tracks)
{
    gt_query_numbers(query, "tracks", max, tracks);
}

void gt_query_tracks_free(struct gt_query_tracks *tracks)
{
    gt_mem_free(tracks->mem, tracks->list, tracks->capacity * sizeof(*tracks->list));
    *tracks = (struct gt_query_tracks){.count = 0};
}
