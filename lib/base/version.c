/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/version.h>

#define TEXT(number)                #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

unsigned int gt_library_version(void)
{
    return GT_VERSION;
}

const char *gt_library_version_text(void)
{
    return DOTTED(GT_VERSION_MAJOR, GT_VERSION_MINOR, GT_VERSION_PATCH);
}
