/* SPDX-License-Identifier: BSD-3-Clause */

/* Names of functions, and tables of frames, from files and sections that are right or damaged. */

#include <stdlib.h>
#include <string.h>

#include "recorder/elf.h"
#include "recorder/unwind.h"
#include "support/elfmade.h"
#include "support/test.h"

struct bytes {
    const uint8_t *data;
    size_t size;
};

static bool bytes_read(void *data, uint64_t offset, void *to, size_t size)
{
    const struct bytes *bytes = data;
    assert_true(offset <= bytes->size && size <= bytes->size - offset);
    memcpy(to, bytes->data + offset, size);
    return true;
}

static struct gt_mem mem;

/* The name of an address in a file, or "". */
static const char *name_of(const uint8_t *data, size_t size, uint64_t address)
{
    static char name[GT_ELF_NAME_SIZE];
    struct bytes bytes = {data, size};
    struct gt_elf_file file = {bytes_read, &bytes, size};
    struct gt_elf_functions functions = {{NULL, 0, 0}, 0, 0};
    assert_status(gt_elf_functions_read(&functions, &mem, &file, 100), GT_OK);
    if (!gt_elf_function_name(&functions, &file, address, name))
        name[0] = '\0';
    gt_elf_functions_free(&functions, &mem);
    return name;
}

static void functions_are_found_by_address(void **state)
{
    (void) state;
    uint8_t data[ELFMADE_MAX];
    size_t size = elfmade(data);
    if (size == 0)
        skip();
    assert_string_equal(name_of(data, size, 0xfff), "");
    assert_string_equal(name_of(data, size, 0x1000), "start");
    assert_string_equal(name_of(data, size, 0x100f), "start");
    assert_string_equal(name_of(data, size, 0x1010), "");
    assert_string_equal(name_of(data, size, 0x1040), "open");
    assert_string_equal(name_of(data, size, 0x107f), "open");
    assert_string_equal(name_of(data, size, 0x1087), "last");
    assert_string_equal(name_of(data, size, UINT64_MAX), "open");
    struct bytes bytes = {data, size};
    struct gt_elf_build_id id =
        gt_elf_build_id_read(&(struct gt_elf_file){bytes_read, &bytes, size});
    assert_int_equal(id.size, 3);
    assert_memory_equal(id.bytes, "\1\2\3", 3);
}

static void only_so_many_functions_are_read(void **state)
{
    (void) state;
    uint8_t data[ELFMADE_MAX];
    struct bytes bytes = {data, elfmade(data)};
    struct gt_elf_file file = {bytes_read, &bytes, bytes.size};
    struct gt_elf_functions functions = {{NULL, 0, 0}, 0, 0};
    if (bytes.size == 0)
        skip();
    assert_status(gt_elf_functions_read(&functions, &mem, &file, 3), GT_ERR_LIMIT);
    assert_int_equal(functions.list.count, 0);
    assert_int_equal(mem.used, 0);
}

/* Whatever a file has, names end, and memory is given back. */
static void damaged_files_do_no_harm(void **state)
{
    (void) state;
    uint8_t data[ELFMADE_MAX], damaged[ELFMADE_MAX];
    size_t size = elfmade(data);
    uint64_t seed = 1;
    for (size_t cut = 0; cut < size; cut++)
        name_of(data, cut, 0x1000);
    for (unsigned i = 0; i < 20000 && size > 0; i++) {
        memcpy(damaged, data, size);
        for (unsigned j = 0; j <= i % 4; j++)
            damaged[test_random(&seed) % size] = (uint8_t) (test_random(&seed) >> 16);
        assert_true(strlen(name_of(damaged, size, 0x1000)) < GT_ELF_NAME_SIZE);
        struct bytes bytes = {damaged, size};
        gt_elf_build_id_read(&(struct gt_elf_file){bytes_read, &bytes, size});
    }
    assert_int_equal(mem.used, 0);
}

static const uint64_t BEGIN = 0x5000, AT = 0x9000;

static gt_status read_frames(struct gt_cfi *cfi, const uint8_t *data, size_t size)
{
    *cfi = (struct gt_cfi){BEGIN, 0x100, {NULL, 0, 0}, {NULL, 0, 0}};
    return gt_cfi_read(cfi, &mem, data, gt_cfi_length(data, size), AT, 1000);
}

static void expect_rule(const struct gt_cfi *cfi, uint64_t address, enum gt_cfi_frame frame,
                        int64_t offset, enum gt_cfi_pointer pointer)
{
    gt_cfi_rule rule = gt_cfi_find(cfi, BEGIN + address);
    assert_int_equal(gt_cfi_rule_frame(rule), frame);
    assert_int_equal(gt_cfi_rule_offset(rule), offset);
    assert_int_equal(gt_cfi_rule_pointer(rule), pointer);
}

static void rules_hold_from_address_to_address(void **state)
{
    (void) state;
    uint8_t data[ELFMADE_MAX];
    struct gt_cfi cfi;
    size_t size = elfmade_frames(data, AT, BEGIN);
    assert_status(read_frames(&cfi, data, size), GT_OK);
    expect_rule(&cfi, 0, GT_CFI_SP, 8, GT_CFI_SAME);
    expect_rule(&cfi, 3, GT_CFI_SP, 8, GT_CFI_SAME);
    expect_rule(&cfi, 4, GT_CFI_SP, 32, GT_CFI_SAME);
    expect_rule(&cfi, 24, GT_CFI_SP, 8, GT_CFI_SAME);
    expect_rule(&cfi, 0x21, GT_CFI_SP, 16, GT_CFI_AT_FRAME);
    expect_rule(&cfi, 0x24, GT_CFI_FP, 16, GT_CFI_AT_FRAME);
    expect_rule(&cfi, 0x2c, GT_CFI_SP, 8, GT_CFI_AT_FRAME);
    expect_rule(&cfi, 0x2d, GT_CFI_FP, 16, GT_CFI_AT_FRAME);
    assert_int_equal(gt_cfi_rule_pointer_offset(gt_cfi_find(&cfi, BEGIN + 0x2d)), -16);
    expect_rule(&cfi, 0x40, GT_CFI_NONE, 0, GT_CFI_SAME);
    expect_rule(&cfi, 0x80, GT_CFI_SP, 8, GT_CFI_SAME);
    expect_rule(&cfi, 0x81, GT_CFI_FP_WORD, -8, GT_CFI_AT_FP);
    expect_rule(&cfi, 0x84, GT_CFI_FP_WORD, -8, GT_CFI_SAME);
    expect_rule(&cfi, 0xff, GT_CFI_NONE, 0, GT_CFI_SAME);
    gt_cfi_free(&cfi, &mem);
    assert_int_equal(mem.used, 0);
}

static bool trail_has(const struct gt_unwind_trail *trail, uint64_t offset)
{
    bool is_there = false;
    for (size_t i = 0; i < trail->count; i++)
        is_there |= trail->offsets[i] == offset;
    return is_there;
}

/* What the trail does not have may change, and the same callers are found. */
static void expect_trail(const struct gt_unwind_map *map, struct gt_recorder_bounds bounds,
                         struct gt_unwind_frame frame, uint64_t seed)
{
    struct gt_unwind_trail trail = {.count = 0};
    uint64_t *words = (uint64_t *) bounds.low, before[70], after[70];
    size_t count = gt_unwind(map, bounds, frame, before, 70, &trail);
    if (trail.count > GT_UNWIND_TRAIL)
        return;
    for (uint64_t i = 0; i < (bounds.high - bounds.low) / sizeof(*words); i++) {
        if (!trail_has(&trail, i * sizeof(*words)))
            words[i] = test_random(&seed);
    }
    if (!trail.needs_pointer)
        frame.fp = (uintptr_t) (words + test_random(&seed) % 64);
    assert_int_equal(gt_unwind(map, bounds, frame, after, 70, NULL), count);
    assert_memory_equal(before, after, count * sizeof(*before));
}

/* All rules may be wrong: nothing beyond the bounds is read, and each walk ends. */
static void walk(const struct gt_cfi *cfi, uint64_t seed)
{
    struct gt_unwind_map *map = malloc(sizeof(*map) + sizeof(map->parts[0]));
    assert_non_null(map);
    map->count = 1;
    map->parts[0] = (struct gt_unwind_part){BEGIN, BEGIN + cfi->size, cfi};
    uint64_t *words = malloc(64 * sizeof(*words)), pcs[70];
    assert_non_null(words);
    for (unsigned i = 0; i < 64; i++)
        words[i] = i % 2 == 0 ? (uintptr_t) (words + test_random(&seed) % 64)
                              : BEGIN + test_random(&seed) % cfi->size;
    struct gt_recorder_bounds bounds = {(uintptr_t) words, (uintptr_t) (words + 64)};
    struct gt_unwind_frame frame = {BEGIN + test_random(&seed) % cfi->size, (uintptr_t) words,
                                    (uintptr_t) (words + 2), true};
    assert_true(gt_unwind(map, bounds, frame, pcs, 70, NULL) < 70);
    expect_trail(map, bounds, frame, seed);
    free(words);
    free(map);
}

static void damaged_sections_do_no_harm(void **state)
{
    (void) state;
    uint8_t data[ELFMADE_MAX];
    size_t size = elfmade_frames(data, AT, BEGIN);
    uint64_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        /* A block of its own size, so that tools see what is read behind it. */
        size_t cut = i % 3 == 0 ? test_random(&seed) % (size + 1) : size;
        uint8_t *damaged = malloc(cut + 1);
        struct gt_cfi cfi;
        assert_non_null(damaged);
        memcpy(damaged, data, cut);
        for (unsigned j = 0; j < i % 5 && cut > 0; j++)
            damaged[test_random(&seed) % cut] = (uint8_t) (test_random(&seed) >> 16);
        if (read_frames(&cfi, damaged, cut) == GT_OK)
            walk(&cfi, seed);
        gt_cfi_free(&cfi, &mem);
        free(damaged);
    }
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_address),
        cmocka_unit_test(only_so_many_functions_are_read),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(rules_hold_from_address_to_address),
        cmocka_unit_test(damaged_sections_do_no_harm),
    };
    gt_mem_init(&mem, NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
