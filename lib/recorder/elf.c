/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/elf.h"

#include <string.h>

#include "base/bisect.h"
#include "base/sort.h"
#include "recorder/fixed.h"

/* Of the ELF specification, which is the same for all systems. */
enum {
    ELF_CLASS = sizeof(void *) == 8 ? 2 : 1,
    ELF_TABLE_SYMBOLS = 2,
    ELF_TABLE_NAMES = 3,
    ELF_TABLE_DYNAMIC_SYMBOLS = 11,
    ELF_SEGMENT_NOTE = 4,
    ELF_FUNCTION = 2,
    ELF_INDIRECT_FUNCTION = 10,
    ELF_NOTE_BUILD_ID = 3
};

enum {
    /* A header, of the file or in a table, is not larger. */
    ELF_HEADER = 64,
    ELF_SYMBOL = sizeof(void *) == 8 ? 24 : 16,
    ELF_HEADERS = 65536, /* the most headers of a table that are looked at */
    ELF_NOTES = 256,     /* the most notes of a segment that are looked at */
    ELF_NOTE_HEAD = 12,
    /* A note with the id of a build is not longer: its head, the name "GNU" and the id. */
    ELF_NOTE = ELF_NOTE_HEAD + 4 + GT_ELF_BUILD_ID_SIZE,
    ELF_CHUNK = 1024,    /* symbols that are read at once */
    ELF_ALIASES = 16,    /* the most names of one function that are compared */
    ELF_LOOK_BACK = 8,   /* functions before an address that may reach to it */
    ELF_UNDERSCORES = 16 /* the most underscores that are counted at the beginning of a name */
};

/* Where a member is in a structure, in files with addresses of 32 and of 64 bits. */
struct elf_member {
    uint8_t at[2], size[2];
};

static const struct elf_member ELF_FILE_SEGMENTS = {{28, 32}, {4, 8}};
static const struct elf_member ELF_FILE_SECTIONS = {{32, 40}, {4, 8}};
static const struct elf_member ELF_FILE_SEGMENT_SIZE = {{42, 54}, {2, 2}};
static const struct elf_member ELF_FILE_SEGMENT_COUNT = {{44, 56}, {2, 2}};
static const struct elf_member ELF_FILE_SECTION_SIZE = {{46, 58}, {2, 2}};
static const struct elf_member ELF_FILE_SECTION_COUNT = {{48, 60}, {2, 2}};
static const struct elf_member ELF_SEGMENT_TYPE = {{0, 0}, {4, 4}};
static const struct elf_member ELF_SEGMENT_OFFSET = {{4, 8}, {4, 8}};
static const struct elf_member ELF_SEGMENT_BYTES = {{16, 32}, {4, 8}};
static const struct elf_member ELF_SECTION_TYPE = {{4, 4}, {4, 4}};
static const struct elf_member ELF_SECTION_OFFSET = {{16, 24}, {4, 8}};
static const struct elf_member ELF_SECTION_BYTES = {{20, 32}, {4, 8}};
static const struct elf_member ELF_SECTION_LINK = {{24, 40}, {4, 4}};
static const struct elf_member ELF_SECTION_ENTRY = {{36, 56}, {4, 8}};
static const struct elf_member ELF_SYMBOL_NAME = {{0, 0}, {4, 4}};
static const struct elf_member ELF_SYMBOL_VALUE = {{4, 8}, {4, 8}};
static const struct elf_member ELF_SYMBOL_SIZE = {{8, 16}, {4, 8}};
static const struct elf_member ELF_SYMBOL_INFO = {{12, 4}, {1, 1}};
static const struct elf_member ELF_SYMBOL_SECTION = {{14, 6}, {2, 2}};

static uint64_t elf_get(const uint8_t *structure, struct elf_member member)
{
    return gt_fixed_get(structure + member.at[ELF_CLASS - 1], member.size[ELF_CLASS - 1]);
}

static bool elf_has(const struct gt_elf_file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

static bool elf_read(const struct gt_elf_file *file, uint64_t offset, void *to, size_t size)
{
    return elf_has(file, offset, size) && file->read(file->data, offset, to, size);
}

/* Reads the header of the file. Its size is that of 64 bits; files of 32 bits have less. */
static bool elf_read_header(const struct gt_elf_file *file, uint8_t *header)
{
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    const uint16_t one = 1;
    uint8_t order = *(const uint8_t *) &one == 1 ? 1 : 2;
    memset(header, 0, ELF_HEADER);
    return elf_read(file, 0, header, ELF_CLASS == 2 ? 64 : 52) &&
           memcmp(header, magic, sizeof(magic)) == 0 && header[4] == ELF_CLASS &&
           header[5] == order;
}

/* A table of headers of sections or segments. */
struct elf_headers {
    uint64_t offset, size, count;
};

static bool elf_read_entry(const struct gt_elf_file *file, const struct elf_headers *headers,
                           uint64_t number, uint8_t *entry)
{
    /* As large as one of the file's kind, of which the rest is zeros. */
    size_t size = headers->size < ELF_HEADER ? (size_t) headers->size : ELF_HEADER;
    memset(entry, 0, ELF_HEADER);
    return number < headers->count && number < ELF_HEADERS && headers->offset <= file->size &&
           elf_read(file, headers->offset + number * headers->size, entry, size);
}

/* With too many sections for its header, a file has their number in the first one. */
static bool elf_find_sections(const struct gt_elf_file *file, struct elf_headers *headers)
{
    uint8_t header[ELF_HEADER];
    if (!elf_read_header(file, header))
        return false;
    headers->offset = elf_get(header, ELF_FILE_SECTIONS);
    headers->size = elf_get(header, ELF_FILE_SECTION_SIZE);
    headers->count = elf_get(header, ELF_FILE_SECTION_COUNT);
    if (headers->offset == 0 || headers->count > 0)
        return headers->offset != 0;
    headers->count = 1;
    uint8_t first[ELF_HEADER];
    if (!elf_read_entry(file, headers, 0, first))
        return false;
    headers->count = elf_get(first, ELF_SECTION_BYTES);
    return true;
}

/* Reads the header of the table of symbols with the most functions. */
static bool elf_find_symbols(const struct gt_elf_file *file, const struct elf_headers *headers,
                             uint8_t *section)
{
    uint8_t entry[ELF_HEADER];
    bool is_found = false;
    for (uint64_t i = 0; elf_read_entry(file, headers, i, entry); i++) {
        uint64_t type = elf_get(entry, ELF_SECTION_TYPE);
        if (type != ELF_TABLE_SYMBOLS && type != ELF_TABLE_DYNAMIC_SYMBOLS)
            continue;
        memcpy(section, entry, ELF_HEADER);
        is_found = true;
        if (type == ELF_TABLE_SYMBOLS)
            break;
    }
    return is_found;
}

/* Whether a symbol is a function that the file has. */
static bool elf_take_symbol(const uint8_t *symbol, uint64_t names_size,
                            struct gt_elf_function *function)
{
    uint64_t type = elf_get(symbol, ELF_SYMBOL_INFO) & 15, name = elf_get(symbol, ELF_SYMBOL_NAME);
    uint64_t size = elf_get(symbol, ELF_SYMBOL_SIZE);
    function->address = elf_get(symbol, ELF_SYMBOL_VALUE);
    function->size = size < UINT32_MAX ? (uint32_t) size : UINT32_MAX;
    function->name = (uint32_t) name;
    return (type == ELF_FUNCTION || type == ELF_INDIRECT_FUNCTION) &&
           elf_get(symbol, ELF_SYMBOL_SECTION) != 0 && function->address != 0 && name != 0 &&
           name < names_size;
}

static bool function_is_before(const void *a, const void *b, void *context)
{
    const struct gt_elf_function *one = a, *other = b;
    (void) context;
    if (one->address != other->address)
        return one->address < other->address;
    return one->name < other->name;
}

/* Adds the functions among symbols that lie one after the other in the file. */
static gt_status functions_add(struct gt_elf_functions *functions, struct gt_mem *mem,
                               const uint8_t *symbols, size_t count, size_t most)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        struct gt_elf_function function;
        if (!elf_take_symbol(symbols + i * ELF_SYMBOL, functions->names_size, &function))
            continue;
        if (functions->list.count >= most)
            return GT_ERR_LIMIT;
        status = gt_array_add(mem, &functions->list, function);
    }
    return status;
}

static gt_status functions_read_table(struct gt_elf_functions *functions, struct gt_mem *mem,
                                      const struct gt_elf_file *file, const uint8_t *section,
                                      size_t most)
{
    uint64_t at = elf_get(section, ELF_SECTION_OFFSET);
    uint64_t left = elf_get(section, ELF_SECTION_BYTES) / ELF_SYMBOL;
    size_t bytes = (size_t) ELF_CHUNK * ELF_SYMBOL;
    uint8_t *symbols = gt_mem_alloc(mem, bytes);
    gt_status status = symbols ? GT_OK : gt_mem_failure(mem);
    while (status == GT_OK && left > 0) {
        size_t count = left < ELF_CHUNK ? (size_t) left : ELF_CHUNK;
        if (!elf_read(file, at, symbols, count * ELF_SYMBOL))
            break;
        status = functions_add(functions, mem, symbols, count, most);
        at += count * ELF_SYMBOL;
        left -= count;
    }
    gt_mem_free(mem, symbols, bytes);
    return status;
}

gt_status gt_elf_functions_read(struct gt_elf_functions *functions, struct gt_mem *mem,
                                const struct gt_elf_file *file, size_t most)
{
    struct elf_headers headers;
    uint8_t section[ELF_HEADER], names[ELF_HEADER];
    if (!elf_find_sections(file, &headers) || !elf_find_symbols(file, &headers, section) ||
        elf_get(section, ELF_SECTION_ENTRY) != ELF_SYMBOL ||
        !elf_read_entry(file, &headers, elf_get(section, ELF_SECTION_LINK), names) ||
        elf_get(names, ELF_SECTION_TYPE) != ELF_TABLE_NAMES)
        return GT_OK;
    functions->names = elf_get(names, ELF_SECTION_OFFSET);
    functions->names_size = elf_get(names, ELF_SECTION_BYTES);
    if (!elf_has(file, functions->names, functions->names_size))
        return GT_OK;
    gt_status status = functions_read_table(functions, mem, file, section, most);
    if (status != GT_OK)
        gt_elf_functions_free(functions, mem);
    else
        gt_sort(functions->list.items, functions->list.count, sizeof(*functions->list.items),
                function_is_before, NULL);
    return status;
}

void gt_elf_functions_free(struct gt_elf_functions *functions, struct gt_mem *mem)
{
    gt_array_free(mem, &functions->list);
    functions->names_size = 0;
}

/* The number of functions that begin at or before an address. */
static size_t functions_before(const struct gt_elf_functions *functions, uint64_t address)
{
    size_t count;
    GT_BISECT(count, 0, functions->list.count, functions->list.items[count].address <= address);
    return count;
}

/* A function of unknown size reaches to the next one. */
static bool function_has(const struct gt_elf_function *function, uint64_t address)
{
    return function->size == 0 || address - function->address < function->size;
}

/* Copies a name, cut to `room` bytes with the NUL. Returns false if it is empty. */
static bool function_read_name(const struct gt_elf_functions *functions,
                               const struct gt_elf_file *file, uint32_t name, char *to, size_t room)
{
    uint64_t left = functions->names_size - name;
    size_t size = left < room - 1 ? (size_t) left : room - 1;
    to[size] = '\0';
    return elf_read(file, functions->names + name, to, size) && to[0] != '\0';
}

/* How many underscores a name begins with; SIZE_MAX: it cannot be read or is empty. */
static size_t function_underscores(const struct gt_elf_functions *functions,
                                   const struct gt_elf_file *file, uint32_t name)
{
    char begin[ELF_UNDERSCORES + 1];
    return function_read_name(functions, file, name, begin, sizeof(begin)) ? strspn(begin, "_")
                                                                           : SIZE_MAX;
}

bool gt_elf_function_name(const struct gt_elf_functions *functions, const struct gt_elf_file *file,
                          uint64_t address, char name[GT_ELF_NAME_SIZE])
{
    const struct gt_elf_function *list = functions->list.items;
    size_t end = functions_before(functions, address), at = end;
    while (at > 0 && end - at < ELF_LOOK_BACK && !function_has(&list[at - 1], address))
        at--;
    if (at == 0 || !function_has(&list[at - 1], address))
        return false;
    uint64_t begin = list[at - 1].address;
    size_t fewest = SIZE_MAX;
    uint32_t best = 0;
    for (size_t i = 0; i < ELF_ALIASES && at > 0 && list[at - 1].address == begin; i++, at--) {
        size_t underscores = function_underscores(functions, file, list[at - 1].name);
        if (underscores >= fewest)
            continue;
        fewest = underscores;
        best = list[at - 1].name;
    }
    return fewest < SIZE_MAX && function_read_name(functions, file, best, name, GT_ELF_NAME_SIZE);
}

static uint32_t note_word(const uint8_t *at)
{
    return (uint32_t) gt_fixed_get(at, sizeof(uint32_t));
}

/* Names and contents of notes are filled up to 4 bytes. */
static uint64_t note_fill(uint32_t size)
{
    return ((uint64_t) size + 3) & ~UINT64_C(3);
}

struct gt_elf_build_id gt_elf_build_id_find(const uint8_t *notes, size_t size)
{
    struct gt_elf_build_id id = {0, {0}};
    while (size >= ELF_NOTE_HEAD) {
        uint32_t name_size = note_word(notes), content_size = note_word(notes + 4);
        uint64_t name = note_fill(name_size), content = note_fill(content_size);
        if (name > size - ELF_NOTE_HEAD || content > size - ELF_NOTE_HEAD - name)
            break;
        if (note_word(notes + 8) == ELF_NOTE_BUILD_ID && name_size == 4 &&
            memcmp(notes + ELF_NOTE_HEAD, "GNU", 4) == 0 && content_size <= sizeof(id.bytes)) {
            id.size = content_size;
            memcpy(id.bytes, notes + ELF_NOTE_HEAD + name, content_size);
            break;
        }
        notes += ELF_NOTE_HEAD + name + content;
        size -= (size_t) (ELF_NOTE_HEAD + name + content);
    }
    return id;
}

/* Finds the id of a build in a segment of notes, of which long ones are skipped. */
static struct gt_elf_build_id notes_read(const struct gt_elf_file *file, uint64_t at, uint64_t size)
{
    struct gt_elf_build_id id = {0, {0}};
    uint8_t note[ELF_NOTE];
    for (unsigned i = 0; i < ELF_NOTES && id.size == 0 && size >= ELF_NOTE_HEAD; i++) {
        size_t part = size < sizeof(note) ? (size_t) size : sizeof(note);
        if (!elf_read(file, at, note, part))
            break;
        uint64_t length =
            ELF_NOTE_HEAD + note_fill(note_word(note)) + note_fill(note_word(note + 4));
        id = gt_elf_build_id_find(note, length < part ? (size_t) length : part);
        if (length > size)
            break;
        at += length;
        size -= length;
    }
    return id;
}

struct gt_elf_build_id gt_elf_build_id_read(const struct gt_elf_file *file)
{
    struct gt_elf_build_id id = {0, {0}};
    uint8_t header[ELF_HEADER], entry[ELF_HEADER];
    if (!elf_read_header(file, header))
        return id;
    struct elf_headers segments = {elf_get(header, ELF_FILE_SEGMENTS),
                                   elf_get(header, ELF_FILE_SEGMENT_SIZE),
                                   elf_get(header, ELF_FILE_SEGMENT_COUNT)};
    for (uint64_t i = 0; id.size == 0 && elf_read_entry(file, &segments, i, entry); i++) {
        if (elf_get(entry, ELF_SEGMENT_TYPE) == ELF_SEGMENT_NOTE)
            id = notes_read(file, elf_get(entry, ELF_SEGMENT_OFFSET),
                            elf_get(entry, ELF_SEGMENT_BYTES));
    }
    return id;
}
