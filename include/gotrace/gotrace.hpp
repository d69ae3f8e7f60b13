// SPDX-License-Identifier: BSD-3-Clause
//
// Header-only bindings of libgotrace for C++17 and later. gotrace/viewer.hpp covers the other
// two libraries.
//
//     auto reader = gotrace::reader::open("my.trace");
//     for (const gotrace::event event : reader.events())
//         if (const auto change = event.transition())
//             std::cout << event.time() << ' ' << change->reason << '\n';
//
// The constants are those of the C headers, such as GT_EVENT_SYNC, and so are structures
// without strings; text() converts a gt_string to a std::string_view.
//
// Functions named try_... throw nothing and return a result<> or a gt_status. The others
// throw gotrace::error and do not exist with -fno-exceptions.
//
// An event is valid until its reader advances; event::copy() makes one that is valid without limit.
// The strings of an event are valid until the reader advances from the next Sync; those of the last
// generation, and with reader_options::keep all, until it is closed. A reader and everything that
// belongs to it may be used by one thread at a time, except for reader::cancel().
#ifndef GOTRACE_HPP
#define GOTRACE_HPP

#include <gotrace/analysis.hpp>
#include <gotrace/error.hpp>
#include <gotrace/event.hpp>
#include <gotrace/format.hpp>
#include <gotrace/live.hpp>
#include <gotrace/reader.hpp>

#endif
