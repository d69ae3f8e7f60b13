/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_CSVTEXT_H
#define GT_WEB_CSVTEXT_H

/* Writes the fields of CSV tables (RFC 4180). The caller writes the commas and line ends. */

#include <stdint.h>

#include "web/response.h"

/*
 * Writes a text in quotes, because names of functions contain commas and may contain any other
 * character. A quote is doubled, and each byte that is not valid UTF-8 becomes U+FFFD. An
 * apostrophe is put before a text that a spreadsheet would evaluate as a formula.
 */
void gt_csvtext_field(struct gt_response *response, gt_string text);
void gt_csvtext_int(struct gt_response *response, int64_t value);
void gt_csvtext_uint(struct gt_response *response, uint64_t value);

/* Begins a file of that name, whose first line names the columns. */
void gt_csvtext_begin(struct gt_response *response, const char *disposition, const char *columns);

#endif
