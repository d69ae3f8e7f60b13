# SPDX-License-Identifier: BSD-3-Clause
"""The library's functions as include/gotrace/*.h declares them: result, then arguments.

Pointers are c_void_p, except where ctypes has to read what they point to.
"""

from ctypes import POINTER, c_char_p, c_double, c_int, c_uint, c_void_p
from ctypes import c_int64 as i64
from ctypes import c_size_t as size
from ctypes import c_uint32 as u32
from ctypes import c_uint64 as u64

from . import structures as c

p = c_void_p
status = c_int

GOTRACE = {
    "gt_library_version": (c_uint,),
    "gt_library_version_text": (c_char_p,),
    "gt_status_text": (c_char_p, status),
    "gt_event_kind_name": (c_char_p, u32),
    "gt_go_state_name": (c_char_p, u32),
    "gt_proc_state_name": (c_char_p, u32),
    "gt_resource_kind_name": (c_char_p, u32),
    "gt_string_quote": (size, p, p, size),
    "gt_string_escape_json": (size, p, p, size),
    "gt_error_format": (size, p, p, size),
    "gt_duration_format": (size, i64, p, size),
    "gt_duration_parse": (status, c_char_p, p),
    "gt_wall_clock_format": (size, i64, u32, c_int, p, size),

    "gt_reader_open_memory": (status, p, p, size, p, p),
    "gt_reader_open_file": (status, p, c_char_p, p, p),
    "gt_reader_open_fd": (status, p, c_int, p, p),
    "gt_reader_open_callback": (status, p, c.read_fn, p, p, p),
    "gt_reader_open_push": (status, p, p, p),
    "gt_reader_feed": (status, p, c_char_p, size),
    "gt_reader_finish": (status, p),
    "gt_reader_close": (None, p),
    "gt_reader_next_event": (status, p, p),
    "gt_reader_error": (status, p, p),
    "gt_reader_get_info": (status, p, p),
    "gt_stack_frames": (status, p, u64, p, size, p),
    "gt_stack_view": (status, p, u64, p, p),

    "gt_event_stack": (u64, p),
    "gt_event_metric": (status, p, p),
    "gt_event_label": (status, p, p),
    "gt_event_range": (status, p, p),
    "gt_event_range_attribute": (status, p, u32, p, p),
    "gt_event_task": (status, p, p),
    "gt_event_region": (status, p, p),
    "gt_event_log": (status, p, p),
    "gt_event_transition": (status, p, p),
    "gt_event_sync": (status, p, p),
    "gt_event_experimental_batch": (status, p, u32, p),
    "gt_event_experimental": (status, p, p),
    "gt_event_experimental_argument": (status, p, u32, p, p),
    "gt_event_wall_clock": (status, p, p, p),

    "gt_summary_time_sum": (i64, i64, i64),
    "gt_summary_open": (status, p, p),
    "gt_summary_event": (status, p, p, p),
    "gt_summary_finish": (status, p),
    "gt_summary_goroutines": (POINTER(POINTER(c.gt_goroutine_summary)), p, p),
    "gt_summary_tasks": (POINTER(POINTER(c.gt_task_summary)), p, p),
    "gt_summary_find_goroutine": (POINTER(c.gt_goroutine_summary), p, i64),
    "gt_summary_find_task": (POINTER(c.gt_task_summary), p, u64),
    "gt_summary_get_info": (status, p, p),
    "gt_summary_close": (None, p),

    "gt_profile_kind_name": (c_char_p, u32),
    "gt_profile_open": (status, p, p),
    "gt_profile_event": (status, p, p, p),
    "gt_profile_finish": (status, p),
    "gt_profile_count": (size, p, u32),
    "gt_profile_get_sample": (status, p, u32, size, p),
    "gt_profile_get_info": (status, p, p),
    "gt_profile_write_pprof": (status, p, u32, c.write_fn, p),
    "gt_profile_close": (None, p),

    "gt_mmu_flag_name": (c_char_p, u64),
    "gt_mmu_flag_find": (u64, c.gt_string),
    "gt_mmu_open": (status, p, p),
    "gt_mmu_close": (None, p),
    "gt_mmu_event": (status, p, p),
    "gt_mmu_finish": (status, p),
    "gt_mmu_range": (status, p, p, p),
    "gt_mmu_series": (status, p, size, p, p),
    "gt_mmu_minimum": (status, p, i64, p),
    "gt_mmu_quantiles": (status, p, i64, p, size, p),
    "gt_mmu_worst": (status, p, i64, p, p),

    "gt_latency_kind_name": (c_char_p, u32),
    "gt_latency_group_name": (c_char_p, u32),
    "gt_latency_open": (status, p, p),
    "gt_latency_event": (status, p, p, p),
    "gt_latency_finish": (status, p),
    "gt_latency_series_count": (size, p),
    "gt_latency_get_series": (status, p, size, p),
    "gt_latency_quantile": (status, p, size, c_double, p),
    "gt_latency_next_bucket": (status, p, size, p),
    "gt_latency_next_pair_bucket": (status, p, size, p),
    "gt_latency_pair_count": (size, p),
    "gt_latency_get_pair": (status, p, size, p),
    "gt_latency_pair_frames": (status, p, size, u32, p, size, p),
    "gt_latency_pair_quantile": (status, p, size, c_double, p),
    "gt_latency_get_info": (status, p, p),
    "gt_latency_close": (None, p),

    "gt_rule_text": (c_char_p, u32),
    "gt_validator_open": (status, p, p),
    "gt_validator_event": (status, p, p, p),
    "gt_validator_count": (u64, p),
    "gt_validator_finding": (status, p, u64, p),
    "gt_validator_close": (None, p),
}

VIEWER = {
    "gt_emitter_open": (status, p, p, p),
    "gt_emitter_close": (None, p),
    "gt_emitter_stack": (status, p, p, size, p),
    "gt_emitter_slice": (status, p, p),
    "gt_emitter_task_slice": (status, p, p),
    "gt_emitter_async_slice": (status, p, p),
    "gt_emitter_instant": (status, p, p),
    "gt_emitter_arrow": (status, p, p),
    "gt_emitter_task_arrow": (status, p, p),
    "gt_emitter_count_goroutine": (status, p, i64, u32, u32),
    "gt_emitter_count_threads": (status, p, i64, u32, i64),
    "gt_emitter_heap": (status, p, i64, u64),
    "gt_emitter_heap_goal": (status, p, i64, u64),
    "gt_emitter_counter": (status, p, p),
    "gt_emitter_name_section": (status, p, u32, c.gt_string),
    "gt_emitter_name_resource": (status, p, u64, c.gt_string),
    "gt_emitter_focus": (status, p, u64),
    "gt_emitter_name_task": (status, p, u64, c.gt_string, i64),
    "gt_emitter_event": (status, p, p, c_int),
    "gt_emitter_follow_go": (status, p),
    "gt_emitter_flush": (status, p),
    "gt_emitter_error": (status, p, p),
    "gt_emitter_is_consistent": (c_int, p),
    "gt_emitter_get_info": (status, p, p),

    "gt_json_writer_open": (status, p, c.write_fn, p, p),
    "gt_json_writer_consumer": (status, p, p),
    "gt_json_writer_status": (status, p),
    "gt_json_writer_close": (None, p),
    "gt_splitter_open": (status, p, u64, p),
    "gt_splitter_consumer": (status, p, p),
    "gt_splitter_status": (status, p),
    "gt_splitter_parts": (POINTER(c.gt_part), p, p),
    "gt_splitter_close": (None, p),
}

TIMELINE = {
    "gt_selector_open": (status, p, u32, u64, p),
    "gt_selector_close": (None, p),
    "gt_selector_event": (status, p, p),
    "gt_selector_finish": (status, p),
    "gt_selector_apply": (status, p, p),
    "gt_timeline_open": (status, p, p, p, p),
    "gt_timeline_close": (None, p),
    "gt_timeline_event": (status, p, p),
    "gt_timeline_finish": (status, p),
    "gt_timeline_get_info": (status, p, p),
}
