/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/sourceurl.h"

#include <stddef.h>
#include <string.h>

enum {
    SOURCEURL_MAX = 1000
};

/*
 * Only these schemes, because a link with another one, such as javascript, could do anything with
 * the page.
 */
static const char *const schemes[] = {"cursor",    "goland", "http",           "https",  "idea",
                                      "jetbrains", "subl",   "txmt",           "vscode", "vscodium",
                                      "windsurf",  "zed",    "vscode-insiders"};

static bool sourceurl_scheme_is_good(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strlen(schemes[i]) == size && memcmp(schemes[i], text, size) == 0)
            return true;
    }
    return false;
}

/* Whether a text can be an address or its template: printable, without blanks, not too long. */
static bool sourceurl_is_printable(const char *text)
{
    size_t size = 0;
    for (; size <= SOURCEURL_MAX && text[size] != '\0'; size++) {
        if (text[size] <= ' ' || text[size] > '~')
            return false;
    }
    return size <= SOURCEURL_MAX;
}

bool gt_sourceurl_is_good(const char *text)
{
    const char *end = sourceurl_is_printable(text) ? strstr(text, "://") : NULL;
    return end && sourceurl_scheme_is_good(text, (size_t) (end - text));
}

bool gt_sourceurl_is_local(const char *text)
{
    return sourceurl_is_printable(text) && text[0] != '\0' && !strchr(text, ':') &&
           !strchr(text, '\\') && strncmp(text, "//", 2) != 0;
}

bool gt_sourceurl_is_page(const char *text)
{
    static const char *const starts[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        size_t size = strlen(starts[i]);
        if (strncmp(text, starts[i], size) == 0 && text[size] != '\0')
            return sourceurl_is_printable(text);
    }
    return false;
}
