/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/activity: how many members of a group of rows are in each class over time. */
#include <math.h>
#include <string.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/listings.h"
#include "web/query.h"
#include "web/roworder.h"
#include "web/scan.h"
#include "web/timebins.h"

enum {
    HEADERS_MAX = 32,
    BINS_MAX = 1024,
    BINS_DEFAULT = 512,
    /* The classes of states, of which a row is in at most one at a time. */
    STATES = GT_CLASS_WAIT_OTHER + 1,
    /* The number of rows that are examined before the store's lock is released for a moment. */
    SLICE = 16384,
    /* The number of parts of a scan between two reads of the clock. */
    PARTS = 256
};

/*
 * How long a request may take, in nanoseconds. Ten million spans take about 0.1 s; a group that
 * would take longer than this is answered without its numbers.
 */
#define LIMIT_NS INT64_C(2000000000)

/* The sums of one thread. After the bins of a class there is one more cell. */
struct activity_sums {
    const struct gt_timebins *bins;
    struct gt_timebins_cell *cells;
    /* The time at which the scan gives up, or 0 until counting has begun, and whether it has given
     * up. */
    int64_t deadline;
    bool is_late;
    /* The number of parts so far. */
    uint64_t parts;
};

/* A group of the listing. */
struct activity_group {
    uint32_t at;
    /* The states of the members. */
    struct gt_scope scope;
    char title[GT_ANSWER_TITLE_MAX];
    size_t title_size;
};

static size_t activity_cell_count(const struct gt_timebins *bins)
{
    return STATES * (bins->count + 1);
}

static bool activity_part_add(void *worker, const struct gt_scan_part *part)
{
    struct activity_sums *sums = worker;
    struct gt_span_brief spans[GT_TRACK_BRIEFS];
    uint32_t count;
    if (sums->parts++ % PARTS == 0 && gt_scan_now() > sums->deadline)
        sums->is_late = true;
    if (sums->is_late)
        return false;
    for (uint32_t i = part->first; i < part->last; i += count) {
        count = gt_track_briefs(part->track, i, part->last, spans);
        if (count == 0)
            return true;
        for (uint32_t k = 0; k < count; k++) {
            if (spans[k].cls < STATES)
                gt_timebins_add(sums->bins, sums->cells + spans[k].cls * (sums->bins->count + 1),
                                spans[k].start, spans[k].end);
        }
    }
    return true;
}

/* Adds the sums of the second thread to those of the first. */
static void activity_sums_merge(struct activity_sums *to, const struct activity_sums *from)
{
    for (size_t i = 0; i < activity_cell_count(to->bins); i++) {
        to->cells[i].part += from->cells[i].part;
        to->cells[i].entered += from->cells[i].entered;
    }
}

static bool activity_is_empty(const struct gt_timebins_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cells[i].part != 0 || cells[i].entered != 0)
            return false;
    }
    return true;
}

/* Writes the mean number of members in a class by bin, unless there are none at any time. */
static void activity_class_write(struct gt_json *json, const struct activity_sums *sums,
                                 uint32_t cls)
{
    const struct gt_timebins *bins = sums->bins;
    const struct gt_timebins_cell *cells = sums->cells + cls * (bins->count + 1);
    double whole = 0;
    if (activity_is_empty(cells, bins->count))
        return;
    gt_json_key_array(json, gt_answer_classes[cls]);
    for (size_t i = 0; i < bins->count; i++) {
        double mean = gt_timebins_mean(bins, cells, i, &whole);
        /* Three decimals suffice to draw and to read a mean, and keep the answer small. */
        gt_json_real(json, round(mean * 1000) / 1000);
    }
    gt_json_end(json);
}

static void activity_group_write(struct gt_json *json, const struct activity_group *group,
                                 const struct activity_sums *sums, bool is_complete)
{
    gt_json_object(json);
    gt_json_key_uint(json, "at", group->at);
    gt_json_key_string(json, "title", (gt_string){group->title, group->title_size});
    gt_json_key_uint(json, "members", group->scope.tracks.count);
    gt_json_key_bool(json, "complete", is_complete);
    gt_json_key_object(json, "classes");
    for (uint32_t cls = 0; is_complete && cls < STATES; cls++)
        activity_class_write(json, sums, cls);
    gt_json_end(json);
    gt_json_end(json);
}

/* Lists the states of some rows. The listing is locked. Returns false if memory runs out. */
static bool activity_tracks_list(struct gt_query_tracks *tracks, struct gt_store *store,
                                 uint32_t view, const uint32_t *rows, size_t count)
{
    struct gt_store_row row;
    if (gt_mem_reserve(tracks->mem, &tracks->list, &tracks->capacity, count,
                       sizeof(*tracks->list)) != GT_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (i % SLICE == 0)
            gt_store_lock_read(store);
        if (gt_store_get_row_brief(store, view, rows[i], &row) && row.lane_count > 0)
            tracks->list[tracks->count++] = row.lanes[0].track;
        if (i % SLICE == SLICE - 1 || i == count - 1)
            gt_store_unlock(store);
    }
    return true;
}

/*
 * Finds the group whose header is at a position, and its members. `*found` is false if there is no
 * header. Returns false if memory runs out.
 */
static bool activity_group_find(struct activity_group *group, struct gt_web *web,
                                const struct gt_listing_order *order, bool *found)
{
    struct gt_listing_line line = {.header = NULL};
    const struct gt_listing *listing = gt_listings_take(web, NULL, order);
    if (!listing)
        return false;
    bool good = true;
    if (group->at < gt_listing_count(listing))
        gt_listing_get(listing, group->at, &line);
    *found = line.header != NULL;
    if (*found) {
        size_t headers = gt_listing_headers_until(listing, group->at);
        gt_string title = gt_listing_title(listing, line.header);
        group->title_size = gt_answer_fitting(title, sizeof(group->title));
        memcpy(group->title, title.data, group->title_size);
        good = activity_tracks_list(&group->scope.tracks, web->store, order->view,
                                    listing->rows + group->at + 1 - headers, line.header->members);
    }
    gt_listings_release(web);
    return good;
}

/* Sums up a group. Returns false if memory runs out or the client is gone. */
static bool activity_group_sum(struct activity_group *group, struct gt_web *web,
                               struct activity_sums sums[GT_SCAN_WORKERS],
                               struct gt_response *response, bool *is_complete)
{
    struct gt_scan scan = {.store = web->store,
                           .scope = &group->scope,
                           .each = activity_part_add,
                           .response = response};
    enum gt_scan_end end = gt_scan_run(&scan, &sums[0], &sums[1]);
    *is_complete = end == GT_SCAN_DONE;
    if (*is_complete)
        activity_sums_merge(&sums[0], &sums[1]);
    return *is_complete || sums[0].is_late || sums[1].is_late;
}

static bool activity_write(struct gt_json *json, struct gt_web *web,
                           const struct gt_listing_order *order, struct activity_group *group,
                           struct activity_sums sums[GT_SCAN_WORKERS])
{
    bool found, is_complete;
    size_t bytes = activity_cell_count(sums[0].bins) * sizeof(struct gt_timebins_cell);
    if (!activity_group_find(group, web, order, &found))
        return false;
    /* The time limit excludes the making of the listing, which the first group may need. */
    int64_t deadline = gt_time_plus(gt_scan_now(), LIMIT_NS);
    for (size_t i = 0; i < GT_SCAN_WORKERS; i++) {
        sums[i].deadline = sums[i].deadline != 0 ? sums[i].deadline : deadline;
        memset(sums[i].cells, 0, bytes);
    }
    if (!found)
        return true;
    if (!activity_group_sum(group, web, sums, json->out, &is_complete))
        return false;
    activity_group_write(json, group, &sums[0], is_complete);
    return true;
}

static bool activity_write_all(struct gt_json *json, struct gt_web *web,
                               const struct gt_listing_order *order,
                               const struct gt_query_tracks *headers,
                               const struct gt_timebins *bins)
{
    size_t count = activity_cell_count(bins), bytes = GT_SCAN_WORKERS * count;
    struct gt_timebins_cell *cells = gt_mem_alloc(&web->mem, bytes * sizeof(*cells));
    struct activity_sums sums[GT_SCAN_WORKERS] = {
        {.bins = bins, .cells = cells}, {.bins = bins, .cells = cells ? cells + count : NULL}};
    struct activity_group group = {.scope = {.has_tracks = true, .tracks.mem = &web->mem}};
    group.scope.start = bins->start;
    group.scope.end = bins->end;
    bool good = cells != NULL;
    for (size_t i = 0; i < headers->count && good; i++) {
        group.at = headers->list[i];
        group.scope.tracks.count = 0;
        good = activity_write(json, web, order, &group, sums);
    }
    gt_query_tracks_free(&group.scope.tracks);
    gt_mem_free(&web->mem, cells, bytes * sizeof(*cells));
    return good;
}

static void activity_answer(struct gt_web *web, struct gt_response *response,
                            const struct gt_listing_order *order,
                            const struct gt_query_tracks *headers, const struct gt_timebins *bins)
{
    struct gt_json json;
    gt_json_start(&json, response);
    gt_json_key_int(&json, "start", bins->start);
    gt_json_key_int(&json, "end", bins->end);
    gt_json_key_int(&json, "width", bins->width);
    gt_json_key_uint(&json, "bins", bins->count);
    gt_json_key_array(&json, "headers");
    if (!activity_write_all(&json, web, order, headers, bins))
        gt_response_no_memory(response);
    gt_json_finish(&json);
}

void gt_web_serve_activity(struct gt_web *web, struct gt_query *query)
{
    struct gt_listing_order order;
    struct gt_query_range range;
    struct gt_query_tracks headers = {.count = 0};
    struct gt_timebins bins;
    uint64_t most = BINS_DEFAULT;
    gt_row_order_take(query, web, &order, NULL);
    order.grouped = true;
    gt_query_whole_of(query, web->store, "from", "to", &range);
    gt_query_uint(query, "bins", 1, BINS_MAX, &most);
    gt_query_need(query, "headers");
    gt_query_numbers(query, "headers", HEADERS_MAX, &headers);
    if (!query->failed) {
        gt_timebins_set(&bins, range.start, range.end, (size_t) most);
        activity_answer(web, query->response, &order, &headers, &bins);
    }
    gt_query_tracks_free(&headers);
}
