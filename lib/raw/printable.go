// SPDX-License-Identifier: BSD-3-Clause

//go:build ignore

// Writes printable.h: which code points Go's %q leaves as they are. Run it with
// the newest Go release:
//
//	go run printable.go > printable.h
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"unicode"
)

type span struct{ first, last rune }

func printable() []span {
	var spans []span
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !strconv.IsPrint(r) {
			continue
		}
		if n := len(spans); n > 0 && spans[n-1].last == r-1 {
			spans[n-1].last = r
		} else {
			spans = append(spans, span{r, r})
		}
	}
	return spans
}

func main() {
	const perLine = 4
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	spans := printable()
	fmt.Fprintf(out, "/* SPDX-License-Identifier: BSD-3-Clause */\n")
	fmt.Fprintf(out, "/* Made by printable.go; do not edit. Unicode %s. */\n", unicode.Version)
	fmt.Fprintf(out, "#ifndef GT_RAW_PRINTABLE_H\n#define GT_RAW_PRINTABLE_H\n\n#include <stdint.h>\n\n")
	fmt.Fprintf(out, "/* The first and the last of each run of printable code points. */\n")
	fmt.Fprintf(out, "static const uint32_t printable_runs[%d][2] = {\n", len(spans))
	for i, s := range spans {
		lead, end := " ", ""
		if i%perLine == 0 {
			lead = "    "
		}
		if i%perLine == perLine-1 || i == len(spans)-1 {
			end = "\n"
		}
		fmt.Fprintf(out, "%s{0x%05x, 0x%05x},%s", lead, s.first, s.last, end)
	}
	fmt.Fprintf(out, "};\n\n#endif\n")
}
