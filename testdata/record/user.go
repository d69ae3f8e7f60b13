// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"runtime/trace"
	"strings"
	"sync"
)

// tasks: a tree of tasks over goroutines; nested regions, some never ended;
// logs; tasks that end elsewhere, twice, or never.
func tasks() {
	root, rootTask := trace.NewTask(context.Background(), "root")
	trace.Log(root, "phase", "begin")
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		ctx, task := trace.NewTask(root, fmt.Sprintf("job %d", i))
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			job(ctx, i)
			if i != 2 {
				task.End()
			}
		}(i)
	}
	wg.Wait()
	trace.WithRegion(context.Background(), "no task", func() {
		trace.Log(context.Background(), "background", "no task either")
	})
	trace.Log(root, "", "no category")
	trace.Log(root, "no message", "")
	rootTask.End()
	rootTask.End()
}

func job(ctx context.Context, i int) {
	outer := trace.StartRegion(ctx, "outer")
	trace.WithRegion(ctx, "inner", func() {
		trace.Logf(ctx, "step", "i=%d", i)
		trace.WithRegion(ctx, "inner", func() {})
	})
	outer.End()
	sub, subTask := trace.NewTask(ctx, "sub")
	done := make(chan bool)
	go func() {
		defer close(done)
		defer trace.StartRegion(sub, "child").End()
		subTask.End()
	}()
	<-done
	if i == 1 {
		trace.StartRegion(ctx, "never ended")
	}
}

// oddStrings: strings at the format's limits, and with odd bytes.
func oddStrings() {
	background := context.Background()
	for _, n := range []int{0, 1, 127, 128, 1023, 1024, 1025, 5000} {
		ctx, task := trace.NewTask(background, strings.Repeat("t", n))
		trace.Log(ctx, strings.Repeat("k", n), strings.Repeat("v", n))
		trace.WithRegion(ctx, strings.Repeat("r", n), func() {})
		task.End()
	}
	// A character that the limit cuts in two.
	trace.Log(background, "cut", strings.Repeat("e", 1023)+"\u00e9")
	for _, s := range []string{
		"\x00", "a\x00b", "\x01\x02\x1b[31m", "line\nbreak\r\ttab", "\x7f\x80\xff\xfe",
		"\xed\xa0\x80", "\xf4\x90\x80\x80", "\u00e9\u4e16\u754c\U0001f600", "\u200b\u2028\ufeff",
		`"quoted" \ 'and' <tag> & ${var} %s`, " spaces ", "\u0301combining",
	} {
		trace.Log(background, "odd", s)
		trace.Log(background, s, "odd")
		trace.WithRegion(background, s, func() {})
	}
}
