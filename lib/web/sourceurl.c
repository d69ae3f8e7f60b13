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

bool gt_sourceurl_is_good(const char *text)
{
    size_t size = 0;
    for (; size <= SOURCEURL_MAX && text[size] != '\0'; size++) {
        if (text[size] <= ' ' || text[size] > '~')
            return false;
    }
    const char *end = strstr(text, "://");
    return size <= SOURCEURL_MAX && end && sourceurl_scheme_is_good(text, (size_t) (end - text));
}
