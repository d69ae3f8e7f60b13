/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * embed OUTPUT FILE...: writes the files of the page as a table in C, which assets.c serves, and
 * the version of them all. Runs while the project is built.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    FILES_MAX = 200
};

static const char *const types[][2] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
};

static const char *find_type(const char *name)
{
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(ending, types[i][0]) == 0)
            return types[i][1];
    }
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* FNV-1a in 32 bits of everything that has been read, names included. */
static uint64_t version = 0x811c9dc5;

static void version_add(int byte)
{
    version = (version ^ (uint64_t) byte) * 0x01000193 & UINT32_MAX;
}

/*
 * Writes the bytes of a file as an array, followed by a 0. Returns their number without it, or -1
 * if the file cannot be read.
 */
static long write_bytes(FILE *to, const char *path, int number)
{
    int byte;
    long count = 0;
    FILE *from = fopen(path, "rb");
    if (!from)
        return -1;
    fprintf(to, "static const unsigned char data_%d[] = {", number);
    for (const char *name = base_name(path); *name != '\0'; name++)
        version_add((unsigned char) *name);
    while ((byte = getc(from)) != EOF) {
        version_add(byte);
        fprintf(to, "%s%d,", count++ % 20 == 0 ? "\n    " : "", byte);
    }
    version_add(0);
    /* The 0 makes sure that the array of an empty file has an element, which C requires. */
    fprintf(to, "\n    0,\n};\n\n");
    if (ferror(from))
        count = -1;
    fclose(from);
    return count;
}

static void write_table(FILE *to, char **paths, int count, const long *sizes)
{
    fputs("const struct gt_asset gt_asset_table[] = {\n", to);
    for (int i = 0; i < count; i++)
        fprintf(to, "    {\"%s\", \"%s\", data_%d, %ld},\n", base_name(paths[i]),
                find_type(paths[i]), i, sizes[i]);
    fputs("    {0},\n};\n", to);
}

static int embed(FILE *to, char **paths, int count)
{
    long sizes[FILES_MAX];
    fputs("/* Made by embed.c. */\n#include \"web/assets.h\"\n\n", to);
    for (int i = 0; i < count; i++) {
        sizes[i] = find_type(paths[i]) ? write_bytes(to, paths[i], i) : -1;
        if (sizes[i] < 0) {
            fprintf(stderr, "embed: cannot take %s\n", paths[i]);
            return 1;
        }
    }
    write_table(to, paths, count, sizes);
    fprintf(to, "\nconst char gt_asset_version[] = \"%08" PRIx64 "\";\n", version);
    return 0;
}

int main(int argc, char **argv)
{
    FILE *to = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!to) {
        fputs("usage: embed OUTPUT FILE...\n", stderr);
        return 2;
    }
    int code = argc - 2 <= FILES_MAX ? embed(to, argv + 2, argc - 2) : 2;
    return fclose(to) == 0 ? code : 1;
}
