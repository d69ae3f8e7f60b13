/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>
#include <string.h>

#include "arrow/arrow.h"
#include "base/mem.h"

/*
 * A host may move a child out of its parent and release it later, so that each part counts as an
 * owner of the whole.
 */
struct gt_arrow_schema {
    struct gt_mem mem;
    atomic_uint owners;
    struct ArrowSchema *list[GT_ARROW_COLUMNS_MAX];
    struct ArrowSchema columns[GT_ARROW_COLUMNS_MAX];
    struct ArrowSchema texts[GT_ARROW_COLUMNS_MAX];
};

const char *gt_arrow_format(uint32_t kind)
{
    switch (kind) {
    case GT_COLUMN_BOOLEAN:
        return "b";
    case GT_COLUMN_INT64:
        return "l";
    case GT_COLUMN_TIMESTAMP:
        return "tsu:UTC";
    default:
        return "i";
    }
}

static void schema_release(struct ArrowSchema *schema)
{
    struct gt_arrow_schema *all = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    }
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    schema->release = NULL;
    if (atomic_fetch_sub(&all->owners, 1) == 1)
        gt_mem_delete(&all->mem, all, sizeof(*all));
}

static void schema_set(struct gt_arrow_schema *all, struct ArrowSchema *schema, const char *format,
                       const char *name)
{
    *schema = (struct ArrowSchema){
        .format = format, .name = name, .release = schema_release, .private_data = all};
    atomic_fetch_add(&all->owners, 1);
}

gt_status gt_arrow_schema_make(struct ArrowSchema *out, uint32_t table,
                               const gt_allocator *allocator)
{
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    gt_status status = gt_table_describe(table, &about);
    if (status != GT_OK)
        return status;
    struct gt_arrow_schema *all =
        gt_mem_create(sizeof(*all), offsetof(struct gt_arrow_schema, mem), allocator, 0, &status);
    if (!all)
        return status;
    schema_set(all, out, "+s", "");
    out->n_children = about.column_count;
    out->children = all->list;
    for (uint32_t i = 0; i < about.column_count; i++) {
        const gt_column_description *column = &about.columns[i];
        struct ArrowSchema *child = all->list[i] = &all->columns[i];
        schema_set(all, child, gt_arrow_format(column->kind), column->name);
        child->flags = column->flags & GT_COLUMN_OPTIONAL ? ARROW_FLAG_NULLABLE : 0;
        if (column->kind != GT_COLUMN_STRING)
            continue;
        child->dictionary = &all->texts[i];
        schema_set(all, child->dictionary, "u", "");
    }
    return GT_OK;
}
