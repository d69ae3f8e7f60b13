/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_SYSTEM_MODULES_H
#define GT_RECORDER_SYSTEM_MODULES_H

#include "recorder/elf.h"

/* The program and the libraries that the process has loaded, and their files. */

/* Valid while it is visited. */
struct gt_system_module {
    const char *path;    /* "" is the program */
    uintptr_t base;      /* what is added to the addresses in the file */
    uintptr_t low, high; /* of the code */
    const uint8_t *notes;
    size_t notes_size;
    /* .eh_frame, up to the end of what can be read, or NULL. */
    const uint8_t *frames;
    size_t frames_size;
};

typedef void gt_system_module_fn(void *user_data, const struct gt_system_module *module);

/*
 * Visits all modules, none of which can be unloaded meanwhile, unless they are still the same:
 * `*changes` is how often there was a change, 0 at first. Returns whether they were visited.
 */
bool gt_system_modules_visit(uint64_t *changes, gt_system_module_fn *visit, void *user_data);

/* The file of the program. */
#define GT_SYSTEM_PROGRAM "/proc/self/exe"

/* Copies the path of the program, with a NUL, and returns its length, or 0 if it is not known. */
size_t gt_system_program_path(char *path, size_t size);

/* A file that is open for reading. */
struct gt_system_file {
    int fd;
    uint64_t size;
    /* By these it is known again. */
    uint64_t device, number, time;
};

/* Opens a regular file. */
bool gt_system_file_open(struct gt_system_file *file, const char *path);

/* Of struct gt_elf_file; `data` is a struct gt_system_file. */
bool gt_system_file_read(void *data, uint64_t offset, void *to, size_t size);

void gt_system_file_close(struct gt_system_file *file);

#endif
