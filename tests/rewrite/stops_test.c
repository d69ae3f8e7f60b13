/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The causes of stops of the world that are open over generations. Go's reader looks for the cause
 * in the generation in which a stop ends, by the id that the beginning has.
 */

#include <string.h>

#include "rewrite/copy.h"
#include "support/gen_events.h"
#include "support/test.h"

enum {
    /* The generation in which the stop begins or is begun anew, and that in which it ends. */
    BEGINS = 2,
    ENDS = 4,
    LAST = 5
};

/* Begins a generation in which goroutine 1 runs, and gives ids to other texts. */
static void begin_generation(struct gen *g, uint64_t number)
{
    static const char *const others[LAST] = {"a", "b", "c", "d", "e"};
    g->clock.monotonic = g->clock.seconds = 1000 * number;
    gen_generation(g, number);
    gen_running(g, 5, 0, 1);
    for (uint64_t i = 0; i < number; i++)
        gen_label(g, others[LAST - number + i]);
}

static void describe(struct gen *g, unsigned version)
{
    gen_begin(g, version);
    for (uint64_t number = 1; number <= LAST; number++) {
        begin_generation(g, number);
        if (number == BEGINS)
            gen_stw_begin(g, "read mem stats", 0);
        if (number == ENDS)
            gen_bare(g, EV_STW_END);
        gen_label(g, "last");
    }
}

/* Writes the events from number `first` on of a description, which is then freed. */
static void write_copy(struct gen *g, struct copy *copy, uint64_t first)
{
    gen_end(g);
    copy->first = first;
    copy_make(copy, g->wire.data, g->wire.size);
    copy_expect_good(copy);
    assert_int_equal(copy_validate(copy->out.data, copy->out.size).findings, 0);
    output_expect_peer_reads(copy->out.data, copy->out.size);
    gen_free(g);
}

/* What the tables of a trace say of the id that the beginning of a stop has. */
struct found {
    uint64_t id;         /* 0: no stop has begun */
    uint64_t first;      /* the first generation that has the text with that id */
    uint64_t last;       /* the last one */
    uint64_t count;      /* how many have it */
    uint64_t misleading; /* how many have another text with that id before the stop has ended */
};

static void take_string(struct found *found, const gt_raw_event *record, uint64_t generation,
                        const char *cause)
{
    bool is_cause = record->data.size == strlen(cause) &&
                    memcmp(record->data.data, cause, record->data.size) == 0;
    bool has_id = record->arguments[0] == found->id;
    if (is_cause && has_id) {
        found->first = found->count == 0 ? generation : found->first;
        found->last = generation;
        found->count++;
    }
    found->misleading += has_id && !is_cause && generation <= ENDS;
}

static struct found find_cause(const struct copy *copy, const char *cause)
{
    struct found found = {0};
    const gt_raw_event *record;
    gt_raw_reader *reader;
    uint64_t generation = 0;
    assert_status(gt_raw_reader_open_memory(&reader, copy->out.data, copy->out.size, NULL, NULL),
                  GT_OK);
    while (gt_raw_reader_next_event(reader, &record) == GT_OK) {
        if (record->type == GT_WIRE_EVENT_BATCH)
            generation = record->arguments[0];
        if (record->type == GT_WIRE_STW_BEGIN)
            found.id = record->arguments[1];
        if (record->type == GT_WIRE_STRING && found.id != 0)
            take_string(&found, record, generation, cause);
    }
    gt_raw_reader_close(&reader);
    return found;
}

static void expect_kept(const struct copy *copy, const char *cause, uint64_t first)
{
    struct found found = find_cause(copy, cause);
    assert_int_not_equal(found.id, 0);
    assert_int_equal(found.misleading, 0);
    assert_int_equal(found.first, first);
    assert_int_equal(found.last, ENDS);
    assert_int_equal(found.count, ENDS - first + 1);
}

static void test_cause_has_its_id_until_the_stop_ends(void **state)
{
    static const unsigned versions[] = {22, 23, 25, 26};
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct gen g = {0};
        struct copy copy;
        copy_init(&copy);
        describe(&g, versions[i]);
        write_copy(&g, &copy, 0);
        expect_kept(&copy, "read mem stats", BEGINS);
        copy_free(&copy);
    }
}

/* Event 17 is a label of the third generation, where the stop begins anew. */
static void test_cause_of_a_stop_that_begins_anew_has_its_id(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    copy_init(&copy);
    describe(&g, 26);
    write_copy(&g, &copy, 17);
    expect_kept(&copy, "read mem stats", 3);
    copy_free(&copy);
}

/* Replaces a text by another one each time. */
static int replace(void *user_data, gt_text_kind kind, gt_string *text)
{
    static char replaced[] = "cause 0";
    if (kind != GT_TEXT_CAUSE)
        return 0;
    replaced[sizeof(replaced) - 2] = (char) ('0' + ++*(int *) user_data);
    *text = (gt_string){replaced, sizeof(replaced) - 1};
    return 0;
}

static void test_replaced_cause_remains_as_it_was_written(void **state)
{
    struct gen g = {0};
    struct copy copy;
    int replaced = 0;
    (void) state;
    copy_init(&copy);
    copy.options.text = replace;
    copy.options.text_data = &replaced;
    describe(&g, 26);
    write_copy(&g, &copy, 0);
    expect_kept(&copy, "cause 1", BEGINS);
    assert_int_equal(replaced, 1);
    copy_free(&copy);
}

/* Returns how many texts of a generation of a copy begin with `prefix`. */
static unsigned count_texts(const struct copy *copy, uint64_t of, const char *prefix)
{
    const gt_raw_event *record;
    gt_raw_reader *reader;
    uint64_t generation = 0;
    unsigned count = 0;
    assert_status(gt_raw_reader_open_memory(&reader, copy->out.data, copy->out.size, NULL, NULL),
                  GT_OK);
    while (gt_raw_reader_next_event(reader, &record) == GT_OK) {
        if (record->type == GT_WIRE_EVENT_BATCH)
            generation = record->arguments[0];
        count += record->type == GT_WIRE_STRING && generation == of &&
                 record->data.size >= strlen(prefix) &&
                 memcmp(record->data.data, prefix, strlen(prefix)) == 0;
    }
    gt_raw_reader_close(&reader);
    return count;
}

/* No program has so many stops. A trace that claims them must not make each generation large. */
static void test_causes_of_few_stops_are_repeated(void **state)
{
    static const struct {
        size_t size;
        unsigned repeated;
    } cases[] = {{7, 8}, {300, 3}};

    char cause[301] = "";
    (void) state;
    memset(cause, 'c', sizeof(cause) - 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gen g = {0};
        struct copy copy;
        cause[cases[i].size] = 0;
        copy_init(&copy);
        gen_begin(&g, 26);
        begin_generation(&g, 1);
        for (unsigned stop = 0; stop < 10; stop++) {
            cause[cases[i].size - 1] = (char) ('0' + stop);
            gen_stw_begin(&g, cause, 0);
        }
        begin_generation(&g, 2);
        write_copy(&g, &copy, 0);
        assert_int_equal(count_texts(&copy, 1, "cc"), 10);
        assert_int_equal(count_texts(&copy, 2, "cc"), cases[i].repeated);
        copy_free(&copy);
        memset(cause, 'c', sizeof(cause) - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cause_has_its_id_until_the_stop_ends),
        cmocka_unit_test(test_cause_of_a_stop_that_begins_anew_has_its_id),
        cmocka_unit_test(test_replaced_cause_remains_as_it_was_written),
        cmocka_unit_test(test_causes_of_few_stops_are_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
