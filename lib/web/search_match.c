/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_match.h"

#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
#include "base/time.h"
#include "web/answer.h"

static bool match_has_kind(const struct gt_search_query *query, enum gt_search_kind kind)
{
    return (query->kinds >> kind & 1) != 0;
}

/*
 * Whether the query names kinds. Their results are wanted then, even if no word narrows them
 * down.
 */
static bool match_is_explicit(const struct gt_search_query *query)
{
    return query->kinds != (UINT32_C(1) << GT_SEARCH_KINDS) - 1;
}

uint32_t gt_search_terms_of(const struct gt_search_query *query, enum gt_search_field field)
{
    uint32_t terms = 0;
    for (size_t i = 0; i < query->count; i++) {
        if (query->terms[i].field == field)
            terms |= UINT32_C(1) << i;
    }
    return terms;
}

uint32_t gt_search_terms_in(const struct gt_search_query *query, gt_string string)
{
    uint32_t terms = 0;
    for (size_t i = 0; i < query->count; i++) {
        const struct gt_search_term *term = &query->terms[i];
        bool found = term->pattern
                         ? gt_pattern_matches(term->pattern, string)
                         : gt_text_contains_lower(string, (gt_string){term->text, term->size});
        if (found)
            terms |= UINT32_C(1) << i;
    }
    return terms;
}

uint32_t gt_search_match_text(struct gt_search_match *match, const struct gt_store *store,
                              uint32_t text)
{
    /* This bit marks an element whose other bits are valid. */
    const uint32_t known = UINT32_C(1) << 31;
    if (gt_array_extend(match->mem, &match->terms, text + (size_t) 1) != GT_OK) {
        match->failed = true;
        return 0;
    }
    uint32_t *terms = &match->terms.items[text];
    if (*terms == 0)
        *terms = gt_search_terms_in(match->query, gt_store_text(store, text)) | known;
    return *terms & ~known;
}

uint32_t gt_search_match_row(struct gt_search_match *match, const struct gt_store *store,
                             const struct gt_store_head *head)
{
    uint32_t found = gt_search_match_text(match, store, head->name);
    if (head->label != 0)
        found |= gt_search_match_text(match, store, head->label);
    for (size_t i = 0; match->numeric >> i != 0; i++) {
        if ((match->numeric >> i & 1) != 0 && match->numbers[i] == head->id)
            found |= UINT32_C(1) << i;
    }
    return found;
}

bool gt_search_match_goroutine(struct gt_search_match *match, const struct gt_store *store,
                               const struct gt_store_head *head)
{
    uint32_t functions = match->terms_of[GT_SEARCH_FUNC];
    if (match->query->has_goroutine && head->id != match->query->goroutine)
        return false;
    return functions == 0 ||
           (gt_search_match_text(match, store, head->name) & functions) == functions;
}

bool gt_search_match_times(const struct gt_search_query *query, const struct gt_store *store,
                           int64_t start, int64_t end)
{
    int64_t length = gt_time_minus(end, start);
    if (query->has_ended && query->ended != (end < gt_store_end(store)))
        return false;
    return length >= query->shortest && length <= query->longest;
}

/* Whether the query can match anything of that kind. */
static bool match_can_find(const struct gt_search_query *query, enum gt_search_kind kind)
{
    bool has_text = gt_search_terms_of(query, GT_SEARCH_TEXT) != 0;
    bool has_why = gt_search_terms_of(query, GT_SEARCH_WHY) != 0;
    bool of_states = query->has_state || gt_search_terms_of(query, GT_SEARCH_STACK) != 0;
    bool of_goroutine = query->has_goroutine || gt_search_terms_of(query, GT_SEARCH_FUNC) != 0;
    bool has_times = query->has_duration || query->has_ended;
    if (!match_has_kind(query, kind))
        return false;
    switch (kind) {
    case GT_SEARCH_STATE:
        return of_states || has_times || match_is_explicit(query);
    case GT_SEARCH_REASON:
        /*
         * With times or a state, spans are listed as states, unless reasons are asked for by
         * name.
         */
        return match_is_explicit(query) || ((has_text || has_why) && !of_states && !has_times);
    case GT_SEARCH_GOROUTINE:
        return !of_states && !has_why && (match_is_explicit(query) || !query->has_duration);
    case GT_SEARCH_FUNCTION:
        return !of_states && !has_why && !of_goroutine && !has_times;
    case GT_SEARCH_TASK:
        return !of_states && !has_why && !of_goroutine;
    case GT_SEARCH_LOG:
        return !of_states && !has_why && !has_times && (has_text || match_is_explicit(query));
    default:
        return !of_states && !has_why && (has_text || has_times || match_is_explicit(query));
    }
}

/* Accepts digits in the form in which numbers are printed: "12", but not "012". */
static bool match_parse_number(const char *text, int64_t *number)
{
    uint64_t value = 0;
    const char *end = gt_decimal_read(text, INT64_MAX, &value);
    *number = (int64_t) value;
    return end && *end == '\0' && (text[0] != '0' || end == text + 1);
}

static void match_find_numbers(struct gt_search_match *match)
{
    for (size_t i = 0; i < match->query->count; i++) {
        const struct gt_search_term *term = &match->query->terms[i];
        if (term->field == GT_SEARCH_TEXT && !term->pattern &&
            match_parse_number(term->text, &match->numbers[i]))
            match->numeric |= UINT32_C(1) << i;
    }
}

void gt_search_match_init(struct gt_search_match *match, struct gt_mem *mem,
                          const struct gt_search_query *query, const uint16_t *stacks,
                          size_t stack_count)
{
    *match = (struct gt_search_match){
        .mem = mem,
        .query = query,
        .stacks = stacks,
        .stack_count = stack_count,
    };
    for (uint32_t field = GT_SEARCH_TEXT; field <= GT_SEARCH_STACK; field++)
        match->terms_of[field] = gt_search_terms_of(query, field);
    for (uint32_t kind = 0; kind < GT_SEARCH_KINDS; kind++)
        match->wants[kind] = match_can_find(query, kind);
    match_find_numbers(match);
}

static bool match_has_stacks(const struct gt_search_match *match, const struct gt_span *span)
{
    uint32_t wanted = match->terms_of[GT_SEARCH_STACK];
    uint32_t found = 0;
    if (wanted == 0)
        return true;
    if (span->stack < match->stack_count)
        found |= match->stacks[span->stack];
    if (span->end_stack < match->stack_count)
        found |= match->stacks[span->end_stack];
    return (found & wanted) == wanted;
}

static enum gt_search_kind match_state(struct gt_search_match *match, const struct gt_store *store,
                                       uint32_t cls, uint32_t name, uint32_t in_name)
{
    uint32_t text = match->terms_of[GT_SEARCH_TEXT];
    uint32_t wanted = text | match->terms_of[GT_SEARCH_WHY];
    if ((match->query->classes >> cls & 1) == 0)
        return GT_SEARCH_KINDS;
    uint32_t found = gt_search_match_text(match, store, name);
    bool is_reason = name != 0 && (found & wanted) == wanted;
    if (is_reason && match->wants[GT_SEARCH_REASON])
        return GT_SEARCH_REASON;
    bool is_state = ((found | (in_name & text)) & wanted) == wanted;
    return is_state && match->wants[GT_SEARCH_STATE] ? GT_SEARCH_STATE : GT_SEARCH_KINDS;
}

enum gt_search_kind gt_search_match_use(struct gt_search_match *match, const struct gt_store *store,
                                        uint32_t lane, uint32_t cls, uint32_t name,
                                        uint32_t in_name)
{
    if (lane == GT_LANE_STATE)
        return match_state(match, store, cls, name, in_name);
    enum gt_search_kind kind = lane == GT_LANE_REGION ? GT_SEARCH_REGION : GT_SEARCH_RANGE;
    uint32_t wanted = match->terms_of[GT_SEARCH_TEXT];
    uint32_t found = gt_search_match_text(match, store, name);
    /*
     * In a search by times, words may also be the name of the goroutine that the spans belong
     * to.
     */
    if (match->query->has_duration || match->query->has_ended)
        found |= in_name;
    return match->wants[kind] && (found & wanted) == wanted ? kind : GT_SEARCH_KINDS;
}

enum gt_search_kind gt_search_match_span(struct gt_search_match *match,
                                         const struct gt_store *store, uint32_t lane,
                                         const struct gt_span *span, uint32_t in_name)
{
    if (!gt_search_match_times(match->query, store, span->start, span->end) ||
        (lane == GT_LANE_STATE && !match_has_stacks(match, span)))
        return GT_SEARCH_KINDS;
    return gt_search_match_use(match, store, lane, span->cls, span->name, in_name);
}

void gt_search_match_free(struct gt_search_match *match)
{
    gt_array_free(match->mem, &match->terms);
}
