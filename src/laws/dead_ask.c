// SPDX-License-Identifier: GPL-3.0-or-later
//
// The questions of dead.h: the parts of the service in the order of their cost.
#include "laws/dead_search.h"

// From a simplified position a helpmate is near or something is odd.
#define NEAR_NODES 600

typedef enum Stage { STAGE_SETTLED, STAGE_SIMPLIFIED, STAGE_BLOCKED, STAGE_WHOLE } Stage;

struct DeadJob {
    ChessPosition pos;
    DeadAnswer answer;
    Stage stage;
    bool searched; // the line's end is the search's, after prefix plies of quick
    uint32_t prefix;
    DeadQuick quick;
    DeadSearch search;
    unsigned char *memory; // of the search
    size_t memory_size;
};
_Static_assert(sizeof(DeadJob) + 4096 <= DEAD_JOB_MEMORY_MIN, "a job leaves room for a search");
_Static_assert(2 * sizeof(DeadJob) <= DEAD_MEMORY_STACK, "a job leaves room for a search");

const char *dead_verdict_name(DeadVerdict verdict) {
    static const char *const names[] = { "impossible", "possible", "unknown" };
    return names[verdict];
}

const char *dead_proof_name(DeadProof proof) {
    static const char *const names[] = { "none",     "line",    "mate",   "stalemate",
                                         "material", "blocked", "forced", "exhausted" };
    return names[proof];
}

static void settle(DeadJob *job, DeadVerdict verdict, DeadProof proof) {
    job->answer.verdict = (uint8_t)verdict;
    job->answer.proof = (uint8_t)proof;
    job->stage = STAGE_SETTLED;
}

static void enter_whole(DeadJob *job) {
    job->stage = STAGE_WHOLE;
    dead_search_init(&job->search, &job->pos, (ChessColor)job->answer.winner, job->memory,
                     job->memory_size);
}

static void settle_shortly(DeadJob *job, uint64_t limit) {
    const ChessPosition *pos = &job->pos;
    const ChessColor winner = (ChessColor)job->answer.winner;
    if (!chess_has_legal_move(pos)) {
        const bool is_mate = chess_is_check(pos);
        settle(job, is_mate && pos->side_to_move != winner ? DEAD_POSSIBLE : DEAD_IMPOSSIBLE,
               is_mate ? DEAD_BY_MATE : DEAD_BY_STALEMATE);
        return;
    }
    if (dead_is_material(pos, winner)) {
        settle(job, DEAD_IMPOSSIBLE, DEAD_BY_MATERIAL);
        return;
    }
    const DeadQuickly found = dead_find_quickly(pos, winner, limit, false, &job->quick);
    job->answer.nodes = job->quick.nodes;
    switch (found) {
    case DEAD_QUICKLY_FOUND:
        job->answer.line_size = job->prefix = job->quick.size;
        settle(job, DEAD_POSSIBLE, DEAD_BY_LINE);
        break;
    case DEAD_QUICKLY_BLOCKED:
        settle(job, DEAD_IMPOSSIBLE, DEAD_BY_BLOCKADE);
        break;
    case DEAD_QUICKLY_SIMPLIFIED:
        job->stage = STAGE_SIMPLIFIED;
        dead_search_init(&job->search, &job->quick.simplified, winner, job->memory,
                         job->memory_size);
        break;
    case DEAD_QUICKLY_NOTHING:
        job->stage = STAGE_BLOCKED;
        break;
    }
}

DeadJob *dead_job_begin(const ChessPosition *pos, ChessColor winner, uint64_t nodes, void *memory,
                        size_t size) {
    JD_ASSERT(size >= DEAD_JOB_MEMORY_MIN);
    JD_ASSERT(((uintptr_t)memory & 15) == 0);
    DeadJob *job = memory;
    const size_t own = (sizeof *job + 15) & ~(size_t)15;
    job->pos = *pos;
    job->answer = (DeadAnswer) { .verdict = DEAD_UNKNOWN, .winner = (uint8_t)winner };
    job->searched = false;
    job->prefix = 0;
    job->memory = (unsigned char *)memory + own;
    job->memory_size = size - own;
    settle_shortly(job, nodes);
    return job;
}

DeadAnswer dead_job_run(DeadJob *job, uint64_t nodes) {
    const uint64_t before = job->answer.nodes;
    while (job->stage != STAGE_SETTLED) {
        if (job->stage == STAGE_BLOCKED) {
            if (dead_is_blocked(&job->pos, (ChessColor)job->answer.winner))
                settle(job, DEAD_IMPOSSIBLE, DEAD_BY_BLOCKADE);
            else
                enter_whole(job);
            continue;
        }
        const uint64_t spent = job->answer.nodes - before;
        if (spent >= nodes || job->search.is_full)
            break;
        const uint64_t start = job->search.looked_at;
        uint64_t end = nodes - spent > UINT64_MAX - start ? UINT64_MAX : start + (nodes - spent);
        const bool is_near = job->stage == STAGE_SIMPLIFIED;
        if (is_near && end > NEAR_NODES)
            end = NEAR_NODES;
        const DeadVerdict verdict = dead_search_run(&job->search, end);
        job->answer.nodes += job->search.looked_at - start;
        if (verdict == DEAD_POSSIBLE) {
            job->prefix = is_near ? job->quick.size : 0;
            job->searched = true;
            job->answer.line_size = job->prefix + dead_search_verify(&job->search);
            settle(job, DEAD_POSSIBLE, DEAD_BY_LINE);
        } else if (is_near && (verdict == DEAD_IMPOSSIBLE || job->search.looked_at >= NEAR_NODES ||
                               job->search.is_full))
            job->stage = STAGE_BLOCKED;
        else if (!is_near && verdict == DEAD_IMPOSSIBLE)
            settle(job, DEAD_IMPOSSIBLE, job->search.met_twice ? DEAD_BY_SEARCH : DEAD_BY_FORCE);
    }
    job->answer.out_of_memory = job->stage != STAGE_SETTLED && job->search.is_full;
    return job->answer;
}

uint32_t dead_job_line(DeadJob *job, ChessMove *line, uint32_t capacity) {
    if (job->answer.verdict != DEAD_POSSIBLE)
        return 0;
    const uint32_t prefix = job->prefix < capacity ? job->prefix : capacity;
    for (uint32_t ply = 0; ply < prefix; ply++)
        line[ply] = job->quick.line[ply];
    if (job->searched && capacity > prefix)
        dead_search_write(&job->search, line + prefix, capacity - prefix);
    return job->answer.line_size;
}

// ---- at once ------------------------------------------------------------------------------------

// Not inlined, so that only questions that come with no memory pay for it on the stack.
static JD_NOINLINE DeadAnswer ask_on_stack(const ChessPosition *pos, ChessColor winner,
                                           uint64_t nodes, ChessMove *line,
                                           uint32_t line_capacity) {
    _Alignas(16) unsigned char memory[DEAD_MEMORY_STACK];
    DeadJob *job = dead_job_begin(pos, winner, nodes, memory, sizeof memory);
    const DeadAnswer answer =
        dead_job_run(job, nodes - (job->answer.nodes < nodes ? job->answer.nodes : nodes));
    dead_job_line(job, line, line_capacity);
    return answer;
}

DeadAnswer dead_can_mate(const ChessPosition *pos, ChessColor winner, const DeadLimits *limits,
                         ChessMove *line, uint32_t line_capacity) {
    const uint64_t nodes = limits != NULL && limits->nodes != 0 ? limits->nodes : UINT64_MAX;
    if (limits == NULL || limits->memory == NULL || limits->memory_size < DEAD_JOB_MEMORY_MIN)
        return ask_on_stack(pos, winner, nodes, line, line_capacity);
    DeadJob *job = dead_job_begin(pos, winner, nodes, limits->memory, limits->memory_size);
    const DeadAnswer answer =
        dead_job_run(job, nodes - (job->answer.nodes < nodes ? job->answer.nodes : nodes));
    dead_job_line(job, line, line_capacity);
    return answer;
}

ChessColor dead_likelier(const ChessPosition *pos) {
    int worth[2];
    for (int color = 0; color < 2; color++) {
        const uint64_t own = pos->colors[color];
        worth[color] = 16 * dead_count(own & pos->kinds[CHESS_QUEEN]) +
                       4 * dead_count(own & pos->kinds[CHESS_ROOK]) +
                       2 * dead_count(own & pos->kinds[CHESS_PAWN]) + dead_count(own);
    }
    return worth[CHESS_WHITE] >= worth[CHESS_BLACK] ? CHESS_WHITE : CHESS_BLACK;
}

DeadAnswer dead_worse(DeadAnswer one, DeadAnswer other) {
    const uint64_t nodes = one.nodes + other.nodes;
    DeadAnswer answer = other;
    if (other.verdict != DEAD_POSSIBLE &&
        (one.verdict == DEAD_UNKNOWN || (other.verdict != DEAD_UNKNOWN && one.proof > other.proof)))
        answer = one;
    answer.nodes = nodes;
    return answer;
}

// The short part of the question alone: a helpmate found without a search, or nothing.
static DeadAnswer ask_shortly(const ChessPosition *pos, ChessColor winner, uint64_t limit,
                              bool planned, ChessMove *line, uint32_t line_capacity) {
    DeadAnswer answer = { .verdict = DEAD_UNKNOWN, .winner = (uint8_t)winner };
    if (!chess_has_legal_move(pos) || dead_is_material(pos, winner))
        return answer;
    DeadQuick quick;
    const DeadQuickly found = dead_find_quickly(pos, winner, limit, planned, &quick);
    answer.nodes = quick.nodes;
    if (found != DEAD_QUICKLY_FOUND)
        return answer;
    answer.verdict = DEAD_POSSIBLE;
    answer.proof = DEAD_BY_LINE;
    answer.line_size = quick.size;
    for (uint32_t ply = 0; ply < quick.size && ply < line_capacity; ply++)
        line[ply] = quick.line[ply];
    return answer;
}

DeadAnswer dead_ask_both(const ChessPosition *pos, const DeadLimits *limits, bool planned,
                         ChessMove *line, uint32_t line_capacity) {
    const ChessColor first = dead_likelier(pos);
    const uint64_t limit = limits != NULL && limits->nodes != 0 ? limits->nodes : UINT64_MAX;
    uint64_t nodes = 0;
    for (int i = 0; i < 2; i++) {
        const ChessColor winner = i == 0 ? first : chess_other(first);
        DeadAnswer answer = ask_shortly(pos, winner, limit, planned, line, line_capacity);
        nodes += answer.nodes;
        answer.nodes = nodes;
        if (answer.verdict == DEAD_POSSIBLE)
            return answer;
    }
    DeadAnswer answer = dead_can_mate(pos, first, limits, line, line_capacity);
    if (answer.verdict != DEAD_POSSIBLE)
        answer =
            dead_worse(answer, dead_can_mate(pos, chess_other(first), limits, line, line_capacity));
    answer.nodes += nodes;
    return answer;
}

DeadAnswer dead_can_anyone_mate(const ChessPosition *pos, const DeadLimits *limits, ChessMove *line,
                                uint32_t line_capacity) {
    return dead_ask_both(pos, limits, false, line, line_capacity);
}
