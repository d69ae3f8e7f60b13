/* SPDX-License-Identifier: BSD-3-Clause */

/* A library that a test loads and unloads. */

void unloaded_call(void (*call)(void));

static volatile unsigned unloaded_after;

__attribute__((noinline)) static void unloaded_inner(void (*call)(void))
{
    call();
    unloaded_after++;
}

void unloaded_call(void (*call)(void))
{
    unloaded_inner(call);
    unloaded_after++;
}
