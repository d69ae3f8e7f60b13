/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/rows and /api/row: the rows of a view, and their positions. */
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/listings.h"
#include "web/query.h"
#include "web/roworder.h"

enum {
    ROWS_MAX = 10000,
    ROWS_DEFAULT = 100,
    /* The times in which a goroutine worked for a task that are written. */
    WORKED_MAX = 100
};

static const char *const lane_kinds[] = {"state", "region", "range", "task"};

static void row_lanes_write(struct gt_json *json, const struct gt_store_row *row)
{
    gt_json_key_array(json, "lanes");
    for (size_t i = 0; i < row->lane_count; i++) {
        gt_json_object(json);
        gt_json_key_uint(json, "track", row->lanes[i].track);
        gt_json_key_text(json, "kind", lane_kinds[row->lanes[i].kind]);
        gt_json_end(json);
    }
    gt_json_end(json);
}

/* Writes the members of a row's object. */
static void row_members_write(struct gt_json *json, const struct gt_store *store,
                              const struct gt_store_row *row)
{
    struct gt_store_head parent;
    gt_answer_row(json, row);
    gt_json_key_string(json, "name", row->name);
    gt_json_key_string(json, "label", row->label);
    gt_json_key_int(json, "start", row->start);
    gt_json_key_int(json, "end", row->end);
    bool has_parent = gt_store_get_head(store, row->view, row->parent, &parent);
    gt_json_key_int_if(json, "parent", has_parent, has_parent ? parent.id : 0);
    row_lanes_write(json, row);
    gt_answer_times(json, "time", row->time);
}

static void row_header_write(struct gt_json *json, const struct gt_listing *listing,
                             const struct gt_listing_group *group)
{
    gt_json_key_bool(json, "header", true);
    gt_json_key_string(json, "title", gt_listing_title(listing, group));
    gt_json_key_uint(json, "members", group->members);
    gt_answer_times(json, "time", group->time);
}

/* Writes what the tree of a task knows about the line of a row. */
static void row_branch_write(struct gt_json *json, const struct gt_tasktree *tree,
                             const struct gt_tasktree_line *branch)
{
    gt_json_key_uint(json, "inside", branch->inside);
    if (branch->view != GT_STORE_VIEW_GOROUTINE)
        return;
    gt_json_key_uint(json, "regions", branch->regions);
    gt_json_key_uint(json, "logs", branch->logs);
    gt_json_key_bool(json, "created", branch->is_created);
    gt_json_key_uint(json, "worked_total", branch->time_count);
    gt_json_key_array(json, "worked");
    for (uint32_t i = 0; i < branch->time_count && i < WORKED_MAX; i++) {
        const struct gt_tasktree_time *time = &tree->times.items[branch->first_time + i];
        gt_json_array(json);
        gt_json_int(json, time->start);
        gt_json_int(json, time->end);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void row_lines_write(struct gt_json *json, const struct gt_store *store,
                            const struct gt_listing *listing, uint64_t first, uint64_t count)
{
    size_t total = gt_listing_count(listing);
    struct gt_listing_line line;
    struct gt_store_row row;
    for (size_t i = 0; i < count && first + i < total; i++) {
        gt_listing_get(listing, (size_t) first + i, &line);
        gt_json_object(json);
        if (line.header) {
            row_header_write(json, listing, line.header);
        } else if (gt_store_get_row(store, line.view, line.ordinal, &row)) {
            row_members_write(json, store, &row);
            gt_json_key_uint(json, "depth", line.depth);
            if (line.branch)
                row_branch_write(json, &listing->tree, line.branch);
        }
        gt_json_end(json);
    }
}

void gt_web_serve_rows(struct gt_web *web, struct gt_query *query)
{
    struct gt_listing_order order;
    struct gt_json json;
    uint64_t first = 0, count = ROWS_DEFAULT;
    struct gt_tasktree_maker maker;
    /* A position past the end is not an error: it gives an empty list. */
    gt_query_uint(query, "first", 0, UINT32_MAX, &first);
    gt_query_uint(query, "count", 0, ROWS_MAX, &count);
    if (!gt_row_order_take(query, web, &order, &maker))
        return;
    const struct gt_listing *listing = gt_listings_take(web, &maker, &order);
    if (!listing) {
        gt_response_no_memory(query->response);
        return;
    }
    gt_json_start(&json, query->response);
    gt_json_key_uint(&json, "total", gt_listing_count(listing));
    gt_json_key_array(&json, "rows");
    gt_store_lock_read(web->store);
    row_lines_write(&json, web->store, listing, first, count);
    gt_store_unlock(web->store);
    gt_listings_release(web);
    gt_json_finish(&json);
}

/*
 * Finds the position of a row in the listing, or -1 if it is not in it, and its depth. Returns
 * false if memory runs out.
 */
static bool row_position_find(struct gt_web *web, const struct gt_tasktree_maker *maker,
                              const struct gt_listing_order *order, uint32_t view, uint32_t ordinal,
                              int64_t *position, uint32_t *depth)
{
    struct gt_listing_line line = {.depth = 0};
    const struct gt_listing *listing = gt_listings_take(web, maker, order);
    if (!listing)
        return false;
    *position = gt_listing_position(listing, view, ordinal);
    if (*position >= 0)
        gt_listing_get(listing, (size_t) *position, &line);
    gt_listings_release(web);
    *depth = line.depth;
    return true;
}

void gt_web_serve_row(struct gt_web *web, struct gt_query *query)
{
    struct gt_listing_order order;
    struct gt_store_row row;
    struct gt_json json;
    struct gt_tasktree_maker maker;
    /* The tree of a task has rows of several views. */
    uint32_t view = GT_STORE_VIEW_PROC, ordinal = GT_STORE_NONE, depth = 0;
    int64_t id = 0, position = -1;
    gt_query_view(query, &view);
    gt_query_need(query, "id");
    gt_query_int(query, "id", INT64_MIN, INT64_MAX, &id);
    if (!gt_row_order_take(query, web, &order, &maker))
        return;
    gt_store_lock_read(web->store);
    bool found = gt_store_find_row(web->store, view, id, &ordinal);
    gt_store_unlock(web->store);
    if (!found) {
        gt_response_error(query->response, 404, "no such row");
        return;
    }
    if (!row_position_find(web, &maker, &order, view, ordinal, &position, &depth)) {
        gt_response_no_memory(query->response);
        return;
    }
    gt_json_start(&json, query->response);
    gt_store_lock_read(web->store);
    if (gt_store_get_row(web->store, view, ordinal, &row)) {
        row_members_write(&json, web->store, &row);
        gt_json_key_uint(&json, "depth", depth);
        gt_json_key_int(&json, "position", position);
    }
    gt_store_unlock(web->store);
    gt_json_finish(&json);
}
