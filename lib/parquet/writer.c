/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/writer.h"

#include <string.h>

static const char writer_magic[] = "PAR1";

enum {
    WRITER_MAGIC_SIZE = sizeof(writer_magic) - 1
};

void gt_pq_out(struct gt_pq_writer *writer, const void *data, size_t size)
{
    if (writer->status != GT_OK || size == 0)
        return;
    if (writer->write(writer->user_data, data, size) != 0)
        writer->status = GT_ERR_CALLBACK;
    writer->offset += size;
}

struct gt_pq_writer *gt_pq_open(const struct gt_pq_schema *schema, bool plain,
                                const gt_allocator *allocator, gt_write_fn write, void *user_data)
{
    gt_status status;
    struct gt_pq_writer *writer =
        gt_mem_create(sizeof(*writer), offsetof(struct gt_pq_writer, mem), allocator, 0, &status);
    if (!writer)
        return NULL;
    writer->schema = schema;
    writer->plain = plain;
    writer->write = write;
    writer->user_data = user_data;
    struct gt_pq_bytes *const bytes[] = {&writer->row_groups, &writer->levels, &writer->entries,
                                         &writer->page,       &writer->packed, &writer->header};
    for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
        gt_pq_bytes_init(bytes[i], &writer->mem);
    gt_dictionary_init(&writer->dictionary, &writer->mem);
    gt_crc_init(&writer->crc);
    gt_pq_out(writer, writer_magic, WRITER_MAGIC_SIZE);
    return writer;
}

static gt_status writer_reserve(struct gt_pq_writer *writer, size_t rows)
{
    gt_status status = gt_array_reserve(&writer->mem, &writer->values, rows);
    if (status == GT_OK)
        status = gt_array_reserve(&writer->mem, &writer->indexes, rows);
    return status == GT_OK ? gt_array_reserve(&writer->mem, &writer->valid, (rows + 7) / 8)
                           : status;
}

/* Frees what a row group needed, as the next one may be far off, and there are other files. */
static void writer_release(struct gt_pq_writer *writer)
{
    struct gt_pq_bytes *const bytes[] = {&writer->levels, &writer->entries, &writer->page,
                                         &writer->packed, &writer->header};
    for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
        gt_pq_bytes_destroy(bytes[i]);
    gt_array_free(&writer->mem, &writer->values);
    gt_array_free(&writer->mem, &writer->indexes);
    gt_array_free(&writer->mem, &writer->valid);
    gt_dictionary_destroy(&writer->dictionary);
}

static void writer_group_write(struct gt_pq_writer *writer, const struct gt_pq_group *group)
{
    gt_pq_note(writer, writer_reserve(writer, group->rows));
    for (size_t i = 0; i < writer->schema->count && writer->status == GT_OK; i++)
        gt_pq_chunk_write(writer, &writer->chunks[i], i, group);
    if (writer->status == GT_OK)
        gt_pq_row_group_put(writer, writer->chunks, group);
    writer->rows += group->rows;
    writer->groups++;
}

gt_status gt_pq_write(struct gt_pq_writer *writer, const struct gt_pq_group *group)
{
    if (writer->status == GT_OK && group->rows > 0) {
        writer_group_write(writer, group);
        writer_release(writer);
    }
    return writer->status;
}

gt_status gt_pq_finish(struct gt_pq_writer *writer)
{
    gt_pq_footer_put(writer);
    size_t size = writer->page.count;
    gt_pq_put_little(&writer->page, size, sizeof(uint32_t));
    gt_pq_put(&writer->page, writer_magic, WRITER_MAGIC_SIZE);
    gt_pq_note(writer, writer->page.status);
    gt_pq_out(writer, writer->page.items, writer->page.count);
    return writer->status;
}

void gt_pq_close(struct gt_pq_writer *writer)
{
    if (!writer)
        return;
    writer_release(writer);
    gt_pq_bytes_destroy(&writer->row_groups);
    gt_mem_delete(&writer->mem, writer, sizeof(*writer));
}
