/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewerpage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "installed.h"
#include "terminal.h"

enum {
    /* Twenty times the size of the page. What is larger is something else. */
    VIEWERPAGE_MAX = 16 << 20
};

/* Opens the page that belongs to the command. Returns NULL if there is none. */
static FILE *viewerpage_find(void)
{
    static const char *const places[] = {
        "../" INSTALLED_DATA "/gotrace.html", "../page/gotrace.html", /* in a build */
    };
    char name[INSTALLED_NAME_SIZE];
    if (installed_find(name, places, sizeof(places) / sizeof(*places)))
        return fopen(name, "rbe");
    return fopen(INSTALLED_ROOT "/gotrace.html", "rbe");
}

static FILE *viewerpage_open(const char *path)
{
    FILE *file = path ? fopen(path, "rbe") : viewerpage_find();
    if (!file && path)
        terminal_report("%s: %s", path, strerror(errno));
    else if (!file)
        terminal_report("page: there is no gotrace.html: this gotrace was built without a compiler "
                        "for WebAssembly, which is clang with wasi-libc; --viewer names the file");
    return file;
}

/* Finds `text`, which must be in the page exactly once. */
static bool viewerpage_locate(const struct viewerpage *page, const char *text, size_t *place)
{
    const char *found = strstr(page->text, text);
    if (!found || strstr(found + 1, text))
        return false;
    *place = (size_t) (found - page->text);
    return true;
}

bool viewerpage_load(struct viewerpage *page, const char *path)
{
    FILE *file = viewerpage_open(path);
    *page = (struct viewerpage){.text = file ? malloc(VIEWERPAGE_MAX + 1) : NULL};
    if (page->text)
        page->size = fread(page->text, 1, VIEWERPAGE_MAX, file);
    if (file)
        fclose(file);
    if (!page->text)
        return false;
    page->text[page->size] = '\0';
    if (strlen(page->text) == page->size &&
        viewerpage_locate(page, VIEWERPAGE_OWN_SITE, &page->policy) &&
        viewerpage_locate(page, VIEWERPAGE_PLACE, &page->place) && page->policy < page->place)
        return true;
    terminal_report("%s: it is not the page gotrace.html of a build of gotrace",
                    path ? path : "page");
    viewerpage_free(page);
    return false;
}

void viewerpage_free(struct viewerpage *page)
{
    free(page->text);
    page->text = NULL;
}
