/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/version.h>

#include "base/copied.h"

#define TEXT(number)                #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

GT_COPIED unsigned int gt_library_version(void)
{
    return GT_VERSION;
}

GT_COPIED const char *gt_library_version_text(void)
{
    return DOTTED(GT_VERSION_MAJOR, GT_VERSION_MINOR, GT_VERSION_PATCH);
}
