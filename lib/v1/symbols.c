/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/symbols.h"

#include "base/bisect.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/varint.h"
#include "v1/repair.h"

/* Go 1.5's internal/trace/parser.go, Symbolize. */

static bool v1_pc_before(const void *a, const void *b, void *context)
{
    (void) context;
    return *(const uint64_t *) a < *(const uint64_t *) b;
}

/* Sorts the program counters, and removes repeated ones. */
static void v1_pcs_sort(struct gt_v1_symbols *symbols)
{
    uint64_t *pcs = symbols->pcs.items;
    size_t count = symbols->pcs.count;
    gt_sort(pcs, count, sizeof(*pcs), v1_pc_before, NULL);
    symbols->pcs.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || pcs[i] != pcs[i - 1])
            pcs[symbols->pcs.count++] = pcs[i];
    }
}

/* Returns the index of `pc` in the sorted array, which must contain it. */
static size_t v1_pc_find(const struct gt_v1 *v1, uint64_t pc)
{
    size_t after;
    GT_BISECT(after, 1, v1->symbols.pcs.count, v1->symbols.pcs.items[after] <= pc);
    return after - 1;
}

/*
 * Requests the symbols from the caller. Frames hold return addresses, so the requested address is
 * that of the call, just before.
 */
static gt_status v1_symbols_ask(struct gt_v1 *v1, gt_symbol **out)
{
    *out = NULL;
    if (!v1->options.symbolize || v1->symbols.pcs.count == 0)
        return GT_OK;
    gt_symbol *symbols = gt_mem_zeros(v1->mem, v1->symbols.pcs.count * sizeof(*symbols));
    if (!symbols)
        return gt_v1_no_memory(v1);
    for (size_t i = 0; i < v1->symbols.pcs.count; i++) {
        uint64_t pc = v1->symbols.pcs.items[i];
        symbols[i].address = pc > 0 ? pc - 1 : 0;
    }
    *out = symbols;
    if (v1->options.symbolize(v1->options.symbolize_data, symbols, v1->symbols.pcs.count) != 0)
        return gt_error_plain(v1->error, GT_ERR_SYMBOLS);
    return GT_OK;
}

/* The ids of a symbol's texts in the table of strings, which is otherwise empty in version 5. */
static uint64_t v1_function_id(size_t symbol)
{
    return 2 * (uint64_t) symbol + 1;
}

static uint64_t v1_file_id(size_t symbol)
{
    return 2 * (uint64_t) symbol + 2;
}

static gt_status v1_symbol_add_text(struct gt_v1 *v1, uint64_t id, gt_string text)
{
    if (!text.data || text.size == 0)
        return GT_OK;
    uint32_t size = text.size > GT_V1_MAX_TEXT ? GT_V1_MAX_TEXT : (uint32_t) text.size;
    if (gt_strings_add(&v1->table.strings, id, (const uint8_t *) text.data, size) != GT_OK)
        return gt_v1_no_memory(v1);
    return GT_OK;
}

/* The symbol of a program counter, as ids of strings. */
struct symbol_ids {
    uint64_t function; /* 0: unknown */
    uint64_t file;
    uint64_t line;
};

static struct symbol_ids v1_symbol_ids(const struct gt_v1 *v1, const gt_symbol *symbols,
                                       uint64_t pc)
{
    struct symbol_ids ids = {0, 0, 0};
    if (symbols) {
        size_t i = v1_pc_find(v1, pc);
        ids.function = symbols[i].function.size != 0 ? v1_function_id(i) : 0;
        ids.file = symbols[i].file.size != 0 ? v1_file_id(i) : 0;
        ids.line = symbols[i].line;
    }
    return ids;
}

/* Writes a number at `out[at]` if `out` is not NULL, and returns the index after it. */
static size_t v1_number_put(uint8_t *out, size_t at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7, at++) {
        if (out)
            out[at] = (uint8_t) (number | 0x80);
    }
    if (out)
        out[at] = (uint8_t) number;
    return at + 1;
}

static size_t v1_frame_put(const struct gt_v1 *v1, const gt_symbol *symbols, uint8_t *out,
                           size_t at, uint64_t pc)
{
    struct symbol_ids ids = v1_symbol_ids(v1, symbols, pc);
    at = v1_number_put(out, at, pc);
    at = v1_number_put(out, at, ids.function);
    at = v1_number_put(out, at, ids.file);
    return v1_number_put(out, at, ids.line);
}

/* Writes a stack in the wire form of later versions if `out` is not NULL, and returns its size. */
GT_WRAPS static size_t v1_stack_put(const struct gt_v1 *v1, const gt_symbol *symbols,
                                    const struct gt_v1_bare_stack *stack, uint8_t *out)
{
    if (stack->is_start)
        return v1_frame_put(v1, symbols, out, v1_number_put(out, 0, 1), stack->id + 1);
    struct gt_cursor cursor = gt_cursor_make(stack->data, (size_t) (v1->input.end - stack->data));
    uint64_t frames = gt_cursor_varint(&cursor);
    size_t size = v1_number_put(out, 0, frames);
    for (; frames > 0; frames--)
        size = v1_frame_put(v1, symbols, out, size, gt_cursor_varint(&cursor));
    return size;
}

/*
 * Adds a stack to the table. The stack for the start of goroutines, which has one frame, is added
 * once for each pc.
 */
static gt_status v1_symbols_add_stack(struct gt_v1 *v1, const gt_symbol *symbols,
                                      const struct gt_v1_bare_stack *stack)
{
    if (stack->is_start && gt_idmap_get(&v1->symbols.starts, stack->id))
        return GT_OK;
    size_t size = v1_stack_put(v1, symbols, stack, NULL);
    uint8_t *frames = (uint8_t *) gt_arena_take(&v1->symbols.frames, v1->mem, size);
    if (!frames)
        return gt_v1_no_memory(v1);
    v1_stack_put(v1, symbols, stack, frames);
    uint32_t slot;
    gt_status status = stack->is_start ? gt_stacks_add_plain(&v1->table.stacks, frames, &slot)
                                       : gt_stacks_add(&v1->table.stacks, stack->id, frames);
    if (status == GT_OK && stack->is_start)
        status = gt_idmap_put_number(&v1->symbols.starts, stack->id, slot);
    return status == GT_OK ? GT_OK : gt_v1_no_memory(v1);
}

static gt_status v1_symbols_fill(struct gt_v1 *v1, const gt_symbol *symbols)
{
    gt_status status = GT_OK;
    for (size_t i = 0; symbols && i < v1->symbols.pcs.count && status == GT_OK; i++) {
        status = v1_symbol_add_text(v1, v1_function_id(i), symbols[i].function);
        if (status == GT_OK)
            status = v1_symbol_add_text(v1, v1_file_id(i), symbols[i].file);
    }
    for (size_t i = 0; i < v1->symbols.bare.count && status == GT_OK; i++)
        status = v1_symbols_add_stack(v1, symbols, &v1->symbols.bare.items[i]);
    return status;
}

void gt_v1_symbols_drop(struct gt_v1 *v1)
{
    gt_array_free(v1->mem, &v1->symbols.bare);
    gt_array_free(v1->mem, &v1->symbols.pcs);
}

gt_status gt_v1_symbolize(struct gt_v1 *v1)
{
    gt_symbol *symbols;
    if (v1->version >= 7)
        return GT_OK;
    v1_pcs_sort(&v1->symbols);
    gt_status status = v1_symbols_ask(v1, &symbols);
    if (status == GT_OK)
        status = v1_symbols_fill(v1, symbols);
    gt_mem_free(v1->mem, symbols, v1->symbols.pcs.count * sizeof(*symbols));
    gt_v1_symbols_drop(v1);
    return status;
}
