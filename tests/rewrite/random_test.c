/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Random traces, in which little is as it should be, written in the other format. Whatever is
 * written can be read again, by a strict reader to its end, and what cannot be written is refused.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "rewrite/lowered.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"
#include "support/v1wire.h"

enum {
    TRACES = TEST_SANITIZED ? 300 : 3000,
    EVENTS = 60,
    GOROUTINES = 8,
    THREADS = 4,
    PROCS = 3,
    NONE = GOROUTINES
};

enum life {
    UNBORN,
    RUNNABLE,
    RUNNING,
    WAITING,
    CALLING,
    BLOCKED /* it calls the system, and has no proc */
};

/* What a trace says so far, as far as it is possible; and what the next event is. */
struct chance {
    uint64_t seed;
    uint64_t sequences[GOROUTINES];
    uint64_t collections;
    uint64_t wild; /* one of so many events is any one */
    enum life lives[GOROUTINES];
    bool is_on[PROCS];
    uint64_t runs[PROCS];    /* the goroutine on each proc, or NONE */
    uint64_t blocked[PROCS]; /* the goroutine that has left the proc in a call, or NONE */
    bool has_calls;          /* a proc with a goroutine that has left it can be used */
};

static uint64_t below(struct chance *chance, uint64_t limit)
{
    return test_random(&chance->seed) % limit;
}

/* A goroutine, and the number that its next event has, or sometimes another number. */
static uint64_t next_sequence(struct chance *chance, uint64_t goroutine)
{
    return below(chance, 16) == 0 ? below(chance, 9) : chance->sequences[goroutine]++;
}

enum act {
    ACT_ANY,
    ACT_OTHER, /* what changes no state of a goroutine */
    ACT_PROC_START,
    ACT_PROC_STOP,
    ACT_START,
    ACT_CREATE,
    ACT_END,
    ACT_YIELD,
    ACT_BLOCK,
    ACT_UNBLOCK,
    ACT_CALL,
    ACT_LEAVE, /* the call blocks, and the proc goes */
    ACT_RETURN,
    ACT_EXIT
};

/* A goroutine that is in this state, or NONE. */
static uint64_t find_life(struct chance *chance, enum life life)
{
    uint64_t first = below(chance, GOROUTINES);
    for (uint64_t i = 0; i < GOROUTINES; i++) {
        uint64_t id = (first + i) % GOROUTINES;
        if (id != 0 && chance->lives[id] == life)
            return id;
    }
    return NONE;
}

static void run(struct chance *chance, uint64_t proc, uint64_t id, enum life life)
{
    if (chance->runs[proc] != NONE)
        chance->lives[chance->runs[proc]] = life;
    if (id != NONE)
        chance->lives[id] = RUNNING;
    chance->runs[proc] = id;
}

/* What a goroutine that runs does. */
static enum act act_running(struct chance *chance, uint64_t proc, uint64_t *id)
{
    switch (below(chance, 9)) {
    case 0:
        *id = find_life(chance, UNBORN);
        if (*id != NONE)
            chance->lives[*id] = RUNNABLE;
        return *id == NONE ? ACT_OTHER : ACT_CREATE;
    case 1:
        run(chance, proc, NONE, UNBORN);
        return ACT_END;
    case 2:
        run(chance, proc, NONE, RUNNABLE);
        return ACT_YIELD;
    case 3:
        run(chance, proc, NONE, WAITING);
        return ACT_BLOCK;
    case 4:
        *id = find_life(chance, WAITING);
        if (*id != NONE)
            chance->lives[*id] = RUNNABLE;
        return *id == NONE ? ACT_OTHER : ACT_UNBLOCK;
    case 5:
        chance->lives[chance->runs[proc]] = CALLING;
        return ACT_CALL;
    default:
        return ACT_OTHER;
    }
}

/* What a proc without a goroutine does. */
static enum act act_idle(struct chance *chance, uint64_t proc, uint64_t *id)
{
    *id = find_life(chance, RUNNABLE);
    if (*id != NONE && below(chance, 4) != 0) {
        run(chance, proc, *id, UNBORN);
        return ACT_START;
    }
    chance->is_on[proc] = false;
    return ACT_PROC_STOP;
}

/* Decides what happens next on a proc, nearly always something that can. */
static enum act next_act(struct chance *chance, uint64_t proc, uint64_t *id)
{
    *id = NONE;
    if (below(chance, chance->wild) == 0)
        return ACT_ANY;
    if (chance->blocked[proc] != NONE && (!chance->has_calls || below(chance, 4) == 0)) {
        *id = chance->blocked[proc];
        chance->lives[*id] = RUNNABLE;
        chance->blocked[proc] = NONE;
        return ACT_EXIT;
    }
    if (!chance->is_on[proc]) {
        chance->is_on[proc] = true;
        return ACT_PROC_START;
    }
    if (chance->runs[proc] == NONE)
        return act_idle(chance, proc, id);
    if (chance->lives[chance->runs[proc]] == RUNNING)
        return act_running(chance, proc, id);
    if (chance->blocked[proc] == NONE && below(chance, 2) == 0) {
        chance->blocked[proc] = chance->runs[proc];
        run(chance, proc, NONE, BLOCKED);
        chance->is_on[proc] = false;
        return ACT_LEAVE;
    }
    chance->lives[chance->runs[proc]] = RUNNING;
    return ACT_RETURN;
}

/* Proc 0 runs goroutine 1. */
static void begin_life(struct chance *chance, bool has_calls)
{
    for (uint64_t i = 0; i < GOROUTINES; i++)
        chance->lives[i] = i == 1 ? RUNNING : UNBORN;
    for (uint64_t i = 0; i < PROCS; i++) {
        chance->runs[i] = i == 0 ? 1 : NONE;
        chance->blocked[i] = NONE;
        chance->is_on[i] = i == 0;
    }
    chance->wild = below(chance, 2) == 0 ? 12 : 100;
    chance->has_calls = has_calls;
    chance->collections = 0;
}

/* An event of Go 1.5 to 1.21 with arguments that it can have. */
static void put_v1(struct wire *wire, struct chance *chance, unsigned type)
{
    uint64_t id = below(chance, GOROUTINES), other = below(chance, 3);
    switch (type) {
    case V1_GO_CREATE:
        chance->sequences[id] = 1;
        V1_EVENT(wire, type, 1, id, 0, 0);
        break;
    case V1_GO_WAITING:
    case V1_GO_IN_SYSCALL:
        chance->sequences[id] = 2;
        V1_EVENT(wire, type, 1, id);
        break;
    case V1_GO_START:
    case V1_GO_UNBLOCK:
    case V1_GO_SYS_EXIT:
        V1_EVENT(wire, type, 1, id, next_sequence(chance, id), 0);
        break;
    case V1_GO_START_LABEL:
        V1_EVENT(wire, type, 1, id, next_sequence(chance, id), 1);
        break;
    case V1_GC_START:
        V1_EVENT(wire, type, 1, chance->collections++, 0);
        break;
    case V1_LOG:
        v1_log(wire, other, 1, 0, "message");
        break;
    case V1_REGION:
        V1_EVENT(wire, type, 1, other, below(chance, 2), 1, 0);
        break;
    default:
        v1_event(wire, type, (const uint64_t[]){1, id, other, 0, 0, 0}, v1_specs[type].count);
    }
}

/* An event of any type, or one that changes no state of a goroutine or a proc. */
static void put_v1_any(struct wire *wire, struct chance *chance, bool is_plain)
{
    static const unsigned plain[] = {
        V1_HEAP_ALLOC,       V1_HEAP_GOAL, V1_STW_START, V1_STW_DONE,    V1_SWEEP_START,
        V1_SWEEP_DONE,       V1_GC_START,  V1_GC_DONE,   V1_TASK_CREATE, V1_MARK_ASSIST_START,
        V1_MARK_ASSIST_DONE, V1_TASK_END,  V1_REGION,    V1_LOG,         V1_GOMAXPROCS};
    unsigned type = (unsigned) below(chance, V1_TYPES);
    if (is_plain)
        type = plain[below(chance, sizeof(plain) / sizeof(*plain))];
    if (v1_specs[type].timed && v1_specs[type].since <= wire->version)
        put_v1(wire, chance, type);
}

static void put_v1_act(struct wire *wire, struct chance *chance, enum act act, uint64_t id)
{
    switch (act) {
    case ACT_PROC_START:
        V1_EVENT(wire, V1_PROC_START, 1, 5 + below(chance, 4));
        break;
    case ACT_PROC_STOP:
        V1_EVENT(wire, V1_PROC_STOP, 1);
        break;
    case ACT_START:
        V1_EVENT(wire, V1_GO_START, 1, id, chance->sequences[id]++);
        break;
    case ACT_CREATE:
        chance->sequences[id] = 1;
        V1_EVENT(wire, V1_GO_CREATE, 1, id, 0, 0);
        break;
    case ACT_END:
        V1_EVENT(wire, V1_GO_END, 1);
        break;
    case ACT_YIELD:
        V1_EVENT(wire, V1_GO_SCHED, 1, 0);
        break;
    case ACT_BLOCK:
        V1_EVENT(wire, V1_GO_BLOCK_RECV, 1, 0);
        break;
    case ACT_UNBLOCK:
        V1_EVENT(wire, V1_GO_UNBLOCK, 1, id, chance->sequences[id]++, 0);
        break;
    case ACT_CALL:
        V1_EVENT(wire, V1_GO_SYS_CALL, 1, 0);
        break;
    case ACT_LEAVE:
        V1_EVENT(wire, V1_GO_SYS_BLOCK, 1);
        V1_EVENT(wire, V1_PROC_STOP, 1);
        break;
    case ACT_EXIT:
        V1_EVENT(wire, V1_GO_SYS_EXIT, 1, id, chance->sequences[id]++, 0);
        break;
    default:
        put_v1_any(wire, chance, act != ACT_ANY);
    }
}

static void make_v1(struct wire *wire, struct chance *chance, unsigned version)
{
    uint64_t now = V1_TICKS + 10, id = NONE;
    begin_life(chance, true);
    v1_start(wire, version);
    v1_string(wire, 1, "text");
    for (id = 0; id < GOROUTINES; id++)
        chance->sequences[id] = id == 1 ? 2 : 1;
    for (unsigned i = 0; i < EVENTS; i++) {
        uint64_t proc = below(chance, PROCS), batch = proc;
        enum act act = next_act(chance, proc, &id);
        if (act == ACT_ANY && below(chance, 3) == 0)
            batch = 1000000 + below(chance, 3);
        v1_batch(wire, batch, now += 5);
        put_v1_act(wire, chance, act, id);
    }
}

static void expect_good(const struct copy *copy)
{
    uint64_t most = copy->info.events + copy->info.made_up + 2 * copy->info.handed_over;
    struct findings found = copy_validate(copy->out.data, copy->out.size);
    assert_status(found.read, GT_END);
    assert_in_range(found.events, 1, most + copy->info.generations + 1);
}

/* Also where the output begins later. */
static bool check_v1(const struct wire *wire, struct chance *chance, uint64_t flags)
{
    struct copy copy;
    copy_init(&copy);
    copy.reader_flags = flags;
    copy.first = below(chance, 2) == 0 ? 0 : below(chance, EVENTS);
    copy_make(&copy, wire->data, wire->size);
    bool is_written = copy.wrote == GT_OK;
    if (is_written)
        expect_good(&copy);
    else
        assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    copy_free(&copy);
    return is_written;
}

static void test_random_old_traces_are_refused_or_written_so_that_they_can_be_read(void **state)
{
    static const unsigned versions[] = {11, 19, 21};
    struct chance chance = {.seed = 1};
    uint64_t written = 0;
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct wire wire = {0};
        make_v1(&wire, &chance, versions[i % 3]);
        written += check_v1(&wire, &chance, GT_READER_LENIENT);
        written += check_v1(&wire, &chance, 0);
        wire_free(&wire);
    }
    assert_in_range(written, TRACES / 2, 2 * TRACES - 1);
}

/* What a goroutine does, or what is done to it. */
static void put_go(struct gen *g, struct chance *chance, uint64_t id)
{
    static const char *const reasons[] = {"chan receive", "runtime.Gosched", "forever", "other"};
    const char *reason = reasons[below(chance, 4)];
    switch (below(chance, 16)) {
    case 0:
        gen_go_create(g, id, 0, 0);
        break;
    case 1:
        gen_go_create_blocked(g, id, 0, 0);
        break;
    case 2:
        gen_go_create_syscall(g, id);
        break;
    case 3:
    case 4:
        gen_go_start(g, id);
        break;
    case 5:
        gen_go_stop(g, reason, 0);
        break;
    case 6:
        gen_go_block(g, reason, 0);
        break;
    case 7:
        gen_go_unblock(g, id, 0);
        break;
    case 8:
        gen_go_switch(g, id);
        break;
    case 9:
        gen_go_switch_destroy(g, id);
        break;
    case 10:
        gen_go_destroy(g);
        break;
    case 11:
        gen_go_destroy_syscall(g);
        break;
    case 12:
    case 13:
        gen_syscall_begin(g, 0);
        break;
    case 14:
        gen_syscall_end(g);
        break;
    default:
        gen_syscall_end_blocked(g);
    }
}

static void put_proc(struct gen *g, struct chance *chance)
{
    uint64_t proc = below(chance, 20) == 0 ? 1000001 : below(chance, THREADS);
    switch (below(chance, 4)) {
    case 0:
        gen_proc_start(g, proc);
        break;
    case 1:
        gen_proc_stop(g);
        break;
    case 2:
        gen_proc_steal(g, proc, 5 + below(chance, THREADS));
        break;
    default:
        gen_proc_status(g, proc, 1 + below(chance, 4));
    }
}

static void put_range(struct gen *g, struct chance *chance)
{
    static const unsigned bare[] = {EV_STW_END, EV_GC_MARK_ASSIST_END};
    static const unsigned begins[] = {EV_GC_SWEEP_BEGIN, EV_GC_MARK_ASSIST_BEGIN};
    static const unsigned actives[] = {EV_GC_SWEEP_ACTIVE, EV_GC_MARK_ASSIST_ACTIVE};
    uint64_t pick = below(chance, 2);
    switch (below(chance, 8)) {
    case 0:
        gen_stw_begin(g, pick ? "GC sweep termination" : "unknown", 0);
        break;
    case 1:
        gen_gc_begin(g, 0);
        break;
    case 2:
        gen_gc_end(g);
        break;
    case 3:
        gen_gc_active(g);
        break;
    case 4:
        GEN_EVENT(g, EV_GC_SWEEP_END, 1, 2);
        break;
    case 5:
        GEN_EVENT(g, begins[pick], 0);
        break;
    case 6:
        GEN_EVENT(g, actives[pick], pick ? below(chance, GOROUTINES) : below(chance, THREADS));
        break;
    default:
        gen_bare(g, bare[pick]);
    }
}

static void put_plain(struct gen *g, struct chance *chance, uint64_t id)
{
    switch (below(chance, 6)) {
    case 0:
        gen_label(g, "label");
        break;
    case 1:
        gen_region_begin(g, 1, "region", 0);
        break;
    case 2:
        gen_region_end(g, 1, "region", 0);
        break;
    case 3:
        gen_sample(g, g->thread, 0, id, 0);
        break;
    case 4:
        GEN_EVENT(g, EV_PROCS_CHANGE, below(chance, 5), 0);
        break;
    default:
        gen_go_status(g, id, WIRE_NONE, 1 + below(chance, 4));
    }
}

/* The ids of goroutines are large, small, and that which stands for none. */
static uint64_t some_goroutine(struct chance *chance)
{
    static const uint64_t ids[GOROUTINES] = {
        1, 2, 3, 4, 0, UINT64_C(1) << 31, UINT64_C(1) << 33, (UINT64_C(1) << 33) + 1};
    return ids[below(chance, GOROUTINES)];
}

static void put_v2_any(struct gen *g, struct chance *chance)
{
    uint64_t what = below(chance, 8);
    gen_on(g, below(chance, 9) == 0 ? WIRE_NONE : 5 + below(chance, THREADS));
    if (what < 4)
        put_go(g, chance, some_goroutine(chance));
    else if (what < 6)
        put_proc(g, chance);
    else
        put_plain(g, chance, some_goroutine(chance));
}

/* Each proc has a thread of its own, and another one that takes it away from calls. */
static void put_v2_act(struct gen *g, struct chance *chance, enum act act, uint64_t proc,
                       uint64_t id)
{
    static const char *const reasons[] = {"chan receive", "runtime.Gosched", "forever", "other"};
    gen_on(g, 5 + proc);
    switch (act) {
    case ACT_PROC_START:
        gen_proc_start(g, proc);
        break;
    case ACT_PROC_STOP:
        gen_proc_stop(g);
        break;
    case ACT_START:
        gen_go_start(g, id);
        break;
    case ACT_CREATE:
        gen_go_create(g, id, 0, 0);
        break;
    case ACT_END:
        gen_go_destroy(g);
        break;
    case ACT_YIELD:
        gen_go_stop(g, reasons[below(chance, 4)], 0);
        break;
    case ACT_BLOCK:
        gen_go_block(g, reasons[below(chance, 4)], 0);
        break;
    case ACT_UNBLOCK:
        gen_go_unblock(g, id, 0);
        break;
    case ACT_CALL:
        gen_syscall_begin(g, 0);
        break;
    case ACT_LEAVE:
        gen_on(g, 20 + proc);
        gen_proc_steal(g, proc, 5 + proc);
        break;
    case ACT_RETURN:
        gen_syscall_end(g);
        break;
    case ACT_EXIT:
        gen_syscall_end_blocked(g);
        break;
    case ACT_OTHER:
        put_range(g, chance);
        break;
    default:
        put_v2_any(g, chance);
    }
}

/* Begins another generation, which says again what there is. */
static void put_generation(struct gen *g, const struct chance *chance)
{
    gen_generation(g, 2);
    for (uint64_t proc = 0; proc < PROCS; proc++) {
        uint64_t id = chance->runs[proc], thread = 5 + proc;
        bool is_calling = id != NONE && chance->lives[id] == CALLING;
        gen_on(g, thread);
        gen_proc_status(g, proc,
                        is_calling            ? PROC_SYSCALL
                        : chance->is_on[proc] ? PROC_RUNNING
                                              : PROC_IDLE);
        if (id != NONE)
            gen_go_status(g, id, thread, is_calling ? GO_SYSCALL : GO_RUNNING);
        if (chance->blocked[proc] != NONE)
            gen_go_status(g, chance->blocked[proc], thread, GO_SYSCALL);
    }
    gen_on(g, 40);
    for (uint64_t id = 1; id < GOROUTINES; id++)
        if (chance->lives[id] == RUNNABLE || chance->lives[id] == WAITING)
            gen_go_status(g, id, WIRE_NONE,
                          chance->lives[id] == RUNNABLE ? GO_RUNNABLE : GO_WAITING);
}

static void make_v2(struct gen *g, struct chance *chance, unsigned version)
{
    uint64_t id = NONE;
    begin_life(chance, false);
    gen_begin(g, version);
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_proc_status(g, 1, PROC_IDLE);
    gen_proc_status(g, 2, PROC_IDLE);
    if (below(chance, 2) == 0)
        GEN_EVENT(g, EV_PROCS_CHANGE, 3, 0);
    for (unsigned i = 0; i < EVENTS; i++) {
        uint64_t proc = below(chance, PROCS);
        put_v2_act(g, chance, next_act(chance, proc, &id), proc, id);
        if (i == EVENTS / 2 && below(chance, 2) == 0)
            put_generation(g, chance);
    }
    gen_end(g);
}

static bool check_v2(const struct gen *g, uint64_t flags)
{
    struct lowered lowered;
    lowered_init(&lowered);
    lowered.reader_flags = flags;
    lowered_make(&lowered, g->wire.data, g->wire.size);
    if (lowered.wrote == GT_OK)
        assert_status(copy_validate(lowered.out.data, lowered.out.size).read, GT_END);
    else
        assert_status(lowered.wrote, GT_ERR_NOT_AVAILABLE);
    bool is_written = lowered.wrote == GT_OK;
    lowered_free(&lowered);
    return is_written;
}

static void test_random_traces_are_refused_or_written_for_go_1_21(void **state)
{
    struct chance chance = {.seed = 2};
    uint64_t written = 0;
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        make_v2(&g, &chance, i % 2 == 0 ? 26 : 23);
        written += check_v2(&g, GT_READER_LENIENT);
        written += check_v2(&g, 0);
        gen_free(&g);
    }
    assert_in_range(written, TRACES / 2, 2 * TRACES - 1);
}

/* The same generator, for the writer of the current format. */
static void test_random_traces_are_refused_or_written_so_that_they_can_be_read(void **state)
{
    struct chance chance = {.seed = 3};
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        struct copy copy;
        make_v2(&g, &chance, i % 2 == 0 ? 26 : 23);
        copy_init(&copy);
        copy.reader_flags = GT_READER_LENIENT;
        copy.first = below(&chance, 2) == 0 ? 0 : below(&chance, EVENTS);
        copy_make(&copy, g.wire.data, g.wire.size);
        if (copy.wrote == GT_OK)
            expect_good(&copy);
        else
            assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
        copy_free(&copy);
        gen_free(&g);
    }
}

/* Writes a trace without its event number `left_out`, which its user should have passed. */
static gt_status lower_without(const uint8_t *data, size_t size, uint64_t left_out,
                               struct probe *probe)
{
    gt_downgrader_options options = GT_DOWNGRADER_OPTIONS_INIT;
    gt_downgrader *downgrader;
    gt_reader *reader;
    const gt_event *event;
    struct output out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_status status = GT_OK;
    options.allocator = &probe->allocator;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    assert_status(gt_downgrader_open(&downgrader, reader, output_write, &out, &options, NULL),
                  GT_OK);
    for (uint64_t i = 0; gt_reader_next_event(reader, &event) == GT_OK; i++) {
        gt_status next = i == left_out ? status : gt_downgrader_event(downgrader, event);
        /* An error remains. */
        assert_true(status == GT_OK || next == status);
        status = next;
    }
    assert_true(gt_downgrader_finish(downgrader) == status);
    assert_status(gt_downgrader_error(downgrader, &error), GT_OK);
    if (status != GT_OK)
        assert_non_null(strstr(error.message, "not possible after those before it"));
    gt_downgrader_close(&downgrader);
    gt_reader_close(&reader);
    output_free(&out);
    return status;
}

static void test_trace_without_one_event_is_written_or_refused(void **state)
{
    static const char *const names[] = {"go1.26-tasks", "go1.23-stw", "go1.26-net", "go1.26-coro"};
    uint64_t refused = 0, written = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[500];
        size_t size;
        snprintf(path, sizeof(path), "%s/v2/%s.trace", files_testdata(), names[i]);
        uint8_t *data = files_read(path, &size);
        for (uint64_t at = 0; at < (TEST_SANITIZED ? 60 : 400); at++) {
            struct probe probe;
            probe_init(&probe);
            gt_status status = lower_without(data, size, at, &probe);
            assert_true(status == GT_OK || status == GT_ERR_NOT_AVAILABLE);
            refused += status != GT_OK;
            written += status == GT_OK;
            probe_check(&probe);
        }
        free(data);
    }
    assert_true(refused > 20);
    assert_true(written > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_old_traces_are_refused_or_written_so_that_they_can_be_read),
        cmocka_unit_test(test_random_traces_are_refused_or_written_for_go_1_21),
        cmocka_unit_test(test_random_traces_are_refused_or_written_so_that_they_can_be_read),
        cmocka_unit_test(test_trace_without_one_event_is_written_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
