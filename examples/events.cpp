// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the goroutines that a trace shows, from C++.
//
//     events_cpp FILE
//
// The library throws nothing and is plain C; a unique_ptr closes the reader.
#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <unordered_set>

#include <gotrace/gotrace.h>

struct reader_closer {
    void operator()(gt_reader *reader) const
    {
        gt_reader_close(&reader);
    }
};
using reader_ptr = std::unique_ptr<gt_reader, reader_closer>;

static reader_ptr open_trace(const char *path)
{
    gt_reader *reader = nullptr;
    gt_error error = GT_ERROR_INIT;
    if (gt_reader_open_file(&reader, path, nullptr, &error) != GT_OK)
        throw std::runtime_error(error.message);
    return reader_ptr(reader);
}

// Calls `visit` with each event. No exception may pass through the library, but
// here none can: `visit` runs between its calls, not within them.
template <typename Visit> static void for_each_event(gt_reader &reader, Visit visit)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(&reader, &event)) == GT_OK)
        visit(*event);
    if (status != GT_END)
        throw std::runtime_error(gt_status_text(status));
}

int main(int argc, char **argv)
try {
    if (argc != 2)
        throw std::invalid_argument("usage: events_cpp FILE");
    const reader_ptr reader = open_trace(argv[1]);
    std::unordered_set<std::int64_t> goroutines;
    for_each_event(*reader, [&](const gt_event &event) {
        if (event.goroutine != GT_NO_GOROUTINE)
            goroutines.insert(event.goroutine);
    });
    std::cout << goroutines.size() << " goroutines did something\n";
    return 0;
} catch (const std::exception &error) {
    std::cerr << "events_cpp: " << error.what() << '\n';
    return 1;
}
