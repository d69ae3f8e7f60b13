// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"fmt"
	"internal/trace"
	"io"
	"os"
	"time"
)

// mmu prints the curves that `gotrace mmu` prints.
func mmu(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	r, err := trace.NewReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	var events []trace.Event
	for {
		ev, err := r.ReadEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		events = append(events, ev)
	}
	const usual = trace.UtilSTW | trace.UtilBackground | trace.UtilAssist
	for _, set := range []struct {
		name  string
		flags trace.UtilFlags
	}{
		{"stw+background+assist", usual},
		{"stw+background+assist+sweep", usual | trace.UtilSweep},
		{"stw", trace.UtilSTW},
		{"perproc stw+background+assist", usual | trace.UtilPerProc},
	} {
		curve := trace.NewMMUCurve(trace.MutatorUtilizationV2(events, set.flags))
		for window := time.Microsecond; window <= time.Second; window *= 10 {
			fmt.Printf("%s window=%v mmu=%.9f\n", set.name, window, curve.MMU(window))
		}
	}
	return nil
}
