/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/chance.h"

#include "support/gen_events.h"
#include "support/test.h"
#include "support/v1wire.h"

enum {
    GOROUTINES = CHANCE_GOROUTINES,
    PROCS = CHANCE_PROCS,
    THREADS = 4,
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

uint64_t chance_below(struct chance *chance, uint64_t limit)
{
    return test_random(&chance->seed) % limit;
}

/* A goroutine, and the number that its next event has, or sometimes another number. */
static uint64_t next_sequence(struct chance *chance, uint64_t goroutine)
{
    return chance_below(chance, 16) == 0 ? chance_below(chance, 9) : chance->sequences[goroutine]++;
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
    uint64_t first = chance_below(chance, GOROUTINES);
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
    switch (chance_below(chance, 9)) {
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
    if (*id != NONE && chance_below(chance, 4) != 0) {
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
    if (chance_below(chance, chance->wild) == 0)
        return ACT_ANY;
    if (chance->blocked[proc] != NONE && (!chance->has_calls || chance_below(chance, 4) == 0)) {
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
    if (chance->blocked[proc] == NONE && chance_below(chance, 2) == 0) {
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
    chance->wild = chance_below(chance, 2) == 0 ? 12 : 100;
    chance->has_calls = has_calls;
    chance->collections = 0;
}

/* An event of Go 1.5 to 1.21 with arguments that it can have. */
static void put_v1(struct wire *wire, struct chance *chance, unsigned type)
{
    uint64_t id = chance_below(chance, GOROUTINES), other = chance_below(chance, 3);
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
        V1_EVENT(wire, type, 1, other, chance_below(chance, 2), 1, 0);
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
    unsigned type = (unsigned) chance_below(chance, V1_TYPES);
    if (is_plain)
        type = plain[chance_below(chance, sizeof(plain) / sizeof(*plain))];
    if (v1_specs[type].timed && v1_specs[type].since <= wire->version)
        put_v1(wire, chance, type);
}

static void put_v1_act(struct wire *wire, struct chance *chance, enum act act, uint64_t id)
{
    switch (act) {
    case ACT_PROC_START:
        V1_EVENT(wire, V1_PROC_START, 1, 5 + chance_below(chance, 4));
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

void chance_old_trace(struct chance *chance, struct wire *wire, unsigned version)
{
    uint64_t now = V1_TICKS + 10, id = NONE;
    begin_life(chance, true);
    v1_start(wire, version);
    v1_string(wire, 1, "text");
    for (id = 0; id < GOROUTINES; id++)
        chance->sequences[id] = id == 1 ? 2 : 1;
    for (unsigned i = 0; i < CHANCE_EVENTS; i++) {
        uint64_t proc = chance_below(chance, PROCS), batch = proc;
        enum act act = next_act(chance, proc, &id);
        if (act == ACT_ANY && chance_below(chance, 3) == 0)
            batch = 1000000 + chance_below(chance, 3);
        v1_batch(wire, batch, now += 5);
        put_v1_act(wire, chance, act, id);
    }
}

/* What a goroutine does, or what is done to it. */
static void put_go(struct gen *g, struct chance *chance, uint64_t id)
{
    static const char *const reasons[] = {"chan receive", "runtime.Gosched", "forever", "other"};
    const char *reason = reasons[chance_below(chance, 4)];
    switch (chance_below(chance, 16)) {
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
    uint64_t proc = chance_below(chance, 20) == 0 ? 1000001 : chance_below(chance, THREADS);
    switch (chance_below(chance, 4)) {
    case 0:
        gen_proc_start(g, proc);
        break;
    case 1:
        gen_proc_stop(g);
        break;
    case 2:
        gen_proc_steal(g, proc, 5 + chance_below(chance, THREADS));
        break;
    default:
        gen_proc_status(g, proc, 1 + chance_below(chance, 4));
    }
}

static void put_range(struct gen *g, struct chance *chance)
{
    static const unsigned bare[] = {EV_STW_END, EV_GC_MARK_ASSIST_END};
    static const unsigned begins[] = {EV_GC_SWEEP_BEGIN, EV_GC_MARK_ASSIST_BEGIN};
    static const unsigned actives[] = {EV_GC_SWEEP_ACTIVE, EV_GC_MARK_ASSIST_ACTIVE};
    uint64_t pick = chance_below(chance, 2);
    switch (chance_below(chance, 8)) {
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
        GEN_EVENT(g, actives[pick],
                  pick ? chance_below(chance, GOROUTINES) : chance_below(chance, THREADS));
        break;
    default:
        gen_bare(g, bare[pick]);
    }
}

static void put_plain(struct gen *g, struct chance *chance, uint64_t id)
{
    switch (chance_below(chance, 6)) {
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
        GEN_EVENT(g, EV_PROCS_CHANGE, chance_below(chance, 5), 0);
        break;
    default:
        gen_go_status(g, id, WIRE_NONE, 1 + chance_below(chance, 4));
    }
}

/* The ids of goroutines are large, small, and that which stands for none. */
static uint64_t some_goroutine(struct chance *chance)
{
    static const uint64_t ids[GOROUTINES] = {
        1, 2, 3, 4, 0, UINT64_C(1) << 31, UINT64_C(1) << 33, (UINT64_C(1) << 33) + 1};
    return ids[chance_below(chance, GOROUTINES)];
}

static void put_v2_any(struct gen *g, struct chance *chance)
{
    uint64_t what = chance_below(chance, 8);
    gen_on(g, chance_below(chance, 9) == 0 ? WIRE_NONE : 5 + chance_below(chance, THREADS));
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
        gen_go_stop(g, reasons[chance_below(chance, 4)], 0);
        break;
    case ACT_BLOCK:
        gen_go_block(g, reasons[chance_below(chance, 4)], 0);
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
    gen_generation(g, g->generation + 1);
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

void chance_trace(struct chance *chance, struct gen *g, unsigned version)
{
    uint64_t id = NONE;
    begin_life(chance, false);
    gen_begin(g, version);
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_proc_status(g, 1, PROC_IDLE);
    gen_proc_status(g, 2, PROC_IDLE);
    if (chance_below(chance, 2) == 0)
        GEN_EVENT(g, EV_PROCS_CHANGE, 3, 0);
    for (unsigned i = 0; i < CHANCE_EVENTS; i++) {
        uint64_t proc = chance_below(chance, PROCS);
        put_v2_act(g, chance, next_act(chance, proc, &id), proc, id);
        if (i % (CHANCE_EVENTS / 3) == CHANCE_EVENTS / 3 - 1 && chance_below(chance, 2) == 0)
            put_generation(g, chance);
    }
    gen_end(g);
}
