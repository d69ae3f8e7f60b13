/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_PREFACE_H
#define GT_READER_PREFACE_H

#include "merge/prints.h"
#include "source/source.h"

/*
 * Text before the header, which a program has printed to its trace's file before it began to trace.
 */
struct gt_preface {
    struct gt_prints_run run; /* what was looked at so far */
    bool is_over;             /* the header was found, or it is known that there is none */
};

/*
 * Moves the source to the header if nothing but text precedes it, not more than 64 KiB; else the
 * source stays where it is. Returns GT_AGAIN if too little of the input has come to tell, and is
 * called again then.
 */
gt_status gt_preface_skip(struct gt_preface *preface, struct gt_source *source);

#endif
