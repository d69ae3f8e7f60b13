/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal.h"

enum {
    PARTITION_FOLDER_MODE = 0777,
    /* Bytes of a path besides those of its parts, with every byte of these as an escape. */
    PARTITION_PATH_ROOM = 128,
    PARTITION_ESCAPE = 3
};

static const char partition_suffix[] = ".parquet";

/* Writes a value of a column in a path, with the escapes that Hive has. Returns the end. */
static char *partition_escape(char *to, const char *value)
{
    for (; *value != '\0'; value++) {
        unsigned char byte = (unsigned char) *value;
        if (byte < ' ' || byte == 0x7f || strchr("\"#%'*/:=?\\{[]^", byte))
            to += sprintf(to, "%%%02X", byte);
        else
            *to++ = *value;
    }
    *to = '\0';
    return to;
}

static char *partition_level(char *to, const char *column, const char *value)
{
    to += sprintf(to, "/%s=", column);
    return partition_escape(to, value);
}

/* Returns the path of a table's files, with room for a name; NULL if there is no memory. */
static char *partition_path(const struct partition *partition, const char *table)
{
    const struct partition_place *place = partition->place;
    size_t values = strlen(place->service) + strlen(place->version) + strlen(partition->date);
    char *path = malloc(strlen(place->folder) + PARTITION_ESCAPE * values + PARTITION_PATH_ROOM);
    if (!path)
        return NULL;
    char *to = path + sprintf(path, "%s/%s", place->folder, table);
    to = partition_level(to, "service", place->service);
    to = partition_level(to, "version", place->version);
    to = partition_level(to, "date", partition->date);
    *to++ = '/';
    *to = '\0';
    return path;
}

/* Makes the folders of a path, which ends with a slash. */
static bool partition_make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool is_made = mkdir(path, PARTITION_FOLDER_MODE) == 0 || errno == EEXIST;
        *slash = '/';
        if (!is_made)
            return false;
    }
    return true;
}

static bool partition_fail(const char *path, int code)
{
    terminal_report("%s: %s", path, strerror(code));
    return false;
}

static int partition_write(void *user_data, const void *data, size_t size)
{
    struct partition_file *file = user_data;
    return replacement_write(&file->file, data, size) ? 0 : -1;
}

static bool partition_take(void *user_data, enum gt_table_id table, const struct gt_pq_group *group)
{
    struct partition *partition = user_data;
    return gt_pq_write(partition->files[table].writer, group) == GT_OK;
}

static bool partition_open_table(struct partition *partition, enum gt_table_id table)
{
    struct partition_file *file = &partition->files[table];
    const struct gt_table_about *about = &gt_table_list[table];
    file->path = partition_path(partition, about->name);
    if (!file->path)
        return partition_fail(about->name, ENOMEM);
    file->is_open = partition_make_folders(file->path) && replacement_open(&file->file, file->path);
    if (!file->is_open)
        return partition_fail(file->path, errno);
    file->writer = gt_pq_open(&about->schema, partition->place->plain, NULL, partition_write, file);
    return file->writer || partition_fail(file->path, ENOMEM);
}

struct partition *partition_open(const struct partition_place *place, const char *date)
{
    struct partition *partition = calloc(1, sizeof(*partition));
    if (!partition)
        return NULL;
    partition->place = place;
    partition->date = strdup(date);
    partition->columns = gt_columns_open(place->tables, NULL, partition_take, partition);
    bool is_open = partition->date && partition->columns;
    if (!is_open)
        partition_fail(place->folder, ENOMEM);
    for (int i = 0; i < GT_TABLE_COUNT && is_open; i++) {
        if (place->tables >> i & 1)
            is_open = partition_open_table(partition, (enum gt_table_id) i);
    }
    if (is_open)
        return partition;
    partition_close(partition, false);
    return NULL;
}

void partition_add(struct partition *partition, const struct traceid *id)
{
    for (int i = 0; i < TRACEID_WORDS; i++)
        partition->id.words[i] ^= id->words[i];
}

bool partition_finish(struct partition *partition)
{
    char name[TRACEID_DIGITS + 1];
    gt_status status = gt_columns_flush(partition->columns);
    traceid_format(&partition->id, name);
    for (int i = 0; i < GT_TABLE_COUNT; i++) {
        struct partition_file *file = &partition->files[i];
        if (file->is_open && status == GT_OK)
            status = gt_pq_finish(file->writer);
        if (file->is_open && file->file.error != 0)
            return partition_fail(file->path, file->file.error);
        if (file->is_open)
            sprintf(file->path + strlen(file->path), "%s%s", name, partition_suffix);
    }
    if (status != GT_OK)
        terminal_report("%s: %s", partition->place->folder, gt_status_text(status));
    return status == GT_OK;
}

bool partition_close(struct partition *partition, bool keeps)
{
    bool is_good = true;
    for (int i = 0; i < GT_TABLE_COUNT; i++) {
        struct partition_file *file = &partition->files[i];
        if (file->is_open && !replacement_close(&file->file, keeps) && keeps)
            is_good = partition_fail(file->path, errno);
        gt_pq_close(file->writer);
        free(file->path);
    }
    gt_columns_close(partition->columns);
    free(partition->date);
    free(partition);
    return is_good;
}
