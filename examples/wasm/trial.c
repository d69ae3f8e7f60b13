/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that the build links to find out whether it can make WebAssembly. */
#include <stdio.h>

int main(void)
{
    return puts("good") < 0;
}
