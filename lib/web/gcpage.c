/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /api/gc/summary, /api/gc/cycles and /api/gc/stops: what the page on the garbage collector shows.
 */
#include "base/text.h"
#include "base/time.h"
#include "web/endpoints.h"
#include "web/gccycles.h"
#include "web/start_functions.h"
#include "web/totals_page.h"

enum {
    CYCLE_START,
    CYCLE_MARK,
    CYCLE_PAUSE,
    CYCLE_SWEEP,
    CYCLE_HEAP,
    CYCLE_WORK,
    CYCLE_ASSIST,
    CYCLE_SORTS
};

static const char *const cycle_sorts[CYCLE_SORTS] = {"start", "mark", "pause", "sweep",
                                                     "heap",  "work", "assist"};

enum {
    STOP_START,
    STOP_LENGTH,
    STOP_CAUSE,
    STOP_SORTS
};

static const char *const stop_sorts[STOP_SORTS] = {"start", "length", "cause"};

/* The order and the part of a list that a request asks for. */
struct gc_list {
    uint32_t sort;
    bool descending;
    struct gt_totals_page_part part;
};

static const struct gt_gc_cycles *gc_cycles_demand(struct gt_web *web, struct gt_query *query)
{
    return gt_analysis_demand(web, query, &gt_gc_cycles_kind, "", 0, false);
}

static void gc_list_take(struct gt_query *query, const char *const *sorts, size_t count,
                         struct gc_list *list)
{
    gt_query_word(query, "sort", sorts, count, &list->sort);
    gt_query_bool(query, "desc", &list->descending);
    gt_totals_page_part(query, &list->part);
}

/* Returns the time between two times, or GT_RECORD_NONE if one of them is not known. */
static int64_t gc_length(int64_t start, int64_t end)
{
    return start == GT_RECORD_NONE || end == GT_RECORD_NONE ? GT_RECORD_NONE
                                                            : gt_time_minus(end, start);
}

static int64_t gc_cycle_work(const struct gt_gc_cycle *cycle)
{
    int64_t sum = 0;
    for (size_t i = 0; i < GT_GC_WORKERS; i++)
        gt_time_add_to(&sum, cycle->work[i]);
    return sum;
}

/* Returns how long both stops of the world of a cycle lasted. */
static int64_t gc_cycle_pause(const struct gt_gc_cycle *cycle)
{
    int64_t first = gc_length(cycle->start, cycle->start_end);
    int64_t second = gc_length(cycle->termination, cycle->termination_end);
    return gt_time_plus(first > 0 ? first : 0, second > 0 ? second : 0);
}

static int64_t gc_cycle_key(const struct gt_gc_cycle *cycle, uint32_t sort)
{
    switch (sort) {
    case CYCLE_MARK:
        return gc_length(cycle->mark, cycle->mark_end);
    case CYCLE_PAUSE:
        return gc_cycle_pause(cycle);
    case CYCLE_SWEEP:
        return cycle->sweep;
    case CYCLE_HEAP:
        return cycle->before.used.value < INT64_MAX ? (int64_t) cycle->before.used.value
                                                    : INT64_MAX;
    case CYCLE_WORK:
        return gc_cycle_work(cycle);
    case CYCLE_ASSIST:
        return cycle->assist;
    default:
        return cycle->mark;
    }
}

static void gc_time_write(struct gt_json *json, const char *key, int64_t time)
{
    gt_json_key_int_if(json, key, time != GT_RECORD_NONE, time);
}

static void gc_value_write(struct gt_json *json, const char *key, const struct gt_gc_value *value)
{
    if (value->is_known)
        gt_json_key_uint(json, key, value->value);
    else
        gt_json_key_null(json, key);
}

static void gc_heap_write(struct gt_json *json, const char *key, const struct gt_gc_heap *heap)
{
    gt_json_key_object(json, key);
    gc_value_write(json, "heap", &heap->used);
    gc_value_write(json, "goal", &heap->goal);
    gt_json_end(json);
}

static void gc_work_write(struct gt_json *json, const int64_t work[GT_GC_WORKERS])
{
    gt_json_key_object(json, "work");
    for (size_t i = 0; i < GT_GC_WORKERS; i++)
        gt_json_key_int(json, gt_gc_worker_names[i], work[i]);
    gt_json_end(json);
}

static bool gc_cycle_write(struct gt_json *json, const void *context, uint64_t number)
{
    const struct gt_gc_cycles *cycles = context;
    const struct gt_gc_cycle *cycle = &cycles->list.items[number];
    gt_json_object(json);
    gt_json_key_uint(json, "number", number + 1);
    gc_time_write(json, "start", cycle->start);
    gc_time_write(json, "start_end", cycle->start_end);
    gc_time_write(json, "mark", cycle->mark);
    gc_time_write(json, "mark_end", cycle->mark_end);
    gc_time_write(json, "termination", cycle->termination);
    gc_time_write(json, "termination_end", cycle->termination_end);
    gc_time_write(json, "sweep_end", cycle->sweep_end);
    gt_json_key_int(json, "sweep", cycle->sweep);
    gt_json_key_uint(json, "sweeps", cycle->sweeps);
    gc_value_write(json, "swept", &cycle->swept);
    gc_value_write(json, "reclaimed", &cycle->reclaimed);
    gc_heap_write(json, "before", &cycle->before);
    gc_heap_write(json, "after", &cycle->after);
    gc_work_write(json, cycle->work);
    gt_json_key_int(json, "assist", cycle->assist);
    gt_json_key_uint(json, "assists", cycle->assists);
    gt_json_end(json);
    return true;
}

/* Writes the part of a list that is asked for, and frees the ranking. */
static void gc_list_write(struct gt_response *response, const char *key, struct gt_ranking *ranking,
                          const struct gc_list *list, gt_totals_page_item_fn *write,
                          const struct gt_gc_cycles *cycles)
{
    struct gt_json json;
    gt_json_start(&json, response);
    gt_totals_page_write_part(&json, key, ranking, &list->part, write, cycles);
    gt_json_finish(&json);
}

void gt_web_serve_gc_cycles(struct gt_web *web, struct gt_query *query)
{
    struct gc_list list = {.sort = CYCLE_START};
    struct gt_ranking ranking;
    bool good = true;
    gc_list_take(query, cycle_sorts, CYCLE_SORTS, &list);
    const struct gt_gc_cycles *cycles = gc_cycles_demand(web, query);
    if (!cycles)
        return;
    gt_ranking_init(&ranking, &web->mem, (size_t) (list.part.first + list.part.count) + 1,
                    list.descending);
    for (size_t i = 0; i < cycles->list.count && good; i++)
        good = gt_ranking_add(&ranking, gc_cycle_key(&cycles->list.items[i], list.sort), i);
    if (good)
        gc_list_write(query->response, "cycles", &ranking, &list, gc_cycle_write, cycles);
    else
        gt_response_no_memory(query->response);
    gt_ranking_free(&ranking);
}

static bool gc_stop_write(struct gt_json *json, const void *context, uint64_t number)
{
    const struct gt_gc_cycles *cycles = context;
    const struct gt_gc_stop *stop = &cycles->stops.items[number];
    gt_json_object(json);
    gc_time_write(json, "start", stop->start);
    gc_time_write(json, "end", stop->end);
    gt_json_key_string(json, "cause", gt_dictionary_get(&cycles->causes, stop->cause));
    gt_json_key_int(json, "goroutine", stop->goroutine);
    gt_json_end(json);
    return true;
}

static int64_t gc_stop_key(const struct gt_gc_stop *stop, uint32_t sort)
{
    if (sort == STOP_LENGTH)
        return gc_length(stop->start, stop->end);
    return sort == STOP_CAUSE ? (int64_t) stop->cause : stop->start;
}

void gt_web_serve_gc_stops(struct gt_web *web, struct gt_query *query)
{
    struct gc_list list = {.sort = STOP_LENGTH, .descending = true};
    struct gt_ranking ranking;
    gt_string cause = {"", 0};
    bool good = true, has_cause = gt_query_text(query, "cause", &cause);
    gc_list_take(query, stop_sorts, STOP_SORTS, &list);
    const struct gt_gc_cycles *cycles = gc_cycles_demand(web, query);
    if (!cycles)
        return;
    gt_ranking_init(&ranking, &web->mem, (size_t) (list.part.first + list.part.count) + 1,
                    list.descending);
    for (size_t i = 0; i < cycles->stops.count && good; i++) {
        const struct gt_gc_stop *stop = &cycles->stops.items[i];
        if (!has_cause || gt_text_equal(gt_dictionary_get(&cycles->causes, stop->cause), cause))
            good = gt_ranking_add(&ranking, gc_stop_key(stop, list.sort), i);
    }
    if (good)
        gc_list_write(query->response, "stops", &ranking, &list, gc_stop_write, cycles);
    else
        gt_response_no_memory(query->response);
    gt_ranking_free(&ranking);
}

static void gc_causes_write(struct gt_json *json, const struct gt_gc_cycles *cycles)
{
    gt_json_key_array(json, "causes");
    for (uint32_t i = 0; i < cycles->by_cause.count; i++) {
        const struct gt_gc_cause *cause = &cycles->by_cause.items[i];
        if (cause->count == 0)
            continue;
        gt_json_object(json);
        gt_json_key_string(json, "cause", gt_dictionary_get(&cycles->causes, i));
        gt_json_key_uint(json, "count", cause->count);
        gt_json_key_int(json, "time", cause->time);
        gt_json_key_int(json, "longest", cause->longest);
        gt_json_end(json);
    }
    gt_json_end(json);
}

/*
 * Adds up the assists by start function, and how long their goroutines ran. Returns false if memory
 * runs out.
 */
static bool gc_assists_group(struct gt_start_functions *functions, const struct gt_store *store,
                             const struct gt_gc_meter *assists)
{
    struct gt_store_row row;
    for (size_t i = 0; i < assists->list.count; i++) {
        const struct gt_gc_measured *assist = &assists->list.items[i];
        uint32_t ordinal;
        if (!gt_store_find_row(store, GT_STORE_VIEW_GOROUTINE, assist->id, &ordinal) ||
            !gt_store_get_row(store, GT_STORE_VIEW_GOROUTINE, ordinal, &row))
            continue;
        int64_t *times = gt_start_functions_time(functions, store, ordinal);
        if (!times)
            return false;
        gt_time_add_to(&times[GT_CLASS_RANGE], assist->time);
        gt_time_add_to(&times[GT_CLASS_RUNNING], row.time[GT_CLASS_RUNNING]);
    }
    return true;
}

/* Writes the groups of goroutines that assisted. The store is locked for reading. */
static bool gc_assists_write(struct gt_json *json, struct gt_mem *mem, const struct gt_store *store,
                             const struct gt_gc_cycles *cycles)
{
    struct gt_start_functions functions = {.mem = mem};
    bool good = gc_assists_group(&functions, store, &cycles->assists);
    gt_json_key_array(json, "assists");
    for (size_t i = 0; i < functions.list.count && good; i++) {
        const struct gt_start_function *function = &functions.list.items[i];
        gt_json_object(json);
        gt_json_key_string(json, "name", gt_store_text(store, function->name));
        gt_json_key_uint(json, "goroutines", function->goroutines);
        gt_json_key_int(json, "time", function->time[GT_CLASS_RANGE]);
        gt_json_key_int(json, "running", function->time[GT_CLASS_RUNNING]);
        gt_json_end(json);
    }
    gt_json_end(json);
    gt_start_functions_free(&functions);
    return good;
}

static void gc_totals_write(struct gt_json *json, const struct gt_gc_cycles *cycles)
{
    int64_t mark = 0, assist = 0;
    for (size_t i = 0; i < cycles->list.count; i++) {
        const struct gt_gc_cycle *cycle = &cycles->list.items[i];
        int64_t length = gc_length(cycle->mark, cycle->mark_end);
        gt_time_add_to(&mark, length != GT_RECORD_NONE ? length : 0);
    }
    for (size_t i = 0; i < cycles->assists.list.count; i++)
        gt_time_add_to(&assist, cycles->assists.list.items[i].time);
    gt_json_key_uint(json, "cycles", cycles->list.count);
    gt_json_key_uint(json, "stops", cycles->stops.count);
    gt_json_key_int(json, "duration", cycles->end);
    gt_json_key_int(json, "mark", mark);
    gt_json_key_int(json, "sweep", cycles->sweep);
    gt_json_key_int(json, "assist", assist);
    gc_work_write(json, cycles->work);
    gt_json_key_bool(json, "has_workers", cycles->has_workers);
    gt_json_key_bool(json, "has_heap", cycles->has_heap);
    gt_json_key_bool(json, "has_goal", cycles->has_goal);
    gt_json_key_bool(json, "has_swept", cycles->has_swept);
}

void gt_web_serve_gc_summary(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    const struct gt_gc_cycles *cycles = gc_cycles_demand(web, query);
    if (!cycles)
        return;
    gt_json_start(&json, query->response);
    gc_totals_write(&json, cycles);
    gc_causes_write(&json, cycles);
    gt_store_lock_read(web->store);
    bool good = gc_assists_write(&json, &web->mem, web->store, cycles);
    gt_store_unlock(web->store);
    if (!good)
        gt_response_no_memory(query->response);
    gt_json_finish(&json);
}
