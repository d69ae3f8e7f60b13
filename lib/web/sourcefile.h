/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SOURCEFILE_H
#define GT_WEB_SOURCEFILE_H

#include "web/source.h"

/*
 * What a source does with its file. web/sourcefile.c maps it, and web/sourceload.c reads it into
 * memory where the system maps no files.
 */

/* Unmaps and closes the file, or frees its bytes, if the source has any. */
void gt_web_source_file_close(struct gt_web_source *source);

/* Returns false if the file has been modified since it was mapped. */
bool gt_web_source_file_is_unchanged(const struct gt_web_source *source);

/* Fills `*error` from errno. `what` is the message: what could not be done. */
gt_status gt_web_source_fail(gt_error *error, const char *what);

#endif
