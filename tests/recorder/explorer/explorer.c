/* SPDX-License-Identifier: BSD-3-Clause */
/* For the functions of ucontext.h. */
#define _XOPEN_SOURCE 700

#include "explorer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "recorder/atomic.h"

enum {
    STACK_SIZE = 256 << 10,
    STORES = 64,
    DECISIONS = 1 << 16,
    WAITS = 100000
};

struct store {
    uint64_t *at;
    uint64_t value;
};

struct coroutine {
    jmp_buf place; /* where it goes on */
    char *stack;
    bool is_done, holds;
    struct store stores[STORES];
    size_t store_count;
};

/* One of several ways to go on. The first one is without a preemption. */
struct decision {
    unsigned chosen, count;
};

static struct {
    struct coroutine threads[EXPLORER_THREADS];
    size_t count, current;
    bool is_running;
    jmp_buf main;
    ucontext_t creator;
    explorer_body bodies[EXPLORER_THREADS];
    void *scene;
    struct decision decisions[DECISIONS];
    size_t decision, decision_count;
    unsigned most, left; /* preemptions */
    unsigned waits;
} explorer;

static void fail(const char *why)
{
    fprintf(stderr, "explorer: %s\n", why);
    exit(2);
}

void explorer_begin(unsigned preemptions)
{
    explorer.most = preemptions;
    explorer.decision_count = 0;
}

size_t explorer_self(void)
{
    return explorer.is_running ? explorer.current : EXPLORER_THREADS;
}

void explorer_print(void)
{
    for (size_t i = 0; i < explorer.decision_count; i++) {
        if (explorer.decisions[i].chosen > 0)
            fprintf(stderr, "  decision %zu: %u of %u\n", i, explorer.decisions[i].chosen,
                    explorer.decisions[i].count);
    }
}

static unsigned decide(unsigned count)
{
    if (count < 2)
        return 0;
    if (explorer.decision == DECISIONS)
        fail("too many decisions");
    struct decision *decision = &explorer.decisions[explorer.decision++];
    if (explorer.decision > explorer.decision_count) {
        *decision = (struct decision){0, count};
        explorer.decision_count = explorer.decision;
    }
    if (decision->count != count)
        fail("a run is not what it was before");
    return decision->chosen;
}

bool explorer_next(void)
{
    while (explorer.decision_count > 0) {
        struct decision *last = &explorer.decisions[explorer.decision_count - 1];
        if (++last->chosen < last->count)
            return true;
        explorer.decision_count--;
    }
    return false;
}

static void drain(struct coroutine *thread)
{
    for (size_t i = 0; i < thread->store_count; i++)
        *thread->stores[i].at = thread->stores[i].value;
    thread->store_count = 0;
}

void explorer_barrier(void)
{
    for (size_t i = 0; i < explorer.count; i++)
        drain(&explorer.threads[i]);
}

/* Unlike swapcontext, this makes no system call. */
static void switch_to(size_t next)
{
    struct coroutine *before = &explorer.threads[explorer.current];
    explorer.current = next;
    if (_setjmp(before->place) == 0)
        _longjmp(explorer.threads[next].place, 1);
}

/* The thread with this number among those that are not done, without the running one. */
static size_t other_thread(unsigned number)
{
    for (size_t i = 0; i < explorer.count; i++) {
        if (i != explorer.current && !explorer.threads[i].is_done && number-- == 0)
            return i;
    }
    fail("there is no other thread");
    return 0;
}

static unsigned other_count(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < explorer.count; i++)
        count += i != explorer.current && !explorer.threads[i].is_done;
    return count;
}

void explorer_hold(bool holds)
{
    explorer.threads[explorer.current].holds = holds;
}

void explorer_point(void)
{
    if (!explorer.is_running || explorer.left == 0)
        return;
    struct coroutine *self = &explorer.threads[explorer.current];
    if (self->holds)
        return;
    unsigned others = other_count(), ways = self->store_count > 0 ? 2 : 1;
    unsigned chosen = decide(1 + others * ways);
    if (chosen == 0)
        return;
    explorer.left--;
    if (ways == 1 || chosen > others)
        drain(self);
    switch_to(other_thread((chosen - 1) % others));
}

void explorer_wait(void)
{
    if (!explorer.is_running)
        fail("a lock is held");
    if (++explorer.waits > WAITS)
        fail("the threads wait for each other");
    drain(&explorer.threads[explorer.current]);
    unsigned others = other_count();
    if (others == 0)
        fail("a thread waits for nobody");
    switch_to(other_thread(decide(others)));
}

void explorer_pass(void)
{
    if (explorer.is_running && other_count() > 0)
        explorer_wait();
}

/* Runs the thread's part of one scene. */
static void coroutine_run(struct coroutine *self, size_t number)
{
    explorer.bodies[number](explorer.scene);
    drain(self);
    unsigned others = other_count();
    self->is_done = true;
    if (others > 0)
        switch_to(other_thread(decide(others)));
    else if (_setjmp(self->place) == 0)
        _longjmp(explorer.main, 1);
}

/* Whoever switches to a thread that is done begins its part of the next scene. */
static void coroutine_main(unsigned number)
{
    struct coroutine *self = &explorer.threads[number];
    if (_setjmp(self->place) == 0)
        setcontext(&explorer.creator);
    for (;;)
        coroutine_run(self, number);
}

static void coroutine_create(unsigned number)
{
    struct coroutine *thread = &explorer.threads[number];
    ucontext_t context;
    if (!(thread->stack = malloc(STACK_SIZE)))
        fail("no memory");
    getcontext(&context);
    context.uc_stack.ss_sp = thread->stack;
    context.uc_stack.ss_size = STACK_SIZE;
    context.uc_link = NULL;
    makecontext(&context, (void (*)(void)) coroutine_main, 1, (int) number);
    swapcontext(&explorer.creator, &context);
}

void explorer_run(const explorer_body *bodies, size_t count, void *scene)
{
    explorer.count = count;
    explorer.current = 0;
    explorer.scene = scene;
    explorer.decision = 0;
    explorer.left = explorer.most;
    explorer.waits = 0;
    for (size_t i = 0; i < count; i++) {
        struct coroutine *thread = &explorer.threads[i];
        explorer.bodies[i] = bodies[i];
        thread->is_done = thread->holds = false;
        thread->store_count = 0;
        if (!thread->stack)
            coroutine_create((unsigned) i);
    }
    explorer.is_running = true;
    if (_setjmp(explorer.main) == 0)
        _longjmp(explorer.threads[0].place, 1);
    explorer.is_running = false;
}

uint64_t explorer_peek(const uint64_t *at)
{
    if (!explorer.is_running)
        return *at;
    const struct coroutine *self = &explorer.threads[explorer.current];
    for (size_t i = self->store_count; i-- > 0;) {
        if (self->stores[i].at == at)
            return self->stores[i].value;
    }
    return *at;
}

uint64_t explorer_load(const uint64_t *at)
{
    explorer_point();
    uint64_t value = explorer_peek(at);
    if (value == EXPLORER_FREED_WORD)
        fail("memory was used after it had been freed");
    return value;
}

void explorer_store(uint64_t *at, uint64_t value)
{
    explorer_point();
    if (!explorer.is_running) {
        *at = value;
        return;
    }
    struct coroutine *self = &explorer.threads[explorer.current];
    if (self->store_count == STORES)
        drain(self);
    self->stores[self->store_count++] = (struct store){at, value};
}

void explorer_flush(void)
{
    if (explorer.is_running)
        drain(&explorer.threads[explorer.current]);
}

/* A locked instruction. */
static void begin_full(void)
{
    explorer_point();
    explorer_flush();
}

void explorer_store_full(uint64_t *at, uint64_t value)
{
    begin_full();
    *at = value;
}

uint64_t explorer_add(uint64_t *at, uint64_t more)
{
    begin_full();
    uint64_t old = *at;
    *at = old + more;
    return old;
}

bool explorer_swap(uint64_t *at, uint64_t *expected, uint64_t value)
{
    begin_full();
    if (*at == EXPLORER_FREED_WORD)
        fail("memory was used after it had been freed");
    if (*at != *expected) {
        *expected = *at;
        return false;
    }
    *at = value;
    return true;
}
