// SPDX-License-Identifier: BSD-3-Clause

// What bench_recorder measures, with Go's own tracer: nanoseconds of processor time that an event
// adds to the program, each with a stack of 8 frames, and bytes an event.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"syscall"
)

const rounds = 1000000

type counter struct{ bytes int }

func (c *counter) Write(data []byte) (int, error) {
	c.bytes += len(data)
	return len(data), nil
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

//go:noinline
func deep(frames int, call func()) int {
	if frames > 0 {
		return 1 + deep(frames-1, call)
	}
	for i := 0; i < rounds; i++ {
		call()
	}
	return 1
}

func measure(call func()) float64 {
	before := cpu()
	deep(5, call)
	return (cpu() - before) / rounds
}

func main() {
	runtime.GOMAXPROCS(1)
	ctx := context.Background()
	calls := []struct {
		name string
		call func()
	}{
		{"stop, start", runtime.Gosched},
		{"call", func() { syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) }},
		{"region", func() { trace.StartRegion(ctx, "region").End() }},
	}
	off := make([]float64, len(calls))
	for i, c := range calls {
		off[i] = measure(c.call)
	}
	var output counter
	if err := trace.Start(&output); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i, c := range calls {
		fmt.Printf("go   %s %.1f ns\n", c.name, (measure(c.call)-off[i])/2)
	}
	trace.Stop()
	fmt.Printf("go   %.2f bytes an event\n", float64(output.bytes)/float64(2*len(calls)*rounds))
}
