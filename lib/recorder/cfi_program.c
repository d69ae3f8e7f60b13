/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/cfi_program.h"

#include <string.h>

#include "base/wraps.h"
#include "recorder/fixed.h"

/* Instructions, of DWARF 5, 6.4.2, and of GNU. */
enum {
    CFI_NOP = 0x00,
    CFI_ADVANCE_1 = 0x02,
    CFI_ADVANCE_2 = 0x03,
    CFI_ADVANCE_4 = 0x04,
    CFI_OFFSET_EXTENDED = 0x05,
    CFI_RESTORE_EXTENDED = 0x06,
    CFI_UNDEFINED = 0x07,
    CFI_SAME_VALUE = 0x08,
    CFI_REGISTER = 0x09,
    CFI_REMEMBER = 0x0a,
    CFI_RESTORE_STATE = 0x0b,
    CFI_DEF_CFA = 0x0c,
    CFI_DEF_CFA_REGISTER = 0x0d,
    CFI_DEF_CFA_OFFSET = 0x0e,
    CFI_DEF_CFA_EXPRESSION = 0x0f,
    CFI_EXPRESSION = 0x10,
    CFI_OFFSET_SIGNED = 0x11,
    CFI_DEF_CFA_SIGNED = 0x12,
    CFI_DEF_CFA_OFFSET_SIGNED = 0x13,
    CFI_VALUE_OFFSET = 0x14,
    CFI_VALUE_OFFSET_SIGNED = 0x15,
    CFI_VALUE_EXPRESSION = 0x16,
    CFI_GNU_ARGUMENTS_SIZE = 0x2e,
    /* In the two highest bits, with an operand in the others. */
    CFI_ADVANCE = 1,
    CFI_OFFSET = 2,
    CFI_RESTORE = 3
};

/* Registers of x86-64. */
enum {
    CFI_FRAME_POINTER = 6,
    CFI_STACK_POINTER = 7,
    CFI_RETURN_ADDRESS = 16
};

/* Operations of expressions. */
enum {
    CFI_DEREF = 0x06,
    CFI_FRAME_POINTER_PLUS = 0x70 + CFI_FRAME_POINTER
};

uint64_t gt_cfi_fixed(struct gt_cfi_cursor *cursor, unsigned size)
{
    if ((size_t) (cursor->end - cursor->at) < size) {
        cursor->at = cursor->end;
        cursor->has_failed = true;
        return 0;
    }
    const uint8_t *at = cursor->at;
    cursor->at += size;
    return gt_fixed_get(at, size);
}

/* Bits above the 64th are left out. `*shift` becomes the number of bits. */
GT_WRAPS static uint64_t cursor_number(struct gt_cfi_cursor *cursor, unsigned *shift)
{
    uint64_t value = 0;
    uint8_t byte;
    *shift = 0;
    do {
        byte = (uint8_t) gt_cfi_fixed(cursor, 1);
        if (*shift < 64)
            value |= (uint64_t) (byte & 0x7f) << *shift;
        *shift += *shift < 64 ? 7 : 0;
    } while (byte & 0x80);
    return value;
}

uint64_t gt_cfi_unsigned(struct gt_cfi_cursor *cursor)
{
    unsigned shift;
    return cursor_number(cursor, &shift);
}

GT_WRAPS int64_t gt_cfi_signed(struct gt_cfi_cursor *cursor)
{
    unsigned shift;
    uint64_t value = cursor_number(cursor, &shift);
    if (shift < 64 && value >> (shift - 1) & 1)
        value |= ~UINT64_C(0) << shift;
    return (int64_t) value;
}

GT_WRAPS static int64_t cfi_scale(uint64_t number, int64_t factor)
{
    return (int64_t) (number * (uint64_t) factor);
}

/* Takes an expression out of the program. */
static struct gt_cfi_cursor program_expression(struct gt_cfi_program *program)
{
    struct gt_cfi_cursor *cursor = &program->cursor;
    uint64_t size = gt_cfi_unsigned(cursor);
    struct gt_cfi_cursor expression = {cursor->at, cursor->at, false};
    if (size > (size_t) (cursor->end - cursor->at)) {
        cursor->has_failed = true;
        return expression;
    }
    expression.end = cursor->at += size;
    return expression;
}

/* The entries of a procedure linkage table, as linkers describe them: rsp + 8, and 8 more later. */
static bool expression_is_plt(const struct gt_cfi_cursor *expression)
{
    static const uint8_t plt[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
    return (size_t) (expression->end - expression->at) == sizeof(plt) &&
           memcmp(expression->at, plt, sizeof(plt)) == 0;
}

/* Two kinds of expressions are known; the second is that of functions that align the stack. */
static void state_set_frame_expression(struct gt_cfi_state *state, struct gt_cfi_cursor expression)
{
    state->frame = GT_CFI_END;
    if (expression_is_plt(&expression)) {
        state->frame = GT_CFI_PLT;
        state->frame_offset = 0;
    } else if (gt_cfi_fixed(&expression, 1) == CFI_FRAME_POINTER_PLUS) {
        state->frame_offset = gt_cfi_signed(&expression);
        if (gt_cfi_fixed(&expression, 1) == CFI_DEREF && expression.at == expression.end &&
            !expression.has_failed)
            state->frame = GT_CFI_FP_WORD;
    }
}

static void state_set_frame(struct gt_cfi_state *state, uint64_t number, int64_t offset)
{
    state->frame = GT_CFI_SP;
    state->frame_register = number;
    state->frame_offset = offset;
}

/* A register is saved at the CFA plus an offset. */
static void state_save(struct gt_cfi_state *state, uint64_t number, int64_t offset)
{
    if (number == CFI_RETURN_ADDRESS)
        state->has_return = offset == -8;
    if (number == CFI_FRAME_POINTER) {
        state->pointer = GT_CFI_AT_FRAME;
        state->pointer_offset = offset;
    }
}

/* A register has another value than that of the caller, which nothing simple gives back. */
static void state_lose(struct gt_cfi_state *state, uint64_t number)
{
    if (number == CFI_RETURN_ADDRESS)
        state->has_return = false;
    if (number == CFI_FRAME_POINTER)
        state->pointer = GT_CFI_LOST;
}

static void state_keep(struct gt_cfi_state *state, uint64_t number)
{
    state_lose(state, number);
    if (number == CFI_FRAME_POINTER)
        state->pointer = GT_CFI_SAME;
}

static void state_restore(struct gt_cfi_state *state, const struct gt_cfi_state *first,
                          uint64_t number)
{
    if (number == CFI_RETURN_ADDRESS)
        state->has_return = first->has_return;
    if (number == CFI_FRAME_POINTER) {
        state->pointer = first->pointer;
        state->pointer_offset = first->pointer_offset;
    }
}

/* A register is saved where an expression says: only the frame pointer plus an offset is known. */
static void state_save_by_expression(struct gt_cfi_state *state, uint64_t number,
                                     struct gt_cfi_cursor expression)
{
    state_lose(state, number);
    if (number != CFI_FRAME_POINTER || gt_cfi_fixed(&expression, 1) != CFI_FRAME_POINTER_PLUS)
        return;
    state->pointer_offset = gt_cfi_signed(&expression);
    if (expression.at == expression.end && !expression.has_failed)
        state->pointer = GT_CFI_AT_FP;
}

/* Runs an instruction about the CFA. Returns false if it is not one. */
static bool program_run_frame(struct gt_cfi_program *program, uint8_t instruction)
{
    struct gt_cfi_cursor *cursor = &program->cursor;
    struct gt_cfi_state *state = &program->state;
    int64_t factor = program->common->data_factor;
    uint64_t number;
    switch (instruction) {
    case CFI_DEF_CFA:
        number = gt_cfi_unsigned(cursor);
        state_set_frame(state, number, (int64_t) gt_cfi_unsigned(cursor));
        return true;
    case CFI_DEF_CFA_SIGNED:
        number = gt_cfi_unsigned(cursor);
        state_set_frame(state, number, cfi_scale((uint64_t) gt_cfi_signed(cursor), factor));
        return true;
    case CFI_DEF_CFA_REGISTER:
        state_set_frame(state, gt_cfi_unsigned(cursor), state->frame_offset);
        return true;
    case CFI_DEF_CFA_OFFSET:
        state->frame_offset = (int64_t) gt_cfi_unsigned(cursor);
        return true;
    case CFI_DEF_CFA_OFFSET_SIGNED:
        state->frame_offset = cfi_scale((uint64_t) gt_cfi_signed(cursor), factor);
        return true;
    case CFI_DEF_CFA_EXPRESSION:
        state_set_frame_expression(state, program_expression(program));
        return true;
    default:
        return false;
    }
}

/* Runs an instruction about another register. Returns false if it is not one. */
static bool program_run_register(struct gt_cfi_program *program, uint8_t instruction)
{
    struct gt_cfi_cursor *cursor = &program->cursor;
    struct gt_cfi_state *state = &program->state;
    int64_t factor = program->common->data_factor;
    uint64_t number = instruction >= CFI_OFFSET_EXTENDED && instruction <= CFI_VALUE_EXPRESSION
                          ? gt_cfi_unsigned(cursor)
                          : 0;
    switch (instruction) {
    case CFI_OFFSET_EXTENDED:
        state_save(state, number, cfi_scale(gt_cfi_unsigned(cursor), factor));
        return true;
    case CFI_OFFSET_SIGNED:
        state_save(state, number, cfi_scale((uint64_t) gt_cfi_signed(cursor), factor));
        return true;
    case CFI_RESTORE_EXTENDED:
        state_restore(state, &program->common->first, number);
        return true;
    case CFI_SAME_VALUE:
        state_keep(state, number);
        return true;
    case CFI_EXPRESSION:
        state_save_by_expression(state, number, program_expression(program));
        return true;
    case CFI_VALUE_EXPRESSION:
        program_expression(program);
        state_lose(state, number);
        return true;
    case CFI_REGISTER:
    case CFI_VALUE_OFFSET:
    case CFI_VALUE_OFFSET_SIGNED:
        gt_cfi_unsigned(cursor);
        state_lose(state, number);
        return true;
    case CFI_UNDEFINED:
        state_lose(state, number);
        return true;
    default:
        return false;
    }
}

/* Runs an instruction that goes to another address, or does not change a rule by itself. */
static bool program_run_other(struct gt_cfi_program *program, uint8_t instruction,
                              struct gt_cfi_state *saved, size_t *saved_count, uint64_t *steps)
{
    switch (instruction) {
    case CFI_NOP:
        return true;
    case CFI_ADVANCE_1:
        *steps = gt_cfi_fixed(&program->cursor, 1);
        return true;
    case CFI_ADVANCE_2:
        *steps = gt_cfi_fixed(&program->cursor, 2);
        return true;
    case CFI_ADVANCE_4:
        *steps = gt_cfi_fixed(&program->cursor, 4);
        return true;
    case CFI_GNU_ARGUMENTS_SIZE:
        gt_cfi_unsigned(&program->cursor);
        return true;
    case CFI_REMEMBER:
        if (*saved_count == GT_CFI_SAVED)
            return false;
        saved[(*saved_count)++] = program->state;
        return true;
    case CFI_RESTORE_STATE:
        if (*saved_count == 0)
            return false;
        program->state = saved[--*saved_count];
        return true;
    default:
        return false;
    }
}

/* Runs an instruction; `*steps` becomes how far it goes. */
static bool program_run(struct gt_cfi_program *program, struct gt_cfi_state *saved,
                        size_t *saved_count, uint64_t *steps)
{
    uint8_t instruction = (uint8_t) gt_cfi_fixed(&program->cursor, 1), operand = instruction & 63;
    switch (instruction >> 6) {
    case CFI_ADVANCE:
        *steps = operand;
        return true;
    case CFI_OFFSET:
        state_save(&program->state, operand,
                   cfi_scale(gt_cfi_unsigned(&program->cursor), program->common->data_factor));
        return true;
    case CFI_RESTORE:
        state_restore(&program->state, &program->common->first, operand);
        return true;
    default:
        break;
    }
    /* Instructions about the CFA are in the middle of those about registers. */
    return program_run_frame(program, instruction) ||
           program_run_other(program, instruction, saved, saved_count, steps) ||
           program_run_register(program, instruction);
}

bool gt_cfi_run(struct gt_cfi_program *program, struct gt_cfi_state *saved, size_t *saved_count,
                uint64_t *next)
{
    uint64_t steps = 0, factor = program->common->code_factor;
    while (program->cursor.at < program->cursor.end && steps == 0) {
        if (!program_run(program, saved, saved_count, &steps) || program->cursor.has_failed)
            return false;
    }
    *next = program->end;
    if (steps > 0 && factor > 0 && steps < (program->end - program->address) / factor)
        *next = program->address + steps * factor;
    return true;
}

/* Whether an offset fits into so many bits when it is counted in words. */
static bool rule_has_room(int64_t offset, unsigned bits)
{
    int64_t most = INT64_C(8) << (bits - 1);
    return offset % 8 == 0 && offset >= -most && offset < most;
}

static enum gt_cfi_frame rule_frame(const struct gt_cfi_state *state)
{
    if (!state->has_return || !rule_has_room(state->frame_offset, 17))
        return GT_CFI_END;
    if (state->frame != GT_CFI_SP || state->frame_register == CFI_STACK_POINTER)
        return state->frame;
    return state->frame_register == CFI_FRAME_POINTER ? GT_CFI_FP : GT_CFI_END;
}

GT_WRAPS gt_cfi_rule gt_cfi_rule_of(const struct gt_cfi_state *state, bool is_signal)
{
    if (is_signal)
        return GT_CFI_SIGNAL;
    enum gt_cfi_frame frame = rule_frame(state);
    enum gt_cfi_pointer pointer = state->pointer;
    if (frame == GT_CFI_END)
        return GT_CFI_END;
    bool has_offset = pointer == GT_CFI_AT_FRAME || pointer == GT_CFI_AT_FP;
    if (has_offset && !rule_has_room(state->pointer_offset, 10))
        pointer = GT_CFI_LOST;
    uint32_t offset = (uint32_t) (state->frame_offset / 8) & 0x1ffff;
    uint32_t pointer_offset = has_offset ? (uint32_t) (state->pointer_offset / 8) & 0x3ff : 0;
    return (uint32_t) frame | offset << 3 | (uint32_t) pointer << 20 | pointer_offset << 22;
}
