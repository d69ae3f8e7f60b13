/* SPDX-License-Identifier: BSD-3-Clause */
#include "buildid.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* More program headers, or larger notes, than linkers make. */
    BUILDID_SEGMENTS = 1024,
    BUILDID_NOTES = 1 << 16
};

/* Programs for 64 and 32 bits differ in their structures, of which these are of the machine. */
#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr buildid_file;
typedef Elf64_Phdr buildid_segment;
#define BUILDID_CLASS ELFCLASS64
#else
typedef Elf32_Ehdr buildid_file;
typedef Elf32_Phdr buildid_segment;
#define BUILDID_CLASS ELFCLASS32
#endif

/* A note has the same structure in both. */
typedef Elf32_Nhdr buildid_note;

static bool buildid_read_at(int fd, uint64_t offset, void *to, size_t size)
{
    return offset <= INT_MAX && pread(fd, to, size, (off_t) offset) == (ssize_t) size;
}

/* Writes the id that is in `size` bytes of notes. Returns false if there is none. */
static bool buildid_find(const unsigned char *notes, size_t size, char id[BUILDID_ROOM])
{
    static const char digits[] = "0123456789abcdef", owner[] = "GNU";
    buildid_note note;
    while (size >= sizeof(note)) {
        memcpy(&note, notes, sizeof(note));
        notes += sizeof(note);
        size -= sizeof(note);
        size_t name = ((size_t) note.n_namesz + 3) & ~(size_t) 3;
        size_t data = ((size_t) note.n_descsz + 3) & ~(size_t) 3;
        if (note.n_namesz > size || name > size || note.n_descsz > size - name)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(owner) &&
            memcmp(notes, owner, sizeof(owner)) == 0 && note.n_descsz < BUILDID_ROOM / 2) {
            for (size_t i = 0; i < note.n_descsz; i++) {
                *id++ = digits[notes[name + i] >> 4];
                *id++ = digits[notes[name + i] & 0xf];
            }
            *id = '\0';
            return true;
        }
        if (data > size - name)
            return false;
        notes += name + data;
        size -= name + data;
    }
    return false;
}

static bool buildid_read_notes(int fd, const buildid_segment *segment, char id[BUILDID_ROOM])
{
    bool is_found = false;
    size_t size = segment->p_filesz < BUILDID_NOTES ? (size_t) segment->p_filesz : BUILDID_NOTES;
    unsigned char *notes = malloc(size + 1);
    if (notes && buildid_read_at(fd, segment->p_offset, notes, size))
        is_found = buildid_find(notes, size, id);
    free(notes);
    return is_found;
}

static bool buildid_is_elf(const buildid_file *file)
{
    return memcmp(file->e_ident, ELFMAG, SELFMAG) == 0 &&
           file->e_ident[EI_CLASS] == BUILDID_CLASS && file->e_phentsize == sizeof(buildid_segment);
}

static bool buildid_read_file(int fd, char id[BUILDID_ROOM])
{
    buildid_file file;
    buildid_segment segment;
    if (!buildid_read_at(fd, 0, &file, sizeof(file)) || !buildid_is_elf(&file)) {
        errno = ENOEXEC;
        return false;
    }
    for (size_t i = 0; i < file.e_phnum && i < BUILDID_SEGMENTS; i++) {
        if (file.e_phoff <= INT_MAX &&
            buildid_read_at(fd, file.e_phoff + i * sizeof(segment), &segment, sizeof(segment)) &&
            segment.p_type == PT_NOTE && buildid_read_notes(fd, &segment, id))
            return true;
    }
    memcpy(id, "-", sizeof("-"));
    return true;
}

bool buildid_read(const char *path, char id[BUILDID_ROOM])
{
    struct stat about;
    bool is_read = false;
    /* What is no plain file might not answer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    if (fstat(fd, &about) == 0 && !S_ISREG(about.st_mode))
        errno = ENOEXEC;
    else
        is_read = buildid_read_file(fd, id);
    int error = errno;
    close(fd);
    errno = error;
    return is_read;
}
