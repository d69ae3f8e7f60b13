// SPDX-License-Identifier: BSD-3-Clause
// A program whose thread waits in a function that is inlined, for symbolize_test.py. The lines of
// the test are found by the comments at their ends.
#include <pthread.h>
#include <unistd.h>

namespace service
{

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

class Cache
{
  public:
    [[gnu::always_inline]] void find(int key)
    {
        pthread_mutex_lock(&lock); // in find
        total += key;
        pthread_mutex_unlock(&lock);
    }

    [[gnu::noinline]] void serve(int key)
    {
        find(key); // in serve
        total += 1;
    }

    int total = 0;
};

static void *worker(void *cache)
{
    static_cast<Cache *>(cache)->serve(1); // in worker
    return nullptr;
}

} // namespace service

int main()
{
    service::Cache cache;
    pthread_t thread;
    pthread_mutex_lock(&service::lock);
    if (pthread_create(&thread, nullptr, service::worker, &cache) != 0)
        return 1;
    usleep(50000); // in main
    pthread_mutex_unlock(&service::lock);
    pthread_join(thread, nullptr);
    return cache.total == 2 ? 0 : 1;
}
