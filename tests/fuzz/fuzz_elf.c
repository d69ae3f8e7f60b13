/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Files of programs and libraries, of which the recorder reads the names of functions, and
 * .eh_frame, of which it makes tables. The low bit of the flags says which of the two the input is.
 */

#include <stdlib.h>
#include <string.h>

#include "fuzz/input.h"
#include "recorder/elf.h"
#include "recorder/unwind.h"
#include "support/test.h"

static bool read_input(void *data, uint64_t offset, void *to, size_t size)
{
    const struct input *input = data;
    assert_true(offset <= input->size && size <= input->size - offset);
    memcpy(to, input->data + offset, size);
    return true;
}

static void check_names(const struct gt_elf_functions *functions, const struct gt_elf_file *file)
{
    char name[GT_ELF_NAME_SIZE];
    for (size_t i = 0; i < functions->list.count && i < 100; i++) {
        const struct gt_elf_function *function = &functions->list.items[i];
        assert_true(i == 0 || function[-1].address <= function->address);
        if (gt_elf_function_name(functions, file, function->address, name))
            assert_true(strlen(name) > 0 && strlen(name) < sizeof(name));
    }
    gt_elf_function_name(functions, file, 0, name);
    gt_elf_function_name(functions, file, UINT64_MAX, name);
}

static void check_file(struct input *input, struct gt_mem *mem)
{
    struct gt_elf_file file = {read_input, input, input->size};
    struct gt_elf_functions functions = {{NULL, 0, 0}, 0, 0};
    size_t most = input->pick > 0 ? input->pick : 1000;
    gt_status status = gt_elf_functions_read(&functions, mem, &file, most);
    assert_true(status == GT_OK || functions.list.count == 0);
    assert_true(functions.list.count <= most);
    check_names(&functions, &file);
    gt_elf_functions_free(&functions, mem);
    assert_true(gt_elf_build_id_read(&file).size <= GT_ELF_BUILD_ID_SIZE);
    gt_elf_build_id_find(input->data, input->size);
}

/* Stacks that the rules lead through stay within their bounds. */
static void check_stacks(const struct gt_cfi *cfi)
{
    uint64_t words[64], pcs[32];
    struct gt_unwind_map *map = malloc(sizeof(*map) + sizeof(map->parts[0]));
    assert_non_null(map);
    map->count = 1;
    map->parts[0] = (struct gt_unwind_part){cfi->begin, cfi->begin + cfi->size, cfi};
    for (unsigned i = 0; i < 64; i++)
        words[i] = i % 3 == 0 ? (uintptr_t) &words[i * 7 % 64] : cfi->begin + (i * 37) % cfi->size;
    struct gt_recorder_bounds bounds = {(uintptr_t) words, (uintptr_t) (words + 64)};
    for (unsigned i = 0; i < 32; i++) {
        struct gt_unwind_frame frame = {cfi->begin + i * 11 % cfi->size, (uintptr_t) (words + i),
                                        (uintptr_t) (words + 2 * i), i % 2 == 0};
        assert_true(gt_unwind(map, bounds, frame, pcs, 32, NULL) <= 32);
    }
    free(map);
}

static void check_frames(const struct input *input, struct gt_mem *mem)
{
    struct gt_cfi cfi = {0x1000, 1 + (input->at & 0xfff) * 16, {NULL, 0, 0}, {NULL, 0, 0}};
    size_t size = gt_cfi_length(input->data, input->size);
    assert_true(size <= input->size);
    size_t most = input->pick > 0 ? input->pick : 100000;
    /* So that addresses relative to where they are written are within the table. */
    gt_status status = gt_cfi_read(&cfi, mem, input->data, size, 0x1000 + cfi.size, most);
    assert_true(cfi.rows.count <= most && (status == GT_OK) == (cfi.rows.count > 0));
    for (size_t i = 1; i < cfi.rows.count; i++)
        assert_true(cfi.rows.items[i - 1].address < cfi.rows.items[i].address);
    for (uint64_t pc = cfi.begin; status == GT_OK && pc < cfi.begin + cfi.size && pc < 0x2000; pc++)
        gt_cfi_find(&cfi, pc);
    if (status == GT_OK && cfi.size > 64)
        check_stacks(&cfi);
    gt_cfi_free(&cfi, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;
    struct probe probe;
    struct gt_mem mem;
    if (!input_take(&input, data, size, 0))
        return 0;
    input_probe(&input, &probe);
    gt_mem_init(&mem, &probe.allocator, input_limit(&input));
    if (input.flags & 1)
        check_file(&input, &mem);
    else
        check_frames(&input, &mem);
    assert_true(mem.used == 0);
    input_check_memory(&input, &probe, 0);
    input_free(&input);
    return 0;
}
