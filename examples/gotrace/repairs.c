/* SPDX-License-Identifier: BSD-3-Clause */
#include "repairs.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "terminal.h"

enum {
    /* More than there are texts of repairs; a name from the trace makes a kind of its own. */
    REPAIRS_MOST_KINDS = 128
};

struct repairs_kind {
    gt_error first;
    uint64_t count;
};

static bool repairs_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns what follows the name of the event with which a message begins, if it does. */
static const char *repairs_after_event(const char *message)
{
    const char *end = message;
    if (*message < 'A' || *message > 'Z')
        return message;
    while (*end != '\0' && *end != ' ')
        end++;
    return end;
}

/* Returns whether two messages differ in nothing but numbers and the name of their event. */
static bool repairs_is_alike(const char *a, const char *b)
{
    a = repairs_after_event(a);
    b = repairs_after_event(b);
    while (*a == *b || (repairs_is_digit(*a) && repairs_is_digit(*b))) {
        if (*a == '\0')
            return true;
        bool is_number = repairs_is_digit(*a);
        do
            a++;
        while (is_number && repairs_is_digit(*a));
        do
            b++;
        while (is_number && repairs_is_digit(*b));
    }
    return false;
}

static struct repairs_kind *repairs_find(const struct repairs *repairs, const gt_error *repair)
{
    for (size_t i = 0; i < repairs->count; i++) {
        struct repairs_kind *kind = &repairs->kinds[i];
        if (kind->first.status == repair->status &&
            repairs_is_alike(kind->first.message, repair->message))
            return kind;
    }
    return NULL;
}

void repairs_add(struct repairs *repairs, const gt_error *repair)
{
    struct repairs_kind *kind = repairs_find(repairs, repair);
    if (kind) {
        kind->count++;
        return;
    }
    if (!repairs->kinds)
        repairs->kinds = malloc(REPAIRS_MOST_KINDS * sizeof(*repairs->kinds));
    if (!repairs->kinds || repairs->count == REPAIRS_MOST_KINDS) {
        repairs->others++;
        return;
    }
    repairs->kinds[repairs->count++] = (struct repairs_kind){.first = *repair, .count = 1};
}

void repairs_report(const struct repairs *repairs, const char *name)
{
    for (size_t i = 0; i < repairs->count; i++) {
        const struct repairs_kind *kind = &repairs->kinds[i];
        char text[GT_ERROR_TEXT_SIZE];
        gt_error_format(&kind->first, text, sizeof(text));
        if (kind->count == 1)
            terminal_report("%s: repaired: %s", name, text);
        else
            terminal_report("%s: repaired: %s, and %" PRIu64 " more like it", name, text,
                            kind->count - 1);
    }
    if (repairs->others != 0)
        terminal_report("%s: repaired: %" PRIu64 " other faults", name, repairs->others);
}

void repairs_clear(struct repairs *repairs)
{
    free(repairs->kinds);
    *repairs = (struct repairs){.kinds = NULL};
}
