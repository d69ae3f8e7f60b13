/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_MINIMAP_H
#define GT_WEB_MINIMAP_H

#include "web/web.h"

/* Frees the cached minimap. No request may be in progress. */
void gt_minimap_close(struct gt_web *web);

#endif
