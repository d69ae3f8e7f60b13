/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEWER_PACKETS_H
#define TESTS_VIEWER_PACKETS_H

#include <stddef.h>

/*
 * Turns a file of Perfetto into text, one line for each packet, without the ids of interned data:
 *
 *     flags=3 defaults 58:64
 *     clocks 3=0 6=0 64=0
 *     begin 16 @10 "name" [category] key=5 other="text" stack=main:5/f"file":7 weight=3.5 ends=2
 *     end 16 @30
 *     instant 16 @20 "name"
 *     values @5 19=7 25=0.5
 *     track 16 <7 "worker" rank=2 merge=2
 *
 * A time is that of the emitter. Asserts that every byte belongs to a field that the writer knows,
 * and that ids were defined before. The caller frees the text.
 */
char *packets_text(const void *data, size_t size);

/* Returns the number of lines of the text that begin with `prefix`. */
size_t packets_count(const char *text, const char *prefix);

#endif
