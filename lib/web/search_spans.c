/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_spans.h"

#include "base/time.h"
#include "web/scan.h"

enum {
    /* Goroutines whose names contain none of the words, and goroutines whose names contain some. */
    OTHERS,
    NAMED,
    PARTIES,
    /* The lanes of states, regions and ranges. */
    LANES = GT_LANE_RANGE + 1
};

/*
 * What can match in one kind of lane, according to what the store contains when the search
 * begins.
 */
struct wanted {
    /*
     * The masks of the names and classes that occur in matching spans, as the store keeps them by
     * track.
     */
    uint32_t uses;
    struct gt_track_filter filter;
};

/*
 * How a search proceeds. Most queries select spans by name and class, and for each pair of these
 * the store knows how many spans there are, and in which tracks.
 */
struct plan {
    struct gt_search *search;
    struct wanted wanted[PARTIES][LANES];
    /*
     * The kind of result that the spans of a lane give, or GT_SEARCH_KINDS if they are not
     * searched.
     */
    enum gt_search_kind kinds[LANES];
    /* For the filters: the lanes and goroutines for which a name is wanted, as bits by name. */
    uint8_t *names;
    uint32_t name_count;
    /*
     * Whether a span matches does not depend on its goroutine, so the totals are known in
     * advance.
     */
    bool is_counted;
    uint64_t totals[GT_SEARCH_KINDS];
};

/* The state of one thread. */
struct worker {
    const struct plan *plan;
    struct gt_search_match match;
    struct gt_hits hits[GT_SEARCH_KINDS];
};

static void search_spans_find_kinds(struct plan *plan, const struct gt_search_match *match)
{
    const bool *wants = match->wants;
    /* A query never wants both reasons and states. */
    plan->kinds[GT_LANE_STATE] = wants[GT_SEARCH_REASON]  ? GT_SEARCH_REASON
                                 : wants[GT_SEARCH_STATE] ? GT_SEARCH_STATE
                                                          : GT_SEARCH_KINDS;
    plan->kinds[GT_LANE_REGION] = wants[GT_SEARCH_REGION] ? GT_SEARCH_REGION : GT_SEARCH_KINDS;
    plan->kinds[GT_LANE_RANGE] = wants[GT_SEARCH_RANGE] ? GT_SEARCH_RANGE : GT_SEARCH_KINDS;
}

/* Whether name and class alone decide if a span matches, so that totals need no scan. */
static bool search_spans_can_count(const struct gt_search *search,
                                   const struct gt_search_match *match)
{
    const struct gt_search_query *query = match->query;
    bool of_goroutine = query->has_goroutine || match->terms_of[GT_SEARCH_FUNC] != 0;
    /* Words may match the name of a state's goroutine. */
    bool has_other_text = match->wants[GT_SEARCH_STATE] && match->terms_of[GT_SEARCH_TEXT] != 0;
    return !search->range && !search->tracks && !search->table && !of_goroutine &&
           !query->has_duration && !query->has_ended && match->terms_of[GT_SEARCH_STACK] == 0 &&
           !has_other_text;
}

static uint8_t search_spans_name_bit(uint32_t party, uint32_t lane)
{
    return (uint8_t) (1u << (party * LANES + lane));
}

static void search_spans_plan_use(struct plan *plan, struct gt_search_match *match,
                                  const struct gt_store_use *use)
{
    uint32_t lane = gt_scan_lane_of(use->cls);
    if (lane >= LANES)
        return;
    for (uint32_t party = 0; party < PARTIES; party++) {
        uint32_t in_name = party == NAMED ? match->terms_of[GT_SEARCH_TEXT] : 0;
        enum gt_search_kind kind =
            gt_search_match_use(match, plan->search->store, lane, use->cls, use->name, in_name);
        if (kind == GT_SEARCH_KINDS)
            continue;
        struct wanted *wanted = &plan->wanted[party][lane];
        wanted->uses |= use->mask;
        wanted->filter.classes |= UINT32_C(1) << use->cls;
        plan->names[use->name] |= search_spans_name_bit(party, lane);
        if (plan->is_counted && party == OTHERS)
            plan->totals[kind] += use->count;
    }
}

/* The caller holds the store's lock. Returns false if memory runs out. */
static bool search_spans_plan_uses(struct plan *plan, struct gt_search_match *match)
{
    const struct gt_store *store = plan->search->store;
    struct gt_store_use use;
    plan->name_count = gt_store_text_count(store);
    plan->names = gt_mem_zeros(plan->search->mem, plan->name_count);
    if (!plan->names)
        return false;
    for (uint32_t party = 0; party < PARTIES; party++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            plan->wanted[party][lane].filter = (struct gt_track_filter){
                .shortest = (uint64_t) match->query->shortest,
                .longest = (uint64_t) match->query->longest,
                .names = plan->names,
                .name_count = plan->name_count,
                .name_bit = search_spans_name_bit(party, lane),
            };
        }
    }
    for (uint32_t i = 0; match->query->longest >= 0 && gt_store_get_use(store, i, &use); i++)
        search_spans_plan_use(plan, match, &use);
    return !match->failed;
}

static bool search_spans_may_match(void *user_data, const struct gt_scan_part *part)
{
    const struct worker *worker = user_data;
    const struct plan *plan = worker->plan;
    uint32_t uses = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        uses |= plan->wanted[OTHERS][lane].uses | plan->wanted[NAMED][lane].uses;
    return (gt_store_track_uses(part->store, part->id) & uses) != 0;
}

/*
 * Visits the spans of a part that pass the filter. If `is_exact`, all of these match, so spans
 * that begin later than the hits that are kept are only counted, or skipped if the totals are
 * known. Returns false if memory runs out.
 */
static bool search_spans_add_spans(struct worker *worker, const struct gt_scan_part *part,
                                   const struct gt_track_filter *filter, uint32_t in_name,
                                   bool is_exact)
{
    struct gt_hits *hits = &worker->hits[worker->plan->kinds[part->lane]];
    uint32_t i = gt_track_next(part->track, part->first, part->last, filter);
    for (; i < part->last; i = gt_track_next(part->track, i + 1, part->last, filter)) {
        struct gt_span span;
        if (!gt_track_get(part->track, i, &span) || (is_exact && !gt_hits_keep(hits, span.start)))
            break;
        const struct gt_hit hit = {
            .start = span.start,
            .end = span.end,
            .view = part->view,
            .ordinal = part->ordinal,
            .track = part->id,
            .index = i,
            .name = span.name,
            .cls = span.cls,
        };
        if (gt_search_match_span(&worker->match, part->store, part->lane, &span, in_name) <
                GT_SEARCH_KINDS &&
            !gt_hits_add(hits, &hit))
            return false;
    }
    if (worker->plan->is_counted)
        return true;
    for (; i < part->last; i = gt_track_next(part->track, i + 1, part->last, filter))
        hits->total++;
    return true;
}

/* Whether the whole track is shorter than `shortest`, and so every span in it. */
static bool search_spans_is_shorter(const struct gt_track *track, int64_t shortest)
{
    int64_t start, end;
    return gt_track_extent(track, &start, &end) && gt_time_minus(end, start) < shortest;
}

static bool search_spans_add_part(void *user_data, const struct gt_scan_part *part)
{
    struct worker *worker = user_data;
    const struct plan *plan = worker->plan;
    struct gt_search_match *match = &worker->match;
    uint32_t words = match->terms_of[GT_SEARCH_TEXT], in_name = 0;
    struct gt_store_head head;
    if (part->view != GT_STORE_VIEW_GOROUTINE || part->lane >= LANES ||
        plan->kinds[part->lane] == GT_SEARCH_KINDS)
        return true;
    if (plan->is_counted && !gt_hits_keep(&worker->hits[plan->kinds[part->lane]], part->start))
        return true;
    if (match->query->shortest > 0 && search_spans_is_shorter(part->track, match->query->shortest))
        return true;
    if (!gt_store_get_head(part->store, part->view, part->ordinal, &head) ||
        !gt_search_match_goroutine(match, part->store, &head))
        return !match->failed;
    if (words != 0)
        in_name = words & (gt_search_match_text(match, part->store, head.name) |
                           gt_search_match_text(match, part->store, head.label));
    const struct wanted *wanted = &plan->wanted[in_name != 0 ? NAMED : OTHERS][part->lane];
    if ((gt_store_track_uses(part->store, part->id) & wanted->uses) == 0)
        return !match->failed;
    bool is_exact = match->terms_of[GT_SEARCH_STACK] == 0 && !match->query->has_ended &&
                    !plan->search->table && (in_name == 0 || in_name == words);
    return search_spans_add_spans(worker, part, &wanted->filter, in_name, is_exact) &&
           !match->failed;
}

/* Restricts the scope to a copy of the tracks that are searched. */
static bool search_spans_take_tracks(struct gt_scope *scope, struct gt_mem *mem,
                                     const struct gt_query_tracks *searched)
{
    struct gt_query_tracks *tracks = &scope->tracks;
    scope->has_tracks = true;
    tracks->mem = mem;
    if (gt_mem_reserve(mem, &tracks->list, &tracks->capacity, searched->count,
                       sizeof(*tracks->list)) != GT_OK)
        return false;
    for (size_t i = 0; i < searched->count; i++)
        tracks->list[tracks->count++] = searched->list[i];
    return true;
}

/* Restricts the scope to the only goroutine that the query is about. */
static bool search_spans_take_goroutine(struct gt_scope *scope, struct gt_mem *mem,
                                        struct gt_store *store, int64_t id)
{
    struct gt_query_tracks *tracks = &scope->tracks;
    struct gt_store_row row;
    uint32_t ordinal;
    bool good = true;
    scope->has_tracks = true;
    gt_store_lock_read(store);
    if (gt_store_find_row(store, GT_STORE_VIEW_GOROUTINE, id, &ordinal) &&
        gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, ordinal, &row)) {
        tracks->mem = mem;
        good = gt_mem_reserve(mem, &tracks->list, &tracks->capacity, row.lane_count,
                              sizeof(*tracks->list)) == GT_OK;
        for (size_t i = 0; i < row.lane_count && good; i++)
            tracks->list[tracks->count++] = row.lanes[i].track;
    }
    gt_store_unlock(store);
    return good;
}

/* Adds the hits of a worker to those of the search, and frees the worker. */
static bool search_spans_hand_over(const struct plan *plan, struct worker *worker)
{
    bool good = true;
    for (unsigned kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        if (plan->is_counted)
            worker->hits[kind].total = 0;
        good = good && gt_hits_merge(&plan->search->hits[kind], &worker->hits[kind]);
        gt_hits_free(&worker->hits[kind]);
    }
    gt_search_match_free(&worker->match);
    return good;
}

static bool search_spans_scan_spans(const struct plan *plan, const struct gt_scope *scope,
                                    const struct gt_search_match *match)
{
    struct gt_search *search = plan->search;
    struct worker workers[GT_SCAN_WORKERS];
    struct gt_scan scan = {.store = search->store,
                           .scope = scope,
                           .select = search_spans_may_match,
                           .each = search_spans_add_part,
                           .most = plan->is_counted ? 0 : search->most,
                           .response = search->response};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (plan->kinds[lane] != GT_SEARCH_KINDS)
            scan.lanes |= UINT32_C(1) << lane;
    }
    for (size_t i = 0; i < GT_SCAN_WORKERS; i++) {
        workers[i] = (struct worker){.plan = plan};
        gt_search_match_init(&workers[i].match, search->mem, search->query, match->stacks,
                             match->stack_count);
        for (unsigned kind = 0; kind < GT_SEARCH_KINDS; kind++)
            workers[i].hits[kind] = gt_search_new_hits(search, kind);
    }
    bool good = gt_scan_run(&scan, &workers[0], &workers[1]) == GT_SCAN_DONE;
    for (size_t i = 0; i < GT_SCAN_WORKERS; i++)
        good = search_spans_hand_over(plan, &workers[i]) && good;
    for (unsigned kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        search->hits[kind].total <<= scan.thinning;
        search->hits[kind].total += plan->totals[kind];
    }
    search->spans = gt_scan_spans(&scan);
    search->approximate = scan.thinning > 0;
    return good;
}

bool gt_search_spans(struct gt_search *search, struct gt_search_match *match)
{
    struct plan plan = {.search = search, .is_counted = search_spans_can_count(search, match)};
    struct gt_scope scope = {.start = -1, .end = INT64_MAX, .view = GT_STORE_VIEW_GOROUTINE};
    if (search->range) {
        scope.start = search->range->start;
        scope.end = search->range->end;
    }
    search_spans_find_kinds(&plan, match);
    bool is_wanted = false, good = true;
    for (uint32_t lane = 0; lane < LANES; lane++)
        is_wanted |= plan.kinds[lane] != GT_SEARCH_KINDS;
    if (!is_wanted)
        return true;
    if (search->tracks)
        good = search_spans_take_tracks(&scope, search->mem, search->tracks);
    else if (search->query->has_goroutine)
        good = search_spans_take_goroutine(&scope, search->mem, search->store,
                                           search->query->goroutine);
    gt_store_lock_read(search->store);
    good = good && search_spans_plan_uses(&plan, match);
    gt_store_unlock(search->store);
    good = good && search_spans_scan_spans(&plan, &scope, match);
    gt_scope_free(&scope);
    gt_mem_free(search->mem, plan.names, plan.name_count);
    return good;
}
