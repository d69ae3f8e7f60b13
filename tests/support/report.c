/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define PLACE "(offset "

/* Asserts that `at` begins with `text`. Returns what follows it. */
static const char *expect(const char *at, const char *text)
{
    if (strncmp(at, text, strlen(text)) != 0)
        fail_msg("\"%s\" where \"%s\" should be", at, text);
    return at + strlen(text);
}

static const char *expect_number(const char *at)
{
    size_t digits = strspn(at, "0123456789");

    assert_true(digits > 0);
    return at + digits;
}

/* Asserts that `text` begins with a message that has a place. Returns what follows the place. */
static const char *expect_message(const char *text, const char *path, const char *what,
                                  bool has_generation)
{
    const char *at = expect(expect(expect(expect(text, "gotrace: "), path), ": "), what), *place;

    place = strstr(at, PLACE);
    if (!place)
        fail_msg("no place in \"%s\"", text);
    assert_true(place < at + strcspn(at, "\n"));
    at = expect_number(expect(place, PLACE));
    if (has_generation)
        at = expect_number(expect(at, ", generation "));
    return expect(at, ")");
}

const char *report_expect(const char *text, const char *path, const char *what, bool has_generation)
{
    return expect(expect_message(text, path, what, has_generation), "\n");
}

const char *report_expect_repairs(const char *text, const char *path, long *count)
{
    const char *at = expect_message(text, path, "repaired: ", false);

    *count = 1;
    if (*at != '\n') {
        at = expect(at, ", and ");
        *count += strtol(at, NULL, 10);
        at = expect(expect_number(at), " more like it");
    }
    return expect(at, "\n");
}
