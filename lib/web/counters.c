/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/counters: the heap, goroutines and threads over time. */
#include <stdlib.h>

#include "store/store.h"
#include "web/endpoints.h"
#include "web/json.h"
#include "web/query.h"
#include "web/web.h"

enum {
    BINS_DEFAULT = 1024
};

static const char *const names[COUNTERS] = {
    "heap", "goal", "running", "runnable", "gc_waiting", "threads_running", "threads_syscall",
};

enum member {
    MEMBER_TIME,
    MEMBER_MIN,
    MEMBER_MAX,
    MEMBER_MEAN,
    MEMBERS
};

static void write_bin(struct json *json, const struct counter_bin *bin, enum member member)
{
    switch (member) {
    case MEMBER_TIME:
        json_int(json, bin->start);
        break;
    case MEMBER_MIN:
        json_uint(json, bin->min);
        break;
    case MEMBER_MAX:
        json_uint(json, bin->max);
        break;
    default:
        json_real(json, bin->mean);
        break;
    }
}

static void write_bins(struct json *json, const struct counter_bin *bins, size_t count)
{
    static const char *const keys[MEMBERS] = {"t", "min", "max", "mean"};
    json_object(json);
    for (unsigned int i = 0; i < MEMBERS; i++) {
        json_key(json, keys[i]);
        json_array(json);
        for (size_t bin = 0; bin < count; bin++)
            write_bin(json, &bins[bin], (enum member) i);
        json_end_array(json);
    }
    json_end_object(json);
}

static void write_counters(const struct counter_bin *bins, size_t count,
                           struct gt_response *response)
{
    struct json json;
    json_init(&json, response);
    json_object(&json);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        json_key(&json, names[i]);
        write_bins(&json, bins + i * count, count);
    }
    json_end_object(&json);
}

void gt_web_serve_counters(void *data, const struct gt_request *request,
                           struct gt_response *response)
{
    struct gt_web *web = data;
    struct query query;
    struct query_range range = {0, 0};
    size_t count = BINS_DEFAULT;
    query_init(&query, request, response);
    query_whole(&query, web->store, &range);
    query_bins(&query, &count);
    if (query.failed)
        return;
    struct counter_bin *bins = calloc(COUNTERS * count, sizeof(*bins));
    if (bins == NULL) {
        gt_response_error(response, 503, "out of memory");
        return;
    }
    store_lock_read(web->store);
    for (uint32_t i = 0; i < COUNTERS; i++)
        counter_bins(store_counter(web->store, i), range.start, range.end, count, bins + i * count);
    store_unlock(web->store);
    write_counters(bins, count, response);
    free(bins);
}

void gt_web_serve_counters_at(void *data, const struct gt_request *request,
                              struct gt_response *response)
{
    struct gt_web *web = data;
    struct query query;
    struct json json;
    uint64_t values[COUNTERS];
    int64_t time = 0;
    query_init(&query, request, response);
    query_need(&query, "t");
    query_time(&query, "t", &time);
    if (query.failed)
        return;
    store_lock_read(web->store);
    for (uint32_t i = 0; i < COUNTERS; i++)
        values[i] = counter_at(store_counter(web->store, i), time);
    store_unlock(web->store);
    json_init(&json, response);
    json_object(&json);
    for (uint32_t i = 0; i < COUNTERS; i++)
        json_key_uint(&json, names[i], values[i]);
    json_end_object(&json);
}
