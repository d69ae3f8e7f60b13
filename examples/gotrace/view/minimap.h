/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_MINIMAP_H
#define VIEW_MINIMAP_H

#include "view.h"

/* Forgets what is kept of the minimap; with no request under way. */
void minimap_close(struct view *view);

#endif
