/* SPDX-License-Identifier: BSD-3-Clause */
#include "condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "comparetext.h"
#include "gowords.h"
#include "text.h"

enum {
    NUMBER_MAX = 36,
    PERCENT = 100,
    /* The most bytes of what condition_explain says besides names. */
    WORDS_MAX = 80
};

/* The thing that a condition is about: a task of a type and so on, or the whole trace. */
struct subject {
    uint32_t kind;
    gt_string label; /* such as "task:checkout", part of the condition */
    gt_string rest;  /* the figure of it, such as "p99" */
    bool sides[2];   /* which have it */
};

/* The word of a kind of subjects and the colon behind it, with which conditions begin. */
static bool subject_kind_of(gt_string what, uint32_t *kind, size_t *size)
{
    for (*kind = GT_COMPARE_TRACE; *kind <= GT_COMPARE_STACK; (*kind)++) {
        gt_string word = text_of(gt_compare_subject_name(*kind));
        char after = *kind == GT_COMPARE_TRACE ? ' ' : ':';
        *size = word.size + 1;
        if (what.size >= *size && memcmp(what.data, word.data, word.size) == 0 &&
            what.data[word.size] == after)
            return true;
    }
    return false;
}

/* Divides a condition. Returns false if it has no such form. */
static bool condition_parse(struct condition *condition)
{
    const char *text = condition->text.data;
    char number[NUMBER_MAX], *end;
    uint32_t kind;
    size_t size = condition->text.size, at = size, word, start = 0;
    while (at > 0 && text[at - 1] != '>' && text[at - 1] != '<')
        at--;
    if (at == 0 || size - at >= sizeof(number))
        return false;
    memcpy(number, text + at, size - at);
    number[size - at] = '\0';
    condition->is_more = text[at - 1] == '>';
    condition->percent = strtod(number, &end);
    if (end == number || *end != '%' || end[1 + strspn(end + 1, " ")] != '\0' ||
        !(condition->percent > -1e9 && condition->percent < 1e9))
        return false;
    at--;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    while (start < at && text[start] == ' ')
        start++;
    condition->what = (gt_string){text + start, at - start};
    return subject_kind_of(condition->what, &kind, &word);
}

enum condition_form condition_take(struct condition *condition, const char **text)
{
    if (**text == '\0')
        return CONDITION_END;
    *condition = (struct condition){.text = {*text, strcspn(*text, ";")}};
    *text += condition->text.size;
    *text += **text == ';';
    return condition_parse(condition) ? CONDITION_GOOD : CONDITION_NO_FORM;
}

/* Whether a condition is about the subject of a difference, whose name ends where the condition
 * does or a figure follows. */
static bool subject_matches(const struct subject *subject, gt_string what, size_t word,
                            const gt_compare_difference *difference)
{
    gt_string name = difference->name;
    size_t size = word + name.size;
    if (difference->subject != subject->kind || what.size < size ||
        (name.size > 0 && memcmp(what.data + word, name.data, name.size) != 0))
        return false;
    return subject->kind == GT_COMPARE_TRACE || what.size == size || what.data[size] == ' ';
}

/* Notes on which sides the subject is. */
static void subject_note_sides(struct subject *subject, const gt_compare_difference *difference)
{
    subject->sides[0] |= difference->before_count > 0 || difference->before > 0;
    subject->sides[1] |= difference->after_count > 0 || difference->after > 0;
}

/*
 * Finds the subject of a condition: of those whose names fit, the one with the longest name.
 * Returns false if no trace has it.
 */
static bool subject_find(struct subject *subject, gt_string what, const gt_compare *compare)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    size_t word = 0;
    *subject = (struct subject){.kind = 0};
    subject_kind_of(what, &subject->kind, &word);
    bool is_found = subject->kind == GT_COMPARE_TRACE;
    subject->label = (gt_string){what.data, is_found ? word : 0};
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        size_t size = word + difference.name.size;
        if (!subject_matches(subject, what, word, &difference) ||
            (is_found && size < subject->label.size))
            continue;
        if (!is_found || size > subject->label.size)
            subject->sides[0] = subject->sides[1] = false;
        is_found = true;
        subject->label = (gt_string){what.data, size};
        subject_note_sides(subject, &difference);
    }
    if (!is_found)
        return false;
    size_t at = subject->label.size;
    at += at < what.size && what.data[at] == ' ';
    subject->rest = (gt_string){what.data + at, what.size - at};
    if (subject->kind == GT_COMPARE_TRACE)
        subject->label.size--;
    return true;
}

/* The figures that any subject of a kind may have, also where no trace has any time for them. */
static const char *const *figures_of(uint32_t kind)
{
    static const char *const of_trace[] = {"gc", "gc rate", "allocated", NULL};
    static const char *const of_stack[] = {"running", "scheduler", "syscall", NULL};
    static const char *const of_others[] = {
        "mean",           "p50",          "p90",          "p99",         "rate", "running mean",
        "scheduler mean", "blocked mean", "syscall mean", "assist mean", NULL};
    static const char *const of_goroutine[] = {"mean",          "p50",
                                               "p90",           "p99",
                                               "rate",          "running mean",
                                               "blocked mean",  "scheduler mean",
                                               "syscall mean",  "assist mean",
                                               "running",       "scheduler",
                                               "scheduler p50", "scheduler p90",
                                               "scheduler p99", "syscall",
                                               "assist",        NULL};
    return kind == GT_COMPARE_TRACE        ? of_trace
           : kind == GT_COMPARE_STACK      ? of_stack
           : kind == GT_COMPARE_GOROUTINES ? of_goroutine
                                           : of_others;
}

/* The figure in the label of a difference, which is what follows its subject. */
static gt_string figure_of(gt_string label, const gt_compare_difference *difference)
{
    size_t size = strlen(gt_compare_subject_name(difference->subject)) + 1;
    if (difference->subject != GT_COMPARE_TRACE)
        size += difference->name.size + 1;
    return size < label.size ? (gt_string){label.data + size, label.size - size}
                             : (gt_string){NULL, 0};
}

/* Whether a figure is about a reason to wait or a cause of a stop that Go has. */
static bool figure_is_of_go(const struct subject *subject)
{
    static const char *const statistics[] = {" p50", " p90", " p99", " rate"};
    bool is_trace = subject->kind == GT_COMPARE_TRACE;
    gt_string measure = text_of(is_trace ? "stop " : "blocked "), rest = subject->rest;
    if (rest.size < measure.size || memcmp(rest.data, measure.data, measure.size) != 0)
        return false;
    rest = (gt_string){rest.data + measure.size, rest.size - measure.size};
    for (size_t i = 0; i < (is_trace ? 4 : 3); i++) {
        size_t size = strlen(statistics[i]);
        if (rest.size >= size && memcmp(rest.data + rest.size - size, statistics[i], size) == 0) {
            rest.size -= size;
            break;
        }
    }
    return gowords_has_text(rest);
}

static bool figure_may_be(const struct subject *subject)
{
    if ((subject->kind == GT_COMPARE_GOROUTINES || subject->kind == GT_COMPARE_TRACE) &&
        figure_is_of_go(subject))
        return true;
    for (const char *const *figure = figures_of(subject->kind); *figure; figure++) {
        if (text_equals(subject->rest, *figure))
            return true;
    }
    return false;
}

static enum condition_result condition_judge(const struct condition *condition,
                                             const gt_compare_difference *difference)
{
    double limit = difference->before * condition->percent / PERCENT;
    double change = difference->after - difference->before;
    if (!difference->has_interval)
        return CONDITION_TOO_FEW;
    if (condition->is_more)
        return change > limit && difference->low > 0 ? CONDITION_HOLDS : CONDITION_FAILS;
    return change < limit && difference->high < 0 ? CONDITION_HOLDS : CONDITION_FAILS;
}

/*
 * Judges the difference that a condition is about, if there is one. A figure that only others of
 * the kind have, such as a wait with this reason, is 0 on both sides.
 */
static bool condition_search(const struct condition *condition, const struct subject *subject,
                             const gt_compare *compare, enum condition_result *result)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        gt_string label = {NULL, 0};
        if (difference.subject != subject->kind)
            continue;
        char *made = comparetext_label(&difference, &label.size);
        label.data = made;
        if (!made)
            return false;
        bool is_it = text_compare(label, condition->what) == 0;
        if (is_it)
            *result = condition_judge(condition, &difference);
        else if (*result == CONDITION_UNKNOWN &&
                 text_compare(figure_of(label, &difference), subject->rest) == 0)
            *result = CONDITION_TOO_FEW;
        free(made);
        if (is_it)
            return true;
    }
    return true;
}

bool condition_check(const struct condition *condition, const gt_compare *compare,
                     enum condition_result *result)
{
    struct subject subject;
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    gt_compare_get_info(compare, &info);
    /* If there were too many names, this one may be among those that were left out. */
    *result = info.lost > 0 ? CONDITION_TOO_FEW : CONDITION_UNKNOWN;
    if (!subject_find(&subject, condition->what, compare))
        return true;
    if (figure_may_be(&subject))
        *result = CONDITION_TOO_FEW;
    if (!condition_search(condition, &subject, compare, result))
        return false;
    if (*result != CONDITION_UNKNOWN && subject.kind != GT_COMPARE_TRACE &&
        subject.sides[0] != subject.sides[1])
        *result = subject.sides[0] ? CONDITION_REMOVED : CONDITION_ADDED;
    return true;
}

/* Adds the names of a kind. */
static bool names_add(struct choices *choices, uint32_t kind, const gt_compare *compare)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        if (difference.subject == kind &&
            !choices_add(choices, difference.name,
                         difference.before_count + difference.after_count))
            return false;
    }
    return true;
}

/* Adds the figures of a subject. `labels` has room for one of each difference. */
static bool figures_add(struct choices *choices, const struct subject *subject,
                        const gt_compare *compare, char **labels)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        gt_string label = {NULL, 0};
        labels[i] = comparetext_label(&difference, &label.size);
        label.data = labels[i];
        if (!labels[i])
            return false;
        gt_string figure = figure_of(label, &difference);
        bool is_of_it = difference.subject == subject->kind && figure.size > 0 &&
                        label.size - figure.size - 1 == subject->label.size &&
                        memcmp(label.data, subject->label.data, subject->label.size) == 0;
        if (is_of_it &&
            !choices_add(choices, figure, difference.before_count + difference.after_count))
            return false;
    }
    return true;
}

static char *explain_name(uint32_t kind, struct choices *choices)
{
    char *names = choices_text(choices);
    const char *word = gt_compare_subject_name(kind);
    char *text = names ? malloc(strlen(names) + WORDS_MAX) : NULL;
    if (text)
        snprintf(text, strlen(names) + WORDS_MAX, "no trace has such a %s; there are %s", word,
                 names);
    free(names);
    return text;
}

static char *explain_figure(const struct subject *subject, struct choices *choices)
{
    char *names = choices_text(choices);
    size_t size = names ? strlen(names) + subject->label.size + WORDS_MAX : 0;
    char *text = names ? malloc(size) : NULL;
    if (text)
        snprintf(text, size, "'%.*s' has no such figure; there are %s", (int) subject->label.size,
                 subject->label.data, names);
    free(names);
    return text;
}

char *condition_explain(const struct condition *condition, const gt_compare *compare)
{
    struct subject subject;
    struct choices choices = {NULL, 0, 0};
    size_t count = gt_compare_count(compare);
    char *text = NULL, **labels = calloc(count + 1, sizeof(*labels));
    bool has_subject = subject_find(&subject, condition->what, compare);
    if (labels && (has_subject ? figures_add(&choices, &subject, compare, labels)
                               : names_add(&choices, subject.kind, compare)))
        text =
            has_subject ? explain_figure(&subject, &choices) : explain_name(subject.kind, &choices);
    for (size_t i = 0; labels && i < count; i++)
        free(labels[i]);
    free(labels);
    choices_free(&choices);
    return text;
}
