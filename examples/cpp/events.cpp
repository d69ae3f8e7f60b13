// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the goroutines in a trace.
//
//     events FILE
#include <cstdint>
#include <iostream>
#include <unordered_set>

#include <gotrace/gotrace.hpp>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: events FILE\n";
        return 2;
    }
    try {
        auto reader = gotrace::reader::open(argv[1]);
        std::unordered_set<std::int64_t> goroutines;
        for (const auto event : reader.events()) {
            if (event.goroutine() != GT_NO_GOROUTINE)
                goroutines.insert(event.goroutine());
        }
        std::cout << goroutines.size() << " goroutines did something\n";
        return 0;
    } catch (const gotrace::error &error) {
        std::cerr << argv[1] << ": " << error.what() << '\n';
        return 1;
    }
}
