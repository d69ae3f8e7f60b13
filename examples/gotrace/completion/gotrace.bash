# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2207
#
# Completion of gotrace for bash, with or without the package bash-completion.
# tests/install/completion_test.py holds the tables against what `gotrace help` says.

# Sets `options` to those of the command $1; one that takes a value ends in "=".
_gotrace_options()
{
    local input="--lenient --one-thread --as-recorded --binary="
    case $1 in
    view) options="--http= --no-open --web= $input" ;;
    dump) options=$input ;;
    stat) options="--json --strict $input" ;;
    json)
        options="--view= --goid= --taskid= --focustask= --start= --end= --parts --part-size="
        options+=" --exact $input"
        ;;
    check) options="--coarse-clock --quiet --strict $input" ;;
    encode) options="--set-sizes" ;;
    mmu) options="--flags= --windows= --quantiles --worst= --json --csv $input" ;;
    pprof)
        options="--text --goroutine= --region= --latency-min= --latency-max= $input"
        ;;
    summary) options=$input ;;
    goroutines) options="--sort= --percentiles= --json --csv $input" ;;
    latency) options="--histogram --unblocks --stacks --top= --json --csv $input" ;;
    *) options= ;;
    esac
}

# Traces, or any files where there are none with a name that says so.
_gotrace_files()
{
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -X '!*.@(trace|out)' -- "$1"))
    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$1"))
    COMPREPLY+=($(compgen -d -- "$1"))
    COMPREPLY=($(printf '%s\n' "${COMPREPLY[@]}" | sort -u))
    compopt -o filenames 2>/dev/null
}

# What follows the last comma of $2 is one of the words in $1.
_gotrace_list()
{
    local before=
    case $2 in
    *,*) before=${2%,*}, ;;
    esac
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${2##*,}"))
    compopt -o nospace 2>/dev/null
}

# The value $3 of the option $2 of the command $1.
_gotrace_value()
{
    local times="execution sched-wait block syscall syscall-block gc unknown total"
    case $1:$2 in
    view:--web) COMPREPLY=($(compgen -d -- "$3")) && compopt -o filenames 2>/dev/null ;;
    *:--binary) COMPREPLY=($(compgen -f -- "$3")) && compopt -o filenames 2>/dev/null ;;
    json:--view) COMPREPLY=($(compgen -W "proc thread goroutine" -- "$3")) ;;
    mmu:--flags) _gotrace_list "stw background assist sweep perproc exact" "$3" ;;
    goroutines:--sort) COMPREPLY=($(compgen -W "count $times name" -- "$3")) ;;
    goroutines:--percentiles) _gotrace_list "$times" "$3" ;;
    esac
}

_gotrace()
{
    local commands="view dump stat json check wire text encode footprint mmu pprof summary
        goroutines latency help version"
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options operands=0 index
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        _gotrace_files "$current"
        COMPREPLY+=($(compgen -W "$commands --help --version" -- "$current"))
        return
    fi

    # "--view=proc" comes as three words, and "--view=" as two.
    if [ "$current" = "=" ]; then
        current=
    elif [ "$previous" = "=" ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _gotrace_options "$command"
    case " $options " in
    *" $previous= "*)
        _gotrace_value "$command" "$previous" "$current"
        return
        ;;
    esac

    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$current"))
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
        return
    fi
    for ((index = 2; index < COMP_CWORD; index++)); do
        [[ ${COMP_WORDS[index]} == -* ]] || ((operands++))
    done
    case $command in
    help) COMPREPLY=($(compgen -W "$commands" -- "$current")) ;;
    version) ;;
    pprof)
        if [ "$operands" -eq 0 ]; then
            COMPREPLY=($(compgen -W "net sync syscall sched cpu offcpu wall" -- "$current"))
        else
            _gotrace_files "$current"
        fi
        ;;
    *) _gotrace_files "$current" ;;
    esac
}

complete -F _gotrace gotrace
