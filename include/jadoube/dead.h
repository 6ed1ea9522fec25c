// SPDX-License-Identifier: GPL-3.0-or-later
//
// Can a side still mate? Exactly, by Articles 5.2.2 and 6.9: "by any possible series of legal
// moves".
//
// Both players help. Repetition, move counters and clocks do not count (they are not in Article 3).
// Every answer is proved: "possible" by a line of legal moves that ends in mate and has been played
// through, "impossible" by one of the kinds of DeadProof. Nothing here allocates, reads a clock or
// keeps anything between two questions: a verdict depends on the position and the winner alone.
// Callable from any thread, each with its own memory; the same answer on every platform.
//
// Cost: most positions from games take microseconds, a few milliseconds; a composed one that must
// be searched to its end takes about a quarter of a microsecond and 28 to 48 bytes for each move
// looked at.
#ifndef JADOUBE_DEAD_H
#define JADOUBE_DEAD_H

#include <jadoube/chess.h>

#ifdef __cplusplus
extern "C" {
#endif

// Numbers go into logs and are never reused.
typedef enum DeadVerdict {
    DEAD_IMPOSSIBLE = 0, // proved: no series of legal moves mates
    DEAD_POSSIBLE = 1,   // proved: a series of legal moves mates
    DEAD_UNKNOWN = 2,    // the caller's limit (nodes or memory) was reached first
} DeadVerdict;

// How the verdict is proved. Numbers go into logs and are never reused.
typedef enum DeadProof {
    DEAD_NOT_PROVED = 0, // verdict DEAD_UNKNOWN
    DEAD_BY_LINE = 1,    // possible: a helpmate was found and played through
    DEAD_BY_MATE =
        2, // the position is mate: possible, with an empty line, or impossible for the mated
    DEAD_BY_STALEMATE = 3, // impossible: the side to move is stalemated (Article 5.2.1)
    DEAD_BY_MATERIAL = 4,  // impossible with these men
    DEAD_BY_BLOCKADE = 5,  // impossible: the men whom a mate would need can never get there
    DEAD_BY_FORCE =
        6, // impossible: every line soon ends in one of the above; no position occurs in two
    DEAD_BY_SEARCH =
        7, // impossible: every position that can be reached was visited, down to those above
} DeadProof;

// "impossible", "possible", "unknown".
JD_API const char *dead_verdict_name(DeadVerdict verdict);
// "none", "line", "mate", "stalemate", "material", "blocked", "forced", "exhausted".
JD_API const char *dead_proof_name(DeadProof proof);

// What a question may cost.
typedef struct DeadLimits {
    uint64_t nodes; // positions looked at; 0: no limit
    // Work memory, aligned to 16 bytes; what it holds before and after means nothing. With NULL the
    // little on the stack (DEAD_MEMORY_STACK) must do, which suffices for almost every position
    // from play.
    void *memory;
    size_t memory_size;
} DeadLimits;

#define DEAD_MEMORY_STACK ((size_t)32 << 10)
#define DEAD_MEMORY_SMALL ((size_t)1 << 20)
#define DEAD_MEMORY_LARGE ((size_t)64 << 20)

typedef struct DeadAnswer {
    uint8_t verdict;       // DeadVerdict
    uint8_t proof;         // DeadProof
    uint8_t winner;        // ChessColor the answer speaks of
    uint8_t out_of_memory; // unknown because the memory was used up: ask again with more
    uint32_t line_size;    // plies of the helpmate found; may exceed what the caller had room for
    uint64_t nodes;        // positions looked at
} DeadAnswer;

// Whether winner can mate by some series of legal moves from pos. limits may be NULL: no limit but
// the stack. The helpmate goes to line, as far as line_capacity plies; line may be NULL with
// capacity 0.
JD_API DeadAnswer dead_can_mate(const ChessPosition *pos, ChessColor winner,
                                const DeadLimits *limits, ChessMove *line, uint32_t line_capacity);

// Whether anybody can mate: DEAD_IMPOSSIBLE means that the position is dead. A possible answer
// names one winner and his line; an impossible one has the proof of the harder side.
JD_API DeadAnswer dead_can_anyone_mate(const ChessPosition *pos, const DeadLimits *limits,
                                       ChessMove *line, uint32_t line_capacity);

// ---- after every move of a game -----------------------------------------------------------------

// A helpmate known of the position on the board. When a move is made it is followed, mended or
// replaced, which is much less work than to find another; the verdict is the same. All zero:
// nothing is known.
#define DEAD_WATCH_PLIES 48
typedef struct DeadWatch {
    uint64_t plan[8]; // what the line was made from, for mending it; private
    ChessMove line[DEAD_WATCH_PLIES];
    uint8_t size; // 0: none
    uint8_t winner;
    uint8_t has_plan;
    uint8_t reserved[5];
} DeadWatch;

// The same question as dead_can_anyone_mate for the position after, which move made of before.
JD_API DeadAnswer dead_watch_move(DeadWatch *watch, const ChessPosition *before, ChessMove move,
                                  const ChessPosition *after, const DeadLimits *limits);

// ---- in pieces ----------------------------------------------------------------------------------

// A question that is worked on piece by piece, in memory of the caller's which nobody touches
// meanwhile.
typedef struct DeadJob DeadJob;
#define DEAD_JOB_MEMORY_MIN ((size_t)24 << 10)

// Begins; does the part that is always short, of no more than about nodes. size must be at least
// DEAD_JOB_MEMORY_MIN, memory aligned to 16 bytes. The job is at the beginning of memory.
JD_API DeadJob *dead_job_begin(const ChessPosition *pos, ChessColor winner, uint64_t nodes,
                               void *memory, size_t size);
// Goes on for about that many nodes. DEAD_UNKNOWN: not settled yet, or out of memory.
JD_API DeadAnswer dead_job_run(DeadJob *job, uint64_t nodes);
// After DEAD_POSSIBLE: writes the helpmate as far as capacity plies and returns its size. Once
// only.
JD_API uint32_t dead_job_line(DeadJob *job, ChessMove *line, uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
