/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/rows and /api/row: which rows there are, and where. */
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/listings.h"
#include "web/query.h"

enum {
    ROWS_MAX = 10000,
    ROWS_DEFAULT = 100
};

static const char *const lane_kinds[] = {"state", "region", "range", "task"};

/* The names of enum listing_sort; those of the classes come before. */
static const char *const sorts[LISTING_SORTS - STORE_CLASSES] = {"start",    "id",      "name",
                                                                 "duration", "waiting", "parent"};

/* What all parameters say of the order of rows. */
static void query_order(struct query *query, struct gt_web *web, struct listing_order *order)
{
    const char *words[LISTING_SORTS];
    struct query_range range;
    gt_string filter = {"", 0};
    uint32_t kind = VIEW_PROC;
    query_view(query, &kind);
    listing_order_init(order, kind);
    for (size_t i = 0; i < LISTING_SORTS; i++)
        words[i] = i < STORE_CLASSES ? answer_classes[i] : sorts[i - STORE_CLASSES];
    query_word(query, "sort", words, LISTING_SORTS, &order->sort);
    query_bool(query, "desc", &order->descending);
    query_bool(query, "group", &order->grouped);
    query_bool(query, "hide_idle", &order->hide_idle);
    query_text(query, "filter", &filter);
    listing_order_filter(order, filter);
    query_whole(query, web->store, &range);
    if (order->hide_idle) {
        order->start = range.start;
        order->end = range.end;
    }
}

static void write_lanes(struct json *json, const struct store_row *row)
{
    json_key(json, "lanes");
    json_array(json);
    for (size_t i = 0; i < row->lane_count; i++) {
        json_object(json);
        json_key_uint(json, "track", row->lanes[i].track);
        json_key_text(json, "kind", lane_kinds[row->lanes[i].kind]);
        json_end_object(json);
    }
    json_end_array(json);
}

/* What an object says of a row. */
static void write_row(struct json *json, const struct store *store, const struct store_row *row)
{
    struct store_head parent;
    json_key_text(json, "view", answer_views[row->view]);
    json_key_uint(json, "ordinal", row->ordinal);
    json_key_int(json, "id", row->id);
    answer_key_title(json, "title", row);
    json_key_string(json, "name", row->name);
    json_key_string(json, "label", row->label);
    json_key_int(json, "start", row->start);
    json_key_int(json, "end", row->end);
    json_key(json, "parent");
    if (store_get_head(store, row->view, row->parent, &parent))
        json_int(json, parent.id);
    else
        json_null(json);
    write_lanes(json, row);
    answer_times(json, "time", row->time);
}

static void write_header(struct json *json, const struct listing *listing,
                         const struct listing_group *group)
{
    gt_string name = names_get(&listing->names, group->name);
    json_key_bool(json, "header", true);
    if (name.size > 0)
        json_key_string(json, "title", name);
    else
        json_key_text(json, "title", "(unknown)");
    json_key_uint(json, "members", group->members);
    answer_times(json, "time", group->time);
}

static void write_lines(struct json *json, const struct store *store, uint32_t view,
                        const struct listing *listing, uint64_t first, uint64_t count)
{
    size_t total = listing_count(listing);
    struct listing_line line;
    struct store_row row;
    for (size_t i = 0; i < count && first + i < total; i++) {
        listing_get(listing, (size_t) first + i, &line);
        json_object(json);
        if (line.header != NULL) {
            write_header(json, listing, line.header);
        } else if (store_get_row(store, view, line.ordinal, &row)) {
            write_row(json, store, &row);
            json_key_uint(json, "depth", line.depth);
        }
        json_end_object(json);
    }
}

void gt_web_serve_rows(void *data, const struct gt_request *request, struct gt_response *response)
{
    struct gt_web *web = data;
    struct query query;
    struct listing_order order;
    struct json json;
    uint64_t first = 0, count = ROWS_DEFAULT;
    query_init(&query, request, response);
    query_order(&query, web, &order);
    /* Past the end there is nothing, which is no error. */
    query_uint(&query, "first", 0, UINT32_MAX, &first);
    query_uint(&query, "count", 0, ROWS_MAX, &count);
    if (query.failed)
        return;
    const struct listing *listing = listings_take(web, &order);
    if (listing == NULL) {
        gt_response_error(response, 503, "out of memory");
        return;
    }
    json_init(&json, response);
    json_hold(&json);
    json_object(&json);
    json_key_uint(&json, "total", listing_count(listing));
    json_key(&json, "rows");
    json_array(&json);
    store_lock_read(web->store);
    write_lines(&json, web->store, order.view, listing, first, count);
    store_unlock(web->store);
    listings_release(web);
    json_end_array(&json);
    json_end_object(&json);
    json_release(&json);
}

/* Where a row is in the listing, or -1, and how deep. */
static bool find_position(struct gt_web *web, const struct listing_order *order, uint32_t ordinal,
                          int64_t *position, uint32_t *depth)
{
    struct listing_line line = {.depth = 0};
    const struct listing *listing = listings_take(web, order);
    if (listing == NULL)
        return false;
    *position = listing_position(listing, ordinal);
    if (*position >= 0)
        listing_get(listing, (size_t) *position, &line);
    listings_release(web);
    *depth = line.depth;
    return true;
}

void gt_web_serve_row(void *data, const struct gt_request *request, struct gt_response *response)
{
    struct gt_web *web = data;
    struct query query;
    struct listing_order order;
    struct store_row row;
    struct json json;
    uint32_t ordinal = STORE_NONE, depth = 0;
    int64_t id = 0, position = -1;
    query_init(&query, request, response);
    query_order(&query, web, &order);
    query_need(&query, "id");
    query_int(&query, "id", INT64_MIN, INT64_MAX, &id);
    if (query.failed)
        return;
    store_lock_read(web->store);
    bool found = store_find_row(web->store, order.view, id, &ordinal);
    store_unlock(web->store);
    if (!found) {
        gt_response_error(response, 404, "no such row");
        return;
    }
    if (!find_position(web, &order, ordinal, &position, &depth)) {
        gt_response_error(response, 503, "out of memory");
        return;
    }
    json_init(&json, response);
    json_hold(&json);
    store_lock_read(web->store);
    if (store_get_row(web->store, order.view, ordinal, &row)) {
        json_object(&json);
        write_row(&json, web->store, &row);
        json_key_uint(&json, "depth", depth);
        json_key_int(&json, "position", position);
        json_end_object(&json);
    }
    store_unlock(web->store);
    json_release(&json);
}
