/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/taskevents.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "web/ranking.h"

/*
 * An event is identified by one number: the part in the lowest bits, above it the offset of the
 * record. The record is in totals.events if the event is a begin, end or log of the task. If it
 * is the begin or end of a region, the record is in the pack of the region's type, whose number
 * is in the highest bits.
 */
enum {
    AT_BITS = 40,
    PART_BITS = 2
};

enum part {
    PART_EVENT,
    PART_REGION_BEGIN,
    PART_REGION_END
};

/* An event of a task. */
struct happening {
    enum part part;
    int64_t time;
    int64_t goroutine;
    uint64_t what;
};

/* Called for each event. Returns false to end the iteration. */
typedef bool happening_fn(void *user_data, const struct happening *happening);

/* The time of the first event of a task in a goroutine. */
struct first_seen {
    int64_t goroutine;
    int64_t time;
};

struct gathering {
    struct gt_ranking ranking;
    GT_ARRAY(struct first_seen) goroutines;
    bool no_goroutines;
};

void gt_taskevents_region(const struct gt_totals *totals, struct gt_record_place place,
                          struct gt_record_region *region)
{
    const struct gt_totals_region_type *type = &totals->region_types.items[place.type - 1];
    gt_record_get_region(&(struct gt_unpack){&type->records, (size_t) place.at}, region);
}

static uint64_t taskevents_name_region(struct gt_record_place place, enum part part)
{
    return (place.type - 1) << (AT_BITS + PART_BITS) | place.at << PART_BITS | part;
}

static struct gt_record_place taskevents_place_of(uint64_t what)
{
    return (struct gt_record_place){(what >> (AT_BITS + PART_BITS)) + 1,
                                    what >> PART_BITS & ((UINT64_C(1) << AT_BITS) - 1)};
}

/*
 * Calls `tell` for the task's own events and then for its regions, each from the last to the
 * first. Returns false if `tell` did.
 */
static bool taskevents_go_through(const struct gt_totals *totals, const struct gt_totals_task *task,
                                  happening_fn *tell, void *user_data)
{
    struct gt_totals_event event;
    for (uint64_t at = task->last_event; at != 0; at = event.previous) {
        gt_totals_get_event(totals, at - 1, &event);
        struct happening happening = {PART_EVENT, event.time, event.goroutine,
                                      (at - 1) << PART_BITS};
        if (!tell(user_data, &happening))
            return false;
    }
    struct gt_record_region region;
    for (struct gt_record_place place = task->last_region; place.type != 0;
         place = region.previous) {
        gt_taskevents_region(totals, place, &region);
        struct happening end = {PART_REGION_END, region.end, region.goroutine,
                                taskevents_name_region(place, PART_REGION_END)};
        struct happening begin = {PART_REGION_BEGIN, region.begin, region.goroutine,
                                  taskevents_name_region(place, PART_REGION_BEGIN)};
        if ((region.end != GT_RECORD_NONE && !tell(user_data, &end)) ||
            (region.begin != GT_RECORD_NONE && !tell(user_data, &begin)))
            return false;
    }
    return true;
}

static bool taskevents_add_goroutine(struct gathering *gathering, const struct happening *happening)
{
    /*
     * Consecutive events mostly belong to the same goroutine. As they come from the last to the
     * first, the smallest time is kept.
     */
    size_t count = gathering->goroutines.count;
    struct first_seen *list = gathering->goroutines.items;
    if (count > 0 && list[count - 1].goroutine == happening->goroutine) {
        int64_t *time = &list[count - 1].time;
        *time = happening->time < *time ? happening->time : *time;
        return true;
    }
    const struct first_seen seen = {happening->goroutine, happening->time};
    return gt_array_add(gathering->ranking.mem, &gathering->goroutines, seen) == GT_OK;
}

static bool taskevents_gather(void *user_data, const struct happening *happening)
{
    struct gathering *gathering = user_data;
    if (!gathering->no_goroutines && !taskevents_add_goroutine(gathering, happening))
        return false;
    return gt_ranking_add(&gathering->ranking, happening->time, happening->what);
}

static bool first_seen_comes_by_goroutine(const void *a, const void *b, void *context)
{
    const struct first_seen *left = a, *right = b;
    (void) context;
    if (left->goroutine != right->goroutine)
        return left->goroutine < right->goroutine;
    return left->time < right->time;
}

static bool first_seen_comes_by_time(const void *a, const void *b, void *context)
{
    const struct first_seen *left = a, *right = b;
    (void) context;
    if (left->time != right->time)
        return left->time < right->time;
    return left->goroutine < right->goroutine;
}

static void taskevents_write_goroutines(struct gt_json *json, struct gathering *gathering)
{
    size_t kept = 0;
    struct first_seen *list = gathering->goroutines.items;
    gt_sort(list, gathering->goroutines.count, sizeof(*list), first_seen_comes_by_goroutine, NULL);
    for (size_t i = 0; i < gathering->goroutines.count; i++) {
        if (kept == 0 || list[kept - 1].goroutine != list[i].goroutine)
            list[kept++] = list[i];
    }
    gt_sort(list, kept, sizeof(*list), first_seen_comes_by_time, NULL);
    gt_json_key_array(json, "goroutines");
    for (size_t i = 0; i < kept && i < GT_TASKEVENTS_MAX; i++)
        gt_json_int(json, list[i].goroutine);
    gt_json_end(json);
}

/* The functions below compose a text. If memory runs out, `failed` of the pack is set. */

static void taskevents_add_piece(struct gt_pack *text, gt_string piece)
{
    gt_pack_raw(text, piece.data, piece.size);
}

static void taskevents_add_text(struct gt_pack *text, const char *piece)
{
    taskevents_add_piece(text, (gt_string){piece, strlen(piece)});
}

static void taskevents_add_quoted(struct gt_pack *text, gt_string piece)
{
    taskevents_add_text(text, "\"");
    taskevents_add_piece(text, piece);
    taskevents_add_text(text, "\"");
}

static void taskevents_describe_begin(struct gt_pack *text, const struct gt_totals *totals,
                                      const struct gt_totals_task *task)
{
    char numbers[96];
    snprintf(numbers, sizeof(numbers), " (ID %" PRIu64, task->id);
    taskevents_add_text(text, "task ");
    taskevents_add_quoted(text, gt_dictionary_get(&totals->names, task->name));
    taskevents_add_text(text, numbers);
    if (task->parent != GT_NO_TASK) {
        snprintf(numbers, sizeof(numbers), ", parent %" PRIu64, task->parent);
        taskevents_add_text(text, numbers);
    }
    taskevents_add_text(text, ") begin");
}

static void taskevents_describe_log(struct gt_pack *text, const struct gt_totals *totals,
                                    const struct gt_totals_event *event)
{
    gt_string category = gt_dictionary_get(&totals->names, event->category);
    taskevents_add_text(text, "log ");
    if (category.size > 0) {
        taskevents_add_text(text, "(category: ");
        taskevents_add_piece(text, category);
        taskevents_add_text(text, "): ");
    }
    taskevents_add_quoted(text, event->message);
}

static void taskevents_describe_region(struct gt_pack *text, const struct gt_totals *totals,
                                       uint64_t what, enum part part)
{
    const struct gt_totals_region_type *type =
        &totals->region_types.items[taskevents_place_of(what).type - 1];
    taskevents_add_text(text, "region ");
    taskevents_add_quoted(text, gt_dictionary_get(&totals->names, type->type));
    taskevents_add_text(text, part == PART_REGION_BEGIN ? " begin" : " end");
}

/* Describes an event in the words of Go's viewer. Returns the goroutine of the event. */
static int64_t taskevents_describe(struct gt_pack *text, const struct gt_totals *totals,
                                   const struct gt_totals_task *task, uint64_t what)
{
    enum part part = (enum part)(what & ((1 << PART_BITS) - 1));
    text->size = 0;
    if (part != PART_EVENT) {
        struct gt_record_region region;
        gt_taskevents_region(totals, taskevents_place_of(what), &region);
        taskevents_describe_region(text, totals, what, part);
        return region.goroutine;
    }
    struct gt_totals_event event;
    gt_totals_get_event(totals, what >> PART_BITS, &event);
    if (event.kind == GT_TOTALS_TASK_BEGIN)
        taskevents_describe_begin(text, totals, task);
    else if (event.kind == GT_TOTALS_TASK_END)
        taskevents_add_text(text, "task end");
    else
        taskevents_describe_log(text, totals, &event);
    return event.goroutine;
}

static bool taskevents_write_events(struct gt_json *json, const struct gt_totals *totals,
                                    const struct gt_totals_task *task,
                                    const struct gt_ranking *ranking)
{
    struct gt_pack text = {.mem = json->out->mem};
    gt_json_key_uint(json, "events_total", ranking->total);
    gt_json_key_array(json, "events");
    for (size_t i = 0; i < ranking->count; i++) {
        int64_t goroutine = taskevents_describe(&text, totals, task, ranking->list[i].what);
        gt_json_object(json);
        gt_json_key_int(json, "time", ranking->list[i].key);
        gt_json_key_int(json, "goroutine", goroutine);
        gt_json_key_string(json, "text", (gt_string){(const char *) text.data, text.size});
        gt_json_end(json);
    }
    gt_json_end(json);
    bool good = !text.failed;
    gt_pack_free(&text);
    return good;
}

bool gt_taskevents_write(struct gt_json *json, const struct gt_totals *totals,
                         const struct gt_totals_task *task)
{
    struct gathering gathering = {.no_goroutines = task->id == GT_BACKGROUND_TASK};
    gt_ranking_init(&gathering.ranking, json->out->mem, GT_TASKEVENTS_MAX, false);
    bool good = taskevents_go_through(totals, task, taskevents_gather, &gathering);
    if (good) {
        gt_ranking_finish(&gathering.ranking);
        good = taskevents_write_events(json, totals, task, &gathering.ranking);
        taskevents_write_goroutines(json, &gathering);
    }
    gt_ranking_free(&gathering.ranking);
    gt_array_free(json->out->mem, &gathering.goroutines);
    return good;
}

struct searching {
    const struct gt_totals *totals;
    const char *text;
};

/* Searches an event for the text. Returns true, to continue, if the event does not contain it. */
static bool taskevents_has_not(void *user_data, const struct happening *happening)
{
    const struct searching *searching = user_data;
    const struct gt_totals *totals = searching->totals;
    if (happening->part != PART_EVENT) {
        size_t type = (size_t) (taskevents_place_of(happening->what).type - 1);
        return !gt_text_contains(
            gt_dictionary_get(&totals->names, totals->region_types.items[type].type),
            searching->text);
    }
    struct gt_totals_event event;
    gt_totals_get_event(totals, happening->what >> PART_BITS, &event);
    return event.kind != GT_TOTALS_LOG ||
           !(gt_text_contains(gt_dictionary_get(&totals->names, event.category), searching->text) ||
             gt_text_contains(event.message, searching->text));
}

bool gt_taskevents_have(const struct gt_totals *totals, const struct gt_totals_task *task,
                        const char *text)
{
    struct searching searching = {totals, text};
    return gt_text_contains(gt_dictionary_get(&totals->names, task->name), text) ||
           !taskevents_go_through(totals, task, taskevents_has_not, &searching);
}
