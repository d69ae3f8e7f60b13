/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/series.h"

#include <string.h>

#include "base/hash.h"
#include "base/time.h"

void gt_compare_set_init(struct gt_compare_set *set, struct gt_mem *mem, uint64_t most)
{
    set->mem = mem;
    set->most = most;
    set->secret = gt_hash_secret(set);
    gt_pool_init(&set->octaves, mem, GT_OCTAVE_BYTES);
}

void gt_compare_set_destroy(struct gt_compare_set *set)
{
    for (size_t i = 0; i < set->list.count; i++) {
        for (uint32_t side = 0; side < GT_COMPARE_SIDES; side++) {
            gt_array_free(set->mem, &set->list.items[i].parts[side].cells);
            gt_array_free(set->mem, &set->list.items[i].parts[side].buckets);
        }
    }
    gt_array_free(set->mem, &set->list);
    gt_index_free(&set->index, set->mem);
    gt_pool_destroy(&set->octaves);
    for (uint32_t side = 0; side < GT_COMPARE_SIDES; side++)
        gt_array_free(set->mem, &set->pieces[side]);
}

void gt_compare_set_begin(struct gt_compare_set *set, uint32_t side, int64_t time)
{
    set->side = side;
    set->start = set->now = time;
    set->piece_time = GT_COMPARE_PIECE_TIME;
    set->piece_begin = 0;
    set->piece = 0;
}

/* The number that the first piece of the current trace has among all of the side. */
static size_t compare_first_piece(const struct gt_compare_set *set)
{
    return set->pieces[set->side].count;
}

/* Moves the durations of the piece from the dense histogram, which then is empty. */
static gt_status series_store(struct gt_compare_set *set, struct gt_compare_series *series)
{
    struct gt_compare_part *part = &series->parts[set->side];
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    uint32_t piece = (uint32_t) compare_first_piece(set) + set->piece;
    gt_status status = GT_OK;
    if (series->durations.count == 0)
        return GT_OK;
    while (status == GT_OK && gt_durations_next_bucket(&series->durations, &bucket) == GT_OK) {
        const struct gt_compare_bucket kept = {
            piece, bucket.count > UINT32_MAX ? UINT32_MAX : (uint32_t) bucket.count, bucket.from};
        status = gt_array_add(set->mem, &part->buckets, kept);
    }
    for (unsigned i = 0; i < GT_OCTAVES; i++) {
        if (series->durations.octaves[i])
            gt_pool_give(&set->octaves, series->durations.octaves[i]);
    }
    gt_durations_init(&series->durations);
    return status;
}

static gt_status compare_store(struct gt_compare_set *set)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < set->list.count && status == GT_OK; i++)
        status = series_store(set, &set->list.items[i]);
    return status;
}

/* Joins the cells of the current trace, 2^`shift` of them each. */
static void part_cells_join(struct gt_compare_part *part, size_t first, unsigned shift)
{
    size_t count = part->cells.count;
    for (size_t i = first; i < count; i++) {
        const struct gt_compare_cell cell = part->cells.items[i];
        struct gt_compare_cell *to = &part->cells.items[first + ((i - first) >> shift)];
        if (to == &part->cells.items[i])
            continue;
        part->cells.items[i] = (struct gt_compare_cell){0, 0};
        to->count += cell.count;
        to->sum += cell.sum;
    }
    if (count > first)
        part->cells.count = first + ((count - 1 - first) >> shift) + 1;
}

/* Merges two sorted runs of buckets, which become those of one piece. Returns their number. */
static size_t buckets_merge(const struct gt_compare_bucket *a, size_t a_count,
                            const struct gt_compare_bucket *b, size_t b_count,
                            struct gt_compare_bucket *to)
{
    size_t i = 0, k = 0, count = 0;
    while (i < a_count || k < b_count) {
        bool takes_a = k == b_count || (i < a_count && a[i].from <= b[k].from);
        bool takes_b = i == a_count || (k < b_count && b[k].from <= a[i].from);
        to[count] = takes_a ? a[i] : b[k];
        if (takes_a && takes_b && b[k].count > UINT32_MAX - a[i].count)
            to[count].count = UINT32_MAX;
        else if (takes_a && takes_b)
            to[count].count += b[k].count;
        i += takes_a;
        k += takes_b;
        count++;
    }
    return count;
}

/* The number of buckets from index `at` on that are of the same piece. */
static size_t part_run(const struct gt_compare_part *part, size_t at)
{
    size_t end = at;
    while (end < part->buckets.count &&
           part->buckets.items[end].piece == part->buckets.items[at].piece)
        end++;
    return end - at;
}

/* Joins the pieces of the current trace in pairs, by means of `room` for all buckets. */
static void part_buckets_halve(struct gt_compare_part *part, size_t first,
                               struct gt_compare_bucket *room)
{
    size_t at = 0, kept;
    while (at < part->buckets.count && part->buckets.items[at].piece < first)
        at++;
    kept = at;
    while (at < part->buckets.count) {
        size_t run = part_run(part, at), next = part_run(part, at + run);
        const struct gt_compare_bucket *items = &part->buckets.items[at];
        uint32_t piece = (uint32_t) (first + ((items[0].piece - first) >> 1));
        if (next > 0 && first + ((items[run].piece - first) >> 1) != piece)
            next = 0;
        size_t merged = buckets_merge(items, run, items + run, next, room);
        at += run + next;
        for (size_t i = 0; i < merged; i++) {
            room[i].piece = piece;
            part->buckets.items[kept++] = room[i];
        }
    }
    part->buckets.count = kept;
}

static gt_status part_buckets_join(struct gt_compare_set *set, struct gt_compare_part *part,
                                   unsigned shift)
{
    size_t count = part->buckets.count;
    if (count == 0)
        return GT_OK;
    struct gt_compare_bucket *room = gt_mem_alloc(set->mem, count * sizeof(*room));
    if (!room)
        return gt_mem_failure(set->mem);
    /* After so many joins all pieces are one. */
    for (unsigned i = 0; i < shift && i < GT_COMPARE_PIECES; i++)
        part_buckets_halve(part, compare_first_piece(set), room);
    gt_mem_free(set->mem, room, count * sizeof(*room));
    return GT_OK;
}

/* Makes pieces so long that a trace of this time has few enough. */
static gt_status compare_widen(struct gt_compare_set *set, uint64_t time)
{
    unsigned shift = 0;
    gt_status status = GT_OK;
    while (time / GT_COMPARE_PIECES >= set->piece_time && set->piece_time <= UINT64_MAX / 4) {
        set->piece_time *= 2;
        shift++;
    }
    for (size_t i = 0; i < set->list.count && status == GT_OK && shift > 0; i++) {
        struct gt_compare_part *part = &set->list.items[i].parts[set->side];
        part_cells_join(part, compare_first_piece(set), shift);
        status = part_buckets_join(set, part, shift);
    }
    return status;
}

gt_status gt_compare_set_advance(struct gt_compare_set *set, int64_t time)
{
    uint64_t since = gt_time_span(set->start, time);
    set->now = time;
    if (since - set->piece_begin < set->piece_time)
        return GT_OK;
    gt_status status = compare_store(set);
    if (status == GT_OK)
        status = compare_widen(set, since);
    set->piece = (uint32_t) (since / set->piece_time);
    set->piece_begin = set->piece * set->piece_time;
    return status;
}

gt_status gt_compare_set_end(struct gt_compare_set *set, uint32_t trace)
{
    gt_status status = compare_store(set);
    uint64_t left = gt_time_span(set->start, set->now);
    for (uint32_t i = 0; i <= set->piece && status == GT_OK; i++) {
        uint64_t time = i < set->piece ? set->piece_time : left;
        const struct gt_compare_piece piece = {time, trace, i > 0 && time < set->piece_time / 2};
        left -= time;
        status = gt_array_add(set->mem, &set->pieces[set->side], piece);
    }
    return status;
}

static bool compare_key_is_same(const struct gt_compare_key *a, const struct gt_compare_key *b)
{
    return a->subject == b->subject && a->measure == b->measure && a->name == b->name &&
           a->detail == b->detail && a->is_per_one == b->is_per_one;
}

/* Does what compare_series_get does, for a series that is not among the recent ones. */
static gt_status compare_series_find(struct gt_compare_set *set, const struct gt_compare_key *key,
                                     struct gt_compare_series **series)
{
    uint64_t kind = (uint64_t) key->subject << 8 | key->measure << 1 | key->is_per_one;
    uint64_t hash = gt_hash_pair((uint64_t) key->name << 32 | key->detail, kind, set->secret);
    GT_INDEX_FIND(*series, &set->list, &set->index, hash,
                  compare_key_is_same(&(*series)->key, key));
    if (*series)
        return GT_OK;
    if (gt_compare_set_is_full(set, key->subject)) {
        set->lost++;
        return GT_OK;
    }
    struct gt_compare_series fresh;
    memset(&fresh, 0, sizeof(fresh));
    fresh.key = *key;
    gt_durations_init(&fresh.durations);
    gt_status status = gt_index_append(&set->index, &set->list, set->mem, hash, fresh);
    if (status != GT_OK)
        return status;
    set->stacks += key->subject == GT_COMPARE_STACK;
    *series = &set->list.items[set->list.count - 1];
    return GT_OK;
}

/* Sets `*series` to the series, which is added if it is new, or to NULL if there are too many. */
static gt_status compare_series_get(struct gt_compare_set *set, const struct gt_compare_key *key,
                                    struct gt_compare_series **series)
{
    uint64_t what = (uint64_t) key->detail << 8 | key->subject << 5 | key->measure << 1;
    uint32_t *place =
        gt_recent_place(&set->recent, ((uint64_t) key->name << 32 ^ what) | key->is_per_one);
    GT_RECENT_FIND(*series, &set->list, place, compare_key_is_same(&(*series)->key, key));
    if (*series)
        return GT_OK;
    gt_status status = compare_series_find(set, key, series);
    if (status == GT_OK && *series)
        *place = (uint32_t) (*series - set->list.items);
    return status;
}

/* Makes the cells up to a piece of the current trace. */
static gt_status compare_cells_get(struct gt_compare_set *set, const struct gt_compare_key *key,
                                   uint32_t piece, struct gt_compare_cell **cells)
{
    struct gt_compare_series *series;
    gt_status status = compare_series_get(set, key, &series);
    *cells = NULL;
    if (status != GT_OK || !series)
        return status;
    struct gt_compare_part *part = &series->parts[set->side];
    size_t least = compare_first_piece(set) + piece + 1;
    if (part->cells.count < least)
        status = gt_array_extend(set->mem, &part->cells, least);
    if (status == GT_OK)
        *cells = part->cells.items + compare_first_piece(set);
    return status;
}

/* Adds the time from `begin` on to the pieces before the current one, and returns its begin. */
static uint64_t compare_earlier_add(const struct gt_compare_set *set, struct gt_compare_cell *cells,
                                    uint64_t begin)
{
    for (uint64_t piece = begin / set->piece_time; piece < set->piece; piece++) {
        uint64_t next = (piece + 1) * set->piece_time;
        cells[piece].sum += (double) (next - begin);
        begin = next;
    }
    return begin;
}

gt_status gt_compare_add_time(struct gt_compare_set *set, const struct gt_compare_key *key,
                              int64_t from)
{
    struct gt_compare_cell *cells;
    gt_status status = compare_cells_get(set, key, set->piece, &cells);
    if (status != GT_OK || !cells)
        return status;
    uint64_t begin = from > set->start ? gt_time_span(set->start, from) : 0;
    uint64_t end = gt_time_span(set->start, set->now);
    /* Most begins in the current piece, and the division for the others takes long. */
    if (begin < set->piece_begin)
        begin = compare_earlier_add(set, cells, begin);
    cells[set->piece].sum += (double) (end - begin);
    cells[set->piece].count++;
    return GT_OK;
}

gt_status gt_compare_add_one(struct gt_compare_set *set, const struct gt_compare_key *key,
                             double amount)
{
    struct gt_compare_cell *cells;
    gt_status status = compare_cells_get(set, key, set->piece, &cells);
    if (status == GT_OK && cells) {
        cells[set->piece].sum += amount;
        cells[set->piece].count++;
    }
    return status;
}

gt_status gt_compare_add_duration(struct gt_compare_set *set, const struct gt_compare_key *key,
                                  int64_t duration)
{
    struct gt_compare_series *series;
    gt_status status = compare_series_get(set, key, &series);
    return status == GT_OK && series
               ? gt_durations_add(&series->durations, set->mem, &set->octaves, duration)
               : status;
}
