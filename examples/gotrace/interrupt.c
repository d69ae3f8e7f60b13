/* SPDX-License-Identifier: BSD-3-Clause */
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "temporary.h"

static gt_reader *volatile interrupt_reader;
static gt_raw_reader *volatile interrupt_raw;
/* The signal ends what the command does, with or without a reader. */
static volatile sig_atomic_t interrupt_is_armed;
/* Atomic, because several threads may ask for it. */
static atomic_bool interrupt_came;
/* What the first signal stops instead, or NULL. */
static interrupt_fn *volatile interrupt_stop;
static void *volatile interrupt_data;

/* Passes a signal to the source, or else to the readers. Returns false if there is neither. */
static bool interrupt_pass_on(int number)
{
    interrupt_fn *stop = interrupt_stop;
    if (stop) {
        interrupt_stop = NULL;
        stop(interrupt_data);
        return true;
    }
    if (number != SIGINT || !interrupt_is_armed || interrupt_came)
        return false;
    interrupt_came = true;
    gt_reader_cancel(interrupt_reader);
    gt_raw_reader_cancel(interrupt_raw);
    return true;
}

void interrupt_end(int number)
{
    temporary_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void interrupt_handle(int number)
{
    int why = errno;
    if (!interrupt_pass_on(number))
        interrupt_end(number);
    errno = why;
}

static void interrupt_pass_over(int number)
{
    (void) number;
}

/* Handles a signal, unless it is handled already or was ignored when the program started. */
static void interrupt_set(int number, void (*handler)(int))
{
    /* Without SA_RESTART: a read that waits for a pipe ends. */
    struct sigaction old, action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(number, &action, NULL);
}

static void interrupt_catch(int number)
{
    interrupt_set(number, interrupt_handle);
}

void interrupt_protect(void)
{
    interrupt_catch(SIGINT);
    interrupt_catch(SIGTERM);
    interrupt_catch(SIGHUP);
    /* A file that becomes larger than the user may write fails like one for which there is no room.
     */
    interrupt_set(SIGXFSZ, interrupt_pass_over);
}

void interrupt_guard(interrupt_fn *stop, void *data)
{
    interrupt_data = data;
    interrupt_stop = stop;
    interrupt_catch(SIGINT);
    interrupt_catch(SIGTERM);
}

void interrupt_unguard(void)
{
    interrupt_stop = NULL;
}

void interrupt_arm(gt_reader *reader, gt_raw_reader *raw)
{
    interrupt_reader = reader;
    interrupt_raw = raw;
    interrupt_is_armed = 1;
    interrupt_catch(SIGINT);
}

void interrupt_disarm(void)
{
    interrupt_is_armed = 0;
    interrupt_reader = NULL;
    interrupt_raw = NULL;
}

bool interrupt_has_come(void)
{
    return interrupt_came;
}

void interrupt_raise(void)
{
    if (!interrupt_came)
        return;
    /* terminal_hold may have buffered messages. */
    fflush(stderr);
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}
