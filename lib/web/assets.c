/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/assets.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "web/endpoints.h"
#include "web/web.h"

enum {
    PATH_ROOM = 4096,
    COPY_SIZE = 16 * 1024
};

static const struct gt_asset *asset_find(const char *name)
{
    const struct gt_asset *asset = gt_asset_table;
    while (asset->name && strcmp(asset->name, name) != 0)
        asset++;
    return asset->name ? asset : NULL;
}

/* Returns whether a name has no directory part and is not hidden. */
static bool asset_is_plain(const char *name)
{
    return name[0] != '.' && name[0] != '\0' && !strchr(name, '/');
}

/*
 * Returns the media type of a file of the page that may have been added after the library was
 * built: the type of an embedded file with the same ending.
 */
static const char *asset_find_type(const char *name)
{
    const char *ending = strrchr(name, '.');
    for (const struct gt_asset *asset = gt_asset_table; ending && asset->name; asset++) {
        if (strcmp(strrchr(asset->name, '.'), ending) == 0)
            return asset->type;
    }
    return "application/octet-stream";
}

static void asset_send_file(const char *directory, const char *name, struct gt_response *response)
{
    char path[PATH_ROOM], piece[COPY_SIZE];
    size_t size;
    bool is_good = asset_is_plain(name) &&
                   snprintf(path, sizeof(path), "%s/%s", directory, name) < (int) sizeof(path);
    FILE *file = is_good ? fopen(path, "rb") : NULL;
    if (!file) {
        gt_response_error(response, 404, "there is no such file");
        return;
    }
    gt_response_stream(response);
    gt_response_set_type(response, asset_find_type(name));
    while ((size = fread(piece, 1, sizeof(piece), file)) > 0)
        gt_response_bytes(response, piece, size);
    fclose(file);
}

/*
 * Sends a page. What it links to, below "static/", is found below "static/VERSION/", so that
 * browsers can keep it: the next version of a file has another address, and so have the modules
 * that it imports.
 */
static void asset_send_page(const struct gt_asset *asset, struct gt_response *response)
{
    static const char link[] = "=\"static/";
    const char *text = (const char *) asset->data, *found;
    gt_response_set_type(response, asset->type);
    while ((found = strstr(text, link)) != NULL) {
        gt_response_bytes(response, text, (size_t) (found - text));
        gt_response_text(response, link);
        gt_response_text(response, gt_asset_version);
        gt_response_text(response, "/");
        text = found + strlen(link);
    }
    gt_response_text(response, text);
}

static bool asset_is_page(const struct gt_asset *asset)
{
    return strcmp(strrchr(asset->name, '.'), ".html") == 0;
}

static void asset_send(const struct gt_web *web, const char *name, struct gt_response *response)
{
    const struct gt_asset *asset = asset_find(name);
    if (web->options.page_directory) {
        asset_send_file(web->options.page_directory, name, response);
    } else if (!asset) {
        gt_response_error(response, 404, "there is no such file");
    } else if (asset_is_page(asset)) {
        asset_send_page(asset, response);
    } else {
        gt_response_set_type(response, asset->type);
        gt_response_bytes(response, asset->data, asset->size);
    }
}

/* Takes the version off the name of a file in "VERSION/NAME", and returns whether there was one. */
static bool asset_skip_version(const char **name)
{
    size_t length = strlen(gt_asset_version);
    bool has_version = strncmp(*name, gt_asset_version, length) == 0 && (*name)[length] == '/';
    *name += has_version ? length + 1 : 0;
    return has_version;
}

void gt_web_serve_static(struct gt_web *web, struct gt_query *query)
{
    const char *name = query->request->path + strlen("/static/");
    if (asset_skip_version(&name) && !web->options.page_directory)
        gt_response_keep(query->response);
    asset_send(web, name, query->response);
}

void gt_web_serve_timeline_page(struct gt_web *web, struct gt_query *query)
{
    asset_send(web, "timeline.html", query->response);
}

void gt_web_serve_icon(struct gt_web *web, struct gt_query *query)
{
    asset_send(web, "icon.svg", query->response);
}

void gt_web_serve_page(struct gt_web *web, struct gt_query *query)
{
    asset_send(web, "page.html", query->response);
}

void gt_web_serve_compare_page(struct gt_web *web, struct gt_query *query)
{
    if (web->options.comparison_url)
        gt_web_serve_page(web, query);
    else
        gt_response_error(query->response, 404, "there is no comparison");
}
