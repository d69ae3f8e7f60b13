// SPDX-License-Identifier: BSD-3-Clause
//
// keep FILE [COUNT] prints the longest waits of goroutines: how long each was, and the event that
// ended it, with the stack of who woke the goroutine up.
//
// Copies of events outlive the reader and can be in any container.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <queue>
#include <vector>

#include <gotrace/gotrace.hpp>

namespace
{

struct wait {
    std::int64_t time;
    gotrace::event_copy end;

    bool operator>(const wait &other) const
    {
        return time > other.time;
    }
};

// The shortest wait comes first.
using wait_queue = std::priority_queue<wait, std::vector<wait>, std::greater<wait>>;

// How long a goroutine has waited that this event wakes up.
std::optional<std::int64_t> wait_of(const gotrace::reader &reader, const gotrace::event &event)
{
    const auto change = event.goroutine_transition();
    if (!change || change->from != GT_GO_WAITING || change->to == change->from)
        return std::nullopt;
    const auto goroutine = reader.goroutine(change->resource.id);
    if (!goroutine || !goroutine->previous_known)
        return std::nullopt;
    return goroutine->since - goroutine->previous_since;
}

void read(const char *path, std::size_t count, wait_queue &longest)
{
    gotrace::reader_options options;
    options.track = true;
    auto reader = gotrace::reader::open(path, options);
    for (const auto event : reader.events()) {
        const auto time = wait_of(reader, event);
        if (!time || (longest.size() == count && *time <= longest.top().time))
            continue;
        longest.push({*time, event.copy()});
        if (longest.size() > count)
            longest.pop();
    }
}

} // namespace

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "";
    wait_queue longest;
    int code = 0;
    try {
        read(path, argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000, longest);
    } catch (const gotrace::error &error) {
        std::cerr << path << ": " << error.what() << '\n';
        code = 1;
    }
    std::vector<wait> waits;
    for (; !longest.empty(); longest.pop())
        waits.push_back(longest.top());
    for (auto wait = waits.rbegin(); wait != waits.rend(); ++wait)
        std::cout << wait->time << " ns " << wait->end.string() << '\n';
    return code;
}
