/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODULE_H
#define MODULE_H

/* What the files of the module share. */
#include <gotrace/reader.h>
#include <gotrace/status.h>

#define EXPORTED(name) __attribute__((export_name(name)))

/* The reader that trace_open has opened. Who takes it sets it to NULL, and closes it. */
gt_reader **module_reader(void);

/* What trace_error formats. */
gt_error *module_error(void);

#endif
