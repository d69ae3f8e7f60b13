/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_GOTRACE_H
#define GOTRACE_GOTRACE_H

/**
 * @file
 * All of libgotrace.
 */

#include <gotrace/allocator.h>
#include <gotrace/compare.h>
#include <gotrace/downgrade.h>
#include <gotrace/event.h>
#include <gotrace/focus.h>
#include <gotrace/format.h>
#include <gotrace/latency.h>
#include <gotrace/live.h>
#include <gotrace/make.h>
#include <gotrace/mmu.h>
#include <gotrace/path.h>
#include <gotrace/profile.h>
#include <gotrace/raw.h>
#include <gotrace/reader.h>
#include <gotrace/report.h>
#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/summary.h>
#include <gotrace/time.h>
#include <gotrace/types.h>
#include <gotrace/validate.h>
#include <gotrace/version.h>
#include <gotrace/wire.h>
#include <gotrace/writer.h>

#endif
