/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_query.h"

#include <string.h>

#include <gotrace/time.h>

#include "base/decimal.h"
#include "base/text.h"
#include "web/answer.h"

#define ALL_KINDS   ((UINT32_C(1) << GT_SEARCH_KINDS) - 1)
#define ALL_CLASSES ((UINT32_C(1) << GT_STORE_CLASSES) - 1)

const char *const gt_search_kinds[GT_SEARCH_KINDS] = {
    "goroutine", "function", "task", "region", "log", "range", "reason", "state",
};

/* One word of the query, in lower case, without its quotes, and terminated by NUL. */
struct word {
    char *text;
    size_t size;
    /* The word began with a quote, so it is a text even if it looks like something else. */
    bool is_quoted;
    /* The regular expression that the word ends with, as it was written, or NULL. */
    const char *pattern;
    size_t pattern_size;
};

static bool search_query_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/*
 * If a regular expression in slashes begins here, returns the slash that ends it, otherwise NULL.
 */
static const char *search_query_pattern_end(const char *at)
{
    if (*at != '/')
        return NULL;
    for (at++; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        else if (*at == '/' && (at[1] == '\0' || search_query_is_blank(at[1])))
            return at;
    }
    return NULL;
}

/* The fields of texts, by their prefixes. */
static const struct prefix {
    const char *text;
    enum gt_search_field field;
} prefixes[] = {{"func:", GT_SEARCH_FUNC}, {"reason:", GT_SEARCH_WHY}, {"stack:", GT_SEARCH_STACK}};

/* Whether a regular expression may follow: the word is empty or the prefix of a field. */
static bool search_query_may_be_pattern(const struct word *word)
{
    gt_string text = {word->text, word->size};
    bool is_prefix = word->size == 0;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        is_prefix |= gt_text_is(text, prefixes[i].text);
    return is_prefix && !word->is_quoted;
}

/*
 * Reads the next word. It is written at `*to`; `*to` and `*from` are moved past it. At the end of
 * the query the word is empty and not quoted. Returns false if a quote is not closed.
 */
static bool search_query_take_word(const char **from, char **to, struct word *word)
{
    const char *at = *from;
    bool is_open = false;
    while (search_query_is_blank(*at))
        at++;
    *word = (struct word){.text = *to, .is_quoted = *at == '"'};
    for (; *at != '\0' && (is_open || !search_query_is_blank(*at)); at++) {
        const char *end = search_query_may_be_pattern(word) ? search_query_pattern_end(at) : NULL;
        if (end && end > at + 1) {
            word->pattern = at + 1;
            word->pattern_size = (size_t) (end - at) - 1;
            at = end + 1;
            break;
        }
        if (*at == '"')
            is_open = !is_open;
        else
            word->text[word->size++] = gt_text_lower(*at);
    }
    word->text[word->size] = '\0';
    *to += word->size + 1;
    *from = at;
    return !is_open;
}

/* Returns the part of a word after `prefix`, or NULL if the word does not begin with it. */
static const char *search_query_value_of(const struct word *word, const char *prefix)
{
    size_t size = strlen(prefix);
    if (word->is_quoted || strncmp(word->text, prefix, size) != 0)
        return NULL;
    return word->text + size;
}

static const char *search_query_add_term(struct gt_search_query *query, enum gt_search_field field,
                                         const char *text)
{
    size_t size = strlen(text);
    if (size == 0)
        return "there is no text after the colon";
    if (query->count == GT_SEARCH_TERMS_MAX)
        return "too many words";
    query->terms[query->count++] = (struct gt_search_term){field, text, size, NULL};
    return NULL;
}

static const char *search_query_add_pattern(struct gt_search_query *query,
                                            enum gt_search_field field, const struct word *word)
{
    if (query->pattern_count == GT_SEARCH_PATTERNS_MAX)
        return "too many regular expressions";
    if (query->count == GT_SEARCH_TERMS_MAX)
        return "too many words";
    struct gt_pattern *pattern = &query->patterns[query->pattern_count++];
    query->terms[query->count++] = (struct gt_search_term){field, "", 0, pattern};
    return gt_pattern_compile(pattern, word->pattern, word->pattern_size);
}

/*
 * A state is named by the beginning of a class's name, so "wait" names all classes of waiting.
 * The word "waiting" names them, too.
 */
static const char *search_query_add_state(struct gt_search_query *query, const char *text)
{
    size_t size = strlen(text);
    uint32_t classes = 0;
    for (uint32_t cls = 0; cls <= GT_CLASS_WAIT_OTHER; cls++) {
        if ((size > 0 && strncmp(gt_answer_classes[cls], text, size) == 0) ||
            (gt_answer_is_waiting(cls) && strcmp(text, "waiting") == 0))
            classes |= UINT32_C(1) << cls;
    }
    query->classes &= classes;
    query->has_state = true;
    return classes != 0 ? NULL : "there is no such state";
}

static const char *search_query_add_ended(struct gt_search_query *query, const char *text)
{
    bool is_yes = strcmp(text, "yes") == 0;
    if (!is_yes && strcmp(text, "no") != 0)
        return "ended is yes or no";
    if (query->has_ended && query->ended != is_yes)
        return "nothing has ended and has not";
    query->has_ended = true;
    query->ended = is_yes;
    return NULL;
}

static const char *search_query_add_kind(struct gt_search_query *query, const char *text)
{
    for (uint32_t kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        if (strcmp(text, gt_search_kinds[kind]) == 0) {
            query->kinds &= UINT32_C(1) << kind;
            return NULL;
        }
    }
    return "there is no such kind";
}

/* Parses the part of a word after "dur". */
static const char *search_query_add_duration(struct gt_search_query *query, const char *text)
{
    int64_t duration;
    bool is_more = text[0] == '>', has_equal = text[0] != '\0' && text[1] == '=';
    if (gt_duration_parse(text + 1 + has_equal, &duration) != GT_OK)
        return "a duration is such as 10ms, 1.5s or 250us";
    if (is_more && duration >= query->shortest)
        query->shortest = duration + !has_equal;
    if (!is_more && duration <= query->longest)
        query->longest = duration - !has_equal;
    query->has_duration = true;
    return NULL;
}

/*
 * Recognises words such as "g12". If the number turns out to be too large, that is an error;
 * other words that begin with 'g' are texts.
 */
static bool search_query_is_goroutine(const struct word *word)
{
    if (word->is_quoted || word->size < 2 || word->text[0] != 'g')
        return false;
    return strspn(word->text + 1, "0123456789") == word->size - 1;
}

static const char *search_query_add_goroutine(struct gt_search_query *query,
                                              const struct word *word)
{
    uint64_t id;
    if (!gt_decimal_read(word->text + 1, INT64_MAX, &id))
        return "no goroutine has a number that large";
    if (query->has_goroutine && query->goroutine != (int64_t) id)
        return "nothing is of two goroutines";
    query->has_goroutine = true;
    query->goroutine = (int64_t) id;
    return NULL;
}

static const char *search_query_add_word(struct gt_search_query *query, const struct word *word)
{
    const char *value;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        value = search_query_value_of(word, prefixes[i].text);
        if (value && word->pattern && *value == '\0')
            return search_query_add_pattern(query, prefixes[i].field, word);
        if (value)
            return search_query_add_term(query, prefixes[i].field, value);
    }
    if (word->pattern && word->size == 0)
        return search_query_add_pattern(query, GT_SEARCH_TEXT, word);
    if ((value = search_query_value_of(word, "ended:")))
        return search_query_add_ended(query, value);
    if ((value = search_query_value_of(word, "state:")))
        return search_query_add_state(query, value);
    if ((value = search_query_value_of(word, "kind:")))
        return search_query_add_kind(query, value);
    if ((value = search_query_value_of(word, "dur")) && (*value == '>' || *value == '<'))
        return search_query_add_duration(query, value);
    if (search_query_is_goroutine(word))
        return search_query_add_goroutine(query, word);
    return search_query_add_term(query, GT_SEARCH_TEXT, word->text);
}

const char *gt_search_query_parse(struct gt_search_query *query, const char *text)
{
    const char *wrong = NULL;
    bool is_empty = true;
    *query = (struct gt_search_query){.longest = INT64_MAX, .classes = ALL_CLASSES};
    query->kinds = ALL_KINDS;
    if (strlen(text) > GT_SEARCH_QUERY_MAX)
        return "too long";
    char *to = query->text;
    while (!wrong) {
        struct word word;
        if (!search_query_take_word(&text, &to, &word))
            return "a quote is left open";
        if (word.size == 0 && *text == '\0' && !word.is_quoted && !word.pattern)
            return is_empty ? "nothing to search for" : NULL;
        /* An empty text in quotes is contained in every name, so it is ignored. */
        if (word.size > 0 || word.pattern) {
            wrong = search_query_add_word(query, &word);
            is_empty = false;
        }
    }
    return wrong;
}
