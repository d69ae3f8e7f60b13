// SPDX-License-Identifier: BSD-3-Clause
//
// libgotrace for C++17 and later, in headers alone. gotrace/viewer.hpp is for the other
// two libraries.
//
//     auto reader = gotrace::reader::open("my.trace");
//     for (const gotrace::event event : reader.events())
//         if (const auto change = event.transition())
//             std::cout << event.time() << ' ' << change->reason << '\n';
//
// The constants are those of the C headers: GT_EVENT_SYNC. The structures are too, where
// they have no texts; text() makes a std::string_view of a gt_string.
//
// Functions named try_... throw nothing and return a result<> or a gt_status. The others
// throw gotrace::error, and are not there with -fno-exceptions.
//
// An event is good until its reader goes on, a text of an event until the next Sync, with
// reader_options::keep until the reader is closed. A reader and what belongs to it may be
// used by one thread at a time.
#ifndef GOTRACE_HPP
#define GOTRACE_HPP

#include "gotrace/analysis.hpp"
#include "gotrace/error.hpp"
#include "gotrace/event.hpp"
#include "gotrace/reader.hpp"

#endif
