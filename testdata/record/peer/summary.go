// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"internal/trace"
	"io"
	"maps"
	"os"
	"slices"
	"time"
)

// spent is where time went, with the keys that `gotrace summary` prints.
type spent struct {
	Exec, SchedWait, Syscall, SyscallBlock, Total time.Duration
	Block, Range                                  map[string]time.Duration
}

func spentBy(s trace.GoroutineExecStats) spent {
	r := spent{s.ExecTime, s.SchedWaitTime, s.SyscallTime, s.SyscallBlockTime, s.TotalTime,
		s.BlockTimeByReason, s.RangeTime}
	// A region that was left open on a goroutine of the runtime's has none.
	if r.Block == nil {
		r.Block = map[string]time.Duration{}
	}
	if r.Range == nil {
		r.Range = map[string]time.Duration{}
	}
	return r
}

// summary prints what Go's summarizer makes of the events before the end or an error.
func summary(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	reader, err := trace.NewReader(bufio.NewReader(file))
	if err != nil {
		return err
	}
	// The summarizer keeps pointers to events.
	summarizer := trace.NewSummarizer()
	var failure error
	for {
		event, err := reader.ReadEvent()
		if err != nil {
			if err != io.EOF {
				failure = err
			}
			break
		}
		summarizer.Event(&event)
	}
	return cmp.Or(failure, printSummary(summarizer.Finalize()))
}

func printSummary(s *trace.Summary) error {
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	for _, id := range slices.Sorted(maps.Keys(s.Goroutines)) {
		g := s.Goroutines[id]
		lines.Encode(map[string]any{"g": id, "name": g.Name, "pc": g.PC, "created": g.CreationTime,
			"start": g.StartTime, "end": g.EndTime, "stats": spentBy(g.GoroutineExecStats)})
		for _, r := range g.Regions {
			lines.Encode(map[string]any{"g": id, "region": r.Name, "task": r.TaskID,
				"hasStart": r.Start != nil, "hasEnd": r.End != nil,
				"stats": spentBy(r.GoroutineExecStats)})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Tasks)) {
		t := s.Tasks[id]
		parent := trace.NoTask
		if t.Parent != nil {
			parent = t.Parent.ID
		}
		lines.Encode(map[string]any{"task": id, "name": t.Name, "parent": parent,
			"logs": len(t.Logs), "regions": len(t.Regions), "goroutines": len(t.Goroutines),
			"complete": t.Complete()})
	}
	return out.Flush()
}
