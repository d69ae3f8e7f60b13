# SPDX-License-Identifier: BSD-3-Clause
#
# Draws what a program's events cost as traces grow, from what bench.py's curves print:
#
#   gnuplot -e "table='FILE'; picture='docs/pictures/curves.png'" tests/bench/curves.gnuplot
#
# With lines=4 too, where it was measured without Go's reader.

if (!exists('lines')) lines = 5
set terminal pngcairo size 960,640 font 'DejaVu Sans,10'
set output picture
set multiplot layout 2,3
set logscale xy
set grid ytics lc rgb '#dddddd'
set border 3
set tics nomirror
set yrange [1:2000]
set format x '10^{%T}'
set ylabel 'ns an event'
set style data linespoints
set key off

of(name) = sprintf("< grep '^%s ' %s", name, table)
column_of = "4 5 6 7 9"
title_of = "floor events events2 getters Go"
color_of = "#999999 #0a6ebd #3fa34d #b8860b #c0392b"

do for [name in "threads procs goroutines generations bytes"] {
    set xlabel name
    plot for [i = 1:lines] of(name) using 2:int(word(column_of, i)) \
        lc rgb word(color_of, i) pt 7 ps 0.5 lw 1.5 title word(title_of, i)
}

unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set key center center vertical samplen 3 spacing 1.6
set xrange [0:1]
set yrange [0:1]
plot for [i = 1:lines] -1 with linespoints lc rgb word(color_of, i) pt 7 ps 0.5 lw 1.5 \
    title word(title_of, i)
unset multiplot
