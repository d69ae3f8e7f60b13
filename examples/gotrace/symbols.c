/* SPDX-License-Identifier: BSD-3-Clause */
#include "symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/* Sets the error message. Returns false. */
static bool symbols_fail(struct symbols *symbols, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(symbols->error, sizeof(symbols->error), format, arguments);
    va_end(arguments);
    return false;
}

static bool symbols_write_addresses(FILE *to, const gt_symbol *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "0x%" PRIx64 "\n", list[i].address);
    return fflush(to) == 0 && !ferror(to) && lseek(fileno(to), 0, SEEK_SET) == 0;
}

/* Starts addr2line. Returns 0 or an errno. */
static int symbols_start_child(const char *program, FILE *const files[CHILD_STREAMS], pid_t *child)
{
    char name[] = "addr2line", functions[] = "-f", of[] = "-e";
    char *file = strdup(program);
    char *arguments[] = {name, functions, of, file, NULL};
    int streams[CHILD_STREAMS];
    for (int i = 0; i < CHILD_STREAMS; i++)
        streams[i] = fileno(files[i]);
    int error = file ? child_start(arguments, streams, child) : ENOMEM;
    free(file);
    return error;
}

static bool symbols_run_addr2line(struct symbols *symbols, FILE *const streams[CHILD_STREAMS])
{
    pid_t child;
    int status, error = symbols_start_child(symbols->program, streams, &child);
    if (error != 0)
        return symbols_fail(symbols, "cannot run addr2line: %s", strerror(error));
    if (!child_wait(child, &status))
        return symbols_fail(symbols, "cannot wait for addr2line: %s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        child_explain("addr2line", streams[STDERR_FILENO], status, symbols->error,
                      sizeof(symbols->error));
        return false;
    }
    symbols->answers = child_read_file(streams[STDOUT_FILENO]);
    return symbols->answers || symbols_fail(symbols, "no memory for what addr2line says");
}

/* Reads the line at `*at` and advances to the next. Returns false if no complete line is left. */
static bool symbols_next_line(char **at, gt_string *line)
{
    char *end = strchr(*at, '\n');
    if (!end)
        return false;
    *line = (gt_string){*at, (size_t) (end - *at)};
    *at = end + 1;
    return true;
}

static bool symbols_is_known(gt_string text)
{
    return text.size != 0 && !(text.size == 2 && memcmp(text.data, "??", 2) == 0);
}

/* `place` is FILE:LINE, perhaps with a remark; LINE can be '?'. */
static void symbols_set_place(gt_symbol *symbol, gt_string place)
{
    size_t colon = place.size;
    while (colon > 0 && place.data[colon - 1] != ':')
        colon--;
    if (colon == 0)
        return;
    gt_string file = {place.data, colon - 1};
    if (symbols_is_known(file)) {
        symbol->file = file;
        symbol->line = strtoull(place.data + colon, NULL, 10);
    }
}

static bool symbols_parse_answers(struct symbols *symbols, gt_symbol *list, size_t count)
{
    char *at = symbols->answers;
    for (size_t i = 0; i < count; i++) {
        gt_string function, place;
        if (!symbols_next_line(&at, &function) || !symbols_next_line(&at, &place))
            return symbols_fail(symbols, "addr2line answers for %zu of %zu addresses", i, count);
        if (symbols_is_known(function))
            list[i].function = function;
        symbols_set_place(&list[i], place);
    }
    return true;
}

int symbols_find(void *user_data, gt_symbol *list, size_t count)
{
    struct symbols *symbols = user_data;
    /* Files instead of pipes, so that neither process can block on the other. */
    FILE *streams[CHILD_STREAMS];
    int opened = 0;
    while (opened < CHILD_STREAMS && (streams[opened] = tmpfile()))
        opened++;
    bool good =
        opened == CHILD_STREAMS && symbols_write_addresses(streams[STDIN_FILENO], list, count);
    if (!good)
        symbols_fail(symbols, "cannot write a temporary file: %s", strerror(errno));
    good = good && symbols_run_addr2line(symbols, streams) &&
           symbols_parse_answers(symbols, list, count);
    while (opened > 0)
        fclose(streams[--opened]);
    return good ? 0 : -1;
}

void symbols_free(struct symbols *symbols)
{
    free(symbols->answers);
    symbols->answers = NULL;
}
