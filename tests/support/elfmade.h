/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_ELFMADE_H
#define TESTS_SUPPORT_ELFMADE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A small file of the machine's own kind, made by hand: .symtab has the functions "start" from
 * 0x1000 on, with "_start" at the same place, of 16 bytes, "open" at 0x1040, of unknown size, and
 * "last" at 0x1080, of 8 bytes, besides what is no function; and the id of its build is 01 02 03.
 */
#define ELFMADE_MAX 2048

/* Returns its size. Where there are no such files, that is 0. */
size_t elfmade(uint8_t *to);

/*
 * The content of .eh_frame for code of x86-64, for addresses from `begin` on, if it lies at
 * `address`: a function that pushes the frame pointer, one that does not, and one with all kinds of
 * instructions.
 */
size_t elfmade_frames(uint8_t *to, uint64_t address, uint64_t begin);

#endif
