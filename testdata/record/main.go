// SPDX-License-Identifier: BSD-3-Clause

// Record runs one small program, a shape, under runtime/trace and writes its
// execution trace.
//
//	record -o FILE SHAPE
//
// Without a shape it lists those that this Go can record.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/trace"
	"sort"
)

// traced are shapes to run from the trace's start to its stop.
var traced = map[string]func(){
	"chan":    channels,
	"cpu":     cpuSamples,
	"gc":      collect,
	"gens":    generations,
	"idle":    func() {},
	"many":    many,
	"mix":     mix,
	"net":     network,
	"procs":   procs,
	"stacks":  stacks,
	"stw":     stopTheWorld,
	"strings": oddStrings,
	"sync":    synchronise,
	"syscall": systemCalls,
	"tasks":   tasks,
	"thread":  lockedThreads,
	"exit":    exit,
}

// tracing are shapes that start and stop the trace, written to the path, themselves.
var tracing = map[string]func(path string) error{
	"cut":     cut,
	"gcgens":  collectAcross,
	"restart": restart,
}

func main() {
	out := flag.String("o", "out.trace", "where the trace goes")
	flag.Parse()
	name := flag.Arg(0)
	if name == "" {
		list()
		return
	}
	var err error
	if f, ok := traced[name]; ok {
		err = record(*out, f)
	} else if f, ok := tracing[name]; ok {
		err = f(*out)
	} else {
		err = fmt.Errorf("no shape %q", name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func list() {
	var names []string
	for n := range traced {
		names = append(names, n)
	}
	for n := range tracing {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Println(n)
	}
}

func record(path string, f func()) error {
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := trace.Start(w); err != nil {
		return err
	}
	f()
	trace.Stop()
	return w.Close()
}

// check ends the program where the set-up of a shape fails.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
