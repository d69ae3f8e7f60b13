/* SPDX-License-Identifier: BSD-3-Clause */
/* For dl_iterate_phdr. */
#define _GNU_SOURCE

#include "recorder/system_modules.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__

#include <link.h>
#include <string.h>

/* What is visited. */
struct modules_walk {
    uint64_t changes;
    gt_system_module_fn *visit;
    void *user_data;
    bool is_checked, has_visited;
};

/* How much can be read from an address on, in one segment that the file has; 0: nothing. */
static size_t module_readable(const struct dl_phdr_info *info, uintptr_t address)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) && address >= begin &&
            address - begin < segment->p_filesz)
            return segment->p_filesz - (address - begin);
    }
    return 0;
}

static void module_add_code(struct gt_system_module *module, uintptr_t begin, uintptr_t size)
{
    if (module->high == 0 || begin < module->low)
        module->low = begin;
    if (begin + size > module->high)
        module->high = begin + size;
}

static void module_set_notes(struct gt_system_module *module, const struct dl_phdr_info *info,
                             uintptr_t address, size_t size)
{
    if (size > module_readable(info, address) ||
        gt_elf_build_id_find((const uint8_t *) address, size).size == 0)
        return;
    module->notes = (const uint8_t *) address;
    module->notes_size = size;
}

/* .eh_frame_hdr says where .eh_frame is, as all linkers write it: relative, in 4 bytes. */
static void module_set_frames(struct gt_system_module *module, const struct dl_phdr_info *info,
                              uintptr_t address)
{
    static const uint8_t head[] = {1, 0x1b};
    int32_t offset;
    const uint8_t *header = (const uint8_t *) address;
    if (module_readable(info, address) < 8 || memcmp(header, head, sizeof(head)) != 0)
        return;
    memcpy(&offset, header + 4, sizeof(offset));
    uintptr_t frames = address + 4 + (uintptr_t) (intptr_t) offset;
    module->frames_size = module_readable(info, frames);
    module->frames = module->frames_size > 0 ? (const uint8_t *) frames : NULL;
}

static void module_visit(const struct modules_walk *walk, const struct dl_phdr_info *info)
{
    struct gt_system_module module = {
        info->dlpi_name ? info->dlpi_name : "", info->dlpi_addr, 0, 0, NULL, 0, NULL, 0};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t address = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X))
            module_add_code(&module, address, segment->p_memsz);
        else if (segment->p_type == PT_NOTE && !module.notes)
            module_set_notes(&module, info, address, segment->p_memsz);
        else if (segment->p_type == PT_GNU_EH_FRAME)
            module_set_frames(&module, info, address);
    }
    if (module.low < module.high)
        walk->visit(walk->user_data, &module);
}

static int modules_visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct modules_walk *walk = data;
    if (!walk->is_checked) {
        uint64_t changes = info->dlpi_adds + info->dlpi_subs;
        walk->is_checked = true;
        if (size >= sizeof(*info) && changes == walk->changes)
            return 1;
        walk->changes = changes;
    }
    walk->has_visited = true;
    module_visit(walk, info);
    return 0;
}

bool gt_system_modules_visit(uint64_t *changes, gt_system_module_fn *visit, void *user_data)
{
    struct modules_walk walk = {*changes, visit, user_data, false, false};
    dl_iterate_phdr(modules_visit, &walk);
    *changes = walk.changes;
    return walk.has_visited;
}

#else

bool gt_system_modules_visit(uint64_t *changes, gt_system_module_fn *visit, void *user_data)
{
    (void) changes;
    (void) visit;
    (void) user_data;
    return false;
}

#endif

size_t gt_system_program_path(char *path, size_t size)
{
    ssize_t length = readlink(GT_SYSTEM_PROGRAM, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t) length : 0;
}

bool gt_system_file_open(struct gt_system_file *file, const char *path)
{
    struct stat about;
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file->fd < 0)
        return false;
    if (fstat(file->fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < 0) {
        close(file->fd);
        return false;
    }
    file->size = (uint64_t) about.st_size;
    file->device = (uint64_t) about.st_dev;
    file->number = (uint64_t) about.st_ino;
    file->time = (uint64_t) about.st_mtime;
    return true;
}

bool gt_system_file_read(void *data, uint64_t offset, void *to, size_t size)
{
    const struct gt_system_file *file = data;
    char *at = to;
    while (size > 0) {
        ssize_t got = pread(file->fd, at, size, (off_t) offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        offset += (uint64_t) got;
        size -= (size_t) got;
    }
    return true;
}

void gt_system_file_close(struct gt_system_file *file)
{
    close(file->fd);
}
