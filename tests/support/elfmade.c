/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/elfmade.h"

#include <string.h>

#ifdef __linux__

#include <link.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ELFMADE_ORDER ELFDATA2MSB
#else
#define ELFMADE_ORDER ELFDATA2LSB
#endif

enum {
    /* A note before that of the build, which is longer than any with an id. */
    ELFMADE_LONG_NOTE = 12 + 4 + 200
};

/* The parts of the file, one after the other. */
struct elfmade {
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[2];
    uint8_t notes[ELFMADE_LONG_NOTE + 12 + 4 + 4];
    ElfW(Shdr) sections[3];
    ElfW(Sym) symbols[8];
    char names[48];
};

static const char NAMES[] = "\0start\0_start\0open\0last\0object\0gone";

static uint32_t name_at(const char *name)
{
    uint32_t at = 0;
    while (strcmp(NAMES + at, name) != 0)
        at += (uint32_t) strlen(NAMES + at) + 1;
    return at;
}

static ElfW(Sym)
    symbol(const char *name, uint32_t address, uint32_t size, unsigned char type, uint16_t section)
{
    ElfW(Sym) made;
    memset(&made, 0, sizeof(made));
    made.st_name = name_at(name);
    made.st_value = address;
    made.st_size = size;
    made.st_info = type;
    made.st_shndx = section;
    return made;
}

static void fill_header(struct elfmade *file)
{
    ElfW(Ehdr) *header = &file->header;
    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    header->e_ident[EI_DATA] = ELFMADE_ORDER;
    header->e_phoff = offsetof(struct elfmade, segments);
    header->e_phentsize = sizeof(file->segments[0]);
    header->e_phnum = 2;
    header->e_shoff = offsetof(struct elfmade, sections);
    header->e_shentsize = sizeof(file->sections[0]);
    header->e_shnum = 3;
}

static void fill_notes(struct elfmade *file)
{
    const uint32_t other[] = {4, 200, NT_GNU_BUILD_ID + 1}, numbers[] = {4, 3, NT_GNU_BUILD_ID};
    uint8_t *build = file->notes + ELFMADE_LONG_NOTE;
    file->segments[1].p_type = PT_NOTE;
    file->segments[1].p_offset = offsetof(struct elfmade, notes);
    file->segments[1].p_filesz = sizeof(file->notes);
    memcpy(file->notes, other, sizeof(other));
    memcpy(file->notes + 12, "GNU", 4);
    memcpy(build, numbers, sizeof(numbers));
    memcpy(build + 12, "GNU\0\1\2\3", 8);
}

static void fill_sections(struct elfmade *file)
{
    ElfW(Shdr) *symbols = &file->sections[1], *names = &file->sections[2];
    symbols->sh_type = SHT_SYMTAB;
    symbols->sh_offset = offsetof(struct elfmade, symbols);
    symbols->sh_size = sizeof(file->symbols);
    symbols->sh_entsize = sizeof(file->symbols[0]);
    symbols->sh_link = 2;
    names->sh_type = SHT_STRTAB;
    names->sh_offset = offsetof(struct elfmade, names);
    names->sh_size = sizeof(file->names);
}

size_t elfmade(uint8_t *to)
{
    struct elfmade file;
    memset(&file, 0, sizeof(file));
    fill_header(&file);
    fill_notes(&file);
    fill_sections(&file);
    memcpy(file.names, NAMES, sizeof(NAMES));
    file.symbols[1] = symbol("last", 0x1080, 8, STT_FUNC, 1);
    file.symbols[2] = symbol("_start", 0x1000, 16, STT_FUNC, 1);
    file.symbols[3] = symbol("object", 0x1000, 16, STT_OBJECT, 1);
    file.symbols[4] = symbol("start", 0x1000, 16, STT_FUNC, 1);
    file.symbols[5] = symbol("gone", 0x1040, 16, STT_FUNC, SHN_UNDEF);
    file.symbols[6] = symbol("open", 0x1040, 0, STT_FUNC, 1);
    file.symbols[7] = symbol("gone", 0, 16, STT_FUNC, 1);
    memcpy(to, &file, sizeof(file));
    return sizeof(file);
}

#else

size_t elfmade(uint8_t *to)
{
    (void) to;
    return 0;
}

#endif

static uint8_t *put_word(uint8_t *to, uint32_t word)
{
    memcpy(to, &word, sizeof(word));
    return to + sizeof(word);
}

/* An entry whose content follows its size and its id. */
static uint8_t *put_entry(uint8_t *to, uint32_t id, const uint8_t *content, size_t size)
{
    to = put_word(to, (uint32_t) size + 4);
    to = put_word(to, id);
    memcpy(to, content, size);
    return to + size;
}

static uint8_t *put_function(uint8_t *to, const uint8_t *section, uint64_t address, uint64_t begin,
                             uint32_t size, const uint8_t *program, size_t program_size)
{
    uint8_t content[64];
    uint32_t id = (uint32_t) (to + 4 - section);
    uint32_t from = (uint32_t) (begin - (address + (uint64_t) (to + 8 - section)));
    uint8_t *end = put_word(put_word(content, from), size);
    *end++ = 0;
    memcpy(end, program, program_size);
    return put_entry(to, id, content, (size_t) (end - content) + program_size);
}

size_t elfmade_frames(uint8_t *to, uint64_t address, uint64_t begin)
{
    /* Version 1, "zR", factors 1 and -8, register 16, relative addresses of 4 bytes: rsp + 8. */
    static const uint8_t common[] = {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1};
    static const uint8_t pushes[] = {0x41, 0x0e, 16,   0x86, 2, 0x43, 0x0d, 6,
                                     0x0a, 0x48, 0x0c, 7,    8, 0x41, 0x0b};
    static const uint8_t plain[] = {0x44, 0x0e, 32, 0x02, 20, 0x0e, 8};
    static const uint8_t aligned[] = {0x41, 0x0f, 3,    0x76, 0x78, 6,    0x10, 6,    2,
                                      0x76, 0,    0x42, 0x16, 3,    1,    0x30, 0x03, 1,
                                      0,    0x07, 6,    0x08, 6,    0x2e, 8};
    uint8_t *at = put_entry(to, 0, common, sizeof(common));
    at = put_function(at, to, address, begin + 0x20, 32, pushes, sizeof(pushes));
    at = put_function(at, to, address, begin, 32, plain, sizeof(plain));
    at = put_function(at, to, address, begin + 0x80, 64, aligned, sizeof(aligned));
    return (size_t) (put_word(at, 0) - to);
}
