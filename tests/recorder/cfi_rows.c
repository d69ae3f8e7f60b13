/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * cfi_rows CONTENT ADDRESS BEGIN END: prints the rules that .eh_frame, whose content is in a file,
 * has for the addresses between BEGIN and END, one line for each: its first address, the CFA, and
 * the frame pointer.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "recorder/cfi.h"
#include "support/files.h"

static void print_frame(gt_cfi_rule rule)
{
    static const char *const names[] = {"none", "end", "rsp", "rbp", "word", "plt", "signal"};
    enum gt_cfi_frame frame = gt_cfi_rule_frame(rule);
    printf(" %s", names[frame]);
    if (frame == GT_CFI_SP || frame == GT_CFI_FP || frame == GT_CFI_FP_WORD)
        printf("%+" PRId64, gt_cfi_rule_offset(rule));
}

static void print_pointer(gt_cfi_rule rule)
{
    static const char *const names[] = {"same", "c", "rbp", "lost"};
    enum gt_cfi_pointer pointer = gt_cfi_rule_pointer(rule);
    printf(" %s", names[pointer]);
    if (pointer == GT_CFI_AT_FRAME || pointer == GT_CFI_AT_FP)
        printf("%+" PRId64, gt_cfi_rule_pointer_offset(rule));
    printf("\n");
}

int main(int argc, char **argv)
{
    size_t size;
    if (argc != 5)
        return 2;
    uint8_t *content = files_read(argv[1], &size);
    uint64_t address = strtoull(argv[2], NULL, 0), end = strtoull(argv[4], NULL, 0);
    struct gt_cfi cfi = {strtoull(argv[3], NULL, 0), 0, {NULL, 0, 0}, {NULL, 0, 0}};
    struct gt_mem mem;
    gt_mem_init(&mem, NULL, 0);
    cfi.size = end - cfi.begin;
    size = gt_cfi_length(content, size);
    if (gt_cfi_read(&cfi, &mem, content, size, address, UINT32_MAX) != GT_OK)
        return 1;
    for (size_t i = 0; i < cfi.rows.count; i++) {
        uint64_t at = cfi.begin + cfi.rows.items[i].address;
        gt_cfi_rule rule = cfi.rows.items[i].rule;
        if (gt_cfi_find(&cfi, at) != rule)
            return 1;
        printf("%" PRIx64, at);
        print_frame(rule);
        print_pointer(rule);
    }
    gt_cfi_free(&cfi, &mem);
    free(content);
    return 0;
}
