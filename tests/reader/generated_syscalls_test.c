/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Procs that are taken from threads in system calls, and C threads that call into Go. Each trace
 * has the events of one of Go's own test traces, those in internal/trace/testdata/generators of its
 * source; the comment at a test begins with the name of that trace. Where two threads have events
 * at the same time, one has the odd times and the other the even ones, so that no two are equal.
 */

#include "support/gen_events.h"
#include "support/gen_moments.h"
#include "support/test.h"

static void write_simple_victim(struct gen *g)
{
    g->dt = 2;
    gen_generation(g, 1);
    gen_running(g, 0, 0, 1);
    gen_syscall_begin(g, 0);
    gen_syscall_end_blocked(g);
}

/*
 * The times of the thief are as early as those of the victim, so that by time the end of the system
 * call comes before the steal.
 */
static void write_simple(struct gen *g)
{
    write_simple_victim(g);
    gen_on_at(g, 1, 2);
    gen_proc_status(g, 2, PROC_RUNNING);
    gen_go_status(g, 2, 1, GO_RUNNING);
    gen_proc_steal(g, 0, 0);
}

static const struct gen_moment simple[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    PROC(2, UNDETERMINED, RUNNING, 1, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(2, UNDETERMINED, RUNNING, 1, 2, -1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    PROC(0, RUNNING, IDLE, 1, 2, 2),
    GO(1, SYSCALL, RUNNABLE, 0, -1, 1),
};

/* syscall-steal-proc-simple: the end of a blocked system call waits for the steal. */
static void test_end_of_blocked_syscall_waits_for_the_steal(void **state)
{
    (void) state;
    gen_check(write_simple, 22, 26, GEN_MOMENTS(simple));
}

static void write_simple_bare(struct gen *g)
{
    write_simple_victim(g);
    gen_on_at(g, 1, 2);
    gen_proc_steal(g, 0, 0);
}

static const struct gen_moment simple_bare[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    PROC(0, RUNNING, IDLE, 1, -1, -1),
    GO(1, SYSCALL, RUNNABLE, 0, -1, 1),
};

/* syscall-steal-proc-simple-bare-m: the thief needs neither a proc nor a goroutine. */
static void test_thief_needs_neither_proc_nor_goroutine(void **state)
{
    (void) state;
    gen_check(write_simple_bare, 22, 26, GEN_MOMENTS(simple_bare));
}

/* Goroutine 1 gets proc 1 before proc 0 has been taken from its thread. */
static void write_reacquire_victim(struct gen *g)
{
    g->dt = 2;
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_proc_status(g, 1, PROC_IDLE);
    gen_running(g, 0, 0, 1);
    gen_syscall_begin(g, 0);
    gen_proc_start(g, 1);
    gen_syscall_end_blocked(g);
    gen_on_at(g, 1, 2);
}

static void write_reacquire(struct gen *g)
{
    write_reacquire_victim(g);
    gen_proc_status(g, 2, PROC_RUNNING);
    gen_go_status(g, 2, 1, GO_RUNNING);
    gen_seq(g, 2);
    gen_proc_steal(g, 0, 0);
}

static const struct gen_moment reacquire[] = {
    SYNC_OF(1),
    PROC(1, UNDETERMINED, IDLE, 0, -1, -1),
    PROC(2, UNDETERMINED, RUNNING, 1, -1, -1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(2, UNDETERMINED, RUNNING, 1, 2, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    PROC(0, RUNNING, IDLE, 1, 2, 2),
    PROC(1, IDLE, RUNNING, 0, -1, 1),
    GO(1, SYSCALL, RUNNABLE, 0, 1, 1),
};

/* syscall-steal-proc-reacquire-new-proc: the start of a new proc also waits for the steal. */
static void test_start_of_new_proc_waits_for_the_steal(void **state)
{
    (void) state;
    gen_check(write_reacquire, 22, 26, GEN_MOMENTS(reacquire));
}

static void write_reacquire_bare(struct gen *g)
{
    write_reacquire_victim(g);
    gen_seq(g, 2);
    gen_proc_steal(g, 0, 0);
}

static const struct gen_moment reacquire_bare[] = {
    SYNC_OF(1),
    PROC(1, UNDETERMINED, IDLE, 0, -1, -1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    PROC(0, RUNNING, IDLE, 1, -1, -1),
    PROC(1, IDLE, RUNNING, 0, -1, 1),
    GO(1, SYSCALL, RUNNABLE, 0, 1, 1),
};

/* syscall-steal-proc-reacquire-new-proc-bare-m */
static void test_start_of_new_proc_waits_for_a_bare_thread(void **state)
{
    (void) state;
    gen_check(write_reacquire_bare, 22, 26, GEN_MOMENTS(reacquire_bare));
}

/* The generation begins during the system call, and proc 0 is lost by then. */
static void write_boundary_victim(struct gen *g)
{
    g->dt = 2;
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_proc_status(g, 1, PROC_RUNNING);
    gen_go_status(g, 1, 0, GO_SYSCALL);
    gen_syscall_end_blocked(g);
    gen_on_at(g, 1, 2);
}

static void write_abandoned_steal(struct gen *g)
{
    gen_proc_status(g, 0, PROC_ABANDONED);
    gen_proc_steal(g, 0, 0);
}

static void write_boundary(struct gen *g)
{
    write_boundary_victim(g);
    gen_proc_status(g, 2, PROC_RUNNING);
    gen_go_status(g, 2, 1, GO_RUNNING);
    write_abandoned_steal(g);
}

static const struct gen_moment boundary[] = {
    SYNC_OF(1),
    PROC(1, UNDETERMINED, RUNNING, 0, -1, -1),
    PROC(2, UNDETERMINED, RUNNING, 1, -1, -1),
    GO(1, UNDETERMINED, SYSCALL, 0, 1, -1),
    GO(2, UNDETERMINED, RUNNING, 1, 2, -1),
    GO(1, SYSCALL, RUNNABLE, 0, 1, 1),
    PROC(0, UNDETERMINED, IDLE, 1, 2, 2),
    PROC(0, IDLE, IDLE, 1, 2, 2),
};

/* syscall-steal-proc-gen-boundary: an abandoned proc is stolen from no thread. */
static void test_abandoned_proc_is_stolen_from_no_thread(void **state)
{
    (void) state;
    gen_check(write_boundary, 22, 26, GEN_MOMENTS(boundary));
}

static void write_boundary_bare(struct gen *g)
{
    write_boundary_victim(g);
    write_abandoned_steal(g);
}

static const struct gen_moment boundary_bare[] = {
    SYNC_OF(1),
    PROC(1, UNDETERMINED, RUNNING, 0, -1, -1),
    PROC(0, UNDETERMINED, IDLE, 1, -1, -1),
    GO(1, UNDETERMINED, SYSCALL, 0, 1, -1),
    PROC(0, IDLE, IDLE, 1, -1, -1),
    GO(1, SYSCALL, RUNNABLE, 0, 1, 1),
};

/* syscall-steal-proc-gen-boundary-bare-m */
static void test_bare_thread_steals_an_abandoned_proc(void **state)
{
    (void) state;
    gen_check(write_boundary_bare, 22, 26, GEN_MOMENTS(boundary_bare));
}

/* The same, but the victim starts its new proc in this generation. */
static void write_boundary_reacquire_victim(struct gen *g)
{
    g->dt = 2;
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_go_status(g, 1, 0, GO_SYSCALL);
    gen_proc_status(g, 1, PROC_IDLE);
    gen_proc_start(g, 1);
    gen_syscall_end_blocked(g);
    gen_on_at(g, 1, 2);
}

static void write_boundary_reacquire(struct gen *g)
{
    write_boundary_reacquire_victim(g);
    gen_proc_status(g, 2, PROC_RUNNING);
    gen_go_status(g, 2, 1, GO_RUNNING);
    write_abandoned_steal(g);
}

static const struct gen_moment boundary_reacquire[] = {
    SYNC_OF(1),
    GO(1, UNDETERMINED, SYSCALL, 0, -1, -1),
    PROC(2, UNDETERMINED, RUNNING, 1, -1, -1),
    PROC(1, UNDETERMINED, IDLE, 0, -1, 1),
    GO(2, UNDETERMINED, RUNNING, 1, 2, -1),
    PROC(1, IDLE, RUNNING, 0, -1, 1),
    PROC(0, UNDETERMINED, IDLE, 1, 2, 2),
    GO(1, SYSCALL, RUNNABLE, 0, 1, 1),
    PROC(0, IDLE, IDLE, 1, 2, 2),
};

/* syscall-steal-proc-gen-boundary-reacquire-new-proc */
static void test_victim_of_last_generation_starts_a_new_proc(void **state)
{
    (void) state;
    gen_check(write_boundary_reacquire, 22, 26, GEN_MOMENTS(boundary_reacquire));
}

static void write_boundary_reacquire_bare(struct gen *g)
{
    write_boundary_reacquire_victim(g);
    write_abandoned_steal(g);
}

static const struct gen_moment boundary_reacquire_bare[] = {
    SYNC_OF(1),
    GO(1, UNDETERMINED, SYSCALL, 0, -1, -1),
    PROC(0, UNDETERMINED, IDLE, 1, -1, -1),
    PROC(1, UNDETERMINED, IDLE, 0, -1, 1),
    PROC(0, IDLE, IDLE, 1, -1, -1),
    PROC(1, IDLE, RUNNING, 0, -1, 1),
    GO(1, SYSCALL, RUNNABLE, 0, 1, 1),
};

/* syscall-steal-proc-gen-boundary-reacquire-new-proc-bare-m */
static void test_victim_of_bare_thread_starts_a_new_proc(void **state)
{
    (void) state;
    gen_check(write_boundary_reacquire_bare, 22, 26, GEN_MOMENTS(boundary_reacquire_bare));
}

/* Two system calls at the same time: only the sequence number tells which of them lost the proc. */
static void write_ambiguous(struct gen *g)
{
    g->dt = 0;
    gen_generation(g, 1);
    gen_running(g, 0, 0, 1);
    gen_syscall_begin(g, 0);
    gen_syscall_end(g);
    gen_syscall_begin(g, 0);
    gen_syscall_end_blocked(g);
    gen_running(g, 1, 2, 2);
    gen_proc_steal(g, 0, 0);
}

static const struct gen_moment ambiguous[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    GO(1, SYSCALL, RUNNING, 0, 0, 1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    PROC(2, UNDETERMINED, RUNNING, 1, -1, -1),
    GO(2, UNDETERMINED, RUNNING, 1, 2, -1),
    PROC(0, RUNNING, IDLE, 1, 2, 2),
    GO(1, SYSCALL, RUNNABLE, 0, -1, 1),
};

/* syscall-steal-proc-ambiguous */
static void test_number_tells_which_syscall_lost_its_proc(void **state)
{
    (void) state;
    gen_check(write_ambiguous, 22, 26, GEN_MOMENTS(ambiguous));
}

static void write_self(struct gen *g)
{
    g->dt = 0;
    gen_generation(g, 1);
    gen_running(g, 0, 0, 1);
    gen_syscall_begin(g, 0);
    gen_proc_steal(g, 0, 0);
    gen_proc_start(g, 0);
    gen_syscall_end_blocked(g);
}

static const struct gen_moment self[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(1, RUNNING, SYSCALL, 0, 0, 1),
    PROC(0, RUNNING, IDLE, 0, 0, 1),
    PROC(0, IDLE, RUNNING, 0, -1, 1),
    GO(1, SYSCALL, RUNNABLE, 0, 0, 1),
};

/* syscall-steal-proc-self: a thread steals its own proc, and starts it again. */
static void test_thread_steals_its_own_proc(void **state)
{
    (void) state;
    gen_check(write_self, 22, 26, GEN_MOMENTS(self));
}

static void write_sitting(struct gen *g)
{
    g->dt = 2;
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_proc_status(g, 0, PROC_ABANDONED);
    gen_proc_steal(g, 0, 1);
    gen_on_at(g, WIRE_NONE, 2);
    gen_go_status(g, 1, 1, GO_SYSCALL);
}

static const struct gen_moment sitting[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, IDLE, 0, -1, -1),
    GO(1, UNDETERMINED, SYSCALL, 1, -1, -1),
    PROC(0, IDLE, IDLE, 0, -1, -1),
};

/* syscall-steal-proc-sitting-in-syscall: the victim's thread has no events of its own. */
static void test_proc_is_stolen_from_thread_without_events(void **state)
{
    (void) state;
    gen_check(write_sitting, 22, 26, GEN_MOMENTS(sitting));
}

/*
 * A C thread creates goroutine 4 and leaves; its id is reused by another thread, which takes the
 * proc.
 */
static void write_reused_thread(struct gen *g)
{
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_go_create_syscall(g, 4);
    gen_syscall_end_blocked(g);
    gen_proc_status(g, 0, PROC_IDLE);
    gen_proc_start(g, 0);
    gen_go_status(g, 4, WIRE_NONE, GO_RUNNABLE);
    gen_go_start(g, 4);
    gen_syscall_begin(g, 0);
    gen_go_destroy_syscall(g);
    gen_on_at(g, 0, g->time);
    gen_proc_status(g, 1, PROC_IDLE);
    gen_proc_start(g, 1);
    gen_proc_steal(g, 0, 0);
}

static const struct gen_moment reused_thread[] = {
    SYNC_OF(1),
    GO(4, NOT_EXIST, SYSCALL, 0, -1, -1),
    GO(4, SYSCALL, RUNNABLE, 0, -1, 4),
    PROC(0, UNDETERMINED, IDLE, 0, -1, -1),
    PROC(0, IDLE, RUNNING, 0, -1, -1),
    GO(4, RUNNABLE, RUNNABLE, 0, 0, -1),
    GO(4, RUNNABLE, RUNNING, 0, 0, -1),
    GO(4, RUNNING, SYSCALL, 0, 0, 4),
    PROC(0, RUNNING, IDLE, 0, 0, 4),
    GO(4, SYSCALL, NOT_EXIST, 0, 0, 4),
    PROC(1, UNDETERMINED, IDLE, 0, -1, -1),
    PROC(1, IDLE, RUNNING, 0, -1, -1),
    PROC(0, IDLE, IDLE, 0, 1, -1),
};

/*
 * create-syscall-reuse-thread-id: this is not a steal from itself, because the thread lost the proc
 * when it left.
 */
static void test_reused_thread_id_is_no_steal_from_itself(void **state)
{
    (void) state;
    gen_check(write_reused_thread, 22, 26, GEN_MOMENTS(reused_thread));
}

/* The C thread returns with the proc that it had, but that proc is gone. */
static void write_kept_proc(struct gen *g)
{
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_go_create_syscall(g, 4);
    gen_proc_status(g, 0, PROC_IDLE);
    gen_proc_start(g, 0);
    gen_syscall_end_blocked(g);
    gen_go_start(g, 4);
    gen_syscall_begin(g, 0);
    gen_go_destroy_syscall(g);
    gen_go_create_syscall(g, 4);
    gen_syscall_end(g);
}

static const struct gen_moment kept_proc[] = {
    SYNC_OF(1),
    GO(4, NOT_EXIST, SYSCALL, 0, -1, -1),
    PROC(0, UNDETERMINED, IDLE, 0, -1, 4),
    PROC(0, IDLE, RUNNING, 0, -1, 4),
    GO(4, SYSCALL, RUNNABLE, 0, 0, 4),
    GO(4, RUNNABLE, RUNNING, 0, 0, -1),
    GO(4, RUNNING, SYSCALL, 0, 0, 4),
    PROC(0, RUNNING, IDLE, 0, 0, 4),
    GO(4, SYSCALL, NOT_EXIST, 0, 0, 4),
    GO(4, NOT_EXIST, SYSCALL, 0, -1, -1),
};

/* create-syscall-with-p */
static void test_proc_kept_over_a_callback_is_an_error(void **state)
{
    (void) state;
    gen_check_fault(write_kept_proc, 22, 26, GT_ERR_ORDER, GEN_MOMENTS(kept_proc));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_end_of_blocked_syscall_waits_for_the_steal),
        cmocka_unit_test(test_thief_needs_neither_proc_nor_goroutine),
        cmocka_unit_test(test_start_of_new_proc_waits_for_the_steal),
        cmocka_unit_test(test_start_of_new_proc_waits_for_a_bare_thread),
        cmocka_unit_test(test_abandoned_proc_is_stolen_from_no_thread),
        cmocka_unit_test(test_bare_thread_steals_an_abandoned_proc),
        cmocka_unit_test(test_victim_of_last_generation_starts_a_new_proc),
        cmocka_unit_test(test_victim_of_bare_thread_starts_a_new_proc),
        cmocka_unit_test(test_number_tells_which_syscall_lost_its_proc),
        cmocka_unit_test(test_thread_steals_its_own_proc),
        cmocka_unit_test(test_proc_is_stolen_from_thread_without_events),
        cmocka_unit_test(test_reused_thread_id_is_no_steal_from_itself),
        cmocka_unit_test(test_proc_kept_over_a_callback_is_an_error),
    };
    return cmocka_run_group_tests_name("generated system calls", tests, NULL, NULL);
}
