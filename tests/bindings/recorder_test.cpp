// SPDX-License-Identifier: BSD-3-Clause
//
// gotrace/recorder.hpp, with and without exceptions: what its objects record, as the reader says.
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <gotrace/gotrace.hpp>
#include <gotrace/recorder.hpp>

namespace
{

int failures = 0;

void expect(bool is_good, const char *what, int line)
{
    if (is_good)
        return;
    std::fprintf(stderr, "recorder_test.cpp:%d: %s\n", line, what);
    failures++;
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)

int append(void *to, const void *data, std::size_t size)
{
    static_cast<std::string *>(to)->append(static_cast<const char *>(data), size);
    return 0;
}

gt_recorder_options options_of(std::uint64_t flags)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.flags = GT_RECORDER_NO_THREAD | flags;
    return options;
}

gotrace::recorder open(std::uint64_t flags)
{
    return gotrace::recorder::try_open(options_of(flags)).value();
}

// The lines of all events that contain a word, without what is before it.
std::string lines(const std::string &trace, std::string_view word)
{
    std::string all;
    auto reader = gotrace::reader::try_open_memory(trace).value();
    for (const auto event : reader.try_events()) {
        const std::string line = event.try_string().value();
        const auto at = line.find(word);
        if (at != std::string::npos)
            all += line.substr(at, line.find('\n', at) - at) + "\n";
    }
    EXPECT(reader.last_fault().status() >= 0);
    return all;
}

std::size_t count(const std::string &text, std::string_view word)
{
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        found++;
    return found;
}

void test_annotations()
{
    std::string trace;
    auto to = open(GT_RECORDER_IMPLICIT);
    const gt_rec_text name = to.try_text("main.serve").value(), type = to.try_text("get").value();
    EXPECT(!to.try_start(append, &trace));
    {
        const auto thread = gotrace::recorded_thread::try_attach(to, name).value();
        EXPECT(thread.get() == to.self() && to.self());
        gotrace::task first(to, type);
        const gotrace::region outer(to, type, first);
        gotrace::task second(to, name, first.id());
        second.log(type, "a message");
        const gotrace::task moved(std::move(second));
        EXPECT(second.id() == 0 && moved.id() != 0);
        const gotrace::region inner(thread.get(), name);
        const gotrace::system_call call(to);
    }
    EXPECT(!to.self());
    EXPECT(!to.try_stop());
    EXPECT(to.try_stop().status() == GT_ERR_STATE);
    EXPECT(count(lines(trace, "TaskBegin"), "TaskBegin") == 2);
    EXPECT(count(lines(trace, "TaskEnd"), "TaskEnd") == 2);
    EXPECT(count(lines(trace, "a message"), "a message") == 1);
    EXPECT(count(lines(trace, "RegionBegin"), "RegionBegin") == 2);
    EXPECT(count(lines(trace, "RegionEnd"), "RegionEnd") == 2);
    EXPECT(count(lines(trace, "Running->Syscall"), "Syscall") == 1);
    EXPECT(count(lines(trace, "Running->NotExist"), "NotExist") == 1);
}

void test_nothing_to_record()
{
    auto to = open(0);
    const gt_rec_text type = to.try_text("type").value();
    // The thread is not attached.
    {
        const gotrace::task task(to, type);
        const gotrace::region region(to, type, task);
        const gotrace::waiting waits(to);
        const gotrace::system_call call(to);
        task.log(type, "nobody");
        EXPECT(task.id() == 0);
    }
    // It runs nothing.
    const auto thread = gotrace::recorded_thread::try_attach(to).value();
    const gotrace::task task(to, type);
    const gotrace::region region(to, type, task);
    const gotrace::waiting waits(to);
    EXPECT(task.id() == 0);
    const auto named = gotrace::recorded_thread::try_attach(to, type);
    EXPECT(!named && named.why().status() == GT_ERR_STATE);
    EXPECT(to.try_start(-1).status() == GT_ERR_INVALID_ARGUMENT);
    EXPECT(to.try_write_window(1).status() == GT_ERR_STATE);
    const auto refused = gotrace::recorder::try_open(options_of(UINT64_C(1) << 63));
    EXPECT(!refused && refused.why().status() == GT_ERR_INVALID_ARGUMENT);
}

// A mutex of which a test says whether it is free.
struct told_mutex {
    bool is_free = true;
    int locks = 0, unlocks = 0;

    bool try_lock()
    {
        locks += is_free;
        return is_free;
    }

    void lock()
    {
        locks++;
    }

    void unlock()
    {
        unlocks++;
    }
};

void test_locks()
{
    std::string trace;
    auto to = open(GT_RECORDER_IMPLICIT);
    told_mutex mutex;
    EXPECT(!to.try_start(append, &trace));
    {
        const auto thread = gotrace::recorded_thread::try_attach(to).value();
        {
            const gotrace::recorded_lock lock(to, mutex);
        }
        EXPECT(mutex.locks == 1 && mutex.unlocks == 1);
        mutex.is_free = false;
        {
            const gotrace::recorded_lock lock(to, mutex, GT_REC_COND);
            EXPECT(mutex.locks == 2 && mutex.unlocks == 1);
        }
        EXPECT(mutex.unlocks == 2);
    }
    EXPECT(!to.try_stop());
    EXPECT(lines(trace, "Running->Waiting") == "Running->Waiting Reason=\"sync.(*Cond).Wait\"\n");
    EXPECT(count(lines(trace, "Waiting->Runnable"), "Runnable") == 1);
}

void test_threads()
{
    std::string trace;
    auto to = open(GT_RECORDER_IMPLICIT);
    std::mutex mutex;
    int sum = 0;
    EXPECT(!to.try_start(append, &trace));
    {
        const auto thread = gotrace::recorded_thread::try_attach(to).value();
        gt_rec_go *go = nullptr;
        EXPECT(gt_rec_go_create(thread.get(), 0, 0, &go) == GT_OK);
        std::thread other([&] {
            const auto self = gotrace::recorded_thread::try_attach(to, go).value();
            for (int i = 0; i < 100; i++) {
                const gotrace::recorded_lock lock(to, mutex);
                sum++;
            }
        });
        for (int i = 0; i < 100; i++) {
            const gotrace::recorded_lock lock(to, mutex);
            sum++;
        }
        const gotrace::waiting until(to);
        other.join();
    }
    EXPECT(!to.try_stop());
    EXPECT(sum == 200);
    EXPECT(count(lines(trace, "Running->NotExist"), "NotExist") == 2);
}

void test_window()
{
    auto to = open(GT_RECORDER_IMPLICIT);
    std::FILE *file = std::tmpfile();
    EXPECT(!to.try_start_window() && to.try_start_window().status() == GT_ERR_STATE);
    EXPECT(!to.try_write_window(fileno(file)));
    std::rewind(file);
    char head[13] = "";
    EXPECT(std::fread(head, 1, 12, file) == 12 && std::string_view(head) == "go 1.26 trac");
    std::fclose(file);
}

// A recorder that is closed has detached its threads.
void test_recorder_is_closed_first()
{
    std::string trace;
    std::optional<gotrace::recorder> to(open(GT_RECORDER_IMPLICIT));
    const gt_rec_text type = to->try_text("get").value();
    EXPECT(!to->try_start(append, &trace));
    auto thread = gotrace::recorded_thread::try_attach(*to).value();
    gotrace::recorder moved = std::move(*to);
    to.reset();
    EXPECT(thread.get() == moved.self() && thread.get());
    gotrace::task task(moved, type), other(moved, type);
    std::swap(task, other);
    EXPECT(task.id() != 0);
    moved = open(GT_RECORDER_IMPLICIT);
    EXPECT(thread.get() == nullptr);
    task.log(type, "text");
    EXPECT(count(lines(trace, "TaskBegin"), "TaskBegin") == 2);
    EXPECT(count(lines(trace, "Log "), "Log ") == 0);
}

#if GOTRACE_HPP_THROWS
template <typename F> void expect_thrown(gt_status status, int line, F &&function)
{
    try {
        function();
        expect(false, "nothing was thrown", line);
    } catch (const gotrace::error &problem) {
        expect(problem.why().status() == status, problem.what(), line);
    }
}

#define EXPECT_THROWN(status, call) expect_thrown((status), __LINE__, [&] { call; })

void test_exceptions()
{
    std::string trace;
    auto to = gotrace::recorder::open(options_of(GT_RECORDER_IMPLICIT));
    const gt_rec_text type = to.text("type");
    EXPECT_THROWN(GT_ERR_INVALID_ARGUMENT, gotrace::recorder::open(options_of(UINT64_MAX)));
    EXPECT_THROWN(GT_ERR_STATE, to.stop());
    EXPECT_THROWN(GT_ERR_INVALID_ARGUMENT, to.start(-1));
    EXPECT_THROWN(GT_ERR_STATE, static_cast<void>(to.write_window(1)));
    to.start(append, &trace);
    to.start_window();
    EXPECT_THROWN(GT_ERR_STATE, to.start_window());
    const auto thread = gotrace::recorded_thread::attach(to, type);
    EXPECT_THROWN(GT_ERR_STATE, gotrace::recorded_thread::attach(to));
    // Guards end what they began.
    try {
        const gotrace::region region(to, type);
        const gotrace::waiting until(to);
        throw 1;
    } catch (int) {
    }
    to.stop();
    EXPECT(count(lines(trace, "RegionEnd"), "RegionEnd") == 1);
    EXPECT(count(lines(trace, "Waiting->Runnable"), "Runnable") == 1);
}
#endif

} // namespace

int main()
{
    test_annotations();
    test_nothing_to_record();
    test_locks();
    test_threads();
    test_window();
    test_recorder_is_closed_first();
#if GOTRACE_HPP_THROWS
    test_exceptions();
#endif
    return failures > 0;
}
