// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package main

import (
	"log"
	"net/http"
	"runtime/trace"
)

// startRecorder keeps the last seconds, which /flight sends.
func startRecorder() {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	if err := recorder.Start(); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/flight", func(w http.ResponseWriter, r *http.Request) {
		if _, err := recorder.WriteTo(w); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}
