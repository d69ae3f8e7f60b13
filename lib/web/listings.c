/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/listings.h"

#include <string.h>

#include "web/scan.h"

enum {
    LISTINGS_KEPT = 6
};

/* The time in nanoseconds after which a listing is out of date while the trace is being loaded. */
#define STALE_NS INT64_C(1000000000)

struct kept {
    bool is_used;
    struct gt_listing_order order;
    struct gt_listing listing;
    /* When the listing was made: the state of loading, and the time of gt_scan_now. */
    bool done;
    uint64_t events;
    int64_t made;
    /* The number of the request that used it last. */
    uint64_t asked;
};

struct gt_listings {
    pthread_mutex_t mutex;
    uint64_t questions;
    struct kept kept[LISTINGS_KEPT];
};

static struct gt_listings *listings_new(struct gt_mem *mem)
{
    struct gt_listings *listings = gt_mem_zeros(mem, sizeof(*listings));
    if (listings && pthread_mutex_init(&listings->mutex, NULL) != 0) {
        gt_mem_free(mem, listings, sizeof(*listings));
        return NULL;
    }
    return listings;
}

static struct gt_listings *listings_get(struct gt_web *web)
{
    pthread_mutex_lock(&web->loading.lock);
    if (!web->listings)
        web->listings = listings_new(&web->mem);
    struct gt_listings *listings = web->listings;
    pthread_mutex_unlock(&web->loading.lock);
    return listings;
}

static void listings_drop(struct kept *kept)
{
    if (kept->is_used)
        gt_listing_free(&kept->listing);
    kept->is_used = false;
}

void gt_listings_close(struct gt_web *web)
{
    struct gt_listings *listings = web->listings;
    if (!listings)
        return;
    for (size_t i = 0; i < LISTINGS_KEPT; i++)
        listings_drop(&listings->kept[i]);
    pthread_mutex_destroy(&listings->mutex);
    gt_mem_free(&web->mem, listings, sizeof(*listings));
    web->listings = NULL;
}

static struct kept *listings_find(struct gt_listings *listings,
                                  const struct gt_listing_order *order)
{
    for (size_t i = 0; i < LISTINGS_KEPT; i++) {
        struct kept *kept = &listings->kept[i];
        /* gt_listing_order_init has cleared the padding between the members. */
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        if (kept->is_used && memcmp(&kept->order, order, sizeof(*order)) == 0)
            return kept;
    }
    return NULL;
}

/* Returns a free entry of the cache, or the one that was least recently used. */
static struct kept *listings_place_find(struct gt_listings *listings)
{
    struct kept *oldest = &listings->kept[0];
    for (size_t i = 0; i < LISTINGS_KEPT; i++) {
        struct kept *kept = &listings->kept[i];
        if (!kept->is_used)
            return kept;
        if (kept->asked < oldest->asked)
            oldest = kept;
    }
    return oldest;
}

static void listings_get_stamp(struct gt_web *web, bool *done, uint64_t *events)
{
    pthread_mutex_lock(&web->loading.lock);
    *done = web->loading.done;
    *events = web->loading.events;
    pthread_mutex_unlock(&web->loading.lock);
}

const struct gt_listing *gt_listings_take(struct gt_web *web, const struct gt_tasktree_maker *maker,
                                          const struct gt_listing_order *order)
{
    struct gt_listings *listings = listings_get(web);
    struct kept now = {.is_used = true};
    if (!listings)
        return NULL;
    pthread_mutex_lock(&listings->mutex);
    listings_get_stamp(web, &now.done, &now.events);
    struct kept *kept = listings_find(listings, order);
    if (!kept || kept->done != now.done ||
        (kept->events != now.events && gt_scan_now() - kept->made >= STALE_NS)) {
        if (!kept)
            kept = listings_place_find(listings);
        listings_drop(kept);
        if (!gt_listing_make(&now.listing, &web->mem, web->store, maker, order)) {
            pthread_mutex_unlock(&listings->mutex);
            return NULL;
        }
        now.made = gt_scan_now();
        memcpy(kept, &now, sizeof(now));
        /* The padding must be copied too, because listings_find compares all bytes. */
        memcpy(&kept->order, order, sizeof(*order));
    }
    kept->asked = ++listings->questions;
    return &kept->listing;
}

void gt_listings_release(struct gt_web *web)
{
    pthread_mutex_unlock(&web->listings->mutex);
}
