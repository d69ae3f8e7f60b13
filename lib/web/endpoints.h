/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ENDPOINTS_H
#define GT_WEB_ENDPOINTS_H

/* The handlers of all endpoints. Each is defined in one of the files that are named above it. */

#include "web/route.h"

/* The routes of all endpoints for reading, and of those for changing. */
extern const struct gt_web_route gt_web_route_table[], gt_web_change_table[];
/* Both tables, for gt_routes_answer. */
extern const struct gt_web_routes gt_web_routes;

/* assets.c: the pages, the files below /static/, and the icon that browsers request */
gt_web_handler gt_web_serve_page;
gt_web_handler gt_web_serve_compare_page;
gt_web_handler gt_web_serve_timeline_page;
gt_web_handler gt_web_serve_static;
gt_web_handler gt_web_serve_icon;

/* trace.c, rows.c, activity.c, tiles.c, span.c, arrows.c, marks.c, gc.c, minimap.c, counters.c */
gt_web_handler gt_web_serve_trace;
gt_web_handler gt_web_serve_rows;
gt_web_handler gt_web_serve_row;
gt_web_handler gt_web_serve_activity;
gt_web_handler gt_web_serve_tiles;
gt_web_handler gt_web_serve_span;
gt_web_handler gt_web_serve_arrows;
gt_web_handler gt_web_serve_losses;
gt_web_handler gt_web_serve_mark;
gt_web_handler gt_web_serve_marks;
gt_web_handler gt_web_serve_gc;
gt_web_handler gt_web_serve_minimap;
gt_web_handler gt_web_serve_counters;
gt_web_handler gt_web_serve_counters_at;

/* area.c, areaperfetto.c, areatrace.c, flame.c, search.c, search_table.c */
gt_web_handler gt_web_serve_area;
gt_web_handler gt_web_serve_area_csv;
gt_web_handler gt_web_serve_area_perfetto;
gt_web_handler gt_web_serve_area_trace;
gt_web_handler gt_web_serve_flame;
gt_web_handler gt_web_serve_flame_pprof;
gt_web_handler gt_web_serve_search;
gt_web_handler gt_web_serve_search_table;
gt_web_handler gt_web_serve_search_csv;

/* notes.c; the latter is for POST */
gt_web_handler gt_web_serve_notes;
gt_web_handler gt_web_change_notes;
gt_web_handler gt_web_change_live;

/* groups.c, tasks.c, regions.c */
gt_web_handler gt_web_serve_groups;
gt_web_handler gt_web_serve_group;
gt_web_handler gt_web_serve_tasks;
gt_web_handler gt_web_serve_task;
gt_web_handler gt_web_serve_regions;
gt_web_handler gt_web_serve_region;

/* contention.c, findings.c, gcpage.c, mmu.c, profile.c, jsontrace.c, why.c */
gt_web_handler gt_web_serve_contention;
gt_web_handler gt_web_serve_report;
gt_web_handler gt_web_serve_gc_cycles;
gt_web_handler gt_web_serve_gc_stops;
gt_web_handler gt_web_serve_gc_summary;
gt_web_handler gt_web_serve_mmu;
gt_web_handler gt_web_serve_mmu_worst;
gt_web_handler gt_web_serve_profile;
gt_web_handler gt_web_serve_profile_page;
gt_web_handler gt_web_serve_jsontrace;
gt_web_handler gt_web_serve_why;

#endif
