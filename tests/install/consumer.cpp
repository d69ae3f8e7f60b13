/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as consumer.c, with a thrown exception where something fails. */
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <gotrace/emitter.h>
#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>

namespace
{

struct closer {
    void operator()(gt_reader *reader) const
    {
        gt_reader_close(&reader);
    }

    void operator()(gt_emitter *emitter) const
    {
        gt_emitter_close(&emitter);
    }

    void operator()(gt_timeline *timeline) const
    {
        gt_timeline_close(&timeline);
    }
};

void require(gt_status status, const char *what)
{
    if (status != GT_OK)
        throw std::runtime_error(std::string(what) + ": " + gt_status_text(status));
}

int take_event(void *user_data, const gt_viewer_event *, int)
{
    ++*static_cast<std::uint64_t *>(user_data);
    return 0;
}

void run(const char *file)
{
    std::uint64_t events = 0, drawn = 0;
    gt_consumer consumer = GT_CONSUMER_INIT;
    consumer.user_data = &drawn;
    consumer.event = take_event;

    gt_reader *opened_reader = nullptr;
    require(gt_reader_open_file(&opened_reader, file, nullptr, nullptr), "open");
    std::unique_ptr<gt_reader, closer> reader(opened_reader);
    gt_emitter *opened_emitter = nullptr;
    require(gt_emitter_open(&opened_emitter, &consumer, nullptr, NULL), "emitter");
    std::unique_ptr<gt_emitter, closer> emitter(opened_emitter);
    gt_timeline *opened_timeline = nullptr;
    require(gt_timeline_open(&opened_timeline, reader.get(), emitter.get(), nullptr, NULL),
            "timeline");
    std::unique_ptr<gt_timeline, closer> timeline(opened_timeline);

    const gt_event *event = nullptr;
    gt_status status = gt_reader_next_event(reader.get(), &event);
    for (; status == GT_OK; status = gt_reader_next_event(reader.get(), &event)) {
        require(gt_timeline_event(timeline.get(), event), "draw");
        events++;
    }
    require(status == GT_END ? GT_OK : status, "read");
    require(gt_timeline_finish(timeline.get()), "finish");
    require(gt_emitter_flush(emitter.get()), "flush");
    std::cout << gt_library_version_text() << ' ' << events << ' ' << drawn << '\n';
}

} // namespace

int main(int argc, char **argv)
{
    try {
        run(argc > 1 ? argv[1] : "");
    } catch (const std::exception &error) {
        std::cerr << "consumer: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
