/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SOURCEURL_H
#define GT_WEB_SOURCEURL_H

#include <stdbool.h>

/* Whether a text is a template for the addresses of source files: see gt_web_options.source_url. */
bool gt_sourceurl_is_good(const char *text);

/* Whether a text is an address on the page's own site: see gt_web_options.traces_url. */
bool gt_sourceurl_is_local(const char *text);

/* Whether a text is the address of a page of any site: see gt_web_options.perfetto_url. */
bool gt_sourceurl_is_page(const char *text);

#endif
