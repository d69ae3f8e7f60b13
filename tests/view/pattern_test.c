/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests regular expressions: what they mean, which are refused, and that none takes long. */

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/test.h"
#include "web/pattern.h"

static bool matches(const char *expression, const char *text)
{
    struct gt_pattern pattern;

    assert_null(gt_pattern_compile(&pattern, expression, strlen(expression)));
    return gt_pattern_matches(&pattern, (gt_string){text, strlen(text)});
}

static void test_expressions_match_what_they_describe(void **state)
{
    static const struct {
        const char *expression, *matching, *other;
    } cases[] = {
        {"^main\\.", "main.work", "xmain.work"},
        {"work$", "main.WORK", "workers"},
        {"^(a|bc)+$", "abcbca", "abcb"},
        {"h.ndler", "Handler", "hndler"},
        {"colou?r", "COLOR", "colouur"},
        {"x[^0-9]y", "x-y", "x5y"},
        {"[]x]+z", "]xz", "az"},
        {"[a\\]]z", "]z", "\\z"},
        {"[\\d_]-", "7-", "a-"},
        {"\\w+\\s\\d+", "G 12", "G12"},
        {"^\\D+$", "abc", "ab1"},
        {"a\\{2\\}", "a{2}", "aa"},
        {"f\\(\\*T\\)", "f(*T)", "fT"},
        {"^\xc3\xa4+$", "\xc3\xa4\xc3\xa4", "\xc3\xc3\xa4"},
        {"^$", "", "x"},
        {"x|^y|z$", "yes", "zy"},
        {"(^|/)net$", "a/net", "anet"},
        {"[K-M]", "l", "n"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (!matches(cases[i].expression, cases[i].matching))
            fail_msg("%s does not match %s", cases[i].expression, cases[i].matching);
        if (matches(cases[i].expression, cases[i].other))
            fail_msg("%s matches %s", cases[i].expression, cases[i].other);
    }
    assert_true(matches("a*", "") && matches("()", "x") && matches("", "x"));
}

static void test_bad_expressions_are_refused(void **state)
{
    static const char *const bad[] = {
        "(",
        ")",
        "a)b(",
        "[",
        "[a",
        "[^",
        "*",
        "+a",
        "(?)",
        "a|*",
        "x{2}",
        "\\",
        "\\q",
        "\\1",
        "[\\b]",
        "[z-a]",
        "[a-\\d]",
        "[\xc3\xa4]",
        "((((((((((((((((a))))))))))))))))",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    struct gt_pattern pattern;

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (!gt_pattern_compile(&pattern, bad[i], strlen(bad[i])))
            fail_msg("%s is not refused", bad[i]);
    }
}

/* Appends a random expression of a syntax that POSIX has, too. */
static char *put_random(char *to, uint64_t *seed, int depth)
{
    static const char *const atoms[] = {"a", "b", "c", ".", "[ab]", "[^b]", "^", "$"};
    size_t parts = 1 + test_random(seed) % 3;

    for (size_t i = 0; i < parts; i++) {
        uint64_t kind = test_random(seed) % 12;
        bool is_group = depth > 0 && kind < 4;

        if (is_group) {
            *to++ = '(';
            to = put_random(to, seed, depth - 1);
            if (kind < 2) {
                *to++ = '|';
                to = put_random(to, seed, depth - 1);
            }
            *to++ = ')';
        } else {
            const char *atom = atoms[kind % (kind < 10 ? 6 : 8)];

            to = stpcpy(to, atom);
            if (*atom == '^' || *atom == '$')
                continue;
        }
        if (test_random(seed) % 3 == 0)
            *to++ = "*+?"[test_random(seed) % 3];
    }
    return to;
}

/* POSIX regcomp is a second opinion. */
static void test_random_expressions_match_as_in_posix(void **state)
{
    uint64_t seed = 17;
    size_t matched = 0, compared = 0;

    (void) state;
    for (size_t i = 0; i < 3000; i++) {
        char expression[4096], text[16];
        struct gt_pattern pattern;
        regex_t regex;

        *put_random(expression, &seed, 2) = '\0';
        if (gt_pattern_compile(&pattern, expression, strlen(expression)))
            continue;
        assert_int_equal(regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB | REG_ICASE), 0);
        for (size_t j = 0; j < 20; j++) {
            size_t size = test_random(&seed) % 8;
            bool found;

            for (size_t k = 0; k < size; k++)
                text[k] = "abcABx"[test_random(&seed) % 6];
            text[size] = '\0';
            found = gt_pattern_matches(&pattern, (gt_string){text, size});
            if (found != (regexec(&regex, text, 0, NULL, 0) == 0))
                fail_msg("/%s/ in %s: %d", expression, text, found);
            matched += found;
            compared++;
        }
        regfree(&regex);
    }
    assert_true(compared > 20000 && matched > 5000 && compared - matched > 5000);
}

/* A backtracking matcher would need more steps for these than there are atoms in the world. */
static void test_hostile_expressions_take_linear_time(void **state)
{
    static const char *const expressions[] = {
        "(a*)*b",
        "(a|a)*b",
        "(a|aa)+$b",
        "((a?)+)+b",
        "(a*a*a*a*a*a*a*a*a*a*)*b",
        "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaaaaaab",
    };
    const size_t size = 1000000;
    char *text = malloc(size);
    clock_t start = clock();

    (void) state;
    assert_non_null(text);
    memset(text, 'a', size);
    for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
        struct gt_pattern pattern;

        assert_null(gt_pattern_compile(&pattern, expressions[i], strlen(expressions[i])));
        assert_false(gt_pattern_matches(&pattern, (gt_string){text, size}));
    }
    assert_true(clock() - start < 30 * (clock_t) CLOCKS_PER_SEC);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions_match_what_they_describe),
        cmocka_unit_test(test_bad_expressions_are_refused),
        cmocka_unit_test(test_random_expressions_match_as_in_posix),
        cmocka_unit_test(test_hostile_expressions_take_linear_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
