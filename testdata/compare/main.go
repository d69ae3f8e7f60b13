// SPDX-License-Identifier: BSD-3-Clause

// Compare runs a small shop under runtime/trace, as it is or with one change, for
// gotrace compare to find.
//
//	compare -o FILE [-for TIME] plain|slow|lock|memory
//
// slow makes the function in region "price" slower, lock holds the lock on the
// stock for longer, and memory allocates more for each order. Orders wait for
// timers more than for a processor, so that a busy machine changes little.
package main

import (
	"context"
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"sync"
	"time"
)

type shop struct {
	stock sync.Mutex
	price time.Duration
	held  time.Duration
	bytes int
}

var sink [2][]byte

func (s *shop) order(worker int) {
	ctx, task := trace.NewTask(context.Background(), "checkout")
	defer task.End()
	trace.WithRegion(ctx, "price", func() { time.Sleep(s.price) })
	trace.WithRegion(ctx, "reserve", func() {
		s.stock.Lock()
		defer s.stock.Unlock()
		time.Sleep(s.held)
	})
	for n := 0; n < s.bytes; n += 16 << 10 {
		sink[worker] = make([]byte, 16<<10)
	}
}

func (s *shop) serve(worker int, end time.Time) {
	for time.Now().Before(end) {
		s.order(worker)
		time.Sleep(2 * time.Millisecond)
	}
}

func main() {
	out := flag.String("o", "", "the trace")
	length := flag.Duration("for", 400*time.Millisecond, "how long to serve")
	flag.Parse()
	s := &shop{price: 2 * time.Millisecond, bytes: 16 << 10}
	switch flag.Arg(0) {
	case "slow":
		s.price = 6 * time.Millisecond
	case "lock":
		s.held = 2 * time.Millisecond
	case "memory":
		s.bytes = 128 << 10
	}
	file, err := os.Create(*out)
	if err != nil {
		panic(err)
	}
	debug.SetGCPercent(50)
	runtime.GOMAXPROCS(2)
	if err := trace.Start(file); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	end := time.Now().Add(*length)
	for i := 0; i < len(sink); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.serve(i, end)
		}()
	}
	wg.Wait()
	trace.Stop()
	file.Close()
}
