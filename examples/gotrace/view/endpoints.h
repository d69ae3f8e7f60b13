/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_ENDPOINTS_H
#define VIEW_ENDPOINTS_H

/*
 * The endpoints, each in the file of its family. All are http_handlers, and `view` is a
 * struct view.
 */

#include "../http/server.h"

/* All of them, for http_server_open. */
extern const struct http_route view_routes[];

/* assets.c: the pages, /static/NAME, and what browsers ask for on other pages */
http_handler view_page;
http_handler view_timeline_page;
http_handler view_static;
http_handler view_icon;

/* trace.c, rows.c, tiles.c, span.c, arrows.c, marks.c, gc.c, minimap.c, counters.c */
http_handler view_trace;
http_handler view_rows;
http_handler view_row;
http_handler view_tiles;
http_handler view_span;
http_handler view_arrows;
http_handler view_marks;
http_handler view_gc;
http_handler view_minimap;
http_handler view_counters;
http_handler view_counters_at;

/* area.c, flame.c, search.c */
http_handler view_area;
http_handler view_area_csv;
http_handler view_flame;
http_handler view_flame_pprof;
http_handler view_search;

/* groups.c, tasks.c, regions.c */
http_handler view_groups;
http_handler view_group;
http_handler view_tasks;
http_handler view_task;
http_handler view_regions;
http_handler view_region;

/* mmu.c, profile.c, jsontrace.c */
http_handler view_mmu;
http_handler view_mmu_worst;
http_handler view_profile;
http_handler view_profile_page;
http_handler view_jsontrace;

#endif
