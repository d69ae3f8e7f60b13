# SPDX-License-Identifier: BSD-3-Clause
#
# Completion of gotrace for fish.

# Whether the command is one of the arguments.
function __gotrace_command_is
    set -l words (commandline -poc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# Whether the command is $argv[1], and has no operand yet. The other arguments are its options
# that take a value, which may be a word of its own.
function __gotrace_needs_word
    set -l words (commandline -poc)
    set -l is_value 0
    __gotrace_command_is $argv[1]; or return 1
    for word in $words[3..-1]
        if test $is_value -eq 1
            set is_value 0
        else if contains -- $word $argv[2..-1]
            set is_value 1
        else if not string match -q -- '-*' $word
            return 1
        end
    end
    return 0
end

# Lists with commas in between: what is there, and one more word.
function __gotrace_list
    set -l before (string match -r '^.*,' -- (commandline -ct | string replace -r '^--[a-z]+=' ''))
    printf '%s\n' $before$argv
end

complete -c gotrace -f
complete -c gotrace -n __fish_use_subcommand -l version -d 'Print the version'
complete -c gotrace -l help -d 'Explain the command'

# Made by generate.py.
complete -c gotrace -n __fish_use_subcommand -a view \
    -d 'Show traces in a browser'
complete -c gotrace -n __fish_use_subcommand -a record \
    -d 'Record a program in C or C++'
complete -c gotrace -n __fish_use_subcommand -a symbolize \
    -d 'Add files, lines and inlined functions to recorded stacks'
complete -c gotrace -n __fish_use_subcommand -a dump \
    -d 'Print every event'
complete -c gotrace -n __fish_use_subcommand -a stat \
    -d 'Print an overview of the trace'
complete -c gotrace -n __fish_use_subcommand -a json \
    -d 'Convert the trace for a trace viewer'
complete -c gotrace -n __fish_use_subcommand -a perfetto \
    -d 'Convert traces for Perfetto, with stacks'
complete -c gotrace -n __fish_use_subcommand -a check \
    -d 'Check that the events are consistent'
complete -c gotrace -n __fish_use_subcommand -a wire \
    -d 'Print every record'
complete -c gotrace -n __fish_use_subcommand -a text \
    -d 'Convert a trace to text'
complete -c gotrace -n __fish_use_subcommand -a encode \
    -d 'Convert text to a trace'
complete -c gotrace -n __fish_use_subcommand -a cut \
    -d 'Write a stretch of a trace as a trace'
complete -c gotrace -n __fish_use_subcommand -a split \
    -d 'Split a trace into traces that follow each other'
complete -c gotrace -n __fish_use_subcommand -a merge \
    -d 'Join traces that follow each other'
complete -c gotrace -n __fish_use_subcommand -a convert \
    -d 'Write a trace for another version of Go'
complete -c gotrace -n __fish_use_subcommand -a anonymize \
    -d 'Write a trace without names of the program'
complete -c gotrace -n __fish_use_subcommand -a downgrade \
    -d 'Write a trace in the format of Go 1.21'
complete -c gotrace -n __fish_use_subcommand -a footprint \
    -d 'Print how much space the records take'
complete -c gotrace -n __fish_use_subcommand -a mmu \
    -d 'Print how much CPU time garbage collection leaves to the program'
complete -c gotrace -n __fish_use_subcommand -a pprof \
    -d 'Write a profile of where goroutines spend their time'
complete -c gotrace -n __fish_use_subcommand -a summary \
    -d 'Print where goroutines, regions and tasks spent their time'
complete -c gotrace -n __fish_use_subcommand -a goroutines \
    -d 'Print where goroutines spent their time, by start function'
complete -c gotrace -n __fish_use_subcommand -a latency \
    -d 'Print how long goroutines wait, and for whom'
complete -c gotrace -n __fish_use_subcommand -a why \
    -d 'Print what tasks, regions or goroutines spent their time on'
complete -c gotrace -n __fish_use_subcommand -a compare \
    -d 'Print what differs between traces, the worst first'
complete -c gotrace -n __fish_use_subcommand -a report \
    -d 'Print what is wrong with the program, the worst first'
complete -c gotrace -n __fish_use_subcommand -a columns \
    -d 'Write traces as tables, in Parquet files for query engines'
complete -c gotrace -n __fish_use_subcommand -a page \
    -d 'Write the viewer as a page that needs no server'
complete -c gotrace -n __fish_use_subcommand -a help \
    -d 'Explain a command'
complete -c gotrace -n __fish_use_subcommand -a version \
    -d 'Print the version'

# The first operand, where it is no trace.
complete -c gotrace \
    -n '__gotrace_needs_word pprof --goroutine --region --latency-min --latency-max --threads --save --binary' \
    -a 'net sync syscall sched cpu offcpu wall'
complete -c gotrace -n '__gotrace_command_is help' \
    -a 'view record symbolize dump stat json perfetto check wire text encode cut split merge
        convert anonymize downgrade footprint mmu pprof summary goroutines latency why compare
        report columns page help version'

# Traces; those whose names say so come first.
complete -c gotrace \
    -n 'not __gotrace_command_is help version; and not __gotrace_needs_word pprof --goroutine --region --latency-min --latency-max --threads --save --binary' \
    -k -a '(__fish_complete_suffix .trace)'

# Options.
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l keep -x -d 'With --follow: show the newest TIME'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l every -x -d 'Take another trace from the URL each TIME'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l http -x -d 'Listen at HOST:PORT'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l no-open -d 'Open no browser'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l allow-open -d 'Let the page open traces even if other machines can reach it'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l no-notes -d 'Keep no notes in files'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l upload-limit -x -d 'The largest trace that the page may open'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l web -x -a '(__fish_complete_directories)' -d 'Take the files of the page from a directory'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l frame-ancestors -x -d 'Let pages of these sites show the viewer in a frame'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l source-url -x -d 'Make frames links to source files'
complete -c gotrace \
    -n '__gotrace_command_is view' \
    -l perfetto-ui -x -d 'Let the page open timelines in Perfetto at URL'
complete -c gotrace \
    -n '__gotrace_command_is view dump json perfetto cut split convert anonymize downgrade mmu pprof summary goroutines latency why compare report' \
    -l lenient -d 'Repair what can be repaired'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat json perfetto check mmu pprof summary goroutines latency why compare report columns' \
    -l one-thread -d 'Do not read ahead in a second thread'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat check' \
    -l follow -d 'Wait at the end of the file for more'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat check' \
    -l pid -x -d 'End when this process has ended'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat check' \
    -l idle -x -d 'End when nothing has come for this time'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat json perfetto check mmu pprof summary goroutines latency why compare report' \
    -l save -r -F -d 'Keep what comes in this file'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat json perfetto check mmu pprof summary goroutines latency why compare report columns' \
    -l as-recorded -d 'Include events that Go\'s own reader drops'
complete -c gotrace \
    -n '__gotrace_command_is view dump stat json perfetto check mmu pprof summary goroutines latency why compare report columns' \
    -l binary -r -F -d 'Take names from the program that was traced'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -s o -l output -r -F -d 'The file that is written'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l stack -x -d 'The most frames of stacks'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l sample -x -d 'CPU samples in a second of processor time'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l unwind -x -a 'tables pointers' -d 'How stacks are found'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l only -x -a '(__gotrace_list sync net sleep syscall)' -d 'The kinds of waits that are recorded'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l no-children -d 'Record only the process that is started, not those that it forks and programs that these execute'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l memory -x -d 'The most memory in MiB'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l wait -d 'Let the program wait until events are written where memory becomes scarce, instead of ending the recording'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l flight -x -d 'Keep only the newest TIME'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l dump-on -x -a 'USR1 USR2 HUP' -d 'With --flight: write a trace at this signal'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l delay -x -d 'Record nothing in the first TIME'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l duration -x -d 'Record for TIME'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l start-on -x -a 'USR1 USR2 HUP' -d 'Begin to record at this signal'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l stop-on -x -a 'USR1 USR2 HUP' -d 'Stop recording at this signal'
complete -c gotrace \
    -n '__gotrace_command_is record' \
    -l agent -r -F -d 'The agent'
complete -c gotrace \
    -n '__gotrace_command_is symbolize perfetto cut merge convert anonymize downgrade' \
    -s o -l output -r -F -d 'Write to this file'
complete -c gotrace \
    -n '__gotrace_command_is symbolize' \
    -l root -x -a '(__fish_complete_directories)' -d 'Where the program and its libraries are'
complete -c gotrace \
    -n '__gotrace_command_is symbolize' \
    -l tool -x -a 'addr2line llvm-symbolizer' -d 'Addr2line or llvm-symbolizer'
complete -c gotrace \
    -n '__gotrace_command_is symbolize dump stat json perfetto check wire text cut split convert anonymize downgrade mmu pprof summary goroutines latency why compare report columns' \
    -l progress -d 'Show progress even without a terminal'
complete -c gotrace \
    -n '__gotrace_command_is symbolize dump stat json perfetto check wire text cut split convert anonymize downgrade mmu pprof summary goroutines latency why compare report columns' \
    -l no-progress -d 'Do not show progress'
complete -c gotrace \
    -n '__gotrace_command_is dump stat json check mmu pprof summary goroutines latency why compare report columns' \
    -l threads -x -d 'The number of threads'
complete -c gotrace \
    -n '__gotrace_command_is dump stat json perfetto check wire text mmu pprof summary goroutines latency why compare report columns' \
    -l raw -d 'Print names as they are even to a terminal'
complete -c gotrace \
    -n '__gotrace_command_is stat' \
    -l json -d 'As one JSON object'
complete -c gotrace \
    -n '__gotrace_command_is stat check' \
    -l strict -d 'End at the first fault'
complete -c gotrace \
    -n '__gotrace_command_is stat check' \
    -l lenient -d 'Report every repair, and exit with 0'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l view -x -a 'proc thread goroutine' -d 'What a row is'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l goid -x -d 'A goroutine and those that unblocked it'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l taskid -x -d 'A task, its subtasks and their goroutines'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l focustask -x -d 'A task above the rows of the view'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l start -x -d 'Only the events from number N on'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l end -x -d 'Only the events up to number N'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l parts -d 'Print the parts that a viewer can hold instead'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l part-size -x -d 'Bytes of a part'
complete -c gotrace \
    -n '__gotrace_command_is json' \
    -l exact -d 'Draw also what go tool trace leaves out'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l procs -d 'Draw also procs, with what ran on them'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l threads -d 'Draw also threads, by the system\'s ids'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l no-wakes -d 'Leave out which goroutine woke or created which'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l samples -x -a 'instant stack both' -d 'How CPU samples are written'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l no-clock -d 'Leave out the clocks'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l pid -x -d 'The id of the process'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l name -x -d 'The name of the process'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l start -x -d 'The first time to draw'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l end -x -d 'The last time to draw'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l goid -x -d 'A goroutine and those that unblocked it'
complete -c gotrace \
    -n '__gotrace_command_is perfetto' \
    -l taskid -x -d 'A task, its subtasks and their goroutines'
complete -c gotrace \
    -n '__gotrace_command_is check' \
    -l coarse-clock -d 'Allow clock snapshots to be equal'
complete -c gotrace \
    -n '__gotrace_command_is check' \
    -l quiet -d 'Print nothing'
complete -c gotrace \
    -n '__gotrace_command_is encode' \
    -l set-sizes -d 'Set the size in each EventBatch'
complete -c gotrace \
    -n '__gotrace_command_is cut' \
    -l start -x -d 'The first time to write'
complete -c gotrace \
    -n '__gotrace_command_is cut' \
    -l end -x -d 'The last time to write'
complete -c gotrace \
    -n '__gotrace_command_is cut' \
    -l goroutine -x -d 'Details of these goroutines only'
complete -c gotrace \
    -n '__gotrace_command_is cut' \
    -l task -x -d 'Details of these tasks only'
complete -c gotrace \
    -n '__gotrace_command_is cut' \
    -l region -x -d 'Details of regions of this type only'
complete -c gotrace \
    -n '__gotrace_command_is cut' \
    -l tasks -d 'Begin tasks anew that began before'
complete -c gotrace \
    -n '__gotrace_command_is split' \
    -l every -x -d 'How much time a file covers'
complete -c gotrace \
    -n '__gotrace_command_is split' \
    -l generations -x -d 'How many generations a file gets'
complete -c gotrace \
    -n '__gotrace_command_is split' \
    -l size -x -d 'How large a file may be'
complete -c gotrace \
    -n '__gotrace_command_is split' \
    -l files -x -d 'How many files may be written'
complete -c gotrace \
    -n '__gotrace_command_is split' \
    -s o -l output -r -F -d 'The name of the files without their number'
complete -c gotrace \
    -n '__gotrace_command_is convert' \
    -l go -x -a '1.22 1.23 1.24 1.25 1.26 1.27' -d 'The version of Go whose tools read it'
complete -c gotrace \
    -n '__gotrace_command_is convert' \
    -l wall -x -d 'When the trace began'
complete -c gotrace \
    -n '__gotrace_command_is anonymize' \
    -l key -x -d 'The key of the hashes'
complete -c gotrace \
    -n '__gotrace_command_is anonymize' \
    -l logs -x -a 'drop hash keep' -d 'What becomes of log messages'
complete -c gotrace \
    -n '__gotrace_command_is mmu' \
    -l flags -x -a '(__gotrace_list stw background assist sweep perproc exact)' -d 'What counts as time of the collector'
complete -c gotrace \
    -n '__gotrace_command_is mmu' \
    -l windows -x -d 'How many window lengths'
complete -c gotrace \
    -n '__gotrace_command_is mmu' \
    -l quantiles -d 'Also the worst 0.1, 1 and 5 % of all windows'
complete -c gotrace \
    -n '__gotrace_command_is mmu' \
    -l worst -x -d 'When the ten worst windows of a length begin'
complete -c gotrace \
    -n '__gotrace_command_is mmu goroutines latency why' \
    -l json -d 'As JSON'
complete -c gotrace \
    -n '__gotrace_command_is mmu goroutines latency why' \
    -l csv -d 'As CSV'
complete -c gotrace \
    -n '__gotrace_command_is pprof' \
    -l text -d 'Print lines of text instead'
complete -c gotrace \
    -n '__gotrace_command_is pprof' \
    -l all -d 'Count every wait, not only those that go tool trace counts'
complete -c gotrace \
    -n '__gotrace_command_is pprof' \
    -l goroutine -x -d 'Only goroutines with a start function'
complete -c gotrace \
    -n '__gotrace_command_is pprof' \
    -l region -x -d 'Only what happened in regions of a type'
complete -c gotrace \
    -n '__gotrace_command_is pprof' \
    -l latency-min -x -d 'Only regions that lasted at least so long'
complete -c gotrace \
    -n '__gotrace_command_is pprof' \
    -l latency-max -x -d 'Only regions that lasted at most so long'
complete -c gotrace \
    -n '__gotrace_command_is goroutines' \
    -l sort -x -a 'count execution sched-wait block syscall syscall-block gc unknown total name' -d 'Sort by a column'
complete -c gotrace \
    -n '__gotrace_command_is goroutines' \
    -l percentiles -x -a '(__gotrace_list execution sched-wait block syscall syscall-block gc unknown total)' -d 'Add percentiles'
complete -c gotrace \
    -n '__gotrace_command_is latency' \
    -l histogram -d 'Count the durations in each power of two'
complete -c gotrace \
    -n '__gotrace_command_is latency' \
    -l unblocks -d 'Print who ended whose waits, and how often'
complete -c gotrace \
    -n '__gotrace_command_is latency' \
    -l stacks -d 'With --unblocks, by stack'
complete -c gotrace \
    -n '__gotrace_command_is latency' \
    -l top -x -d 'Up to N rows of each kind'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l task -x -d 'All tasks of a type'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l region -x -d 'All regions of a type'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l group -x -d 'All goroutines of a start function'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l goroutine -x -d 'The path of one goroutine'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l start -x -d 'Where the path begins'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l end -x -d 'Where the path ends'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l percentile -x -d 'Compare the slow ones with those in the middle'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l stacks -d 'By stack, innermost function first'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l top -x -d 'Up to N rows'
complete -c gotrace \
    -n '__gotrace_command_is why' \
    -l history -x -d 'How much of the past to keep'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l all -d 'Also print the differences that may be noise or are too small to matter'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l stacks -d 'Also compare by stack, without lines, so that stacks match across builds'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l json -d 'As one JSON object; times are in nanoseconds'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l fail-if -x -d 'End with exit code 3 if a condition holds'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l http -d 'Show the comparison in a browser, with the timelines of the traces'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l address -x -d 'With --http: listen at HOST:PORT'
complete -c gotrace \
    -n '__gotrace_command_is compare' \
    -l no-open -d 'With --http: open no browser'
complete -c gotrace \
    -n '__gotrace_command_is report' \
    -l set -x -d 'Change thresholds'
complete -c gotrace \
    -n '__gotrace_command_is report' \
    -l thresholds -d 'Print the thresholds'
complete -c gotrace \
    -n '__gotrace_command_is report' \
    -l json -d 'As JSON'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -s o -l output -x -a '(__fish_complete_directories)' -d 'The folder of the tables'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l service -x -d 'The program that was traced'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l version -x -d 'The version of that program'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l host -x -d 'The host on which it ran'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l meta -x -d 'More that is known of the traces'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l tables -x -a '(__gotrace_list traces generations goroutines goroutine_states proc_states ranges gc_cycles regions tasks logs metrics samples waits latency stacks frames events)' -d 'Write only these tables'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l level -x -a 'fleet full' -d 'Fleet or full: which tables to write'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l format -x -a 'parquet csv' -d 'Parquet or csv'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l plain -d 'Write numbers as they are and do not compress, for readers that know little of Parquet'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -s j -l jobs -x -d 'How many dates to work on at once'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l schema -d 'Print the tables and their columns'
complete -c gotrace \
    -n '__gotrace_command_is columns' \
    -l sql -x -a 'duckdb clickhouse spark' -d 'Print statements for duckdb, clickhouse or spark'
complete -c gotrace \
    -n '__gotrace_command_is page' \
    -s o -l output -r -F -d 'The HTML file, or the folder'
complete -c gotrace \
    -n '__gotrace_command_is page' \
    -l viewer -r -F -d 'The page gotrace.html of a build'
# End of what generate.py made.
