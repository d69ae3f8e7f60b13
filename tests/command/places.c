/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Prints places in itself, a line each: the address that a call returns to, the
 * function that calls, and the line of the call.
 */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static void print_place(const char *function, int line)
{
    uintptr_t address = (uintptr_t) __builtin_return_address(0);

    printf("%" PRIuPTR " %s %d\n", address, function, line);
}

__attribute__((noinline)) static void inner(void)
{
    print_place(__func__, __LINE__);
}

__attribute__((noinline)) static void outer(int again)
{
    print_place(__func__, __LINE__);
    inner();
    if (again)
        outer(0);
    print_place(__func__, __LINE__);
}

int main(void)
{
    outer(1);
    print_place(__func__, __LINE__);
    return 0;
}
