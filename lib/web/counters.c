/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /api/counters and /api/counters/at: the heap, goroutines and threads over time, and at one time.
 */
#include "store/store.h"
#include "web/endpoints.h"
#include "web/json.h"
#include "web/query.h"
#include "web/web.h"

enum {
    BINS_DEFAULT = 1024,
    /* This counter follows those of the store. */
    GOMAXPROCS = GT_COUNTERS,
    COUNTERS
};

static const char *const names[COUNTERS] = {
    "heap",       "goal", "running", "runnable", "gc_waiting", "threads_running", "threads_syscall",
    "gomaxprocs",
};

enum member {
    MEMBER_TIME,
    MEMBER_MIN,
    MEMBER_MAX,
    MEMBER_MEAN,
    MEMBERS
};

static void counter_bin_write(struct gt_json *json, const struct gt_counter_bin *bin,
                              enum member member)
{
    switch (member) {
    case MEMBER_TIME:
        gt_json_int(json, bin->start);
        break;
    case MEMBER_MIN:
        gt_json_uint(json, bin->min);
        break;
    case MEMBER_MAX:
        gt_json_uint(json, bin->max);
        break;
    default:
        gt_json_real(json, bin->mean);
        break;
    }
}

static void counter_bins_write(struct gt_json *json, const char *key,
                               const struct gt_counter_bin *bins, size_t count)
{
    static const char *const keys[MEMBERS] = {"t", "min", "max", "mean"};
    gt_json_key_object(json, key);
    for (unsigned int i = 0; i < MEMBERS; i++) {
        gt_json_key_array(json, keys[i]);
        for (size_t bin = 0; bin < count; bin++)
            counter_bin_write(json, &bins[bin], (enum member) i);
        gt_json_end(json);
    }
    gt_json_end(json);
}

/* GOMAXPROCS has no bins if the trace does not contain it: 0 would look like a value. */
static void counters_write(const struct gt_counter_bin *bins, size_t count, bool has_gomaxprocs,
                           struct gt_response *response)
{
    struct gt_json json;
    gt_json_start(&json, response);
    for (uint32_t i = 0; i < COUNTERS; i++)
        counter_bins_write(&json, names[i], bins + i * count,
                           i != GOMAXPROCS || has_gomaxprocs ? count : 0);
    gt_json_finish(&json);
}

void gt_web_serve_counters(struct gt_web *web, struct gt_query *query)
{
    struct gt_query_range range = {0, 0};
    size_t count = BINS_DEFAULT;
    gt_query_whole(query, web->store, &range);
    gt_query_bins(query, &count);
    if (query->failed)
        return;
    size_t bytes = COUNTERS * count * sizeof(struct gt_counter_bin);
    struct gt_counter_bin *bins = gt_mem_alloc(&web->mem, bytes);
    if (!bins) {
        gt_response_no_memory(query->response);
        return;
    }
    gt_store_lock_read(web->store);
    for (uint32_t i = 0; i < GT_COUNTERS; i++)
        gt_counter_bins(gt_store_counter(web->store, i), range.start, range.end, count,
                        bins + i * count);
    gt_store_unlock(web->store);
    pthread_mutex_lock(&web->loading.lock);
    gt_counter_bins(&web->loading.gomaxprocs, range.start, range.end, count,
                    bins + GOMAXPROCS * count);
    bool has_gomaxprocs = web->loading.info.gomaxprocs != 0;
    pthread_mutex_unlock(&web->loading.lock);
    counters_write(bins, count, has_gomaxprocs, query->response);
    gt_mem_free(&web->mem, bins, bytes);
}

void gt_web_serve_counters_at(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    uint64_t values[COUNTERS];
    int64_t time = 0;
    gt_query_need(query, "t");
    gt_query_time(query, "t", &time);
    if (query->failed)
        return;
    gt_store_lock_read(web->store);
    for (uint32_t i = 0; i < GT_COUNTERS; i++)
        values[i] = gt_counter_at(gt_store_counter(web->store, i), time);
    gt_store_unlock(web->store);
    pthread_mutex_lock(&web->loading.lock);
    values[GOMAXPROCS] = gt_counter_at(&web->loading.gomaxprocs, time);
    pthread_mutex_unlock(&web->loading.lock);
    gt_json_start(&json, query->response);
    for (uint32_t i = 0; i < COUNTERS; i++)
        gt_json_key_uint(&json, names[i], values[i]);
    gt_json_finish(&json);
}
