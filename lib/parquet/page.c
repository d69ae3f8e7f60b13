/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/thrift.h"
#include "parquet/writer.h"

enum {
    PAGE_DATA = 0,
    PAGE_DICTIONARY = 2
};

/* The fields of PageHeader, DataPageHeader and DictionaryPageHeader in parquet.thrift. */
enum {
    HEADER_TYPE = 1,
    HEADER_UNPACKED = 2,
    HEADER_SIZE = 3,
    HEADER_CRC = 4,
    HEADER_DATA = 5,
    HEADER_DICTIONARY = 7,
    DATA_COUNT = 1,
    DATA_ENCODING = 2,
    DATA_DEFINITION_LEVELS = 3,
    DATA_REPETITION_LEVELS = 4,
    DICTIONARY_COUNT = 1,
    DICTIONARY_ENCODING = 2
};

/* Compresses the page if that is wanted. Returns what is to be written. */
static const struct gt_pq_bytes *page_pack(struct gt_pq_writer *writer,
                                           const struct gt_pq_bytes *page)
{
    if (writer->plain)
        return page;
    gt_pq_bytes_clear(&writer->packed);
    gt_snappy_put(&writer->snappy, &writer->packed, page->items, page->count);
    return &writer->packed;
}

/* The CRC is an i32, of which the bits count and not the sign. */
static int32_t page_crc(const struct gt_pq_writer *writer, const struct gt_pq_bytes *body)
{
    uint32_t crc = gt_crc(&writer->crc, body->items, body->count);
    return crc <= INT32_MAX ? (int32_t) crc : -1 - (int32_t) (UINT32_MAX - crc);
}

/* Begins the header of a page in writer->header. */
static struct gt_thrift page_header_begin(struct gt_pq_writer *writer, int32_t type,
                                          const struct gt_pq_bytes *page,
                                          const struct gt_pq_bytes *body)
{
    gt_pq_bytes_clear(&writer->header);
    struct gt_thrift header = gt_thrift_begin(&writer->header);
    /* Sizes have 31 bits in the format. */
    if (page->count > INT32_MAX || body->count > INT32_MAX) {
        gt_pq_note(writer, GT_ERR_LIMIT);
        return header;
    }
    gt_thrift_i32(&header, HEADER_TYPE, type);
    gt_thrift_i32(&header, HEADER_UNPACKED, (int32_t) page->count);
    gt_thrift_i32(&header, HEADER_SIZE, (int32_t) body->count);
    gt_thrift_i32(&header, HEADER_CRC, page_crc(writer, body));
    return header;
}

static void page_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                       const struct gt_pq_bytes *page, const struct gt_pq_bytes *body)
{
    gt_pq_note(writer, writer->header.status);
    gt_pq_out(writer, writer->header.items, writer->header.count);
    gt_pq_out(writer, body->items, body->count);
    chunk->size += writer->header.count + body->count;
    chunk->unpacked += writer->header.count + page->count;
}

/* Returns the body of the page, or NULL if something has failed. */
static const struct gt_pq_bytes *page_body(struct gt_pq_writer *writer,
                                           const struct gt_pq_bytes *page)
{
    gt_pq_note(writer, page->status);
    if (writer->status != GT_OK)
        return NULL;
    const struct gt_pq_bytes *body = page_pack(writer, page);
    gt_pq_note(writer, body->status);
    return writer->status == GT_OK ? body : NULL;
}

void gt_pq_data_page_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                           const struct gt_pq_bytes *page, size_t count)
{
    const struct gt_pq_bytes *body = page_body(writer, page);
    if (!body)
        return;
    struct gt_thrift header = page_header_begin(writer, PAGE_DATA, page, body);
    struct gt_thrift data = gt_thrift_struct(&header, HEADER_DATA);
    gt_thrift_i32(&data, DATA_COUNT, (int32_t) count);
    gt_thrift_i32(&data, DATA_ENCODING, (int32_t) chunk->encoding);
    gt_thrift_i32(&data, DATA_DEFINITION_LEVELS, GT_PQ_RLE);
    gt_thrift_i32(&data, DATA_REPETITION_LEVELS, GT_PQ_RLE);
    gt_thrift_stop(&data);
    gt_thrift_stop(&header);
    chunk->data_at = writer->offset;
    page_write(writer, chunk, page, body);
}

void gt_pq_dictionary_page_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                                 const struct gt_pq_bytes *page, size_t count)
{
    const struct gt_pq_bytes *body = page_body(writer, page);
    if (!body)
        return;
    struct gt_thrift header = page_header_begin(writer, PAGE_DICTIONARY, page, body);
    struct gt_thrift dictionary = gt_thrift_struct(&header, HEADER_DICTIONARY);
    gt_thrift_i32(&dictionary, DICTIONARY_COUNT, (int32_t) count);
    gt_thrift_i32(&dictionary, DICTIONARY_ENCODING, GT_PQ_PLAIN);
    gt_thrift_stop(&dictionary);
    gt_thrift_stop(&header);
    chunk->dictionary_at = writer->offset;
    page_write(writer, chunk, page, body);
}
