// SPDX-License-Identifier: BSD-3-Clause

// Known runs one of twenty small programs, of which it is known whether they
// have a fault and which, under runtime/trace.
//
//	known -o FILE NAME
//
// It writes the trace to FILE. Without a name it lists the programs. The
// environment says how many processors there are, by GOMAXPROCS.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/trace"
	"sort"
	"time"
)

// What the programs do, by name.
var programs = map[string]func(){}

func main() {
	out := flag.String("o", "", "the trace")
	flag.Parse()
	if flag.NArg() == 0 {
		list()
		return
	}
	run, ok := programs[flag.Arg(0)]
	if !ok {
		fmt.Fprintln(os.Stderr, "known: no such program")
		os.Exit(2)
	}
	file, err := os.Create(*out)
	if err != nil {
		panic(err)
	}
	if err := trace.Start(file); err != nil {
		panic(err)
	}
	run()
	trace.Stop()
	if err := file.Close(); err != nil {
		panic(err)
	}
}

func list() {
	var names []string
	for name := range programs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Println(name)
	}
}

// compute takes this much time of a processor, if it gets one for itself.
func compute(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
	}
}
