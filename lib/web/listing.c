/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "web/answer.h"
#include "web/listing_tree.h"
#include "web/lostrows.h"

enum {
    /*
     * The number of rows that are examined before the lock is released for a moment, so that the
     * thread that loads the trace can continue.
     */
    SLICE = 16384,
    /* The number of bytes of a key, and the number of values of a byte. */
    KEY_BYTES = 8,
    BYTES = 256
};

/* A row that passed the filter, with the key by which it is sorted. */
struct candidate {
    uint64_t key;
    uint32_t ordinal;
    uint32_t name;
};

struct making {
    struct gt_listing *listing;
    struct gt_store *store;
    const struct gt_listing_order *order;
    struct candidate *list;
    size_t count;
    /* The number of rows when the listing was begun. Rows that are added later are left out. */
    uint32_t total;
    /* The filter is an id and not a text. */
    bool has_id;
    int64_t id;
    /* The rows that have losses in the range, if idle rows are left out. */
    struct gt_lostrows lost;
};

void gt_listing_order_init(struct gt_listing_order *order, uint32_t view)
{
    memset(order, 0, sizeof(*order));
    order->view = view;
    order->sort =
        view == GT_STORE_VIEW_PROC || view == GT_STORE_VIEW_THREAD ? GT_SORT_ID : GT_SORT_START;
}

/* The bytes of `list`, which has room for all rows. */
static size_t making_bytes(const struct making *making)
{
    return ((size_t) making->total + 1) * sizeof(*making->list);
}

static void listing_groups_free(struct gt_listing *listing)
{
    gt_mem_free(listing->mem, listing->groups, listing->group_capacity * sizeof(*listing->groups));
}

void gt_listing_order_filter(struct gt_listing_order *order, gt_string filter)
{
    size_t size = filter.size < GT_LISTING_FILTER_MAX ? filter.size : GT_LISTING_FILTER_MAX;
    order->filter_size = size;
    for (size_t i = 0; i < size; i++)
        order->filter[i] = gt_text_lower(filter.data[i]);
}

/*
 * Parses a filter such as "12", or "g12" with the letter of the view's ids. Returns false if it is
 * no id.
 */
static bool listing_parse_id(const struct gt_listing_order *order, int64_t *id)
{
    static const char letters[GT_STORE_VIEWS] = {'p', 'm', 'g', 't'};
    const char *text = order->filter, *end = text + order->filter_size;
    *id = 0;
    if (text < end && *text == letters[order->view])
        text++;
    if (text == end || end - text > 18)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *id = 10 * *id + (*text - '0');
    }
    return true;
}

static bool listing_passes_filter(const struct making *making, const struct gt_store_row *row)
{
    char title[GT_ANSWER_TITLE_MAX];
    const gt_string filter = {making->order->filter, making->order->filter_size};
    if (filter.size == 0)
        return true;
    if (making->has_id)
        return row->id == making->id;
    size_t size = gt_answer_title(row, title);
    return gt_text_contains_lower((gt_string){title, size}, filter) ||
           gt_text_contains_lower(row->label, filter);
}

/*
 * Returns whether nothing happens in a row in the range of the order, or the goroutine waits all
 * that time. If data was lost, it is not known that nothing happened.
 */
static bool listing_is_idle(const struct making *making, const struct gt_store_row *row)
{
    const struct gt_store *store = making->store;
    int64_t start = making->order->start, end = making->order->end;
    struct gt_span span;
    if (gt_lostrows_has(&making->lost, row->view, row->ordinal))
        return false;
    if (row->end < start || row->start > end || row->lane_count == 0)
        return true;
    const struct gt_track *track = gt_store_track(store, row->lanes[0].track);
    if (!track || !gt_track_get(track, gt_track_find(track, start), &span) || span.start >= end)
        return true;
    return gt_answer_is_waiting(span.cls) && span.start <= start && span.end >= end;
}

/* Maps signed to unsigned numbers so that their order remains the same. */
static uint64_t listing_ordered(int64_t value)
{
    return (uint64_t) value ^ (UINT64_C(1) << 63);
}

static int64_t listing_waiting(const int64_t time[GT_STORE_CLASSES])
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++) {
        if (gt_answer_is_waiting(i))
            gt_time_add_to(&sum, time[i]);
    }
    return sum;
}

static uint64_t listing_key_of(const struct gt_listing_order *order, const struct gt_store_row *row)
{
    switch (order->sort) {
    case GT_SORT_ID:
        return listing_ordered(row->id);
    case GT_SORT_DURATION:
        return listing_ordered(gt_time_minus(row->end, row->start));
    case GT_SORT_WAITING:
        return listing_ordered(listing_waiting(row->time));
    default:
        return listing_ordered(order->sort < GT_STORE_CLASSES ? row->time[order->sort]
                                                              : row->start);
    }
}

/* Adds a row to the group of its name. The index of a group is the number of the name. */
static bool listing_add_to_group(struct gt_listing *listing, uint32_t name,
                                 const struct gt_store_row *row)
{
    if (listing->group_count < listing->names.list.count) {
        if (gt_mem_reserve(listing->mem, &listing->groups, &listing->group_capacity,
                           listing->group_count + 1, sizeof(*listing->groups)) != GT_OK)
            return false;
        listing->groups[listing->group_count++] = (struct gt_listing_group){.name = name};
    }
    struct gt_listing_group *group = &listing->groups[name];
    group->members++;
    gt_time_add_to(&group->duration, gt_time_minus(row->end, row->start));
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++)
        gt_time_add_to(&group->time[i], row->time[i]);
    return true;
}

static bool listing_add_candidate(struct making *making, const struct gt_store_row *row)
{
    const struct gt_listing_order *order = making->order;
    struct candidate *candidate = &making->list[making->count++];
    *candidate = (struct candidate){listing_key_of(order, row), row->ordinal, 0};
    if (order->sort != GT_SORT_NAME && !order->grouped)
        return true;
    return gt_web_names_add(&making->listing->names, row->name_text, row->name, &candidate->name) &&
           (!order->grouped || listing_add_to_group(making->listing, candidate->name, row));
}

/*
 * Returns whether the order or the groups depend on the times in states, which are costly to read.
 */
static bool listing_needs_times(const struct gt_listing_order *order)
{
    return order->grouped || order->sort < GT_STORE_CLASSES || order->sort == GT_SORT_WAITING;
}

/* Adds those of the rows [first, last) that the listing contains. The store is locked. */
static bool listing_collect_slice(struct making *making, uint32_t first, uint32_t last)
{
    const struct gt_listing_order *order = making->order;
    bool has_times = listing_needs_times(order);
    struct gt_store_row row;
    for (uint32_t i = first; i < last; i++) {
        bool found = has_times ? gt_store_get_row(making->store, order->view, i, &row)
                               : gt_store_get_row_brief(making->store, order->view, i, &row);
        if (!found || !listing_passes_filter(making, &row))
            continue;
        if (order->hide_idle && listing_is_idle(making, &row))
            continue;
        if (!listing_add_candidate(making, &row))
            return false;
    }
    return true;
}

static bool listing_collect(struct making *making)
{
    bool good = true;
    for (uint32_t i = 0; good && i < making->total; i += SLICE) {
        uint32_t left = making->total - i;
        gt_store_lock_read(making->store);
        good = listing_collect_slice(making, i, i + (left < SLICE ? left : SLICE));
        gt_store_unlock(making->store);
    }
    return good;
}

static int listing_compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* Returns whether the candidates are sorted already, which is the usual case. */
static bool listing_is_sorted(const struct making *making)
{
    for (size_t i = 1; i < making->count; i++) {
        if (listing_compare(&making->list[i - 1], &making->list[i]) > 0)
            return false;
    }
    return true;
}

/*
 * Counts how often each value of each byte occurs in the keys, with the least significant byte
 * first.
 */
static void listing_count_bytes(const struct making *making, size_t counts[KEY_BYTES][BYTES])
{
    memset(counts, 0, KEY_BYTES * sizeof(*counts));
    for (size_t i = 0; i < making->count; i++) {
        for (size_t byte = 0; byte < KEY_BYTES; byte++)
            counts[byte][making->list[i].key >> 8 * byte & (BYTES - 1)]++;
    }
}

/* Copies the candidates to `to`, in the order of one byte of their keys. The sort is stable. */
static void listing_distribute(const struct candidate *from, size_t count, struct candidate *to,
                               size_t byte, const size_t counts[BYTES])
{
    size_t next[BYTES], sum = 0;
    for (size_t i = 0; i < BYTES; i++) {
        next[i] = sum;
        sum += counts[i];
    }
    for (size_t i = 0; i < count; i++)
        to[next[from[i].key >> 8 * byte & (BYTES - 1)]++] = from[i];
}

/*
 * Sorts the candidates by radix, byte by byte, which for a million of them is far faster than by
 * comparisons. Candidates with equal keys remain in the order of their ordinals.
 */
static bool listing_sort_list(struct making *making)
{
    size_t counts[KEY_BYTES][BYTES];
    struct gt_mem *mem = making->listing->mem;
    struct candidate *other = gt_mem_alloc(mem, making_bytes(making));
    if (!other)
        return false;
    listing_count_bytes(making, counts);
    for (size_t byte = 0; byte < KEY_BYTES; byte++) {
        /* A byte that is the same in all keys needs no pass, and the upper bytes usually are. */
        if (counts[byte][making->list[0].key >> 8 * byte & (BYTES - 1)] == making->count)
            continue;
        listing_distribute(making->list, making->count, other, byte, counts[byte]);
        struct candidate *sorted = other;
        other = making->list;
        making->list = sorted;
    }
    gt_mem_free(mem, other, making_bytes(making));
    return true;
}

static bool listing_sort(struct making *making)
{
    struct gt_web_names *names = &making->listing->names;
    bool by_name = making->order->sort == GT_SORT_NAME;
    if (by_name && !gt_names_rank(names))
        return false;
    for (size_t i = 0; i < making->count; i++) {
        struct candidate *candidate = &making->list[i];
        if (by_name)
            candidate->key = names->list.items[candidate->name].rank;
        /* Inverting the keys leaves rows with equal keys in the order of ordinals. */
        if (making->order->descending)
            candidate->key = ~candidate->key;
    }
    return listing_is_sorted(making) || listing_sort_list(making);
}

/*
 * Returns the key of a group. It is a time where the order is by time; otherwise all groups have
 * the same key, and are in the order of their first rows.
 */
static uint64_t listing_key_of_group(const struct gt_listing_order *order,
                                     const struct gt_listing_group *group)
{
    int64_t value = order->sort < GT_STORE_CLASSES    ? group->time[order->sort]
                    : order->sort == GT_SORT_WAITING  ? listing_waiting(group->time)
                    : order->sort == GT_SORT_DURATION ? group->duration
                                                      : 0;
    return order->descending ? ~listing_ordered(value) : listing_ordered(value);
}

/* Sorts `keys`, which has an element for each group. */
static void listing_sort_groups(const struct making *making, struct candidate *keys)
{
    const struct gt_listing *listing = making->listing;
    for (size_t i = making->count; i > 0; i--)
        keys[making->list[i - 1].name].ordinal = (uint32_t) i;
    for (uint32_t i = 0; i < listing->group_count; i++) {
        keys[i].key = listing_key_of_group(making->order, &listing->groups[i]);
        keys[i].name = i;
    }
    qsort(keys, listing->group_count, sizeof(*keys), listing_compare);
}

/*
 * Copies the groups to `sorted` with their positions, and puts the rows of each group one after
 * another.
 */
static void listing_place_groups(struct making *making, const struct candidate *keys,
                                 struct gt_listing_group *sorted, uint32_t *next)
{
    struct gt_listing *listing = making->listing;
    size_t row = 0;
    for (size_t i = 0; i < listing->group_count; i++) {
        uint32_t name = keys[i].name;
        sorted[i] = listing->groups[name];
        sorted[i].position = row + i;
        next[name] = (uint32_t) row;
        row += sorted[i].members;
    }
    for (size_t i = 0; i < making->count; i++)
        listing->rows[next[making->list[i].name]++] = making->list[i].ordinal;
}

static bool listing_group(struct making *making)
{
    struct gt_listing *listing = making->listing;
    struct gt_mem *mem = listing->mem;
    size_t count = listing->group_count + 1;
    struct candidate *keys = gt_mem_zeros(mem, count * sizeof(*keys));
    struct gt_listing_group *sorted = gt_mem_alloc(mem, count * sizeof(*sorted));
    uint32_t *next = gt_mem_alloc(mem, count * sizeof(*next));
    bool good = keys && sorted && next;
    if (good) {
        listing_sort_groups(making, keys);
        listing_place_groups(making, keys, sorted, next);
        listing_groups_free(listing);
        listing->groups = sorted;
        listing->group_capacity = count;
        sorted = NULL;
    }
    gt_mem_free(mem, keys, count * sizeof(*keys));
    gt_mem_free(mem, sorted, count * sizeof(*sorted));
    gt_mem_free(mem, next, count * sizeof(*next));
    return good;
}

/*
 * Sorts the candidates and stores them in the listing, grouped or as a tree if the order says so.
 */
static bool listing_finish(struct making *making)
{
    struct gt_listing *listing = making->listing;
    const struct gt_listing_order *order = making->order;
    listing->row_count = making->count;
    listing->rows = gt_mem_alloc(listing->mem, (making->count + 1) * sizeof(*listing->rows));
    if (!listing->rows || !listing_sort(making))
        return false;
    if (order->grouped)
        return listing_group(making);
    for (size_t i = 0; i < making->count; i++)
        listing->rows[i] = making->list[i].ordinal;
    return order->sort != GT_SORT_PARENT ||
           gt_listing_tree(listing, making->store, order->view, making->total);
}

static bool listing_wants_line(void *user_data, const struct gt_tasktree_line *line)
{
    const struct making *making = user_data;
    const struct gt_listing_order *order = making->order;
    struct gt_store_row row;
    return gt_store_get_row_brief(making->store, line->view, line->ordinal, &row) &&
           listing_passes_filter(making, &row) &&
           !(order->hide_idle && listing_is_idle(making, &row));
}

static bool listing_make_tree(struct making *making, const struct gt_tasktree_maker *maker)
{
    const struct gt_listing_order *order = making->order;
    struct gt_listing *listing = making->listing;
    listing->has_tree = true;
    bool good = maker->make(&listing->tree, making->store, maker->context, order->task);
    if (good && (order->filter_size > 0 || order->hide_idle))
        good = gt_tasktree_filter(&listing->tree, making->store, listing_wants_line, making);
    return good;
}

/* Finds the rows with losses. In the tree of a task these are goroutines. */
static bool listing_find_lost(struct making *making)
{
    const struct gt_listing_order *order = making->order;
    uint32_t view = order->has_task ? GT_STORE_VIEW_GOROUTINE : order->view;
    if (!order->hide_idle)
        return true;
    gt_store_lock_read(making->store);
    bool good = gt_lostrows_find(&making->lost, making->store, view, order->start, order->end);
    gt_store_unlock(making->store);
    return good;
}

/* Makes a listing of all rows of a view. */
static bool listing_make_view(struct making *making, struct gt_mem *mem)
{
    struct gt_listing *listing = making->listing;
    making->has_id = listing_parse_id(making->order, &making->id);
    gt_store_lock_read(making->store);
    making->total = gt_store_row_count(making->store, making->order->view);
    gt_store_unlock(making->store);
    making->list = gt_mem_alloc(mem, making_bytes(making));
    bool good = making->list && listing_collect(making) && listing_finish(making);
    gt_mem_free(mem, making->list, making_bytes(making));
    gt_names_close(&listing->names);
    return good;
}

bool gt_listing_make(struct gt_listing *listing, struct gt_mem *mem, struct gt_store *store,
                     const struct gt_tasktree_maker *maker, const struct gt_listing_order *order)
{
    struct making making = {.listing = listing, .store = store, .order = order, .lost.mem = mem};
    *listing =
        (struct gt_listing){.mem = mem, .view = order->view, .names.mem = mem, .tree.mem = mem};
    bool good = listing_find_lost(&making);
    if (good && order->has_task)
        good = listing_make_tree(&making, maker);
    else if (good)
        good = listing_make_view(&making, mem);
    gt_lostrows_free(&making.lost);
    if (!good)
        gt_listing_free(listing);
    return good;
}

void gt_listing_free(struct gt_listing *listing)
{
    size_t count = listing->row_count + 1;
    gt_tasktree_free(&listing->tree);
    gt_mem_free(listing->mem, listing->rows, count * sizeof(*listing->rows));
    gt_mem_free(listing->mem, listing->depths, count * sizeof(*listing->depths));
    listing_groups_free(listing);
    gt_names_free(&listing->names);
}

size_t gt_listing_count(const struct gt_listing *listing)
{
    return listing->has_tree ? listing->tree.lines.count
                             : listing->row_count + listing->group_count;
}

static const char unknown[] = "(unknown)";

gt_string gt_listing_title(const struct gt_listing *listing, const struct gt_listing_group *group)
{
    gt_string name = gt_names_get(&listing->names, group->name);
    return name.size > 0 ? name : (gt_string){unknown, sizeof(unknown) - 1};
}

size_t gt_listing_headers_until(const struct gt_listing *listing, size_t position)
{
    size_t low = 0, high = listing->group_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (listing->groups[middle].position <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void gt_listing_get(const struct gt_listing *listing, size_t position, struct gt_listing_line *line)
{
    size_t groups = gt_listing_headers_until(listing, position);
    *line = (struct gt_listing_line){.view = listing->view, .ordinal = GT_STORE_NONE};
    if (listing->has_tree) {
        line->branch = &listing->tree.lines.items[position];
        line->view = line->branch->view;
        line->ordinal = line->branch->ordinal;
        line->depth = line->branch->depth;
        return;
    }
    if (groups > 0 && listing->groups[groups - 1].position == position) {
        line->header = &listing->groups[groups - 1];
        return;
    }
    line->ordinal = listing->rows[position - groups];
    if (listing->depths)
        line->depth = listing->depths[position];
}

static int64_t listing_position_in_tree(const struct gt_tasktree *tree, uint32_t view,
                                        uint32_t ordinal)
{
    for (size_t i = 0; i < tree->lines.count; i++) {
        if (tree->lines.items[i].view == view && tree->lines.items[i].ordinal == ordinal)
            return (int64_t) i;
    }
    return -1;
}

int64_t gt_listing_position(const struct gt_listing *listing, uint32_t view, uint32_t ordinal)
{
    size_t row = 0, groups = 0;
    if (listing->has_tree)
        return listing_position_in_tree(&listing->tree, view, ordinal);
    if (view != listing->view)
        return -1;
    while (row < listing->row_count && listing->rows[row] != ordinal)
        row++;
    if (row == listing->row_count)
        return -1;
    while (groups < listing->group_count && listing->groups[groups].position <= row + groups)
        groups++;
    return (int64_t) (row + groups);
}
