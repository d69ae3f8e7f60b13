/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/crowd.h"

#include <stdio.h>

enum {
    FIRST = 100
};

struct round {
    char name[32];
    uint64_t task;
    uint64_t goroutine;
    uint64_t waits;
    uint64_t wakes;
};

static uint64_t stack_of(struct gen *g, const char *function, unsigned i)
{
    char name[32];

    snprintf(name, sizeof(name), "main.%s%u", function, i);
    return GEN_STACK(g, {name, "m.go", i + 1}, {"main.main", "m.go", 9});
}

static void open_scope(struct gen *g, const struct round *round)
{
    gen_task_begin(g, round->task, round->task - 1, round->name, 0);
    gen_region_begin(g, round->task, round->name, round->waits);
    gen_log(g, round->task, round->name, "message", 0);
    gen_stw_begin(g, round->name, 0);
    gen_bare(g, EV_STW_END);
    GEN_EVENT(g, EV_GC_SWEEP_BEGIN, 0);
    gen_go_create(g, round->goroutine, round->wakes, round->waits);
    GEN_EVENT(g, EV_GC_SWEEP_END, 0, 0);
}

static void wait_once(struct gen *g, const struct round *round, unsigned i)
{
    gen_go_block(g, round->name, round->waits);
    gen_go_start(g, round->goroutine);
    g->dt = 10 * (i % 3 + 1);
    gen_go_unblock(g, 1, round->wakes);
    g->dt = 10;
    if (i % 4 == 0)
        gen_go_destroy(g);
    else
        gen_go_stop(g, "preempted", round->wakes);
    gen_go_start(g, 1);
}

void crowd_write(struct gen *gen, unsigned count)
{
    unsigned i;

    gen_begin(gen, 26);
    gen->time = 1000;
    gen->dt = 10;
    gen_generation(gen, 1);
    gen_running(gen, 5, 0, 1);
    GEN_EVENT(gen, EV_PROCS_CHANGE, 1, 0);
    for (i = 0; i < count; i++) {
        struct round round = {"", i + 1, FIRST + i, 0, 0};

        snprintf(round.name, sizeof(round.name), "name %u", i);
        round.waits = stack_of(gen, "wait", i);
        round.wakes = stack_of(gen, "wake", i);
        open_scope(gen, &round);
        wait_once(gen, &round, i);
        gen_region_end(gen, round.task, round.name, 0);
        if (i % 2 == 0)
            gen_task_end(gen, round.task, 0);
    }
    gen_end(gen);
}
