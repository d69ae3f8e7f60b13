/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_BROWSER_H
#define VIEW_BROWSER_H

/*
 * Shows `url` in the user's browser: what the environment's BROWSER names, else xdg-open.
 * Does nothing where there is no screen to show it on, and says nothing where it fails.
 */
void browser_open(const char *url);

#endif
