/* SPDX-License-Identifier: BSD-3-Clause */

/* Malformed text: how reading ends, and where. */

#include <stdio.h>
#include <string.h>

#include "raw/rewrite.h"
#include "support/test.h"

/*
 * The marker "@" in `text`, which is not part of the input, stands before the bytes that the error
 * must point to.
 */
struct malformed {
    const char *text;
    gt_status status;
    const char *message;
};

static int check(const char *source, const struct rewritten *out, const struct malformed *expected,
                 uint64_t offset)
{
    if (out->status == expected->status && out->error.status == expected->status &&
        out->error.offset == offset && strcmp(out->error.message, expected->message) == 0)
        return 0;
    print_error("%s (%s):\n%d at %lld: %s\nexpected %d at %lld: %s\n", expected->text, source,
                (int) out->status, (long long) out->error.offset, out->error.message,
                (int) expected->status, (long long) offset, expected->message);
    return 1;
}

/* Returns the number of ways to read the text, after `header`, that do not end as expected. */
static int check_both(const char *header, const struct malformed *expected)
{
    struct rewritten out = {0};
    char text[600];
    char *mark;
    int bad;
    assert_true(strlen(header) + strlen(expected->text) < sizeof(text));
    snprintf(text, sizeof(text), "%s%s", header, expected->text);
    mark = strchr(text, '@');
    assert_non_null(mark);
    memmove(mark, mark + 1, strlen(mark));
    rewrite(&out, text, strlen(text), GT_RAW_TEXT, 0);
    bad = check("memory", &out, expected, (uint64_t) (mark - text));
    rewrite_in_steps(&out, text, strlen(text), 1);
    bad += check("callback", &out, expected, (uint64_t) (mark - text));
    rewritten_free(&out);
    return bad;
}

#define CHECK_ALL(header, table)                                                                   \
    do {                                                                                           \
        int bad = 0;                                                                               \
        size_t i;                                                                                  \
        for (i = 0; i < sizeof(table) / sizeof(*(table)); i++)                                     \
            bad += check_both((header), &(table)[i]);                                              \
        assert_int_equal(bad, 0);                                                                  \
    } while (0)

static const struct malformed headers[] = {
    {"@", GT_ERR_NOT_A_TRACE, "not a Go execution trace"},
    {"@\n# a comment\n", GT_ERR_NOT_A_TRACE, "not a Go execution trace"},
    {"@#", GT_ERR_NOT_A_TRACE, "not a Go execution trace"},
    {"@\1Trace Go1.22\n", GT_ERR_NOT_A_TRACE, "not a Go execution trace"},
    {"@trace Go1.22\n", GT_ERR_NOT_A_TRACE, "not a Go execution trace"},
    {"#\n@Tracer Go1.22\n", GT_ERR_NOT_A_TRACE,
     "line 2: not a Go execution trace: the first word is not Trace"},
    {"@\302\200Trace Go1.22\n", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: the first word is not Trace"},
    {"\n\n@Trace\nGo1.22\n", GT_ERR_NOT_A_TRACE,
     "line 3: not a Go execution trace: no version follows Trace"},
    {"@Trace#Go1.22", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: no version follows Trace"},
    {"@Trace go1.22", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: no version follows Trace"},
    {"@Trace Go1.", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: no version follows Trace"},
    {"@Trace Go1.+22", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: no version follows Trace"},
    {"@Trace Go1.22.1", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: no version follows Trace"},
    {"@Trace Go1.18446744073709551616", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: no version follows Trace"},
    {"@Trace Go1.22 23\n", GT_ERR_NOT_A_TRACE,
     "line 1: not a Go execution trace: more follows the version"},
    {"@Trace Go1.24\n", GT_ERR_VERSION, "line 1: traces of Go 1.24 are not supported"},
    {"@Trace Go1.4294967318\n", GT_ERR_VERSION,
     "line 1: traces of Go 1.4294967318 are not supported"},
};

static void test_bad_header_is_an_error(void **state)
{
    (void) state;
    CHECK_ALL("", headers);
}

static const struct malformed records[] = {
    {"@Nothing\n", GT_ERR_EVENT, "line 2: there is no record 'Nothing' in Go 1.22"},
    {"@GoSwitch dt=1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: there is no record 'GoSwitch' in Go 1.22"},
    {"@gostart dt=1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: there is no record 'gostart' in Go 1.22"},
    {"@GoStart\302\200 dt=1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: there is no record 'GoStart\\u0080' in Go 1.22"},
    {"@=\n", GT_ERR_EVENT, "line 2: there is no record '=' in Go 1.22"},
    {"@GoStart= dt=1\n", GT_ERR_EVENT, "line 2: there is no record 'GoStart=' in Go 1.22"},
    {"@aNameThatIsLongerThanAllThatAMessageHasRoomFor\n", GT_ERR_EVENT,
     "line 2: there is no record 'aNameThatIsLongerThanAllThatAMessageHas' in Go 1.22"},
    {"#\n\n@GoStart dt=1 p=2 g_seq=3\n", GT_ERR_EVENT,
     "line 4: GoStart: argument 'g' expected, found 'p=2'"},
    {"@GoStart g=2 dt=1 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: argument 'dt' expected, found 'g=2'"},
    {"@GoStart dt=1 g_seq=2 g=3\n", GT_ERR_EVENT,
     "line 2: GoStart: argument 'g' expected, found 'g_seq=2'"},
    {"@GoStart dt = 1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: argument 'dt' expected, found 'dt'"},
    {"@GoStart dt=1 g=2 # g_seq=3\n", GT_ERR_EVENT, "line 2: GoStart: argument 'g_seq' is missing"},
    {"@GoStart dt=1 g=2", GT_ERR_EVENT, "line 2: GoStart: argument 'g_seq' is missing"},
    {"@GoStart dt=1 g=2 g_seq=3 g=4\n", GT_ERR_EVENT, "line 2: GoStart: 'g=4' is too much"},
    {"@GoStart dt=1 g=2 g_seq=\n", GT_ERR_EVENT,
     "line 2: GoStart: 'g_seq=' has no number of 64 bits"},
    {"@GoStart dt=-1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=-1' has no number of 64 bits"},
    {"@GoStart dt=+1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=+1' has no number of 64 bits"},
    {"@GoStart dt=0x1 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=0x1' has no number of 64 bits"},
    {"@GoStart dt=1_0 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=1_0' has no number of 64 bits"},
    {"@GoStart dt=1,g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=1,g=2' has no number of 64 bits"},
    {"@GoStart dt=18446744073709551616 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=18446744073709551616' has no number of 64 bits"},
    {"@GoStart dt=99999999999999999999 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=99999999999999999999' has no number of 64 bits"},
    {"@GoStart dt=184467440737095516150 g=2 g_seq=3\n", GT_ERR_EVENT,
     "line 2: GoStart: 'dt=184467440737095516150' has no number of 64 bits"},
    {"Stacks\n@Stacks x\n", GT_ERR_EVENT, "line 3: Stacks: 'x' is too much"},
};

static void test_bad_record_is_an_error(void **state)
{
    (void) state;
    CHECK_ALL("Trace Go1.22\n", records);
}

static const struct malformed lines[] = {
    {"Stack id=1 nframes=2\npc=1 func=2 file=3 line=4\n@pc=1 file=2\n", GT_ERR_EVENT,
     "line 4: Stack: argument 'func' expected, found 'file=2'"},
    {"Stack id=1 nframes=1\n@pc=1 func=2 file=3 line=4 pc=5\n", GT_ERR_EVENT,
     "line 3: Stack: 'pc=5' is too much"},
    {"Stack id=1 nframes=1\n@pc=x\n", GT_ERR_EVENT,
     "line 3: Stack: 'pc=x' has no number of 64 bits"},
    {"Stack id=1 nframes=2\npc=1 func=2 file=3 line=4\n@Stacks\n", GT_ERR_EVENT,
     "line 4: Stack: argument 'pc' expected, found 'Stacks'"},
    {"Strings\n@Stack id=1 nframes=2\npc=1 func=2 file=3 line=4\n# end\n", GT_ERR_TRUNCATED,
     "line 3: Stack: the input ends within it"},
    /* A claimed size takes no memory. */
    {"@Stack id=1 nframes=18446744073709551615\npc=1 func=2 file=3 line=4", GT_ERR_TRUNCATED,
     "line 2: Stack: the input ends within it"},
    {"@String id=1", GT_ERR_TRUNCATED, "line 2: String: the input ends within it"},
    {"String id=1\n@Strings\n", GT_ERR_EVENT, "line 3: String: data expected"},
    {"String id=1\n@data\n", GT_ERR_EVENT, "line 3: String: data expected"},
    {"String id=1\n@data#=\"\"\n", GT_ERR_EVENT, "line 3: String: data expected"},
    {"String id=1\n@datum=\"\"\n", GT_ERR_EVENT, "line 3: String: data expected"},
    {"String id=1\n@=\"\"\n", GT_ERR_EVENT, "line 3: String: data expected"},
    {"String id=1\n@data=\n", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=x\n", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data='x'\n", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\n\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=`\n`", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\'\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\q\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\x1\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\x1g\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\12\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\128\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\400\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\8\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\u12\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\ud800\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\udfff\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\U00110000\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\U1000000A\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\UFFFFFFFF\"", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\\u123", GT_ERR_EVENT, "line 3: String: malformed string"},
    {"String id=1\n@data=\"\" \"\"\n", GT_ERR_EVENT, "line 3: String: '\\\"\\\"' is too much"},
    {"String id=1\n@data=``x\n", GT_ERR_EVENT, "line 3: String: 'x' is too much"},
};

static void test_bad_line_is_an_error(void **state)
{
    (void) state;
    CHECK_ALL("Trace Go1.22\n", lines);
}

static const struct malformed widths[] = {
    {"@#!widths 1 x\nFrequency freq=1\n", GT_ERR_EVENT, "line 2: 'x' is no width"},
    {"@#!widths 11\nFrequency freq=1\n", GT_ERR_EVENT, "line 2: '11' is no width"},
    {"@#!widths -1\nFrequency freq=1\n", GT_ERR_EVENT, "line 2: '-1' is no width"},
    {"@#!widths 1,2\nFrequency freq=1\n", GT_ERR_EVENT, "line 2: '1,2' is no width"},
    {"@#!widths 18446744073709551617\nFrequency freq=1\n", GT_ERR_EVENT,
     "line 2: '18446744073709551617' is no width"},
    {"#!widths 1\n@#!widths 1\nFrequency freq=1\n", GT_ERR_EVENT,
     "line 3: the record has widths already"},
    {"#!widths 1 1\n@Frequency freq=1\n", GT_ERR_EVENT,
     "line 3: Frequency: the widths do not fit its numbers"},
    {"#!widths\n@Frequency freq=1\n", GT_ERR_EVENT,
     "line 3: Frequency: the widths do not fit its numbers"},
    {"#!widths 0\n@Frequency freq=1\n", GT_ERR_EVENT,
     "line 3: Frequency: the widths do not fit its numbers"},
    {"#!widths 1\n@Frequency freq=128\n", GT_ERR_EVENT,
     "line 3: Frequency: the widths do not fit its numbers"},
    {"#!widths 9\n@Frequency freq=9223372036854775808\n", GT_ERR_EVENT,
     "line 3: Frequency: the widths do not fit its numbers"},
    {"#!widths 1 1 1 1 1\n@Stack id=1 nframes=1\npc=1 func=2 file=3 line=4\n", GT_ERR_EVENT,
     "line 3: Stack: the widths do not fit its numbers"},
    {"#!widths 1 1 1 1 1 1\n@Stack id=1 nframes=1\npc=1 func=128 file=3 line=4\n", GT_ERR_EVENT,
     "line 3: Stack: the widths do not fit its numbers"},
    {"#!widths 1\n@String id=1\ndata=\"\"\n", GT_ERR_EVENT,
     "line 3: String: the widths do not fit its numbers"},
    {"#!widths 1 0\n@String id=1\ndata=\"\"\n", GT_ERR_EVENT,
     "line 3: String: the widths do not fit its numbers"},
    {"#!widths 2 1 1 1 1\n@ExperimentalBatch exp=1 gen=1 m=1 time=1\ndata=``\n", GT_ERR_EVENT,
     "line 3: ExperimentalBatch: the widths do not fit its numbers"},
    {"String id=1\n@#!widths 1 2\ndata=\"\"\n", GT_ERR_EVENT, "line 3: widths within a record"},
    {"Strings\n@#!widths 1 2\n", GT_ERR_TRUNCATED, "line 3: no record follows the widths"},
};

static void test_bad_widths_are_an_error(void **state)
{
    (void) state;
    CHECK_ALL("Trace Go1.23\n", widths);
}

static const struct malformed widths_v1[] = {
    {"#!widths 1 1\n@Batch p=1 ticks=2\n", GT_ERR_EVENT,
     "line 3: Batch: the widths do not fit its numbers"},
    {"@#!widths 11 1 1\nBatch p=1 ticks=2\n", GT_ERR_EVENT, "line 2: '11' is no width"},
    /* The first byte of the record cannot express that there are four. */
    {"#!widths 0 1 1 1 1\n@GoStartLabel dt=1 g=2 g_seq=3 label_string=4\n", GT_ERR_EVENT,
     "line 3: GoStartLabel: the widths do not fit its numbers"},
    /* A string has two bits of its first byte in place of the width of a length. */
    {"#!widths 4 1 1\n@String id=3\ndata=``\n", GT_ERR_EVENT,
     "line 3: String: the widths do not fit its numbers"},
    /* 140 bytes need a length of two bytes. */
    {"#!widths 1 10 10 10 10 10 10 10 10 10 10 10 10 10 10\n@Stack id=1 nframes=3\n"
     "pc=1 func=2 file=3 line=4\npc=1 func=2 file=3 line=4\npc=1 func=2 file=3 line=4\n",
     GT_ERR_EVENT, "line 3: Stack: the widths do not fit its numbers"},
};

static void test_bad_widths_of_old_versions_are_an_error(void **state)
{
    (void) state;
    CHECK_ALL("Trace Go1.21\n", widths_v1);
}

/* An error names the generation of the last batch. */
static void test_error_names_the_generation(void **state)
{
    static const char *const texts[] = {
        "Trace Go1.23\nEventBatch gen=7 m=1 time=1 size=1\nNothing\n",
        "Trace Go1.23\nExperimentalBatch exp=1 gen=7 m=1 time=1\ndata=``\nSync\n",
    };
    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct rewritten out = {0};
        rewrite(&out, texts[i], strlen(texts[i]), GT_RAW_TEXT, 0);
        assert_status(out.status, GT_ERR_EVENT);
        assert_int_equal(out.error.generation, 7);
        rewritten_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_header_is_an_error),
        cmocka_unit_test(test_bad_record_is_an_error),
        cmocka_unit_test(test_bad_line_is_an_error),
        cmocka_unit_test(test_bad_widths_are_an_error),
        cmocka_unit_test(test_bad_widths_of_old_versions_are_an_error),
        cmocka_unit_test(test_error_names_the_generation),
    };
    return cmocka_run_group_tests_name("text_errors", tests, NULL, NULL);
}
