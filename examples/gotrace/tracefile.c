/* SPDX-License-Identifier: BSD-3-Clause */
#include "tracefile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal.h"

static bool tracefile_fail(const struct tracefile *file, const char *why)
{
    terminal_report("%s: %s", file->path, why);
    return false;
}

/* Tells whether the file is the input, which has the name `input`, or is standard input for "-". */
static bool tracefile_is_input(const struct stat *about, const char *input)
{
    struct stat of_input;
    int failed = strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &of_input) : stat(input, &of_input);
    return failed == 0 && of_input.st_dev == about->st_dev && of_input.st_ino == about->st_ino;
}

bool tracefile_is_free(const char *path, const char *input)
{
    const struct tracefile file = {.path = path ? path : "standard output"};
    struct stat about;
    bool exists = path ? lstat(path, &about) == 0
                       : fstat(STDOUT_FILENO, &about) == 0 && S_ISREG(about.st_mode);
    return !exists || !tracefile_is_input(&about, input) ||
           tracefile_fail(&file, "it is the input");
}

bool tracefile_open(struct tracefile *file, const char *path, const char *input, struct output *out)
{
    struct stat about;
    *file = (struct tracefile){.path = path, .out = out};
    if (path && lstat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return tracefile_fail(file, "it exists and is not a plain file");
    if (!tracefile_is_free(path, input))
        return false;
    if (!path)
        return true;
    return replacement_open(&file->replacement, path) || tracefile_fail(file, strerror(errno));
}

int tracefile_write(void *user_data, const void *data, size_t size)
{
    struct tracefile *file = user_data;
    if (file->path)
        return replacement_write(&file->replacement, data, size) ? 0 : -1;
    output_bytes(file->out, data, size);
    return file->out->error == 0 ? 0 : -1;
}

void tracefile_restart(struct tracefile *file)
{
    replacement_restart(&file->replacement);
}

bool tracefile_close(struct tracefile *file, bool keeps)
{
    if (!file->path)
        return file->out->error == 0;
    return replacement_close(&file->replacement, keeps) || tracefile_fail(file, strerror(errno));
}
