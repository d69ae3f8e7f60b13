/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_COPIED_H
#define GT_BASE_COPIED_H

/*
 * Marks the definition of a public function that other libraries than libgotrace define, too, so
 * that each library can be linked alone. In those libraries the symbol is weak, which private.py
 * checks: a program that links all of them gets the definition of libgotrace.
 */
#ifndef GT_COPIED
#define GT_COPIED
#endif

#endif
