// SPDX-License-Identifier: BSD-3-Clause
//
// Prints what goroutines waited for longest: time, number of waits, reason, function.
//
//     waits FILE [COUNT]
//
// The function is the innermost one on the stack that is not the runtime's own. Waits that
// have not ended when the trace ends do not count.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <gotrace/gotrace.hpp>

namespace
{

// Reason and function, as copies, because strings of a trace expire.
using cause = std::pair<std::string, std::string>;

struct total {
    std::int64_t time = 0;
    int count = 0;
};

struct wait {
    std::int64_t since;
    total *of;
};

std::string function_of(const gotrace::call_stack &stack)
{
    const auto frames = stack.frames();
    for (const auto &frame : frames) {
        if (frame.function.substr(0, 8) != "runtime.")
            return std::string(frame.function);
    }
    return frames.empty() ? "-" : std::string(frames.front().function);
}

void add_up(gotrace::reader &reader, std::map<cause, total> &waits)
{
    std::unordered_map<std::int64_t, wait> waiting;
    for (const auto event : reader.events()) {
        const auto change = event.transition();
        if (!change || change->resource.kind != GT_RESOURCE_GOROUTINE)
            continue;
        if (const auto found = waiting.find(change->resource.id); found != waiting.end()) {
            found->second.of->time += event.time() - found->second.since;
            found->second.of->count++;
            waiting.erase(found);
        }
        if (change->to == GT_GO_WAITING) {
            const std::string reason(change->reason.empty() ? "-" : change->reason);
            total &of = waits[{reason, function_of(change->stack)}];
            waiting[change->resource.id] = {event.time(), &of};
        }
    }
}

void print(const std::map<cause, total> &waits, std::size_t count)
{
    std::vector<std::pair<cause, total>> ordered;
    for (const auto &[what, sum] : waits) {
        if (sum.count > 0)
            ordered.emplace_back(what, sum);
    }
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto &a, const auto &b) { return a.second.time > b.second.time; });
    ordered.resize(std::min(count, ordered.size()));
    for (const auto &[what, sum] : ordered)
        std::printf("%12.3f ms %7d  %-26s %s\n", static_cast<double>(sum.time) / 1e6, sum.count,
                    what.first.c_str(), what.second.c_str());
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        std::fputs("usage: waits FILE [COUNT]\n", stderr);
        return 2;
    }
    std::map<cause, total> waits;
    int code = 0;
    try {
        auto reader = gotrace::reader::open(argv[1]);
        add_up(reader, waits);
    } catch (const gotrace::error &error) {
        std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
        code = 1;
    }
    // Everything before the fault is good.
    print(waits, argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 10);
    return code;
}
