// SPDX-License-Identifier: BSD-3-Clause

// Report runs one small program with a planted fault, or its mended twin, under
// runtime/trace, and measures by itself what gotrace report should find.
//
//	report -o FILE NAME planted|mended
//
// It writes the trace to FILE and what it has measured to standard output, as
// lines with the name of a finding and its figure. Without a name it lists the
// programs.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"sort"
	"time"
)

// A program does something with its fault, or without it. The setup, if any, is
// what happens before the trace begins. What it measures goes to the map.
type program struct {
	procs int
	setup func(planted bool)
	run   func(planted bool, measured map[string]float64)
}

var programs = map[string]program{}

func main() {
	out := flag.String("o", "", "the trace")
	victim := flag.Int("throttle", 0, "a process to stop in parts of each 100 ms")
	other := flag.Int("suspend", 0, "a process to stop once")
	flag.Parse()
	if *victim != 0 {
		throttle(*victim)
		return
	}
	if *other != 0 {
		suspend(*other)
		return
	}
	if flag.NArg() != 2 {
		var names []string
		for name := range programs {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Println(name)
		}
		return
	}
	p, ok := programs[flag.Arg(0)]
	planted := flag.Arg(1) == "planted"
	if !ok {
		fmt.Fprintln(os.Stderr, "report: no such program")
		os.Exit(2)
	}
	file, err := os.Create(*out)
	if err != nil {
		panic(err)
	}
	runtime.GOMAXPROCS(p.procs)
	if p.setup != nil {
		p.setup(planted)
	}
	measured := map[string]float64{}
	if err := trace.Start(file); err != nil {
		panic(err)
	}
	p.run(planted, measured)
	trace.Stop()
	if err := file.Close(); err != nil {
		panic(err)
	}
	var lines []string
	for name, figure := range measured {
		lines = append(lines, fmt.Sprintf("%s %.17g", name, figure))
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}

// spin keeps a processor busy.
func spin(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
	}
}

// p99 is the least duration that 99 % do not exceed.
func p99(list []time.Duration) float64 {
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return float64(list[(len(list)*99+99)/100-1])
}
