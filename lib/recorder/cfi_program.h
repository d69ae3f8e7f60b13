/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_CFI_PROGRAM_H
#define GT_RECORDER_CFI_PROGRAM_H

#include "recorder/cfi.h"

/* The programs in entries of .eh_frame, whose instructions change rules from address to address. */

/* Reads numbers. After one that is not there, all are 0. */
struct gt_cfi_cursor {
    const uint8_t *at, *end;
    bool has_failed;
};

/* An integer of 1, 2, 4 or 8 bytes. */
uint64_t gt_cfi_fixed(struct gt_cfi_cursor *cursor, unsigned size);
uint64_t gt_cfi_unsigned(struct gt_cfi_cursor *cursor);
int64_t gt_cfi_signed(struct gt_cfi_cursor *cursor);

/* What the instructions have said so far of the registers that matter. */
struct gt_cfi_state {
    enum gt_cfi_frame frame; /* GT_CFI_SP also of other registers than that */
    uint64_t frame_register;
    int64_t frame_offset;
    enum gt_cfi_pointer pointer;
    int64_t pointer_offset;
    bool has_return; /* the return address is below the CFA */
};

/* What several entries have in common, a CIE. */
struct gt_cfi_common {
    uint64_t code_factor;
    int64_t data_factor;
    bool is_signal;
    bool has_data;    /* entries have an augmentation before the program */
    uint8_t encoding; /* of addresses */
    struct gt_cfi_state first;
};

/* A program that is being run. */
struct gt_cfi_program {
    struct gt_cfi_cursor cursor;
    const struct gt_cfi_common *common;
    struct gt_cfi_state state;
    uint64_t address, end; /* of the code, from the begin of the table */
};

/*
 * Runs a program until it comes to another address than program->address, at most to its end, and
 * returns that. Returns false if there is an instruction that is not known.
 */
bool gt_cfi_run(struct gt_cfi_program *program, struct gt_cfi_state *saved, size_t *saved_count,
                uint64_t *next);

enum {
    GT_CFI_SAVED = 16 /* how many states a program may save */
};

gt_cfi_rule gt_cfi_rule_of(const struct gt_cfi_state *state, bool is_signal);

#endif
