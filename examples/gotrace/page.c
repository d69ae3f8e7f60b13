/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the viewer as a page that needs no server, with a trace inside or for a host of files. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gotrace/reader.h>

#include "command.h"
#include "intake.h"
#include "packer.h"
#include "problem.h"
#include "terminal.h"
#include "tracefile.h"
#include "viewerpage.h"

enum {
    PAGE_PATH_ROOM = 4096,
    PAGE_FOLDER_MODE = 0777,
    /* How many bytes are encoded at a time. They are a multiple of three, of which base64 makes
     * four characters. */
    PAGE_PIECE = 3 << 14,
    PAGE_ENCODED = PAGE_PIECE / 3 * 4,
    /* What a byte of a name can become. */
    PAGE_ENTITY = sizeof("&quot;") - 1
};

/* The most characters that the text of an element has in all browsers; V8 allows no more. */
#define PAGE_TEXT_MAX (UINT64_C(1) << 29)

struct page {
    const char *output;
    const char *viewer;
    /* The trace, or NULL. */
    const char *name;
    struct viewerpage viewerpage;
    struct tracefile file;
    /* The trace as it was given, if it is a file, or decompressed. */
    struct intake intake;
    FILE *copy;
    int fd;
    uint64_t trace_size;
    /* What is put into the page: the trace, or what gzip has made of it. */
    FILE *packed;
    uint64_t packed_size;
};

static const struct option page_options[] = {
    {OPTION_VALUE(struct page, output, "output", "NAME",
                  "with FILE, the HTML file to write, which is replaced only when it is complete; "
                  "without, the folder that gets the viewer as index.html, and is made if need be, "
                  "or a name that ends with .html; - or none is standard output"),
     .letter = 'o', .summary = "the HTML file, or the folder", .words = OPTION_FILE},
    {OPTION_VALUE(struct page, viewer, "viewer", "FILE",
                  "the page gotrace.html of a build; the default is the one that was installed "
                  "with the command"),
     .summary = "the page gotrace.html of a build", .words = OPTION_FILE},
};

/* Writes to the output. Returns false on failure. */
static bool page_write(struct page *page, const char *data, size_t size)
{
    return tracefile_write(&page->file, data, size) == 0;
}

static bool page_write_text(struct page *page, const char *text)
{
    return page_write(page, text, strlen(text));
}

/* Writes the name of the trace as the value of an attribute. */
static bool page_write_name(struct page *page)
{
    const char *slash = strrchr(page->name, '/');
    for (const char *at = slash ? slash + 1 : page->name; *at != '\0'; at++) {
        static const char special[] = "&<>\"";
        static const char entities[][PAGE_ENTITY + 1] = {"&amp;", "&lt;", "&gt;", "&quot;"};
        const char *found = strchr(special, *at);
        if (!(found ? page_write_text(page, entities[found - special]) : page_write(page, at, 1)))
            return false;
    }
    return true;
}

/* Encodes bytes in base64. Returns the number of characters. */
static size_t page_encode(const unsigned char *from, size_t size, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *at = to;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t) from[i] << 16;
        bits |= left > 1 ? (uint32_t) from[i + 1] << 8 : 0;
        bits |= left > 2 ? from[i + 2] : 0;
        at[0] = digits[bits >> 18];
        at[1] = digits[bits >> 12 & 63];
        at[2] = left > 1 ? digits[bits >> 6 & 63] : '=';
        at[3] = left > 2 ? digits[bits & 63] : '=';
        at += 4;
    }
    return (size_t) (at - to);
}

/* Fills the buffer with bytes from the descriptor, unless it ends before. Returns -1 on failure. */
static ssize_t page_read(int fd, unsigned char *buffer, size_t size)
{
    size_t filled = 0;
    while (filled < size) {
        ssize_t got = read(fd, buffer + filled, size - filled);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        filled += got > 0 ? (size_t) got : 0;
    }
    return (ssize_t) filled;
}

/* Writes the trace, of which gzip may have made less, in base64. */
static bool page_write_bytes(struct page *page)
{
    static unsigned char bytes[PAGE_PIECE];
    static char text[PAGE_ENCODED];
    int fd = page->packed ? fileno(page->packed) : page->fd;
    ssize_t size = PAGE_PIECE;
    if (lseek(fd, 0, SEEK_SET) < 0)
        size = -1;
    while (size == PAGE_PIECE) {
        size = page_read(fd, bytes, PAGE_PIECE);
        if (size > 0 && !page_write(page, text, page_encode(bytes, (size_t) size, text)))
            return false;
    }
    if (size < 0)
        terminal_report("%s: %s", page->name, strerror(errno));
    return size >= 0;
}

/* Writes the page. It may load traces from its own site, unless one is inside. */
static bool page_write_all(struct page *page)
{
    const struct viewerpage *viewer = &page->viewerpage;
    size_t after_policy = viewer->policy + strlen(VIEWERPAGE_OWN_SITE);
    size_t after_place = viewer->place + strlen(VIEWERPAGE_PLACE);
    if (!page->name)
        return page_write(page, viewer->text, viewer->size);
    return page_write(page, viewer->text, viewer->policy) &&
           page_write_text(page, VIEWERPAGE_NO_SITE) &&
           page_write(page, viewer->text + after_policy, viewer->place - after_policy) &&
           page_write_text(page, "<script id=\"trace\" type=\"application/octet-stream\""
                                 " data-name=\"") &&
           page_write_name(page) && page_write_text(page, "\">") && page_write_bytes(page) &&
           page_write_text(page, "</script>") &&
           page_write(page, viewer->text + after_place, viewer->size - after_place);
}

/* Returns false, and reports why, if the trace is none. */
static bool page_check_trace(struct page *page)
{
    gt_reader *reader = NULL;
    gt_error error = GT_ERROR_INIT;
    gt_status status = lseek(page->fd, 0, SEEK_SET) < 0
                           ? GT_ERR_IO
                           : gt_reader_open_fd(&reader, page->fd, NULL, &error);
    gt_reader_close(&reader);
    if (status != GT_OK)
        problem_report(page->name, "", &error);
    return status == GT_OK;
}

/* Opens the trace as a file that can be read again. */
static bool page_open_trace(struct page *page)
{
    gt_error error = GT_ERROR_INIT;
    if (!intake_open(&page->intake, page->name, NULL, &error)) {
        problem_report(page->name, "", &error);
        return false;
    }
    page->fd = page->intake.from;
    if (!page->intake.is_plain_file) {
        page->copy = intake_save(&page->intake, UINT64_MAX, &error);
        page->fd = page->copy ? fileno(page->copy) : -1;
        intake_note_cut(&page->intake, &error);
    }
    if (error.status != GT_OK)
        problem_report(page->name, "", &error);
    return page->fd >= 0 && page_check_trace(page);
}

static uint64_t page_size_of(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && about.st_size > 0 ? (uint64_t) about.st_size : 0;
}

/* Compresses the trace, where gzip can. */
static bool page_pack(struct page *page)
{
    page->packed = packer_gzip(page->fd);
    page->trace_size = page_size_of(page->fd);
    page->packed_size = page->packed ? page_size_of(fileno(page->packed)) : page->trace_size;
    if (page->packed_size / 3 * 4 < PAGE_TEXT_MAX)
        return true;
    terminal_report("%s: it is too large for a browser to open as part of a page; 'gotrace view' "
                    "shows it, and 'gotrace cut' makes a smaller trace",
                    page->name);
    return false;
}

static void page_close_trace(struct page *page)
{
    if (page->packed)
        fclose(page->packed);
    if (page->copy)
        fclose(page->copy);
    if (page->name)
        intake_close(&page->intake);
}

/* Tells how large the page has become. */
static void page_report(const struct page *page, const char *path)
{
    const double mega = 1e6;
    double viewer = (double) page->viewerpage.size / mega;
    if (!page->name)
        terminal_report("%s: %.2f MB", path, viewer);
    else
        terminal_report("%s: %.2f MB: %.2f MB are the viewer, and %.2f MB the trace of %.2f MB",
                        path, viewer + (double) page->packed_size / mega * 4 / 3, viewer,
                        (double) page->packed_size / mega * 4 / 3,
                        (double) page->trace_size / mega);
}

/* Writes the page to the file `path`, or to standard output if that is NULL. */
static int page_make(struct page *page, const char *path, struct output *out)
{
    bool is_good = !page->name || (page_open_trace(page) && page_pack(page));
    if (is_good) {
        is_good = tracefile_open(&page->file, path, page->name ? page->name : "", out);
        bool is_complete = is_good && page_write_all(page);
        is_good = is_good && tracefile_close(&page->file, is_complete) && is_complete;
    }
    if (is_good)
        page_report(page, path ? path : "standard output");
    page_close_trace(page);
    return is_good ? COMMAND_GOOD : COMMAND_BAD;
}

/* Whether the name is that of a file of HTML, and not of a folder. */
static bool page_is_file(const char *name)
{
    static const char ending[] = ".html";
    size_t size = strlen(name);
    return size > strlen(ending) && strcmp(name + size - strlen(ending), ending) == 0;
}

/* Writes the page into a folder, which is made if it does not exist. */
static int page_make_folder(struct page *page, struct output *out)
{
    char path[PAGE_PATH_ROOM];
    int size = snprintf(path, sizeof(path), "%s/index.html", page->output);
    int failure = (size_t) size < sizeof(path) ? 0 : ENAMETOOLONG;
    if (failure == 0 && mkdir(page->output, PAGE_FOLDER_MODE) != 0 && errno != EEXIST)
        failure = errno;
    if (failure == 0)
        return page_make(page, path, out);
    terminal_report("%s: %s", page->output, strerror(failure));
    return COMMAND_BAD;
}

static int page_check(struct page *page, const struct command *self, const struct output *out)
{
    if (page->output && *page->output == '\0')
        return command_misused(self, "the name of the output is empty", NULL);
    if (page->output && strcmp(page->output, "-") == 0)
        page->output = NULL;
    if (!page->output && out->is_terminal)
        return command_misused(self, "standard output is a terminal; --output names a file", NULL);
    return COMMAND_GO_ON;
}

static int page_run(const struct command *self, struct output *out, char **arguments)
{
    struct page page = {.fd = -1};
    const struct operands operands = {.list = &page.name, .min = 0, .max = 1};
    int code = options_parse(self, out, arguments, &page, &operands);
    if (code == COMMAND_GO_ON)
        code = page_check(&page, self, out);
    if (code != COMMAND_GO_ON)
        return code;
    if (!viewerpage_load(&page.viewerpage, page.viewer))
        return COMMAND_BAD;
    bool is_folder = page.output && !page.name && !page_is_file(page.output);
    code = is_folder ? page_make_folder(&page, out) : page_make(&page, page.output, out);
    viewerpage_free(&page.viewerpage);
    return code;
}

const struct command command_page = {
    .name = "page",
    .usage = "page [OPTION...] [FILE] [-o NAME]",
    .summary = "write the viewer as a page that needs no server",
    .help = "Writes the viewer as one HTML file that needs no server, and the trace with it.\n"
            "It opens from disk in a browser, and can be attached to an issue. Without FILE\n"
            "the viewer gets a folder for a web server of files, or a file: there traces are\n"
            "dropped on the page, chosen, or named by ?url=. Nothing leaves the page.\n",
    COMMAND_OPTIONS(page_options),
    .run = page_run,
};
