// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package main

import (
	"context"
	"os"
	"runtime/trace"
	"time"
)

func init() { tracing["flight"] = flight }

// flight: a flight recorder's snapshot, which starts in the middle of things.
func flight(path string) error {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 8 * time.Millisecond})
	if err := recorder.Start(); err != nil {
		return err
	}
	ctx, task := trace.NewTask(context.Background(), "before the snapshot")
	region := trace.StartRegion(ctx, "before the snapshot")
	for i := 0; i < 20; i++ {
		done := make(chan bool)
		go func() { channels(); close(done) }()
		<-done
	}
	region.End()
	task.End()
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := recorder.WriteTo(w); err != nil {
		return err
	}
	recorder.Stop()
	return w.Close()
}
