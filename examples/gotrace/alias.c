/* SPDX-License-Identifier: BSD-3-Clause */
#include "alias.h"

#include <string.h>

#include "gowords.h"

enum {
    /* The number of digits of a hash, in hexadecimal. */
    ALIAS_DIGITS = 16,
    /* The longest ending of a name that stays, such as ".func1.2". */
    ALIAS_ENDING_MAX = 64
};

static gt_string alias_string(const char *text)
{
    return (gt_string){text, strlen(text)};
}

static bool alias_equal(gt_string a, const char *b)
{
    return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}

static gt_string alias_part(gt_string text, size_t from, size_t to)
{
    return (gt_string){text.data + from, to - from};
}

static void alias_put(struct alias *alias, gt_string text)
{
    if (text.size > ALIAS_ROOM - alias->size)
        text.size = ALIAS_ROOM - alias->size;
    if (text.size != 0)
        memcpy(alias->text + alias->size, text.data, text.size);
    alias->size += text.size;
}

/* Writes a letter that says what it is, and the hash of a text. */
static void alias_put_hash(struct alias *alias, char letter, gt_string text)
{
    uint64_t hash = siphash(alias->key, text.data, text.size);
    char digits[1 + ALIAS_DIGITS] = {letter};
    for (size_t i = 0; i < ALIAS_DIGITS; i++)
        digits[1 + i] = "0123456789abcdef"[hash >> (4 * (ALIAS_DIGITS - 1 - i)) & 15];
    alias_put(alias, (gt_string){digits, sizeof(digits)});
}

/* Returns where the package ends in the name of a function: its first dot after the last slash. */
static size_t alias_package_end(gt_string name)
{
    size_t end = 0;
    /* Slashes in type arguments and receivers belong to other packages. */
    for (size_t i = 0; i < name.size && name.data[i] != '[' && name.data[i] != '('; i++) {
        if (name.data[i] == '/')
            end = i;
    }
    while (end < name.size && name.data[end] != '.')
        end++;
    return end;
}

static size_t alias_digits_start(gt_string name, size_t end)
{
    while (end > 0 && name.data[end - 1] >= '0' && name.data[end - 1] <= '9')
        end--;
    return end;
}

/*
 * Returns where the last part of a name begins that ends at `end`, if the compiler has added it:
 * ".func1", ".2", ".gowrap1", ".deferwrap1", "-range1" or "-fm". Otherwise returns `end`.
 */
static size_t alias_added_start(gt_string name, size_t end)
{
    static const char *const added[] = {".func", ".gowrap", ".deferwrap", "-range", "."};
    size_t start = alias_digits_start(name, end);
    if (end >= 3 && memcmp(name.data + end - 3, "-fm", 3) == 0)
        return end - 3;
    if (start == end)
        return end;
    for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++) {
        size_t size = strlen(added[i]);
        if (start >= size && memcmp(name.data + start - size, added[i], size) == 0)
            return start - size;
    }
    return end;
}

/* Returns where in the name of a function the ending begins that the compiler has added. */
static size_t alias_ending_start(gt_string name)
{
    size_t end = name.size, start;
    while ((start = alias_added_start(name, end)) != end)
        end = start;
    return name.size - end <= ALIAS_ENDING_MAX ? end : name.size;
}

/*
 * Writes the name of a function of Go's own packages. Its type arguments may be types of the
 * program, which newer versions of Go do not write.
 */
static void alias_put_own_function(struct alias *alias, gt_string name)
{
    const char *first = memchr(name.data, '[', name.size);
    size_t from = first ? (size_t) (first - name.data) : name.size, to = name.size;
    while (to > from && name.data[to - 1] != ']')
        to--;
    alias_put(alias, alias_part(name, 0, from));
    if (!first)
        return;
    alias_put(alias, alias_string("[...]"));
    alias_put(alias, alias_part(name, to, name.size));
}

static void alias_put_function(struct alias *alias, gt_string name)
{
    size_t end = alias_package_end(name);
    size_t ending = alias_ending_start(name);
    gt_string package = alias_part(name, 0, end);
    bool is_main = alias_equal(package, "main");
    if (end < name.size && gowords_has_package(package)) {
        alias_put_own_function(alias, name);
        return;
    }
    if (ending < end)
        ending = name.size;
    gt_string whole = alias_part(name, 0, ending);
    if (alias_equal(whole, "main.main")) {
        alias_put(alias, name);
        return;
    }
    if (is_main)
        alias_put(alias, package);
    else if (end < name.size)
        alias_put_hash(alias, 'p', package);
    if (end < name.size)
        alias_put(alias, alias_string("."));
    alias_put_hash(alias, 'f', whole);
    alias_put(alias, alias_part(name, ending, name.size));
}

/* Returns where the path of a file begins below the last folder of the name "src". */
static size_t alias_below_src(gt_string path)
{
    static const char folder[] = "/src/";
    size_t size = sizeof(folder) - 1;
    for (size_t i = path.size; i >= size; i--) {
        if (memcmp(path.data + i - size, folder, size) == 0)
            return i;
    }
    return 0;
}

/* Writes the ending of the name of a file if it is one of those that Go builds. */
static void alias_put_extension(struct alias *alias, gt_string path)
{
    static const char *const known[] = {".go", ".s", ".c"};
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        size_t size = strlen(known[i]);
        if (path.size > size &&
            alias_equal(alias_part(path, path.size - size, path.size), known[i]))
            alias_put(alias, alias_string(known[i]));
    }
}

/*
 * Writes the path of a file. One whose folder is a package in Go's src stays; where Go is installed
 * is left out.
 */
static void alias_put_file(struct alias *alias, gt_string path)
{
    gt_string below = alias_part(path, alias_below_src(path), path.size);
    size_t folder = below.size;
    while (folder > 0 && below.data[folder - 1] != '/')
        folder--;
    bool is_go = folder > 0 && gowords_has_package(alias_part(below, 0, folder - 1));
    if (is_go || alias_equal(path, "<autogenerated>") || alias_equal(path, "_cgo_gotypes.go")) {
        alias_put(alias, below);
        return;
    }
    folder = path.size;
    while (folder > 0 && path.data[folder - 1] != '/')
        folder--;
    if (folder > 0) {
        alias_put_hash(alias, 'h', alias_part(path, 0, folder));
        alias_put(alias, alias_string("/"));
    }
    alias_put_hash(alias, 'f', path);
    alias_put_extension(alias, path);
}

/* Writes another text than a name of a function or file: a letter that says what it is, and its
 * hash. */
static void alias_put_text(struct alias *alias, gt_text_kind kind, gt_string text)
{
    static const char letters[] = {
        [GT_TEXT_TASK] = 't',    [GT_TEXT_REGION] = 'r', [GT_TEXT_CATEGORY] = 'c',
        [GT_TEXT_MESSAGE] = 'm', [GT_TEXT_LABEL] = 'l',  [GT_TEXT_REASON] = 'w',
        [GT_TEXT_CAUSE] = 's'};
    bool is_log = kind == GT_TEXT_CATEGORY || kind == GT_TEXT_MESSAGE;
    bool is_of_runtime = kind == GT_TEXT_LABEL || kind == GT_TEXT_REASON || kind == GT_TEXT_CAUSE;
    if ((is_log && alias->keeps_logs) || (is_of_runtime && gowords_has_text(text)))
        alias_put(alias, text);
    else
        alias_put_hash(alias, kind < sizeof(letters) ? letters[kind] : 'x', text);
}

int alias_of(void *user_data, gt_text_kind kind, gt_string *text)
{
    struct alias *alias = user_data;
    alias->size = 0;
    if (kind == GT_TEXT_FUNCTION)
        alias_put_function(alias, *text);
    else if (kind == GT_TEXT_FILE)
        alias_put_file(alias, *text);
    else
        alias_put_text(alias, kind, *text);
    *text = (gt_string){alias->text, alias->size};
    return 0;
}
