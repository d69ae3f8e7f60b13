/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csvfile.h"
#include "terminal.h"

enum {
    PARTITION_FOLDER_MODE = 0777,
    /* Bytes of a path besides those of its parts, with every byte of these as an escape. */
    PARTITION_PATH_ROOM = 128,
    PARTITION_ESCAPE = 3
};

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

static int partition_take(void *user_data, const gt_batch *batch)
{
    const struct partition *partition = user_data;
    const struct partition_file *file = &partition->files[batch->table];
    bool is_written = file->csv ? csvfile_batch(file->csv, batch)
                                : gt_parquet_batch(file->writer, batch) == GT_OK;
    return is_written ? 0 : -1;
}

/* Opens what makes the bytes of a file. */
static bool partition_open_writer(const struct partition *partition, struct partition_file *file,
                                  uint32_t table)
{
    gt_parquet_options options = GT_PARQUET_OPTIONS_INIT;
    if (partition->place->csv) {
        file->csv = csvfile_open(table, partition_write, file);
        return file->csv != NULL;
    }
    options.flags = partition->place->plain ? GT_PARQUET_PLAIN : 0;
    return gt_parquet_open(&file->writer, table, partition_write, file, &options, NULL) == GT_OK;
}

static bool partition_open_table(struct partition *partition, uint32_t table)
{
    struct partition_file *file = &partition->files[table];
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    gt_table_describe(table, &about);
    file->path = partition_path(partition, about.name);
    if (!file->path)
        return partition_fail(about.name, ENOMEM);
    file->is_open = partition_make_folders(file->path) && replacement_open(&file->file, file->path);
    if (!file->is_open)
        return partition_fail(file->path, errno);
    return partition_open_writer(partition, file, table) || partition_fail(file->path, ENOMEM);
}

static bool partition_open_columns(struct partition *partition)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    options.tables = partition->place->tables;
    options.on_batch = partition_take;
    options.user_data = partition;
    return gt_columns_open(&partition->columns, &options, NULL) == GT_OK;
}

struct partition *partition_open(const struct partition_place *place, const char *date)
{
    struct partition *partition = calloc(1, sizeof(*partition));
    if (!partition)
        return NULL;
    partition->place = place;
    partition->date = strdup(date);
    bool is_open = partition->date && partition_open_columns(partition);
    if (!is_open)
        partition_fail(place->folder, ENOMEM);
    for (uint32_t i = 0; i < PARTITION_TABLES && is_open; i++) {
        if (place->tables >> i & 1)
            is_open = partition_open_table(partition, i);
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
    partition->traces++;
}

static gt_status partition_finish_writer(struct partition_file *file)
{
    if (file->csv)
        return csvfile_finish(file->csv) ? GT_OK : GT_ERR_CALLBACK;
    return gt_parquet_finish(file->writer);
}

void partition_explain(const struct partition *partition)
{
    for (uint32_t i = 0; i < PARTITION_TABLES; i++) {
        const struct partition_file *file = &partition->files[i];
        if (file->is_open && file->file.error != 0) {
            partition_fail(file->path, file->file.error);
            return;
        }
    }
    partition_fail(partition->place->folder, ENOMEM);
}

/* Frees what makes the bytes of a file. */
static void partition_close_writer(struct partition_file *file)
{
    gt_parquet_close(&file->writer);
    csvfile_close(file->csv);
    file->csv = NULL;
}

/* Writes what is left of a file, of which `name` becomes the name. */
static bool partition_finish_file(struct partition_file *file, const char *name)
{
    const char *suffix = file->csv ? "csv" : "parquet";
    gt_status status = partition_finish_writer(file);
    partition_close_writer(file);
    if (!replacement_end(&file->file))
        return partition_fail(file->path, file->file.error);
    if (status != GT_OK)
        terminal_report("%s: %s", file->path, gt_status_text(status));
    sprintf(file->path + strlen(file->path), "%s.%s", name, suffix);
    return status == GT_OK;
}

bool partition_finish(struct partition *partition)
{
    char name[TRACEID_DIGITS + 1];
    gt_status status = gt_columns_finish(partition->columns);
    bool is_good = status == GT_OK;
    if (status == GT_ERR_CALLBACK)
        partition_explain(partition);
    else if (!is_good)
        terminal_report("%s: %s", partition->place->folder, gt_status_text(status));
    traceid_format(&partition->id, name);
    for (uint32_t i = 0; i < PARTITION_TABLES && is_good; i++) {
        if (partition->files[i].is_open)
            is_good = partition_finish_file(&partition->files[i], name);
    }
    gt_columns_close(&partition->columns);
    return is_good;
}

bool partition_close(struct partition *partition, bool keeps)
{
    bool is_good = true;
    keeps = keeps && partition->traces > 0;
    for (uint32_t i = 0; i < PARTITION_TABLES; i++) {
        struct partition_file *file = &partition->files[i];
        if (file->is_open && !replacement_close(&file->file, keeps) && keeps)
            is_good = partition_fail(file->path, errno);
        partition_close_writer(file);
        free(file->path);
    }
    gt_columns_close(&partition->columns);
    free(partition->date);
    free(partition);
    return is_good;
}
