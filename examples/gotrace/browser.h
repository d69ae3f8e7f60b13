/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_BROWSER_H
#define VIEW_BROWSER_H

/*
 * Shows `url` in the user's browser: the program that the environment variable BROWSER names, or
 * xdg-open. Does nothing if there is no display, and ignores failures.
 */
void browser_open(const char *url);

#endif
