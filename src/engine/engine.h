// SPDX-License-Identifier: GPL-3.0-or-later
//
// UCI engines as child processes: a pool that answers questions about positions.
//
// Engines crash, hang, flood and lie; nobody who asks here feels it. Each question is answered
// exactly once: with moves that were checked against the rules, or with the reason why there are
// none. A process that dies, falls silent, talks without end or answers with an illegal move is
// killed and started again, and its question is asked anew (up to ENGINE_ATTEMPTS times).
//
// The pool has one thread of its own, which talks to all processes. Questions come from any thread;
// answers are given on the pool's thread: the callback hands them over and returns.
//
// Only positions that src/chess accepted reach an engine (Debian's Stockfish 15.1 dies on some
// illegal ones), and a position without legal moves is refused here.
#ifndef JADOUBE_ENGINE_ENGINE_H
#define JADOUBE_ENGINE_ENGINE_H

#include <jadoube/chess.h>

#define ENGINE_PROCESSES_MAX 64
#define ENGINE_LINES_MAX 8   // variations of one answer (MultiPV)
#define ENGINE_LINE_PLIES 24 // plies kept of each
#define ENGINE_QUEUE_MAX 4096
#define ENGINE_ATTEMPTS 3
#define ENGINE_NAME_SIZE 64

typedef struct EnginePool EnginePool;

// Words for the operator's journal: starts, crashes, silences, lies. On the pool's thread.
typedef void (*EngineNoteFn)(void *context, const char *text);

typedef struct EngineConfig {
    // A path, or a name looked for in PATH and in /usr/games. NULL: "stockfish".
    const char *program;
    // Options set in each process as "Name=value", ended by NULL; may be NULL. Names the engine
    // does not have are noted and left out.
    const char *const *options;
    uint32_t processes;    // at most so many at once, started when there is work; 0: 1
    uint32_t memory_mib;   // address space of one process; 0: 1024, UINT32_MAX: no bound
    int nice;              // 0 to 19, added to our own
    uint32_t start_ms;     // to answer "uci" and "isready"; 0: 10000. One that is late has twice as
                           // long the next time, up to eight times: the machine may be busy
    uint32_t grace_ms;     // after its time, and after "stop", to answer; 0: 2000
    uint32_t think_max_ms; // of a question bounded by depth or nodes only; 0: 60000
    uint32_t idle_ms;      // a process without work ends after it; 0: 60000
    uint64_t flood_bytes;  // of output on one question; more is a fault; 0: 8 MiB
    EngineNoteFn note;     // may be NULL
    void *note_context;
} EngineConfig;

// Opens the pool. Starts no process yet. False (err says what) only for want of memory or handles:
// a program that is not there leaves a pool that answers ENGINE_MISSING to everything.
JD_MUST_USE bool engine_pool_open(const EngineConfig *config, EnginePool **out, JdErr *err);
// Answers what waits with ENGINE_CANCELLED, asks the processes to quit, kills those that do not
// within half a second, and leaves neither zombies nor descriptors. NULL is allowed.
void engine_pool_close(EnginePool *pool);
// Whether the program was found and may be run.
bool engine_pool_has_engine(const EnginePool *pool);

// A move in a game goes before a hint, a hint before an analysis. A game move that finds every
// process busy interrupts an analysis, which is asked again afterwards.
typedef enum EnginePriority {
    ENGINE_FOR_MOVE = 0,
    ENGINE_FOR_HINT = 1,
    ENGINE_FOR_ANALYSIS = 2,
} EnginePriority;

typedef enum EngineOutcome {
    ENGINE_ANSWERED = 0,
    ENGINE_MISSING = 1,   // no such program
    ENGINE_FAILED = 2,    // it failed ENGINE_ATTEMPTS times on this question
    ENGINE_CANCELLED = 3, // engine_cancel, or the pool was closed
    ENGINE_BUSY = 4,      // ENGINE_QUEUE_MAX questions wait
    ENGINE_REFUSED = 5,   // no limit was given, a move is illegal, or the game is over there
} EngineOutcome;
const char *engine_outcome_name(EngineOutcome outcome); // "answered", "missing", ...

typedef struct EngineLine {
    int32_t score; // for the side to move: centipawns; with is_mate: moves to mate, negative when
                   // being mated
    bool is_mate;
    bool has_wdl;
    uint16_t wdl[3]; // win, draw, loss in thousandths
    uint16_t depth;
    uint16_t count; // plies in moves; at least 1
    ChessMove moves[ENGINE_LINE_PLIES];
} EngineLine;

typedef struct EngineAnswer {
    EngineOutcome outcome;
    ChessMove best; // legal; CHESS_NO_MOVE unless answered
    uint32_t lines_count;
    EngineLine lines[ENGINE_LINES_MAX]; // as it saw them last: that of best first, then by score
    uint64_t nodes;
    uint32_t attempts; // 1: at once
} EngineAnswer;

typedef void (*EngineAnswerFn)(void *context, const EngineAnswer *answer);

typedef struct EngineQuestion {
    const ChessPosition *start; // copied
    const ChessMove *moves;     // from start to the position asked about; copied
    uint32_t move_count;
    // At least one limit.
    uint32_t time_ms;
    uint32_t depth;
    uint64_t nodes;
    uint32_t lines; // variations wanted; 0: 1
    bool wants_wdl;
    int32_t elo;      // UCI_LimitStrength to this UCI_Elo, as near as the engine can; 0: full
    int32_t skill;    // "Skill Level"; -1: full
    uint8_t priority; // EnginePriority
    uint64_t asker;   // among equals each asker has his turn, however much another asks
    EngineAnswerFn done;
    void *context;
} EngineQuestion;

// Asks. The number returned is above 0 and can be cancelled. The answer may come before the return.
uint64_t engine_ask(EnginePool *pool, const EngineQuestion *question);
// The answer then is ENGINE_CANCELLED, unless it is being given at this moment.
void engine_cancel(EnginePool *pool, uint64_t number);

typedef struct EngineStats {
    char name[ENGINE_NAME_SIZE]; // "id name" of the engine; empty: none has started yet
    uint32_t processes;          // alive now
    uint32_t thinking;
    uint32_t queued;
    uint64_t answered;
    uint64_t failed;   // questions given up
    uint64_t restarts; // processes lost and replaced
} EngineStats;
void engine_pool_stats(EnginePool *pool, EngineStats *out);

// The last lines that went to and fro, oldest first (L-032): "3> go depth 8", "3< bestmove e2e4",
// the number being the process. line is valid during the call.
typedef void (*EngineTranscriptFn)(void *context, const char *line);
void engine_pool_transcript(EnginePool *pool, EngineTranscriptFn each, void *context);

#include "engine/levels.h" // IWYU pragma: export

#endif
