/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/modules.h"

#include <string.h>

#include "base/hex.h"
#include "base/sort.h"
#include "recorder/frames.h"
#include "recorder/system_modules.h"
#include "recorder/texts.h"

enum {
    MODULE_PATH = 4096,
    /* The parts of the memory limit that functions of all modules may take, and rows of tables. */
    MODULE_FUNCTIONS_PART = 8,
    MODULE_ROWS_PART = 8,
    /* Of the text about a module, the three addresses and the id of the build. */
    MODULE_NUMBERS = 3 * 20 + 2 * GT_ELF_BUILD_ID_SIZE + 2
};

/* What the text about a module begins with. */
static const char MODULE_HEAD[] = "gotrace.module";

struct gt_recorder_module {
    struct gt_recorder_module *next;
    uint64_t base, low, high;
    struct gt_elf_build_id build_id;
    bool is_program, is_seen;
    /* It was unloaded, and whether that was so before the generation that is written now. */
    bool is_gone, is_past;
    bool has_text;              /* the trace tells of the module */
    bool has_looked;            /* for functions in the file */
    struct gt_system_file file; /* as it was then */
    struct gt_elf_functions functions;
    /* A copy of .eh_frame, from which the table is made; NULL: it is made. */
    uint8_t *frames;
    size_t frames_size;
    uint64_t frames_address;
    struct gt_cfi cfi;
    size_t path_size;
    char path[];
};

static void module_free_frames(gt_recorder *recorder, struct gt_recorder_module *module)
{
    gt_mem_free(&recorder->mem, module->frames, module->frames_size);
    module->frames = NULL;
}

static void module_free(gt_recorder *recorder, struct gt_recorder_module *module)
{
    recorder->modules.functions -= module->functions.list.count;
    recorder->modules.rows -= module->cfi.rows.count;
    gt_elf_functions_free(&module->functions, &recorder->mem);
    gt_cfi_free(&module->cfi, &recorder->mem);
    module_free_frames(recorder, module);
    gt_mem_free(&recorder->mem, module, sizeof(*module) + module->path_size + 1);
}

static bool build_id_is_same(const struct gt_elf_build_id *one, const struct gt_elf_build_id *other)
{
    return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

static bool module_is(const struct gt_recorder_module *module, const struct gt_system_module *other,
                      const struct gt_elf_build_id *build_id)
{
    const char *path = module->is_program ? "" : module->path;
    return !module->is_gone && module->base == other->base && module->low == other->low &&
           module->high == other->high && build_id_is_same(&module->build_id, build_id) &&
           strcmp(path, other->path) == 0;
}

/* Copies what a table is made from: the module may be unloaded before that is done. */
static void module_copy_frames(gt_recorder *recorder, struct gt_recorder_module *module,
                               const struct gt_system_module *system)
{
    if (!gt_recorder_has_tables(recorder) || !system->frames)
        return;
    size_t size = gt_cfi_length(system->frames, system->frames_size);
    module->frames = size > 0 ? gt_mem_alloc(&recorder->mem, size) : NULL;
    if (!module->frames)
        return;
    module->frames_size = size;
    module->frames_address = (uintptr_t) system->frames;
    memcpy(module->frames, system->frames, size);
}

static void module_add_path(gt_recorder *recorder, const struct gt_system_module *system,
                            const struct gt_elf_build_id *build_id, const char *path)
{
    size_t size = strlen(path);
    struct gt_recorder_module *module = gt_mem_zeros(&recorder->mem, sizeof(*module) + size + 1);
    /* Without memory for it the trace has addresses instead of names. */
    if (!module)
        return;
    module->base = system->base;
    module->low = system->low;
    module->high = system->high;
    module->build_id = *build_id;
    module->is_program = system->path[0] == '\0';
    module->is_seen = true;
    module->path_size = size;
    memcpy(module->path, path, size + 1);
    module_copy_frames(recorder, module, system);
    module->next = recorder->modules.first;
    recorder->modules.first = module;
}

static void module_add(gt_recorder *recorder, const struct gt_system_module *system,
                       const struct gt_elf_build_id *build_id)
{
    char *path = system->path[0] == '\0' ? gt_mem_alloc(&recorder->mem, MODULE_PATH) : NULL;
    bool is_known = path && gt_system_program_path(path, MODULE_PATH) > 0;
    module_add_path(recorder, system, build_id, is_known ? path : system->path);
    gt_mem_free(&recorder->mem, path, MODULE_PATH);
}

static void module_note(void *user_data, const struct gt_system_module *system)
{
    gt_recorder *recorder = user_data;
    struct gt_elf_build_id build_id = gt_elf_build_id_find(system->notes, system->notes_size);
    struct gt_recorder_module *module = recorder->modules.first;
    while (module && !module_is(module, system, &build_id))
        module = module->next;
    if (module)
        module->is_seen = true;
    else
        module_add(recorder, system, &build_id);
}

/* Makes the table of a module, if it has none, and there is room for it. */
static void module_make_table(gt_recorder *recorder, struct gt_recorder_module *module)
{
    if (!module->frames)
        return;
    uint64_t most = recorder->mem.limit / MODULE_ROWS_PART / sizeof(struct gt_cfi_row);
    uint64_t used = recorder->modules.rows;
    size_t room = most > used ? (size_t) (most - used) : 0;
    module->cfi.begin = module->low;
    module->cfi.size = module->high - module->low;
    /* Without a table the frame pointer is followed. */
    if (gt_cfi_read(&module->cfi, &recorder->mem, module->frames, module->frames_size,
                    module->frames_address, room) == GT_OK)
        recorder->modules.rows += module->cfi.rows.count;
    module_free_frames(recorder, module);
}

static char *module_put_hex(char *to, uint64_t number)
{
    *to++ = '0';
    *to++ = 'x';
    return gt_hex_put(to, number);
}

/*
 * Writes what the trace tells of a module, by which tools find its file later: where its addresses
 * begin and where its code is, its build, and its path.
 */
static void module_tell(const struct gt_recorder_module *module, char *to)
{
    const uint64_t numbers[] = {module->base, module->low, module->high};
    memcpy(to, MODULE_HEAD, sizeof(MODULE_HEAD) - 1);
    to += sizeof(MODULE_HEAD) - 1;
    for (size_t i = 0; i < 3; i++) {
        *to++ = ' ';
        to = module_put_hex(to, numbers[i]);
    }
    *to++ = ' ';
    if (module->build_id.size == 0)
        *to++ = '-';
    for (size_t i = 0; i < module->build_id.size; i++)
        to = gt_hex_put_digits(to, module->build_id.bytes[i], 2);
    *to++ = ' ';
    memcpy(to, module->path, module->path_size + 1);
}

/* Without memory it is tried again in the next generation. */
static void module_register(gt_recorder *recorder, struct gt_recorder_module *module)
{
    size_t size = sizeof(MODULE_HEAD) + MODULE_NUMBERS + module->path_size + 1;
    gt_rec_text id;
    if (module->has_text || module->path_size >= MODULE_PATH)
        return;
    char *text = gt_mem_alloc(&recorder->mem, size);
    if (!text)
        return;
    module_tell(module, text);
    module->has_text = gt_recorder_text_of_frame(recorder, text, &id) == GT_OK;
    gt_mem_free(&recorder->mem, text, size);
}

/* Notes which modules were unloaded, and frees those for which the generation was written. */
static void modules_sweep(gt_recorder *recorder)
{
    struct gt_recorder_module **link = &recorder->modules.first;
    bool has_freed = false;
    while (*link) {
        struct gt_recorder_module *module = *link;
        if (module->is_past) {
            *link = module->next;
            module_free(recorder, module);
            has_freed = true;
            continue;
        }
        module->is_past = module->is_gone;
        link = &module->next;
    }
    /* Others may be at the same addresses now. */
    if (has_freed)
        gt_recorder_frames_free(recorder);
}

static bool part_is_before(const void *a, const void *b, void *context)
{
    (void) context;
    return ((const struct gt_unwind_part *) a)->begin < ((const struct gt_unwind_part *) b)->begin;
}

static size_t map_bytes(size_t count)
{
    return sizeof(struct gt_unwind_map) + count * sizeof(struct gt_unwind_part);
}

/* `map` may be NULL. */
static void map_free(gt_recorder *recorder, struct gt_unwind_map *map)
{
    if (map)
        gt_mem_free(&recorder->mem, map, map_bytes(map->count));
}

static bool module_has_table(const struct gt_recorder_module *module)
{
    return !module->is_gone && module->cfi.rows.count > 0;
}

/* Makes a map of the tables of all modules that are loaded. */
static struct gt_unwind_map *modules_make_map(gt_recorder *recorder)
{
    size_t count = 0;
    for (struct gt_recorder_module *module = recorder->modules.first; module; module = module->next)
        count += module_has_table(module);
    struct gt_unwind_map *map = gt_mem_alloc(&recorder->mem, map_bytes(count));
    if (!map)
        return NULL;
    map->number = ++recorder->modules.maps;
    map->count = 0;
    for (struct gt_recorder_module *module = recorder->modules.first; module;
         module = module->next) {
        if (module_has_table(module))
            map->parts[map->count++] =
                (struct gt_unwind_part){module->low, module->low + module->cfi.size, &module->cfi};
    }
    gt_sort(map->parts, map->count, sizeof(map->parts[0]), part_is_before, NULL);
    return map;
}

/* Publishes a new map. The old one is freed when no thread can have it any more. */
static void modules_publish(gt_recorder *recorder)
{
    struct gt_unwind_map *map = modules_make_map(recorder);
    recorder->modules.old_map = gt_atomic_pointer_get(&recorder->modules.map);
    gt_atomic_pointer_set(&recorder->modules.map, map);
}

static void modules_free_old_map(gt_recorder *recorder)
{
    map_free(recorder, recorder->modules.old_map);
    recorder->modules.old_map = NULL;
}

void gt_recorder_modules_update(gt_recorder *recorder)
{
    struct gt_recorder_module *module;
    if (!gt_recorder_has_stacks(recorder))
        return;
    modules_free_old_map(recorder);
    for (module = recorder->modules.first; module; module = module->next)
        module->is_seen = false;
    bool has_changed = gt_system_modules_visit(&recorder->modules.changes, module_note, recorder);
    for (module = recorder->modules.first; module && has_changed; module = module->next)
        module->is_gone = !module->is_seen;
    modules_sweep(recorder);
    for (module = recorder->modules.first; module; module = module->next) {
        module_make_table(recorder, module);
        module_register(recorder, module);
    }
    if (has_changed && gt_recorder_has_tables(recorder))
        modules_publish(recorder);
}

/* Reads the functions of a module, if its file is the one that was loaded. */
static void module_read_functions(gt_recorder *recorder, struct gt_recorder_module *module,
                                  const struct gt_elf_file *elf)
{
    uint64_t most = recorder->mem.limit / MODULE_FUNCTIONS_PART / sizeof(struct gt_elf_function);
    uint64_t used = recorder->modules.functions;
    struct gt_elf_build_id build_id = gt_elf_build_id_read(elf);
    if (!build_id_is_same(&build_id, &module->build_id))
        return;
    /* Without memory there are offsets in the module instead of names. */
    if (gt_elf_functions_read(&module->functions, &recorder->mem, elf,
                              most > used ? (size_t) (most - used) : 0) == GT_OK)
        recorder->modules.functions += module->functions.list.count;
}

static bool file_is_same(const struct gt_system_file *one, const struct gt_system_file *other)
{
    return one->size == other->size && one->device == other->device &&
           one->number == other->number && one->time == other->time;
}

/* Finds the name of a function in the file of a module. */
static bool module_name(gt_recorder *recorder, struct gt_recorder_module *module, uint64_t pc,
                        char *name)
{
    struct gt_system_file file;
    bool is_found = false;
    if (module->has_looked && module->functions.list.count == 0)
        return false;
    if ((module->path[0] != '/' && !module->is_program) ||
        !gt_system_file_open(&file, module->is_program ? GT_SYSTEM_PROGRAM : module->path))
        return false;
    struct gt_elf_file elf = {gt_system_file_read, &file, file.size};
    if (!module->has_looked) {
        module->has_looked = true;
        module->file = file;
        module_read_functions(recorder, module, &elf);
    }
    if (file_is_same(&module->file, &file))
        is_found = gt_elf_function_name(&module->functions, &elf, pc - module->base, name);
    gt_system_file_close(&file);
    return is_found;
}

/* The end of the path, and the offset there. */
static void module_name_offset(const struct gt_recorder_module *module, uint64_t pc, char *name)
{
    const char *slash = strrchr(module->path, '/'), *end = slash ? slash + 1 : module->path;
    size_t size = strlen(end);
    size = gt_recorder_text_cut(end, size) < 200 ? size : 200;
    memcpy(name, end, size);
    char *to = name + size;
    *to++ = '+';
    to = module_put_hex(to, pc - module->base);
    *to = '\0';
}

const char *gt_recorder_modules_name(gt_recorder *recorder, uint64_t pc, const char **path)
{
    char *name = recorder->modules.name;
    struct gt_recorder_module *module = recorder->modules.first;
    while (module && (pc < module->low || pc >= module->high))
        module = module->next;
    if (!module)
        return NULL;
    *path = module->path;
    if (module_name(recorder, module, pc, name))
        return name;
    const char *exported = gt_system_symbol(pc);
    if (exported)
        return exported;
    module_name_offset(module, pc, name);
    return name;
}

void gt_recorder_modules_free(gt_recorder *recorder)
{
    modules_free_old_map(recorder);
    map_free(recorder, gt_atomic_pointer_get(&recorder->modules.map));
    while (recorder->modules.first) {
        struct gt_recorder_module *module = recorder->modules.first;
        recorder->modules.first = module->next;
        module_free(recorder, module);
    }
}
