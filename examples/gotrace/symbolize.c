/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds files, lines and inlined functions to the stacks of a recorded program. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buildid.h"
#include "command.h"
#include "demangler.h"
#include "modulelist.h"
#include "places.h"
#include "rawinput.h"
#include "rewrite.h"
#include "stackwriter.h"
#include "terminal.h"
#include "tracefile.h"

struct symbolize {
    struct rawinput in;
    const char *output;
    const char *root;
    const char *tool;
    struct modulelist modules;
    struct places places;
    struct resolver resolver;
    struct demangler demangler;
    /* The largest id of a string in the trace. */
    uint64_t last_string;
    /* How many addresses are of modules, and have a file and a line now. */
    size_t asked, found;
};

static const struct option symbolize_options[] = {
    REWRITE_OUTPUT_OPTION(struct symbolize, output),
    {OPTION_VALUE(struct symbolize, root, "root", "DIR",
                  "look for the program and its libraries below this folder, for a trace that was "
                  "recorded elsewhere"),
     .summary = "where the program and its libraries are", .words = OPTION_DIRECTORY},
    {OPTION_VALUE(struct symbolize, tool, "tool", "NAME",
                  "what reads the debug information: addr2line, of binutils, or llvm-symbolizer; "
                  "the default is the first of them that is installed"),
     .summary = "addr2line or llvm-symbolizer", .words = RESOLVER_TOOLS},
};

/* Notes what a record tells of modules, strings and addresses. */
static bool symbolize_note(struct symbolize *s, const gt_raw_event *event)
{
    if (event->type == GT_WIRE_STRING) {
        if (event->arguments[0] > s->last_string)
            s->last_string = event->arguments[0];
        return modulelist_add(&s->modules, event->data) &&
               demangler_note(&s->demangler, event->data);
    }
    for (size_t i = 0; i < event->frame_count; i++) {
        uint64_t pc = event->frames[i].pc;
        if (pc > 0 && pc < STACKWRITER_INLINED_PC && !places_note(&s->places, pc))
            return false;
    }
    return true;
}

/* Whether reading ended where the trace does, or at a fault in it: what is before that is good. */
static bool symbolize_has_read(gt_status status)
{
    return status != GT_CANCELLED && status != GT_ERR_NO_MEMORY && status != GT_ERR_LIMIT &&
           status != GT_ERR_IO;
}

/* Reads the trace for the first time. Returns GT_END, or the error that ended it. */
static gt_status symbolize_collect(struct symbolize *s)
{
    const gt_raw_event *event;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_status status;
    gt_raw_reader_get_info(s->in.reader, &info);
    if (info.version < STACKWRITER_OLDEST)
        return GT_END;
    while ((status = gt_raw_reader_next_event(s->in.reader, &event)) == GT_OK) {
        if (!symbolize_note(s, event))
            return GT_ERR_NO_MEMORY;
    }
    modulelist_sort(&s->modules);
    places_sort(&s->places);
    return status;
}

/* Returns why the file at `path` cannot be asked about the module, or NULL. */
static const char *symbolize_refuse(const struct module *module, const char *path)
{
    char id[BUILDID_ROOM];
    if (!buildid_read(path, id))
        return errno == ENOEXEC ? "it is no program or library" : strerror(errno);
    return strcmp(id, module->build_id) == 0 ? NULL : "it is not the build that was recorded";
}

/*
 * Finds the places of the addresses from `first` up to `end`, which are of the module. An address
 * is that of the instruction after a call, which may be in the next function. Returns false if the
 * command cannot go on.
 */
static bool symbolize_ask(struct symbolize *s, const struct module *module, const char *path,
                          size_t first, size_t end)
{
    uint64_t *addresses = calloc(end - first, sizeof(*addresses));
    bool goes_on = addresses != NULL;
    for (size_t i = first; i < end && goes_on; i++)
        addresses[i - first] = s->places.addresses[i].pc - 1 - module->base;
    if (goes_on && resolver_ask(&s->resolver, path, addresses, end - first)) {
        goes_on = places_take(&s->places, first, end, &s->resolver);
    } else if (goes_on) {
        terminal_report("%s: %s", path, s->resolver.filter.error);
        goes_on = !s->resolver.filter.is_missing;
    }
    free(addresses);
    return goes_on;
}

/* Counts the addresses, and those of which a file is known. */
static void symbolize_count(struct symbolize *s, size_t first, size_t end)
{
    s->asked += end - first;
    for (size_t i = first; i < end; i++) {
        const struct place_address *address = &s->places.addresses[i];
        s->found += address->count > 0 && s->places.list[address->first].file != 0;
    }
}

/* Finds the places of a module's addresses. */
static bool symbolize_module(struct symbolize *s, const struct module *module, size_t first,
                             size_t end)
{
    size_t room = strlen(s->root ? s->root : "") + strlen(module->path) + 1;
    /* What has no path is no file, such as the code that the kernel maps. */
    char *path = module->path[0] == '/' ? malloc(room) : NULL;
    if (!path)
        return module->path[0] != '/';
    snprintf(path, room, "%s%s", s->root ? s->root : "", module->path);
    const char *why = symbolize_refuse(module, path);
    bool goes_on = true;
    if (why)
        terminal_report("%s: %s", path, why);
    else
        goes_on = symbolize_ask(s, module, path, first, end);
    symbolize_count(s, first, end);
    free(path);
    return goes_on;
}

/* Finds the places of all addresses. Returns false after a report if that is not possible. */
static bool symbolize_resolve(struct symbolize *s)
{
    const struct place_address *addresses = s->places.addresses;
    size_t count = s->places.address_count, end;
    if (s->modules.count == 0) {
        terminal_report("%s: it does not tell where a program was loaded, as the traces of "
                        "'gotrace record' and of libgotrace-recorder do, if they have stacks",
                        s->in.name);
        return false;
    }
    for (size_t first = 0; first < count; first = end) {
        const struct module *module = modulelist_find(&s->modules, addresses[first].pc - 1);
        end = first + 1;
        while (module && end < count && addresses[end].pc <= module->high)
            end++;
        if (module && !symbolize_module(s, module, first, end))
            return false;
    }
    /* Names that remain as they are do no harm. */
    if (!demangler_run(&s->demangler))
        terminal_report("%s", s->demangler.filter.error);
    return true;
}

/*
 * Reads the trace for the second time, and writes it. Sets `*reading` to GT_END or the error that
 * ended the reading. Returns whether everything before that is written.
 */
static gt_status symbolize_write(struct symbolize *s, struct tracefile *file, gt_status *reading)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    struct stackwriter writer = {
        .places = &s->places, .demangler = &s->demangler, .first_string = s->last_string + 1};
    const gt_raw_event *event;
    gt_raw_reader_get_info(s->in.reader, &info);
    gt_status status = stackwriter_open(&writer, info.version, tracefile_write, file);
    *reading = GT_OK;
    while (status == GT_OK && (*reading = gt_raw_reader_next_event(s->in.reader, &event)) == GT_OK)
        status = stackwriter_event(&writer, event);
    if (status == GT_OK)
        status = stackwriter_finish(&writer);
    stackwriter_close(&writer);
    return status;
}

/* Writes the output. Closes the input. */
static int symbolize_copy(struct symbolize *s, struct output *out)
{
    struct tracefile file;
    gt_status reading;
    int code = rawinput_restart(&s->in);
    if (code != COMMAND_GO_ON)
        return code;
    if (!tracefile_open(&file, s->output, s->in.name, out)) {
        rawinput_close(&s->in, out, GT_OK);
        return COMMAND_BAD;
    }
    gt_status status = symbolize_write(s, &file, &reading);
    bool is_written = status == GT_OK && symbolize_has_read(reading);
    bool is_kept = tracefile_close(&file, is_written) && is_written;
    /* A failure to write was reported, or is by main. */
    code = rawinput_close(&s->in, out, status == GT_ERR_IO ? GT_OK : status);
    if (is_kept)
        terminal_report("%s: %zu of %zu addresses have a file and a line", s->in.name, s->found,
                        s->asked);
    return is_kept ? code : COMMAND_BAD;
}

static int symbolize_run_all(struct symbolize *s, struct output *out)
{
    gt_status status = symbolize_collect(s);
    if (symbolize_has_read(status) && symbolize_resolve(s))
        return symbolize_copy(s, out);
    rawinput_close(&s->in, out, symbolize_has_read(status) ? GT_OK : status);
    return COMMAND_BAD;
}

static int symbolize_check(struct symbolize *s, const struct command *self, struct output *out)
{
    if (s->tool && !resolver_knows(s->tool))
        return command_misused(self, "no tool:", s->tool);
    return rewrite_check(&s->output, self, out);
}

static int symbolize_run(const struct command *self, struct output *out, char **arguments)
{
    struct symbolize s = {.in = {.twice = true}};
    int code = rawinput_open(&s.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    s.resolver.tool = s.tool;
    code = symbolize_check(&s, self, out);
    if (code == COMMAND_GO_ON)
        code = symbolize_run_all(&s, out);
    else
        rawinput_close(&s.in, out, GT_OK);
    resolver_free(&s.resolver);
    demangler_free(&s.demangler);
    places_free(&s.places);
    modulelist_free(&s.modules);
    return code;
}

const struct command command_symbolize = {
    .name = "symbolize",
    .usage = "symbolize [OPTION...] FILE",
    .summary = "add files, lines and inlined functions to recorded stacks",
    .help = "Writes a trace of 'gotrace record' or libgotrace-recorder with the source files\n"
            "and lines of its stacks, the functions that were inlined, and the full names of\n"
            "C++, as far as the debug information of the program and its libraries has them.\n"
            "It runs addr2line or llvm-symbolizer, and only on files that are the build that\n"
            "was recorded. Everything else in the trace remains as it is.\n",
    COMMAND_OPTIONS(symbolize_options),
    .shared = rewrite_shared,
    .run = symbolize_run,
};
