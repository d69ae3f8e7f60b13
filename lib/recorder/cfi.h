/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_CFI_H
#define GT_RECORDER_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/array.h"

/*
 * Call frame information for x86-64: from .eh_frame, tables are made that say for each address
 * where the caller's frame is. Nothing in .eh_frame is trusted. What a rule cannot express has
 * none, and a stack ends there.
 */

/* How to find the canonical frame address (CFA), which is the stack pointer in the caller. */
enum gt_cfi_frame {
    GT_CFI_NONE,    /* there is no information: the frame pointer may help */
    GT_CFI_END,     /* there is no caller, or no rule can say where it is */
    GT_CFI_SP,      /* stack pointer + offset */
    GT_CFI_FP,      /* frame pointer + offset */
    GT_CFI_FP_WORD, /* the word at frame pointer + offset */
    GT_CFI_PLT,     /* of an entry of 16 bytes, which pushes a word in its second half */
    GT_CFI_SIGNAL   /* what returns from a signal handler: the registers are on the stack */
};

/* How to find the caller's frame pointer. */
enum gt_cfi_pointer {
    GT_CFI_SAME,
    GT_CFI_AT_FRAME, /* the word at CFA + offset */
    GT_CFI_AT_FP,    /* the word at frame pointer + offset */
    GT_CFI_LOST
};

/*
 * A rule: enum gt_cfi_frame in 3 bits, its offset in 17, enum gt_cfi_pointer in 2, its offset in
 * 10. Offsets are signed, and counted in words.
 */
typedef uint32_t gt_cfi_rule;

struct gt_cfi_row {
    uint32_t address; /* where the rule begins to hold, from the begin of the table */
    gt_cfi_rule rule;
};

enum {
    GT_CFI_PAGE = 256
};

/* The rules for the addresses from `begin` on, of which the first one has a row. */
struct gt_cfi {
    uint64_t begin, size;
    GT_ARRAY(struct gt_cfi_row) rows;
    /* For each page of GT_CFI_PAGE bytes, the last row that begins there at the latest; and one
     * more at the end. */
    GT_ARRAY(uint32_t) pages;
};

static inline enum gt_cfi_frame gt_cfi_rule_frame(gt_cfi_rule rule)
{
    return (enum gt_cfi_frame)(rule & 7);
}

/* In bytes. */
static inline int64_t gt_cfi_rule_offset(gt_cfi_rule rule)
{
    return ((int64_t) (rule >> 3 & 0x1ffff) - (rule >> 19 & 1) * INT64_C(0x20000)) * 8;
}

static inline enum gt_cfi_pointer gt_cfi_rule_pointer(gt_cfi_rule rule)
{
    return (enum gt_cfi_pointer)(rule >> 20 & 3);
}

static inline int64_t gt_cfi_rule_pointer_offset(gt_cfi_rule rule)
{
    return ((int64_t) (rule >> 22) - (rule >> 31) * INT64_C(0x400)) * 8;
}

/* The rule for an address in the table. */
static inline gt_cfi_rule gt_cfi_find(const struct gt_cfi *cfi, uint64_t pc)
{
    uint32_t address = (uint32_t) (pc - cfi->begin);
    uint32_t page = address / GT_CFI_PAGE;
    uint32_t low = cfi->pages.items[page], high = cfi->pages.items[page + 1];
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (cfi->rows.items[middle].address <= address)
            low = middle;
        else
            high = middle - 1;
    }
    return cfi->rows.items[low].rule;
}

/*
 * Makes the table for the addresses from cfi->begin on, cfi->size of them, of at most `most` rows,
 * from the content of .eh_frame, which lies at `address` in memory. On failure there are no rows.
 */
gt_status gt_cfi_read(struct gt_cfi *cfi, struct gt_mem *mem, const uint8_t *content, size_t size,
                      uint64_t address, size_t most);

void gt_cfi_free(struct gt_cfi *cfi, struct gt_mem *mem);

/* How many bytes .eh_frame has up to its end, of `size` that can be read. */
size_t gt_cfi_length(const uint8_t *content, size_t size);

#endif
