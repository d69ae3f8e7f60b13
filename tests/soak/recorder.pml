/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A model of how threads come to agree on who has a goroutine when recording starts:
 * lib/recorder/section.h and gt_recorder_begin_strict. Two threads start the same goroutine, which
 * is runnable, stop it, or are in a system call with it, while a third one starts recording.
 *
 * A word is a state, the generation of its last change and the thread that changed it. The reader
 * of the trace is modelled by `holder`: once an event says that a goroutine runs on a thread, only
 * events of that thread say otherwise. The names of faults, such as NO_STRICT, plant them; each has
 * to be found.
 */

#define OFF    0
#define STRICT 1
#define ON     2

#define RUNNABLE 0
#define RUNNING  1

#define CLOSED 0
#define OPEN   1
#define STOLEN 2

#define NOBODY 9

#ifdef NO_TAG
#define TAG(i) 0
#else
#define TAG(i) (i)
#endif

#define WORD(state, number, tag) ((state) * 64 + (number) * 8 + (tag))
#define STATE(word)              ((word) / 64)
#define NUMBER(word)             (((word) / 8) % 8)

/* The number of the generation, and what is done in it: they change in one step. */
byte number = 1, mode = OFF;
byte word = WORD(RUNNABLE, 0, 0);
byte sections[2], claim[2], call[2];
bool has[2];
byte holder = NOBODY;

inline enter()
{
    atomic {
        sections[i]++;
        n = number;
        m = mode;
    }
}

inline leave()
{
    sections[i]++;
}

/* The first event of a thread in a generation that is recorded is preceded by an exchange. */
inline settle()
{
    atomic {
        if
        :: m == ON && has[i] && NUMBER(claim[i]) != n ->
#ifdef NO_EXCHANGE
            if
            :: true ->
#else
            if
            :: word == claim[i] ->
#endif
                word = WORD(RUNNING, n, i);
                claim[i] = word;
                assert(holder == NOBODY);
                holder = i;
#ifndef NO_EXCHANGE
            :: else -> has[i] = false;
#endif
            fi
        :: else -> skip;
        fi
    }
}

/* Changes the word of what the thread has. Afterwards `is_own` tells whether it had it. */
inline set_own(next)
{
#ifdef NO_STRICT_EXCHANGE
    if
    :: true -> atomic { assert(holder == NOBODY || holder == i); word = next; is_own = true; }
    fi
#else
    if
    :: m == STRICT ->
        atomic {
            is_own = (word == claim[i]);
            if
            :: is_own -> assert(holder == NOBODY || holder == i); word = next;
            :: else -> skip;
            fi
        }
    :: else -> atomic { assert(holder == NOBODY || holder == i); word = next; is_own = true; }
    fi
#endif
}

inline start()
{
    enter();
    seen = word;
    if
    :: NUMBER(seen) > n || STATE(seen) != RUNNABLE -> skip;
    :: else ->
        if
        :: m == OFF ->
            atomic {
                assert(holder == NOBODY);
                word = WORD(RUNNING, n, TAG(i));
                claim[i] = word;
                has[i] = true;
            }
        :: else ->
            atomic {
                if
                :: word == seen ->
                    word = WORD(RUNNING, n, TAG(i));
                    claim[i] = word;
                    has[i] = true;
                    if
                    :: m == ON -> assert(holder == NOBODY); holder = i;
                    :: else -> skip;
                    fi
                :: else -> skip;
                fi
            }
        fi
    fi
    leave();
}

inline stop()
{
    enter();
    settle();
    if
    :: has[i] ->
        has[i] = false;
        atomic {
            if
            :: m == ON -> assert(holder == i); assert(word == claim[i]);
            :: else -> skip;
            fi
        }
        if
        :: m == ON -> atomic { holder = NOBODY; word = WORD(RUNNABLE, n, 7); }
        :: else -> set_own(WORD(RUNNABLE, n, 7));
        fi
    :: else -> skip;
    fi
    leave();
}

inline begin_call()
{
    enter();
    settle();
    if
    :: has[i] ->
        set_own(WORD(RUNNING, n, TAG(i)));
        if
        :: is_own -> claim[i] = WORD(RUNNING, n, TAG(i)); call[i] = OPEN;
        :: else -> has[i] = false;
        fi
    :: else -> skip;
    fi
    leave();
}

/* A recording cannot tell of a call in which the thread has a proc but no goroutine. */
inline end_call()
{
    enter();
    atomic {
        if
        :: call[i] == OPEN && m == ON -> assert(word == claim[i]);
        :: else -> skip;
        fi
        call[i] = CLOSED;
    }
    settle();
    leave();
}

proctype rival(byte i)
{
    byte n, m, seen;
    bool is_own;
    start();
    if
    :: has[i] ->
        if
        :: true -> begin_call();
            if
            :: call[i] != CLOSED -> end_call();
            :: else -> skip;
            fi
        :: true -> skip;
        fi
        stop();
    :: else -> skip;
    fi
}

/* Waits until no thread is in a section in which it was. */
inline wait()
{
    before[0] = sections[0];
    (before[0] % 2 == 0 || sections[0] != before[0]);
    before[1] = sections[1];
    (before[1] % 2 == 0 || sections[1] != before[1]);
}

inline take_call(which)
{
    atomic {
        if
        :: call[which] == OPEN && word != claim[which] -> call[which] = STOLEN;
        :: else -> skip;
        fi
    }
}

proctype recorder()
{
    byte before[2];
#ifndef NO_STRICT
    atomic { number = 2; mode = STRICT; }
    wait();
#ifndef ONE_WAIT
    wait();
#endif
#ifndef NO_PART
    take_call(0);
    take_call(1);
#endif
#endif
    atomic { number = 3; mode = ON; }
    wait();
}

init {
    atomic {
        run rival(0);
        run rival(1);
        run recorder();
    }
}
