/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/tiles: what is drawn of some tracks in 1024 columns, in a binary format. */
#include <string.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/pack.h"
#include "web/query.h"
#include "web/web.h"

enum {
    TILE_BINS = 1024,
    TILE_BINS_LOG = 10,
    TILE_LEVELS = 53,
    /* The limits of "index" keep all times below 2^62. */
    TILE_TIME_LOG = 62,
    TILE_TRACKS = 256,
    /* The bytes "GTT1", read as a little-endian number. */
    TILE_MAGIC = 0x31545447,
    /* The offset of the number of tracks, and the size of a number. */
    COUNT_AT = 8,
    COUNT_SIZE = 4,
    ITEM_SIZE = 40,
    /* A span of at least this many columns gets a label. */
    LABEL_BINS = 24,
    LABEL_MAX = 200
};

struct tile {
    const struct gt_store *store;
    int64_t start, end, bin;
    uint32_t track;
    uint32_t view;
    uint32_t items;
    uint32_t labels;
    struct gt_pack body;
    struct gt_pack texts;
};

static unsigned char *tile_put_u32(unsigned char *to, uint32_t value)
{
    for (unsigned int i = 0; i < 4; i++)
        to[i] = (unsigned char) (value >> (8 * i));
    return to + 4;
}

static unsigned char *tile_put_f64(unsigned char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return tile_put_u32(tile_put_u32(to, (uint32_t) bits), (uint32_t) (bits >> 32));
}

static void tile_add_u32(struct gt_pack *pack, uint32_t value)
{
    unsigned char *to = gt_pack_add(pack, 4);
    if (to)
        tile_put_u32(to, value);
}

static void tile_add_label(struct tile *tile, const struct gt_span *span)
{
    char title[GT_ANSWER_TITLE_MAX];
    size_t size = gt_answer_span_name(tile->store, tile->view, span, title);
    size = gt_answer_fitting((gt_string){title, size}, LABEL_MAX);
    unsigned char *to = gt_pack_add(&tile->texts, 12 + size);
    if (!to)
        return;
    to = tile_put_u32(tile_put_u32(tile_put_u32(to, tile->track), span->index), (uint32_t) size);
    memcpy(to, title, size);
    tile->labels++;
}

static void tile_add_bar(void *user, const struct gt_bar *bar)
{
    struct tile *tile = user;
    unsigned char *to = gt_pack_add(&tile->body, ITEM_SIZE);
    if (!to)
        return;
    tile->items++;
    to = tile_put_f64(tile_put_f64(to, (double) bar->start), (double) bar->end);
    to = tile_put_u32(tile_put_u32(to, bar->count), bar->span.index);
    if (bar->count != 1) {
        memcpy(to, bar->shares, GT_STORE_CLASSES);
        return;
    }
    to = tile_put_u32(tile_put_u32(to, bar->span.cls), bar->span.name);
    tile_put_u32(tile_put_u32(to, bar->span.goroutine), 0);
    if (gt_time_minus(bar->end, bar->start) / LABEL_BINS >= tile->bin)
        tile_add_label(tile, &bar->span);
}

static void tile_add_track(struct tile *tile, uint32_t id)
{
    uint32_t ordinal;
    const struct gt_track *track = gt_store_track(tile->store, id);
    size_t head = tile->body.size;
    unsigned char *to = gt_pack_add(&tile->body, 8);
    tile->track = id;
    tile->items = 0;
    tile->view = GT_STORE_VIEW_GOROUTINE;
    if (track && to) {
        gt_store_track_row(tile->store, id, &tile->view, &ordinal);
        gt_track_bars(track, tile->start, tile->end, tile->bin, tile_add_bar, tile);
    }
    if (to)
        tile_put_u32(tile_put_u32(tile->body.data + head, id), tile->items);
}

/* Adds the tracks as far as the answer does not become too long, and sets their number. */
static void tile_add_tracks(struct tile *tile, const struct gt_query_tracks *tracks)
{
    uint32_t count = 0;
    while (count < tracks->count) {
        const struct tile before = *tile;
        tile_add_track(tile, tracks->list[count]);
        if (tile->body.size + tile->texts.size > GT_RESPONSE_MOST - COUNT_SIZE) {
            tile->body.size = before.body.size;
            tile->texts.size = before.texts.size;
            tile->labels = before.labels;
            break;
        }
        count++;
    }
    if (!tile->body.failed)
        tile_put_u32(tile->body.data + COUNT_AT, count);
}

static void tile_send(struct tile *tile, struct gt_response *response)
{
    tile_add_u32(&tile->body, tile->labels);
    if (tile->body.failed || tile->texts.failed) {
        gt_response_no_memory(response);
        return;
    }
    gt_response_set_type(response, "application/octet-stream");
    gt_response_bytes(response, tile->body.data, tile->body.size);
    gt_response_bytes(response, tile->texts.data, tile->texts.size);
}

static void tile_answer(struct tile *tile, struct gt_web *web, const struct gt_query_tracks *tracks,
                        struct gt_response *response)
{
    /*
     * Once the trace is loaded, the tile will not change any more. This is read before the store,
     * so that a tile that is marked as final is complete.
     */
    bool final = gt_web_load_is_done(web);
    tile_add_u32(&tile->body, TILE_MAGIC);
    tile_add_u32(&tile->body, final);
    tile_add_u32(&tile->body, (uint32_t) tracks->count);
    tile->store = web->store;
    gt_store_lock_read(web->store);
    tile_add_tracks(tile, tracks);
    gt_store_unlock(web->store);
    tile_send(tile, response);
    gt_pack_free(&tile->body);
    gt_pack_free(&tile->texts);
}

void gt_web_serve_tiles(struct gt_web *web, struct gt_query *query)
{
    struct tile tile = {.body.mem = &web->mem, .texts.mem = &web->mem};
    struct gt_query_tracks tracks = {.count = 0};
    int64_t level = 0, index = 0;
    gt_query_need(query, "level");
    gt_query_need(query, "index");
    gt_query_int(query, "level", 0, TILE_LEVELS - 1, &level);
    int64_t limit = INT64_C(1) << (TILE_TIME_LOG - TILE_BINS_LOG - level);
    gt_query_int(query, "index", -limit, limit - 1, &index);
    gt_query_tracks(query, TILE_TRACKS, &tracks);
    if (!query->failed) {
        tile.bin = INT64_C(1) << level;
        tile.start = index * TILE_BINS * tile.bin;
        tile.end = tile.start + TILE_BINS * tile.bin;
        tile_answer(&tile, web, &tracks, query->response);
    }
    gt_query_tracks_free(&tracks);
}
