/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_ELF_H
#define GT_RECORDER_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/array.h"

/*
 * Reads the names of functions from ELF files of the machine's own kind. A file may have been
 * damaged, or made to do harm: nothing in it is trusted, and what does not fit is left out.
 */

/* Where the bytes of a file are. `read` copies `size` bytes, all of which the file has, or fails.
 */
struct gt_elf_file {
    bool (*read)(void *data, uint64_t offset, void *to, size_t size);
    void *data;
    uint64_t size;
};

/* A function. Addresses are those of the file, before it is loaded anywhere. */
struct gt_elf_function {
    uint64_t address;
    uint32_t size; /* 0: it is not known */
    uint32_t name; /* within the names */
};

/* The functions of a file, sorted by their addresses, and where their names lie in it. */
struct gt_elf_functions {
    GT_ARRAY(struct gt_elf_function) list;
    uint64_t names, names_size;
};

enum {
    GT_ELF_NAME_SIZE = 1024, /* names are cut to so many bytes */
    GT_ELF_BUILD_ID_SIZE = 64
};

struct gt_elf_build_id {
    size_t size; /* 0: there is none */
    uint8_t bytes[GT_ELF_BUILD_ID_SIZE];
};

/*
 * Reads the functions from .symtab, or without that from .dynsym, at most `most` of them.
 * `functions` is empty at first, and if the file has none.
 */
gt_status gt_elf_functions_read(struct gt_elf_functions *functions, struct gt_mem *mem,
                                const struct gt_elf_file *file, size_t most);

void gt_elf_functions_free(struct gt_elf_functions *functions, struct gt_mem *mem);

/*
 * Copies the name of the function at an address to `name`, with a NUL. Returns false if there is
 * none. Of several names for one function the one that begins with the fewest underscores is taken.
 */
bool gt_elf_function_name(const struct gt_elf_functions *functions, const struct gt_elf_file *file,
                          uint64_t address, char name[GT_ELF_NAME_SIZE]);

/* Finds the id of a build in notes: a segment of type PT_NOTE. */
struct gt_elf_build_id gt_elf_build_id_find(const uint8_t *notes, size_t size);

/* Finds the id of a build in the notes of a file. */
struct gt_elf_build_id gt_elf_build_id_read(const struct gt_elf_file *file);

#endif
