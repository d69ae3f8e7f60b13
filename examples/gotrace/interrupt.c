/* SPDX-License-Identifier: BSD-3-Clause */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

static gt_reader *volatile interrupt_reader;
static gt_raw_reader *volatile interrupt_raw;
static volatile sig_atomic_t interrupt_came;

static void interrupt_handle(int number)
{
    (void) number;
    interrupt_came = 1;
    gt_reader_cancel(interrupt_reader);
    gt_raw_reader_cancel(interrupt_raw);
}

void interrupt_arm(gt_reader *reader, gt_raw_reader *raw)
{
    struct sigaction old, action = {.sa_handler = interrupt_handle, .sa_flags = (int) SA_RESETHAND};
    interrupt_reader = reader;
    interrupt_raw = raw;
    sigemptyset(&action.sa_mask);
    /* Without SA_RESTART: a read that waits for a pipe ends. */
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == SIG_DFL && !interrupt_came)
        sigaction(SIGINT, &action, NULL);
}

void interrupt_disarm(void)
{
    if (!interrupt_reader && !interrupt_raw)
        return;
    struct sigaction old;
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == interrupt_handle)
        signal(SIGINT, SIG_DFL);
    interrupt_reader = NULL;
    interrupt_raw = NULL;
}

bool interrupt_has_come(void)
{
    return interrupt_came != 0;
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
