/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_COPIED_H
#define GT_BASE_COPIED_H

/*
 * Before the definition of a public function that other libraries than libgotrace define, too, so
 * that each can be linked alone. There it is weak, which private.py sees to: a program that links
 * all of them has that of libgotrace.
 */
#ifndef GT_COPIED
#define GT_COPIED
#endif

#endif
