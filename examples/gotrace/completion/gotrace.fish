# SPDX-License-Identifier: BSD-3-Clause
#
# Completion of gotrace for fish. tests/install/completion_test.py holds the tables against
# what `gotrace help` says.

# Whether the command is one of the arguments.
function __gotrace_command_is
    set -l words (commandline -poc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# Whether the kind of the profile is still to be given.
function __gotrace_needs_kind
    set -l words (commandline -poc)
    __gotrace_command_is pprof; and not string match -qv -- '-*' $words[3..-1]
end

# Lists with commas: what is there, and one word more.
function __gotrace_list
    set -l before (string match -r '^.*,' -- (commandline -ct | string replace -r '^--[a-z]+=' ''))
    printf '%s\n' $before$argv
end

set -l times execution sched-wait block syscall syscall-block gc unknown total

complete -c gotrace -f
complete -c gotrace -n __fish_use_subcommand -l version -d 'Print the version'
complete -c gotrace -l help -d 'Say how to use it'

# The commands, in the order of the help.
set -l first -c gotrace -n __fish_use_subcommand -a
complete $first view -d 'Show the trace in a browser'
complete $first dump -d 'Print every event'
complete $first stat -d 'Say what is in the trace'
complete $first json -d 'Draw the trace for a trace viewer'
complete $first check -d 'Look for what no trace may have in it'
complete $first wire -d 'Print every record'
complete $first text -d 'Turn a trace into text'
complete $first encode -d 'Turn text into a trace'
complete $first footprint -d 'Say how much space the records take'
complete $first mmu -d 'Say how much the garbage collector leaves to the program'
complete $first pprof -d 'Profile what goroutines spend their time with'
complete $first summary -d 'Say where goroutines, regions and tasks spent their time'
complete $first goroutines -d 'Say what goroutines spent their time on, by start function'
complete $first latency -d 'Say how long goroutines wait, and for whom'
complete $first help -d 'Say how to use a command'
complete $first version -d 'Print the version'

complete -c gotrace -n '__gotrace_command_is help' -a 'view dump stat json check wire text encode
    footprint mmu pprof summary goroutines latency help version'

# Traces, those first whose names say so.
complete -c gotrace -n 'not __gotrace_command_is help version; and not __gotrace_needs_kind' \
    -k -a '(__fish_complete_suffix .trace)'

# Options that commands share.
set -l input -c gotrace -n '__gotrace_command_is view dump stat json check mmu pprof summary \
    goroutines latency'
complete $input -l lenient -d 'Repair what can be repaired'
complete $input -l one-thread -d 'Do not read ahead in a second thread'
complete $input -l as-recorded -d 'Give also what Go\'s own reader drops'
complete $input -l binary -r -F -d 'Take names from the program that was traced'

set -l table -c gotrace -n '__gotrace_command_is mmu goroutines latency'
complete $table -l json -d 'As JSON'
complete $table -l csv -d 'As CSV'

set -l view -c gotrace -n '__gotrace_command_is view'
complete $view -l http -x -d 'Listen at HOST:PORT'
complete $view -l no-open -d 'Open no browser'
complete $view -l web -x -a '(__fish_complete_directories)' -d 'Take the page\'s files from there'

complete -c gotrace -n '__gotrace_command_is stat' -l json -d 'As one JSON object'
complete -c gotrace -n '__gotrace_command_is stat check' -l strict \
    -d 'End at the first fault'

set -l json -c gotrace -n '__gotrace_command_is json'
complete $json -l view -x -a 'proc thread goroutine' -d 'What a row is'
complete $json -l goid -x -d 'A goroutine and those that unblocked it'
complete $json -l taskid -x -d 'A task and its goroutines'
complete $json -l focustask -x -d 'A task above the rows of the view'
complete $json -l start -x -d 'Only the events from the Nth'
complete $json -l end -x -d 'Only the events to the Nth'
complete $json -l parts -d 'Instead the parts that a viewer can hold'
complete $json -l part-size -x -d 'Bytes of a part'
complete $json -l exact -d 'Draw also what go tool trace leaves out'

set -l check -c gotrace -n '__gotrace_command_is check'
complete $check -l coarse-clock -d 'Allow clock snapshots to be equal'
complete $check -l quiet -d 'Print nothing'

complete -c gotrace -n '__gotrace_command_is encode' -l set-sizes \
    -d 'Put into each EventBatch its size'

set -l mmu -c gotrace -n '__gotrace_command_is mmu'
complete $mmu -l flags -x -d 'What counts' \
    -a '(__gotrace_list stw background assist sweep perproc exact)'
complete $mmu -l windows -x -d 'How many lengths'
complete $mmu -l quantiles -d 'The same of the worst windows'
complete $mmu -l worst -x -d 'When the worst windows of a length begin'

complete -c gotrace -n __gotrace_needs_kind -a 'net sync syscall sched cpu offcpu wall'
set -l pprof -c gotrace -n '__gotrace_command_is pprof'
complete $pprof -l text -d 'Lines instead'
complete $pprof -l goroutine -x -d 'Only goroutines of a function'
complete $pprof -l region -x -d 'Only what was in regions of a type'
complete $pprof -l latency-min -x -d 'Only regions that lasted as long'
complete $pprof -l latency-max -x -d 'Only regions that lasted at most as long'

set -l goroutines -c gotrace -n '__gotrace_command_is goroutines'
complete $goroutines -l sort -x -a "count $times name" -d 'Sort by a column'
complete $goroutines -l percentiles -x -a "(__gotrace_list $times)" -d 'Add percentiles'

set -l latency -c gotrace -n '__gotrace_command_is latency'
complete $latency -l histogram -d 'How many durations in each power of two'
complete $latency -l unblocks -d 'Who ended whose waits how often'
complete $latency -l stacks -d 'With --unblocks, by stack'
complete $latency -l top -x -d 'Up to N rows of each kind'
