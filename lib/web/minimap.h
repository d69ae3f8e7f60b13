/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_MINIMAP_H
#define GT_WEB_MINIMAP_H

#include "web/web.h"

/* Forgets what is kept of the minimap; with no request under way. */
void gt_minimap_close(struct gt_web *web);

#endif
