/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent/names.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agent/memory.h"
#include "recorder/elf.h"
#include "recorder/system.h"
#include "recorder/system_modules.h"

/* Names of the functions that threads run. A program has few of them. */

enum {
    NAMES_MOST = 256, /* how many are kept */
    NAMES_PATH = 4096,
    NAMES_FUNCTIONS = 1 << 20 /* the most functions of a file that are looked at */
};

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t names_count;

static struct {
    uintptr_t address;
    gt_rec_text text;
} names[NAMES_MOST];

/* The module of an address. */
struct name_module {
    uintptr_t address, base;
    char path[NAMES_PATH];
};

static void name_visit(void *user_data, const struct gt_system_module *module)
{
    struct name_module *found = user_data;
    if (found->address < module->low || found->address >= module->high)
        return;
    found->base = module->base;
    snprintf(found->path, sizeof(found->path), "%s",
             module->path[0] != '\0' ? module->path : GT_SYSTEM_PROGRAM);
}

/* Finds the name in the symbols of a file. */
static bool name_find(const struct name_module *module, char name[GT_ELF_NAME_SIZE])
{
    struct gt_system_file file;
    struct gt_elf_functions functions = {{NULL, 0, 0}, 0, 0};
    struct gt_mem mem;
    if (module->path[0] != '/' || !gt_system_file_open(&file, module->path))
        return false;
    struct gt_elf_file elf = {gt_system_file_read, &file, file.size};
    gt_mem_init(&mem, &agent_memory, 0);
    bool is_found = gt_elf_functions_read(&functions, &mem, &elf, NAMES_FUNCTIONS) == GT_OK &&
                    gt_elf_function_name(&functions, &elf, module->address - module->base, name);
    gt_elf_functions_free(&functions, &mem);
    gt_system_file_close(&file);
    return is_found;
}

/* Without a symbol the name is the file and the offset in it. */
static void name_make(uintptr_t address, char name[GT_ELF_NAME_SIZE])
{
    struct name_module module = {address, 0, ""};
    uint64_t changes = 0;
    gt_system_modules_visit(&changes, name_visit, &module);
    if (name_find(&module, name))
        return;
    char program[NAMES_PATH];
    const char *path = module.path;
    if (strcmp(path, GT_SYSTEM_PROGRAM) == 0 && gt_system_program_path(program, sizeof(program)))
        path = program;
    const char *slash = strrchr(path, '/');
    snprintf(name, GT_ELF_NAME_SIZE, "%.200s+0x%llx", slash ? slash + 1 : path,
             (unsigned long long) (address - module.base));
}

/* Files are read with the lock held, and what calls this is no cancellation point. */
gt_rec_text agent_name(uintptr_t address)
{
    gt_rec_text text = 0;
    char name[GT_ELF_NAME_SIZE];
    int held = gt_system_hold_cancel();
    pthread_mutex_lock(&names_lock);
    size_t at = 0;
    while (at < names_count && names[at].address != address)
        at++;
    if (at < names_count) {
        text = names[at].text;
    } else {
        name_make(address, name);
        if (gt_recorder_text(agent_recorder, name, strlen(name), &text) == GT_OK &&
            names_count < NAMES_MOST) {
            names[names_count].address = address;
            names[names_count++].text = text;
        }
    }
    pthread_mutex_unlock(&names_lock);
    gt_system_release_cancel(held);
    return text;
}

void agent_forget_names(void)
{
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    names_lock = unlocked;
    names_count = 0;
}
