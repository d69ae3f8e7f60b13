/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * GT_READER_AHEAD: all results of a reader are the same with and without it, and so is when it
 * reports repairs and calls the read function.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "support/feed.h"
#include "support/files.h"
#include "support/getters.h"
#include "support/hostile.h"
#include "support/sample.h"
#include "support/test.h"

/* How the events are used. */
enum pace {
    /* Calls all getters, and asks for the reader's state. */
    THOROUGH,
    /* Does little with an event, so that the worker thread cannot keep up. */
    FAST,
    /* Calls all getters and pauses, so that the worker thread fills the whole ring buffer. */
    SLOW,
    PACES
};

/* All results of a reading, in order: a number for each event, repair and call of `read`. */
struct tale {
    enum pace pace;
    pthread_t thread;
    struct feed feed;
    uint64_t *list;
    size_t count;
    size_t capacity;
    size_t repairs;
    size_t reads;
    size_t symbolized;
    /* Calls in a thread other than the one that reads. */
    size_t strayed;
    gt_status status;
    gt_error error;
    gt_reader_info info;
};

static uint64_t mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    while (*text != '\0')
        hash = mix(hash, (unsigned char) *text++);
    return hash;
}

static void tell(struct tale *tale, uint64_t number)
{
    if (tale->count == tale->capacity) {
        tale->capacity = tale->capacity ? 2 * tale->capacity : 1024;
        tale->list = realloc(tale->list, tale->capacity * sizeof(*tale->list));
        assert_non_null(tale->list);
    }
    tale->list[tale->count++] = number;
}

static void note_thread(struct tale *tale)
{
    tale->strayed += !pthread_equal(tale->thread, pthread_self());
}

static void on_repair(void *user_data, const gt_error *repair)
{
    struct tale *tale = user_data;
    uint64_t hash = mix(mix(1, repair->offset), repair->generation);
    note_thread(tale);
    tale->repairs++;
    tell(tale, mix_text(mix(hash, (uint64_t) repair->status), repair->message));
}

static int64_t read_some(void *user_data, void *buffer, size_t capacity)
{
    struct tale *tale = user_data;
    note_thread(tale);
    tale->reads++;
    tell(tale, mix(2, tale->feed.position));
    return feed_read(&tale->feed, buffer, capacity);
}

static int symbolize(void *user_data, gt_symbol *symbols, size_t count)
{
    struct tale *tale = user_data;
    note_thread(tale);
    tale->symbolized++;
    for (size_t i = 0; i < count; i++) {
        symbols[i].function = (gt_string){"f", 1};
        symbols[i].line = symbols[i].address;
    }
    tell(tale, mix(3, count));
    return 0;
}

static uint64_t mix_info(uint64_t hash, const gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    hash = mix(mix(hash, info.events), info.generations);
    return mix(mix(hash, info.repairs), info.bytes);
}

/* A stack of an earlier event, which is valid only with GT_READER_KEEP. */
static uint64_t mix_frames(uint64_t hash, gt_reader *reader, gt_stack stack)
{
    gt_frame frames[4];
    size_t count = 0;
    hash = mix(hash, (uint64_t) gt_stack_frames(reader, stack, frames, 4, &count));
    for (size_t i = 0; i < count && i < 4; i++)
        hash = mix(mix(hash, frames[i].pc), frames[i].function.size);
    return mix(hash, count);
}

static void nap(void)
{
    const struct timespec duration = {0, 200000};
    nanosleep(&duration, NULL);
}

/* Reads all events and closes the reader. */
static void read_all(struct tale *tale, gt_reader *reader)
{
    struct fold *fold = calloc(1, sizeof(*fold));
    gt_stack old = GT_STACK_NONE;
    const gt_event *event;
    uint64_t number = 0;
    assert_non_null(fold);
    fold->reader = reader;
    while ((tale->status = gt_reader_next_event(reader, &event)) == GT_OK) {
        fold->hash = mix(4, (uint64_t) event->time);
        if (tale->pace != FAST)
            assert_status(fold_event(fold, event), GT_OK);
        if (++number % 700 == 0) {
            fold->hash = mix_frames(mix_info(fold->hash, reader), reader, old);
            old = gt_event_stack(event);
            if (tale->pace == SLOW)
                nap();
        }
        tell(tale, fold->hash);
    }
    tell(tale, mix_info(5, reader));
    tell(tale, mix_frames(6, reader, old));
    tale->error = (gt_error) GT_ERROR_INIT;
    tale->info = (gt_reader_info) GT_READER_INFO_INIT;
    assert_status(gt_reader_error(reader, &tale->error), GT_OK);
    assert_status(gt_reader_get_info(reader, &tale->info), GT_OK);
    free(fold);
    gt_reader_close(&reader);
    assert_null(reader);
}

/* The trace, and how it is read. */
struct setup {
    const uint8_t *data;
    size_t size;
    uint64_t flags;
    enum pace pace;
    /* How many bytes each call of the read function returns; 0 to read from memory. */
    size_t step;
};

/* Records a reading with the flags `more` added. */
static void read_tale(struct tale *tale, const struct setup *setup, uint64_t more)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    memset(tale, 0, sizeof(*tale));
    tale->pace = setup->pace;
    tale->thread = pthread_self();
    options.flags = setup->flags | more;
    options.on_repair = on_repair;
    options.symbolize = symbolize;
    options.repair_data = options.symbolize_data = tale;
    tale->error = (gt_error) GT_ERROR_INIT;
    feed_init(&tale->feed, setup->data, setup->size);
    tale->feed.steps = &setup->step;
    tale->feed.step_count = 1;
    if (setup->step)
        tale->status = gt_reader_open_callback(&reader, read_some, tale, &options, &tale->error);
    else
        tale->status =
            gt_reader_open_memory(&reader, setup->data, setup->size, &options, &tale->error);
    if (tale->status == GT_OK)
        read_all(tale, reader);
}

/* Asserts that both readings are the same, and frees both. */
static void compare(struct tale *plain, struct tale *ahead)
{
    size_t i = 0;
    assert_status(ahead->status, plain->status);
    while (i < plain->count && i < ahead->count && plain->list[i] == ahead->list[i])
        i++;
    if (i < plain->count || i < ahead->count)
        fail_msg("different at %zu of %zu and %zu", i, plain->count, ahead->count);
    assert_int_equal(ahead->repairs, plain->repairs);
    assert_int_equal(ahead->strayed, 0);
    assert_int_equal(ahead->error.status, plain->error.status);
    assert_int_equal(ahead->error.offset, plain->error.offset);
    assert_int_equal(ahead->error.generation, plain->error.generation);
    assert_string_equal(ahead->error.message, plain->error.message);
    free(plain->list);
    free(ahead->list);
}

/* A library that was built without threads reads all in the caller's. */
#ifndef LIBRARY_HAS_THREADS
#define LIBRARY_HAS_THREADS 1
#endif

/* The least additional memory of a reading that has a worker thread. */
#define RING_BYTES 200000

/* Whether the worker thread was active, if there were enough events for it. */
static bool was_ahead(const struct tale *plain, const struct tale *ahead)
{
    return ahead->info.memory >= plain->info.memory + RING_BYTES;
}

/* Returns how many repairs there were. */
static size_t check(const struct setup *setup, bool is_long)
{
    struct tale plain, ahead;
    read_tale(&plain, setup, 0);
    read_tale(&ahead, setup, GT_READER_AHEAD);
    if (is_long)
        assert_int_equal(was_ahead(&plain, &ahead), LIBRARY_HAS_THREADS);
    compare(&plain, &ahead);
    return plain.repairs;
}

static const uint64_t flags[] = {0, GT_READER_KEEP, GT_READER_LENIENT,
                                 GT_READER_LENIENT | GT_READER_KEEP | GT_READER_AS_RECORDED};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

/* Checks the trace with `count` of its bytes changed, except those of the header. */
static void check_damaged(const struct setup *setup, unsigned count, uint64_t *random)
{
    struct setup damaged = *setup;
    uint8_t *data = malloc(setup->size);
    assert_non_null(data);
    memcpy(data, setup->data, setup->size);
    for (unsigned i = 0; i < count && setup->size > 16; i++)
        data[16 + test_random(random) % (setup->size - 16)] ^= (uint8_t) (1 + i % 255);
    damaged.data = data;
    check(&damaged, 0);
    free(data);
}

/* Checks the whole trace, a prefix of it, and a damaged copy, each with different flags. */
static void check_ways(const uint8_t *data, size_t size, size_t turn, uint64_t *random)
{
    struct setup setup = {data, size, flags[turn % FLAGS], THOROUGH, 0};
    check(&setup, 0);
    setup.flags = flags[(turn + 1) % FLAGS];
    check_damaged(&setup, 1 + (unsigned) turn % 4, random);
    setup.flags = flags[(turn + 2) % FLAGS];
    check_damaged(&setup, 1, random);
    setup.flags = flags[(turn + 3) % FLAGS];
    setup.step = 4000;
    setup.size = size - test_random(random) % (size / 2);
    check(&setup, 0);
}

static void check_folder(const char *folder, const char *suffix, uint64_t *random)
{
    struct file_list list = {0};
    files_list(&list, folder, "", suffix);
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(folder, list.names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);
        check_ways(data, size, i, random);
        free(data);
        free(path);
    }
    files_list_free(&list);
}

static void test_reading_testdata_ahead_gives_the_same(void **state)
{
    char *v1 = files_join(files_testdata(), "v1"), *v2 = files_join(files_testdata(), "v2");
    uint64_t random = 15;
    (void) state;
    check_folder(v1, ".trace", &random);
    check_folder(v2, ".trace", &random);
    free(v1);
    free(v2);
}

static void test_reading_corpus_ahead_gives_the_same(void **state)
{
    uint64_t random = 16;
    (void) state;
    if (!files_corpus())
        skip();
    check_folder(files_corpus(), ".trace", &random);
    check_folder(files_corpus(), ".v1", &random);
}

static const unsigned versions[] = {5, 7, 11, 19, 21, 22, 23, 25, 26};

#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

/* Several generations, each of which is far larger than the ring buffer. */
static void for_long(void (*check_one)(const struct setup *setup))
{
    struct setup setup = {NULL, 0, 0, THOROUGH, 0};
    for (size_t i = 0; i < VERSIONS; i += TEST_STRIDE(2)) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i], 3, 12000);
        setup.data = wire.data;
        setup.size = wire.size;
        check_one(&setup);
        wire_free(&wire);
    }
}

static void check_paces(const struct setup *setup)
{
    struct setup paced = *setup;
    for (int pace = 0; pace < PACES; pace++) {
        for (size_t i = 0; i < FLAGS; i++) {
            paced.pace = (enum pace) pace;
            paced.flags = flags[i];
            paced.step = i % 2 ? 9000 : 0;
            check(&paced, 1);
        }
    }
}

static void test_large_generations_are_the_same_at_every_pace(void **state)
{
    (void) state;
    for_long(check_paces);
}

static void check_cuts(const struct setup *setup)
{
    struct setup cut = *setup;
    uint64_t random = 17;
    for (size_t i = 0; i < 8; i++) {
        cut.size = test_random(&random) % setup->size;
        cut.pace = (enum pace)(i % PACES);
        cut.flags = flags[i % FLAGS];
        cut.step = i / 4 * 5000;
        check(&cut, 0);
    }
}

static void test_cut_trace_is_the_same(void **state)
{
    (void) state;
    for_long(check_cuts);
}

static void check_damages(const struct setup *setup)
{
    struct setup damaged = *setup;
    uint64_t random = 18;
    for (size_t i = 0; i < 8; i++) {
        damaged.pace = (enum pace)(i % PACES);
        damaged.flags = flags[i % FLAGS];
        check_damaged(&damaged, (unsigned) (1 + i * i), &random);
    }
}

static void test_damaged_trace_is_the_same(void **state)
{
    (void) state;
    for_long(check_damages);
}

/* Goroutines throughout the generation that start although nothing created them. */
static void write_repairs(struct wire *wire)
{
    wire_begin(wire, 26);
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
    for (unsigned i = 0; i < 9000; i++) {
        if (i % 97 == 0) {
            WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 1000 + i, 1, 0);
        } else {
            WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1 + i % 3000, 0);
            WIRE_EVENT(wire, EV_STW_END, 1);
        }
    }
    wire_strings(wire, 1);
    wire_string(wire, 1, "why");
    wire_generation_end(wire);
}

/* Each repair is reported between the same events, and in the caller's thread. */
static void test_repairs_are_reported_in_place_and_in_the_caller(void **state)
{
    struct setup setup = {NULL, 0, GT_READER_LENIENT, THOROUGH, 0};
    struct wire wire = {0};
    (void) state;
    write_repairs(&wire);
    setup.data = wire.data;
    setup.size = wire.size;
    for (int pace = 0; pace < PACES; pace++) {
        setup.pace = (enum pace) pace;
        assert_true(check(&setup, 1) > 90);
    }
    wire_free(&wire);
}

/* How often a thread of the process has waited so far. */
static long count_waits(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_nvcsw;
}

/* A trace that needs a repair for every few bytes does not wake a thread for each of them. */
static void test_threads_do_not_wait_for_each_repair(void **state)
{
    struct setup setup = {NULL, 0, GT_READER_LENIENT, FAST, 0};
    (void) state;
    for (size_t i = 0; i < damage_hostile_count; i++) {
        struct wire wire = {0};
        struct tale tale;
        if (strcmp(damage_hostiles[i].name, "impossible") != 0 &&
            strcmp(damage_hostiles[i].name, "stuck") != 0)
            continue;
        damage_hostiles[i].write(&wire, 10000);
        wire_batch_end(&wire);
        setup.data = wire.data;
        setup.size = wire.size;
        long before = count_waits();
        read_tale(&tale, &setup, GT_READER_AHEAD);
        assert_true(tale.repairs >= 20000);
        assert_true(count_waits() - before < (long) tale.repairs / 4);
        free(tale.list);
        wire_free(&wire);
    }
}

/* The bytes come from a pipe, in pieces. */
static void test_pipe_gives_the_same(void **state)
{
    struct setup setup = {NULL, 0, 0, THOROUGH, 0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct tale plain, ahead = {0};
    struct wire wire = {0};
    struct writer writer;
    gt_reader *reader;
    (void) state;
    sample_trace(&wire, 26, 4, 6000);
    setup.data = wire.data;
    setup.size = wire.size;
    read_tale(&plain, &setup, 0);
    writer_start(&writer, wire.data, wire.size, 3000, 0);
    options.flags = GT_READER_AHEAD;
    assert_status(gt_reader_open_fd(&reader, writer.fd, &options, NULL), GT_OK);
    read_all(&ahead, reader);
    writer_stop(&writer);
    assert_int_equal(ahead.info.events, plain.info.events);
    /* How many bytes were read so far may differ, depending on the source. */
    assert_int_equal(ahead.info.bytes, plain.info.bytes);
    compare(&plain, &ahead);
    wire_free(&wire);
}

/* Traces that take long to order, much memory, or both. */
static void test_hostile_traces_give_the_same(void **state)
{
    struct setup setup = {NULL, 0, 0, FAST, 0};
    (void) state;
    for (size_t i = 0; i < hostile_count; i++) {
        struct wire wire = {0};
        hostiles[i].write(&wire, hostiles[i].n);
        wire_batch_end(&wire);
        setup.data = wire.data;
        setup.size = wire.size;
        for (size_t k = 0; k < FLAGS; k++) {
            setup.flags = flags[k];
            check(&setup, 0);
        }
        wire_free(&wire);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repairs_are_reported_in_place_and_in_the_caller),
        cmocka_unit_test(test_threads_do_not_wait_for_each_repair),
        cmocka_unit_test(test_large_generations_are_the_same_at_every_pace),
        cmocka_unit_test(test_cut_trace_is_the_same),
        cmocka_unit_test(test_damaged_trace_is_the_same),
        cmocka_unit_test(test_pipe_gives_the_same),
        cmocka_unit_test(test_hostile_traces_give_the_same),
        cmocka_unit_test(test_reading_testdata_ahead_gives_the_same),
        cmocka_unit_test(test_reading_corpus_ahead_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
