/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEWERPAGE_H
#define VIEWERPAGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The page gotrace.html, which is the viewer without a server. It is built with the command, and
 * installed beside it, where there is a compiler for WebAssembly.
 */
struct viewerpage {
    char *text;
    size_t size;
    /* The place of what the policy allows to be loaded, which is VIEWERPAGE_OWN_SITE. */
    size_t policy;
    /* The place of the trace, which is VIEWERPAGE_PLACE. */
    size_t place;
};

#define VIEWERPAGE_OWN_SITE "connect-src 'self'"
#define VIEWERPAGE_NO_SITE  "connect-src 'none'"
#define VIEWERPAGE_PLACE    "<!-- TRACE -->"

/*
 * Reads the page in the file `path`, or if that is NULL, the one that belongs to the command.
 * Returns false after an error, which is reported on standard error; then there is nothing to free.
 */
bool viewerpage_load(struct viewerpage *page, const char *path);

void viewerpage_free(struct viewerpage *page);

#endif
