/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * /api/contention: how long goroutines waited at one stack until a goroutine at another stack ended
 * the wait, by both stacks and the reason.
 */

#include <pthread.h>
#include <string.h>

#include <gotrace/latency.h>

#include "base/text.h"
#include "base/time.h"
#include "store/classes.h"
#include "web/analysis.h"
#include "web/endpoints.h"
#include "web/histogram.h"
#include "web/totals_page.h"

enum {
    /* A pair takes at most 16 KiB, so all of them together at most 320 MB; 1 MB is usual. */
    PAIRS_MAX = 20000,
    /* The most reasons that are listed. Go has about 20. */
    REASONS_MAX = 100
};

/* The keys by which pairs are sorted. */
enum {
    SORT_TOTAL,
    SORT_COUNT,
    SORT_P50,
    SORT_P95,
    SORT_P99,
    SORT_MAX,
    SORTS
};

static const char *const sorts[SORTS] = {"total", "count", "p50", "p95", "p99", "max"};

static const double quantiles[] = {0.50, 0.95, 0.99}; /* from SORT_P50 on */

/* Which waits are asked for. */
enum {
    WAITS_ALL,
    WAITS_BETWEEN, /* for other goroutines: WAITS_SYNC and WAITS_CHAN */
    WAITS_SYNC,
    WAITS_CHAN,
    WAITS_NET,
    WAITS_SLEEP,
    WAITS_GC,
    WAITS_OTHER,
    WAITS_WORDS
};

static const char *const waits_words[WAITS_WORDS] = {"all", "between", "sync", "chan",
                                                     "net", "sleep",   "gc",   "other"};

/* The properties of a pair that are cached, so that sorting does not query gt_latency. All except
 * the count are in nanoseconds. */
struct pair {
    int64_t keys[SORTS];
    uint32_t cls;
    gt_string reason; /* belongs to the gt_latency */
};

/* The waits for one reason, whoever waited. */
struct reason {
    gt_string name;
    uint32_t cls;
    uint64_t count;
    int64_t total;
};

struct contention {
    /* Protects `latency`, as a gt_latency may be used by one thread at a time only. */
    pthread_mutex_t lock;
    gt_latency *latency;
    GT_ARRAY(struct pair) pairs;
    GT_ARRAY(struct reason) reasons;
    uint64_t unpaired;
    bool has_begun;
    int64_t start;
};

/* The parameters of a request. */
struct asked {
    uint32_t waits;
    bool has_reason;
    gt_string reason;
    uint32_t sort;
    bool descending;
    struct gt_totals_page_part part;
};

/* The sources of the data of the pairs in an answer. */
struct source {
    struct contention *contention;
    struct gt_mem *mem;
    gt_frame *frames; /* room for GT_STACK_MAX_FRAMES */
};

static void contention_free(struct gt_mem *mem, void *result)
{
    struct contention *contention = result;
    gt_latency_close(&contention->latency);
    gt_array_free(mem, &contention->pairs);
    gt_array_free(mem, &contention->reasons);
    pthread_mutex_destroy(&contention->lock);
    gt_mem_free(mem, contention, sizeof(*contention));
}

static gt_status contention_on_event(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct contention *contention = user_data;
    if (!contention->has_begun)
        contention->start = event->time;
    contention->has_begun = true;
    return gt_latency_event(contention->latency, reader, event);
}

static gt_status contention_reason_add(struct contention *contention, struct gt_mem *mem,
                                       const struct pair *pair)
{
    struct reason *found = NULL;
    for (size_t i = 0; i < contention->reasons.count && !found; i++) {
        if (gt_text_equal(contention->reasons.items[i].name, pair->reason))
            found = &contention->reasons.items[i];
    }
    if (!found) {
        struct reason added = {.name = pair->reason, .cls = pair->cls};
        if (contention->reasons.count >= REASONS_MAX)
            return GT_OK;
        gt_status status = gt_array_add(mem, &contention->reasons, added);
        if (status != GT_OK)
            return status;
        found = &contention->reasons.items[contention->reasons.count - 1];
    }
    found->count += (uint64_t) pair->keys[SORT_COUNT];
    gt_time_add_to(&found->total, pair->keys[SORT_TOTAL]);
    return GT_OK;
}

static gt_status contention_pair_add(struct contention *contention, struct gt_mem *mem,
                                     size_t index)
{
    gt_latency_pair from = GT_LATENCY_PAIR_INIT;
    gt_status status = gt_latency_get_pair(contention->latency, index, &from);
    struct pair pair = {
        .keys = {[SORT_TOTAL] = from.time,
                 [SORT_COUNT] = from.count > INT64_MAX ? INT64_MAX : (int64_t) from.count,
                 [SORT_MAX] = from.maximum},
        .cls = gt_class_of_wait(from.reason),
        .reason = from.reason,
    };
    for (uint32_t i = SORT_P50; i <= SORT_P99 && status == GT_OK; i++)
        status = gt_latency_pair_quantile(contention->latency, index, quantiles[i - SORT_P50],
                                          &pair.keys[i]);
    if (status == GT_OK)
        status = gt_array_add(mem, &contention->pairs, pair);
    return status == GT_OK ? contention_reason_add(contention, mem, &pair) : status;
}

static gt_status contention_finish(struct contention *contention, struct gt_mem *mem)
{
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_status status = gt_latency_finish(contention->latency);
    if (status == GT_OK)
        status = gt_latency_get_info(contention->latency, &info);
    contention->unpaired = info.unpaired;
    for (size_t i = 0; i < gt_latency_pair_count(contention->latency) && status == GT_OK; i++)
        status = contention_pair_add(contention, mem, i);
    return status;
}

static void *contention_run(struct gt_analysis_pass *pass, const void *key)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    struct gt_mem *mem = &pass->web->mem;
    struct contention *contention = gt_mem_zeros(mem, sizeof(*contention));
    (void) key;
    if (!contention || pthread_mutex_init(&contention->lock, NULL) != 0) {
        gt_mem_free(mem, contention, sizeof(*contention));
        return gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    }
    options.flags = GT_LATENCY_PAIR_WAITS;
    options.series = 0;
    options.pairs = PAIRS_MAX;
    options.allocator = &mem->allocator;
    gt_status status = gt_latency_open(&contention->latency, &options, NULL);
    bool good = status == GT_OK && gt_analysis_read(pass, contention_on_event, contention);
    if (good)
        status = contention_finish(contention, mem);
    if (good && status == GT_OK)
        return contention;
    if (status != GT_OK)
        gt_analysis_fail(pass, status);
    contention_free(mem, contention);
    return NULL;
}

static const struct gt_analysis_kind contention_kind = {contention_run, contention_free};

static void contention_take(struct gt_query *query, struct asked *asked)
{
    *asked = (struct asked){.descending = true};
    gt_query_word(query, "class", waits_words, WAITS_WORDS, &asked->waits);
    gt_query_word(query, "sort", sorts, SORTS, &asked->sort);
    gt_query_bool(query, "desc", &asked->descending);
    asked->has_reason = gt_query_text(query, "reason", &asked->reason);
    gt_totals_page_part(query, &asked->part);
}

static bool contention_class_is_asked(uint32_t waits, uint32_t cls)
{
    switch (waits) {
    case WAITS_BETWEEN:
        return cls == GT_CLASS_WAIT_SYNC || cls == GT_CLASS_WAIT_CHAN;
    case WAITS_SYNC:
        return cls == GT_CLASS_WAIT_SYNC;
    case WAITS_CHAN:
        return cls == GT_CLASS_WAIT_CHAN;
    case WAITS_NET:
        return cls == GT_CLASS_WAIT_NET;
    case WAITS_SLEEP:
        return cls == GT_CLASS_WAIT_SLEEP;
    case WAITS_GC:
        return cls == GT_CLASS_WAIT_GC;
    case WAITS_OTHER:
        return cls == GT_CLASS_WAIT_OTHER;
    default:
        return true;
    }
}

static bool contention_pair_is_asked(const struct asked *asked, const struct pair *pair)
{
    return contention_class_is_asked(asked->waits, pair->cls) &&
           (!asked->has_reason || gt_text_equal(asked->reason, pair->reason));
}

static void contention_stack_write(struct gt_json *json, const char *key,
                                   const struct source *source, size_t index, uint32_t side)
{
    gt_frame *frames = source->frames;
    size_t count = 0;
    gt_latency_pair_frames(source->contention->latency, index, side, frames, GT_STACK_MAX_FRAMES,
                           &count);
    gt_json_key_array(json, key);
    for (size_t i = 0; i < count && i < GT_STACK_MAX_FRAMES; i++) {
        gt_json_object(json);
        gt_json_key_string(json, "function", frames[i].function);
        gt_json_key_string(json, "file", frames[i].file);
        gt_json_key_uint(json, "line", frames[i].line);
        gt_answer_pc(json, "pc", frames[i].pc);
        gt_json_end(json);
    }
    gt_json_end(json);
}

/* Returns false if memory runs out. */
static bool contention_histogram_write(struct gt_json *json, const struct source *source,
                                       size_t index)
{
    struct gt_histogram histogram = {0};
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    bool good = true;
    while (good &&
           gt_latency_next_pair_bucket(source->contention->latency, index, &bucket) == GT_OK)
        good = gt_histogram_add_many(&histogram, source->mem, bucket.from, bucket.count);
    if (good)
        gt_histogram_write(json, "histogram", &histogram);
    gt_histogram_free(&histogram, source->mem);
    return good;
}

static void contention_longest_write(struct gt_json *json, const struct contention *contention,
                                     const gt_latency_pair *pair)
{
    int64_t start = gt_time_minus(pair->begin, contention->start);
    gt_json_key_object(json, "longest");
    gt_json_key_int(json, "start", start);
    gt_json_key_int(json, "end", gt_time_plus(start, pair->maximum));
    gt_json_key_int(json, "goroutine", pair->goroutine);
    gt_json_key_int_if(json, "ended_by", pair->unblocker != GT_NO_GOROUTINE, pair->unblocker);
    gt_json_end(json);
}

static bool contention_pair_write(struct gt_json *json, const void *context, uint64_t what)
{
    const struct source *source = context;
    const struct contention *contention = source->contention;
    const struct pair *pair = &contention->pairs.items[what];
    gt_latency_pair from = GT_LATENCY_PAIR_INIT;
    gt_latency_get_pair(contention->latency, (size_t) what, &from);
    gt_json_object(json);
    gt_json_key_string(json, "reason", pair->reason);
    gt_json_key_text(json, "class", gt_answer_classes[pair->cls]);
    for (uint32_t i = 0; i < SORTS; i++)
        gt_json_key_int(json, sorts[i], pair->keys[i]);
    contention_longest_write(json, contention, &from);
    contention_stack_write(json, "waiter", source, (size_t) what, GT_LATENCY_WAITER);
    contention_stack_write(json, "unblocker", source, (size_t) what, GT_LATENCY_UNBLOCKER);
    bool good = contention_histogram_write(json, source, (size_t) what);
    gt_json_end(json);
    return good;
}

/* Writes the reasons of the classes that are asked for, and the sums of the pairs. */
static void contention_sums_write(struct gt_json *json, const struct contention *contention,
                                  const struct asked *asked)
{
    int64_t time = 0;
    uint64_t waits = 0;
    for (size_t i = 0; i < contention->pairs.count; i++) {
        const struct pair *pair = &contention->pairs.items[i];
        if (!contention_pair_is_asked(asked, pair))
            continue;
        gt_time_add_to(&time, pair->keys[SORT_TOTAL]);
        waits += (uint64_t) pair->keys[SORT_COUNT];
    }
    gt_json_key_int(json, "time", time);
    gt_json_key_uint(json, "waits", waits);
    gt_json_key_uint(json, "unpaired", contention->unpaired);
    gt_json_key_array(json, "reasons");
    for (size_t i = 0; i < contention->reasons.count; i++) {
        const struct reason *reason = &contention->reasons.items[i];
        if (!contention_class_is_asked(asked->waits, reason->cls))
            continue;
        gt_json_object(json);
        gt_json_key_string(json, "reason", reason->name);
        gt_json_key_uint(json, "count", reason->count);
        gt_json_key_int(json, "total", reason->total);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void contention_answer(struct gt_response *response, struct contention *contention,
                              const struct asked *asked)
{
    struct gt_json json;
    struct gt_ranking ranking;
    const size_t frame_bytes = GT_STACK_MAX_FRAMES * sizeof(gt_frame);
    const struct source source = {contention, response->mem,
                                  gt_mem_alloc(response->mem, frame_bytes)};
    bool good = source.frames;
    gt_ranking_init(&ranking, response->mem, (size_t) (asked->part.first + asked->part.count) + 1,
                    asked->descending);
    for (size_t i = 0; i < contention->pairs.count && good; i++) {
        const struct pair *pair = &contention->pairs.items[i];
        if (contention_pair_is_asked(asked, pair))
            good = gt_ranking_add(&ranking, pair->keys[asked->sort], i);
    }
    if (good) {
        gt_json_start(&json, response);
        contention_sums_write(&json, contention, asked);
        good = gt_totals_page_write_part(&json, "pairs", &ranking, &asked->part,
                                         contention_pair_write, &source) ||
               gt_response_is_over(response);
        gt_json_finish(&json);
    }
    if (!good)
        gt_response_no_memory(response);
    gt_ranking_free(&ranking);
    gt_mem_free(response->mem, source.frames, frame_bytes);
}

void gt_web_serve_contention(struct gt_web *web, struct gt_query *query)
{
    struct asked asked;
    contention_take(query, &asked);
    struct contention *contention = gt_analysis_demand(web, query, &contention_kind, "", 0, false);
    if (!contention)
        return;
    pthread_mutex_lock(&contention->lock);
    contention_answer(query->response, contention, &asked);
    pthread_mutex_unlock(&contention->lock);
}
