/* SPDX-License-Identifier: BSD-3-Clause */

/* cmocka asks its users for <setjmp.h>, which wasi-libc does not have. portable/cmocka.h needs
 * nothing of it. */
