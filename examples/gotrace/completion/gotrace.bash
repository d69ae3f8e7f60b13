# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2207
#
# Completion of gotrace for bash, with or without the package bash-completion.

# Made by generate.py.
_gotrace_commands="view record symbolize dump stat json perfetto check wire text encode cut
    split merge convert anonymize downgrade footprint mmu pprof summary goroutines latency why
    compare report columns page help version"

# Sets `options` to those of the command $1; one that takes a value ends in "=".
_gotrace_options()
{
    options=
    case $1 in
    view)
        options+="--keep= --every= --http= --no-open --allow-open --no-notes --upload-limit= "
        options+="--web= --frame-ancestors= --source-url= --perfetto-ui= --lenient "
        options+="--one-thread --follow --pid= --idle= --save= --as-recorded --binary= "
        ;;
    record)
        options+="-o= --output= --stack= --sample= --unwind= --only= --no-children --memory= "
        options+="--wait --flight= --dump-on= --delay= --duration= --start-on= --stop-on= "
        options+="--agent= "
        ;;
    symbolize)
        options+="-o= --output= --root= --tool= --progress --no-progress "
        ;;
    dump)
        options+="--lenient --one-thread --threads= --follow --pid= --idle= --save= "
        options+="--as-recorded --binary= --raw --progress --no-progress "
        ;;
    stat)
        options+="--json --strict --lenient --one-thread --threads= --follow --pid= --idle= "
        options+="--save= --as-recorded --binary= --raw --progress --no-progress "
        ;;
    json)
        options+="--view= --goid= --taskid= --focustask= --start= --end= --parts --part-size= "
        options+="--exact --lenient --one-thread --threads= --save= --as-recorded --binary= "
        options+="--raw --progress --no-progress "
        ;;
    perfetto)
        options+="--procs --threads --no-wakes --samples= --no-clock --pid= --name= --start= "
        options+="--end= --goid= --taskid= -o= --output= --lenient --one-thread --save= "
        options+="--as-recorded --binary= --raw --progress --no-progress "
        ;;
    check)
        options+="--coarse-clock --quiet --strict --lenient --one-thread --threads= --follow "
        options+="--pid= --idle= --save= --as-recorded --binary= --raw --progress "
        options+="--no-progress "
        ;;
    wire)
        options+="--raw --progress --no-progress "
        ;;
    text)
        options+="--raw --progress --no-progress "
        ;;
    encode)
        options+="--set-sizes "
        ;;
    cut)
        options+="--start= --end= --goroutine= --task= --region= --tasks -o= --output= "
        options+="--lenient --progress --no-progress "
        ;;
    split)
        options+="--every= --generations= --size= --files= -o= --output= --lenient --progress "
        options+="--no-progress "
        ;;
    merge)
        options+="-o= --output= "
        ;;
    convert)
        options+="--go= --wall= -o= --output= --lenient --progress --no-progress "
        ;;
    anonymize)
        options+="--key= --logs= -o= --output= --lenient --progress --no-progress "
        ;;
    downgrade)
        options+="-o= --output= --lenient --progress --no-progress "
        ;;
    mmu)
        options+="--flags= --windows= --quantiles --worst= --json --csv --lenient "
        options+="--one-thread --threads= --save= --as-recorded --binary= --raw --progress "
        options+="--no-progress "
        ;;
    pprof)
        options+="--text --all --goroutine= --region= --latency-min= --latency-max= --lenient "
        options+="--one-thread --threads= --save= --as-recorded --binary= --raw --progress "
        options+="--no-progress "
        ;;
    summary)
        options+="--lenient --one-thread --threads= --save= --as-recorded --binary= --raw "
        options+="--progress --no-progress "
        ;;
    goroutines)
        options+="--sort= --percentiles= --json --csv --lenient --one-thread --threads= "
        options+="--save= --as-recorded --binary= --raw --progress --no-progress "
        ;;
    latency)
        options+="--histogram --unblocks --stacks --top= --json --csv --lenient --one-thread "
        options+="--threads= --save= --as-recorded --binary= --raw --progress --no-progress "
        ;;
    why)
        options+="--task= --region= --group= --goroutine= --start= --end= --percentile= "
        options+="--stacks --top= --history= --json --csv --lenient --one-thread --threads= "
        options+="--save= --as-recorded --binary= --raw --progress --no-progress "
        ;;
    compare)
        options+="--all --stacks --json --fail-if= --http --address= --no-open --lenient "
        options+="--one-thread --threads= --save= --as-recorded --binary= --raw --progress "
        options+="--no-progress "
        ;;
    report)
        options+="--set= --thresholds --json --lenient --one-thread --threads= --save= "
        options+="--as-recorded --binary= --raw --progress --no-progress "
        ;;
    columns)
        options+="-o= --output= --service= --version= --host= --meta= --tables= --level= "
        options+="--format= --plain -j= --jobs= --schema --sql= --one-thread --threads= "
        options+="--as-recorded --binary= --raw --progress --no-progress "
        ;;
    page)
        options+="-o= --output= --viewer= "
        ;;
    esac
}

# Sets `words` to what the value of the option $2 of the command $1 may be, or without
# $2 the first operand. See command.h.
_gotrace_words()
{
    words=
    case $1:$2 in
    record:) words="<file>" ;;
    encode:) words="<file>" ;;
    pprof:) words="net sync syscall sched cpu offcpu wall" ;;
    help:) words="<command>" ;;
    version:) words="<nothing>" ;;
    view:--web) words="<directory>" ;;
    *:--save) words="<file>" ;;
    *:--binary) words="<file>" ;;
    record:-o|record:--output) words="<file>" ;;
    record:--unwind) words="tables pointers" ;;
    record:--only) words="<list> sync net sleep syscall" ;;
    record:--dump-on) words="USR1 USR2 HUP" ;;
    record:--start-on) words="USR1 USR2 HUP" ;;
    record:--stop-on) words="USR1 USR2 HUP" ;;
    record:--agent) words="<file>" ;;
    *:-o|*:--output) words="<file>" ;;
    symbolize:--root) words="<directory>" ;;
    symbolize:--tool) words="addr2line llvm-symbolizer" ;;
    json:--view) words="proc thread goroutine" ;;
    perfetto:--samples) words="instant stack both" ;;
    split:-o|split:--output) words="<file>" ;;
    convert:--go) words="1.22 1.23 1.24 1.25 1.26 1.27" ;;
    anonymize:--logs) words="drop hash keep" ;;
    mmu:--flags) words="<list> stw background assist sweep perproc exact" ;;
    goroutines:--sort) words="count execution sched-wait block syscall syscall-block gc unknown total name" ;;
    goroutines:--percentiles) words="<list> execution sched-wait block syscall syscall-block gc unknown total" ;;
    columns:-o|columns:--output) words="<directory>" ;;
    columns:--tables) words="<list> traces generations goroutines goroutine_states proc_states ranges gc_cycles regions tasks logs metrics samples waits latency stacks frames events" ;;
    columns:--level) words="fleet full" ;;
    columns:--format) words="parquet csv" ;;
    columns:--sql) words="duckdb clickhouse spark" ;;
    page:-o|page:--output) words="<file>" ;;
    page:--viewer) words="<file>" ;;
    esac
}
# End of what generate.py made.

# Offers traces, or all files if no name looks like that of a trace.
_gotrace_files()
{
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -X '!*.@(trace|out)' -- "$1"))
    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$1"))
    COMPREPLY+=($(compgen -d -- "$1"))
    COMPREPLY=($(printf '%s\n' "${COMPREPLY[@]}" | sort -u))
    compopt -o filenames 2>/dev/null
}

# Offers the words in $1 after the last comma of $2.
_gotrace_list()
{
    local before=
    case $2 in
    *,*) before=${2%,*}, ;;
    esac
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${2##*,}"))
    compopt -o nospace 2>/dev/null
}

# Offers what begins with $2 of the words that _gotrace_words says.
_gotrace_offer()
{
    case $1 in
    "<file>") COMPREPLY=($(compgen -f -- "$2")) && compopt -o filenames 2>/dev/null ;;
    "<directory>") COMPREPLY=($(compgen -d -- "$2")) && compopt -o filenames 2>/dev/null ;;
    "<command>") COMPREPLY=($(compgen -W "$_gotrace_commands" -- "$2")) ;;
    "<nothing>") ;;
    "<list> "*) _gotrace_list "${1#<list> }" "$2" ;;
    *) COMPREPLY=($(compgen -W "$1" -- "$2")) ;;
    esac
}

# Counts the operands before the word that is completed. The value of an option may be a word of
# its own, or, where bash splits at "=", the second one after it.
_gotrace_count_operands()
{
    local index
    operands=0
    for ((index = 2; index < COMP_CWORD; index++)); do
        case " $options" in
        *" ${COMP_WORDS[index]}= "*)
            [ "${COMP_WORDS[index + 1]}" != "=" ] || ((index++))
            ((index++))
            continue
            ;;
        esac
        [[ ${COMP_WORDS[index]} == -* ]] || ((operands++))
    done
}

_gotrace()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options words operands
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        _gotrace_files "$current"
        COMPREPLY+=($(compgen -W "$_gotrace_commands --help --version" -- "$current"))
        return
    fi

    # bash splits "--view=proc" into three words, and "--view=" into two.
    if [ "$current" = "=" ]; then
        current=
    elif [ "$previous" = "=" ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _gotrace_options "$command"
    case " $options" in
    *" $previous= "*)
        _gotrace_words "$command" "$previous"
        [ -z "$words" ] || _gotrace_offer "$words" "$current"
        return
        ;;
    esac

    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$current"))
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
        return
    fi
    _gotrace_count_operands
    _gotrace_words "$command" ""
    if [ -n "$words" ] && { [ "$operands" -eq 0 ] || [ "$words" = "<nothing>" ]; }; then
        _gotrace_offer "$words" "$current"
    else
        _gotrace_files "$current"
    fi
}

complete -F _gotrace gotrace
