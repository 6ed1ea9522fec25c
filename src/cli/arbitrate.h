// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files of `jadoube arbitrate` share: a game as it was read, what the Laws say of it, and
// the words to tell it.
#ifndef CLI_ARBITRATE_H
#define CLI_ARBITRATE_H

#include <jadoube/laws.h>
#include <jadoube/pgn.h>

#include <stdio.h>

#include "cli/arbitrate_articles.h"
#include "cli/dead_text.h"

// Exit codes.
enum {
    ARB_EXIT_AGREES = 0,  // every game was judged; no stated result differs from that of the Laws
    ARB_EXIT_DIFFERS = 1, // some stated result does
    ARB_EXIT_USAGE = 2,
    ARB_EXIT_BAD_INPUT =
        3, // a file, a line or a game could not be read, or an illegal move stands in it
};

#define ARB_NAME_SIZE 96
#define ARB_RANGES_MAX 24
#define ARB_REMARKS_MAX 24
#define ARB_NO_CLOCK INT64_MIN
#define ARB_NO_PLY UINT32_MAX

// ---- what was asked -----------------------------------------------------------------------------

typedef enum ArbLanguage { ARB_EN = 0, ARB_RU = 1, ARB_RO = 2 } ArbLanguage;
#define ARB_LANGUAGE_COUNT 3

typedef struct ArbOptions {
    LawsEdition edition;
    uint8_t pace; // LawsPace; 0: by the time control of each game
    bool unsupervised;
    bool has_control;
    LawsControl control; // instead of the TimeControl tag
    ArbLanguage language;
    bool json;
    bool only_differing; // games whose result differs, and damaged ones
    bool summary_only;
    uint8_t pgn_language; // ChessLanguage of the piece letters read
    uint8_t encoding;     // ChessEncoding
} ArbOptions;

// ---- a game as it was read ----------------------------------------------------------------------

// The Termination tag (PGN standard 9.8.1).
typedef enum ArbTermination {
    ARB_TERMINATION_NONE = 0, // not said
    ARB_NORMAL = 1,
    ARB_TIME_FORFEIT = 2,
    ARB_ABANDONED = 3,
    ARB_RULES_INFRACTION = 4,
    ARB_ADJUDICATION = 5, // also death, emergency: somebody decided
    ARB_UNTERMINATED = 6,
} ArbTermination;

typedef struct ArbGame {
    uint64_t number; // from 1
    uint64_t line;
    char white[ARB_NAME_SIZE];
    char black[ARB_NAME_SIZE];
    ChessPgnResult stated;
    ArbTermination termination;
    bool has_control;
    LawsControl control;
    char control_text[64];
    ChessPosition start;
    uint32_t plies;
    bool is_other_variant; // the moves were not followed
    bool is_damaged;       // the moves end at a fault
    ChessPgnFault fault;   // 0: none
    uint64_t fault_line;
    uint64_t fault_column;
    uint64_t fault_offset;
    char fault_text[JD_ERR_TEXT_SIZE];
    ChessMove moves[CHESS_GAME_PLIES_MAX];
    int64_t clocks[CHESS_GAME_PLIES_MAX]; // the mover's reading after the ply; ARB_NO_CLOCK
    bool has_clocks;
} ArbGame;

// ---- who can mate -------------------------------------------------------------------------------

// The last questions and their answers, by colour. All zero: nothing has been asked.
typedef struct ArbMates {
    bool is_known[2];
    uint8_t verdicts[2]; // DeadVerdict
    bool unproved;       // some answer was "not excluded" for want of a proof
    uint64_t keys[2];
    ChessPosition positions[2];
    CliDead dead; // closed by whoever owns this
} ArbMates;

// Whether a player can mate by some series of legal moves.
bool arb_can_mate(ArbMates *mates, const ChessPosition *pos, ChessColor color);
// Whether neither can; likely is asked about first.
bool arb_is_dead(ArbMates *mates, const ChessPosition *pos, ChessColor likely);
// Answers what the Laws have left open in a game.
void arb_settle(ArbMates *mates, LawsGame *game, int64_t at_ms);

// ---- the judge: what a series of moves amounts to -----------------------------------------------

// Turns of one player, one after the other, at each of which a claim would have been right.
typedef struct ArbRange {
    uint8_t is_fifty; // Article 9.3; else 9.2
    uint8_t color;
    uint8_t on_board;   // at the first turn the position on the board sufficed; else only with a
                        // written move
    uint8_t open_ended; // the right still stood where the record ends
    ChessMove intended; // such a move, when on_board is 0
    uint16_t count; // occurrences at the first turn (with the intended move), or moves by each side
    uint32_t first; // plies made before the first turn
    uint32_t last;  // and before the last
} ArbRange;

typedef struct ArbSeen {
    uint64_t key;
    uint32_t game;
    uint32_t count;
} ArbSeen;
#define ARB_SEEN_SIZE 32768 // above twice the plies of the longest game

typedef struct ArbJudge {
    const LawsRules *rules;
    ChessPosition start;
    ArbMates mates;
    uint32_t game;         // stamp of what is in seen
    uint32_t ply;          // of the next position to be judged
    uint32_t entered;      // first ply whose position is not in seen
    uint32_t twice_ply[2]; // by parity: last ply whose position had occurred before; 0: none
    uint32_t end_ply;      // ply of an automatic draw by 9.6; ARB_NO_PLY: none
    LawsReason end_reason;
    uint32_t range_count;
    uint32_t ranges_left_out;
    ArbRange ranges[ARB_RANGES_MAX];
    ChessMove moves[CHESS_GAME_PLIES_MAX];
    uint64_t keys[CHESS_GAME_PLIES_MAX + 1];
    ArbSeen seen[ARB_SEEN_SIZE];
} ArbJudge;

void arb_judge_begin(ArbJudge *judge, const LawsRules *rules, const ChessPosition *start);
// The position after the plies given so far; to be called once before every move and at the end.
void arb_judge_position(ArbJudge *judge, const ChessPosition *pos);
void arb_judge_move(ArbJudge *judge, ChessMove move);
// The end that the board itself makes (mate, stalemate, dead position, Article 9.6): reason and
// ply, or LAWS_NOT_ENDED. pos: the last position; likely: who most likely can still mate. Claims at
// or after that ply are struck out. An end is found whatever follows it.
LawsReason arb_judge_end(ArbJudge *judge, const ChessPosition *pos, ChessColor likely,
                         uint32_t *ply);
// Strikes out claims at or after that ply; arb_judge_end does so by itself.
void arb_judge_strike_out(ArbJudge *judge, uint32_t end_ply);
// The position after so many plies.
ChessPosition arb_judge_replay(const ArbJudge *judge, uint32_t ply);

// ---- the report ---------------------------------------------------------------------------------

typedef enum ArbComparison {
    ARB_AGREES = 0,
    ARB_DIFFERS = 1,
    ARB_SUPPLIED = 2, // the file states no result, the Laws give one
    ARB_OPEN = 3,     // what is recorded does not decide it, and nothing contradicts the file
} ArbComparison;

// Things to say besides the end and the claims.
typedef enum ArbRemarkKind {
    ARB_REMARK_PLAYED_PAST = 1,   // number: plies after the end
    ARB_REMARK_ILLEGAL_MOVE = 2,  // ply: after which
    ARB_REMARK_UNREADABLE = 3,    // the record breaks off
    ARB_REMARK_CLOCK_GAIN = 4,    // ply; number: ms too much
    ARB_REMARK_FLAG_NOT_TURN = 5, // the flag of the player who was not to move
    ARB_REMARK_NO_CONTROL = 6,    // no time control is known: standard play is taken
    ARB_REMARK_CAN_MATE = 7,      // color: who could still mate
    ARB_REMARK_CANNOT_MATE = 8,
    ARB_REMARK_TOO_EARLY = 9,  // agreed before both had moved
    ARB_REMARK_ABANDONED = 10, // a player left
    ARB_REMARK_DECIDED = 11,   // adjudication and the like
    ARB_REMARK_VARIANT = 12,
    ARB_REMARK_INFRACTION = 13,
    ARB_REMARK_NO_MOVES = 14, // decided without a move
    ARB_REMARK_UNPROVED = 15, // whether mate is possible was not proved
    ARB_REMARK_KIND_COUNT = 16,
} ArbRemarkKind;

typedef struct ArbRemark {
    uint8_t kind;
    uint8_t color;
    uint16_t article; // ArbArticle; 0: none
    uint32_t ply;
    int64_t number;
} ArbRemark;

typedef struct ArbReport {
    LawsEdition edition;
    LawsPace pace;
    const LawsRules *rules;
    LawsReason reason; // by the Laws; LAWS_NOT_ENDED: they give no result
    uint16_t article;  // ArbArticle of the reason
    uint32_t end_ply;  // plies made when it ended
    uint8_t result[2]; // half-points, when reason is not LAWS_NOT_ENDED
    bool by_board; // the board alone makes it so; else the file's word is taken for what happened
    char article_text[12]; // of an event file, where the verdict named it; empty: that of article
    ArbComparison comparison;
    uint32_t remark_count;
    ArbRemark remarks[ARB_REMARKS_MAX];
} ArbReport;

// Judges one game as read; judge has been given all its positions, last is the final one.
void arb_conclude(const ArbOptions *options, const ArbGame *game, ArbJudge *judge,
                  const ChessPosition *last, ArbReport *report);
// Compares the result by the Laws with the stated one.
void arb_compare(const ArbGame *game, ArbReport *report);
// The number of the article under which it ended.
const char *arb_end_article(const ArbReport *report);
// Edition, pace and rules of a game.
void arb_rules_of(const ArbOptions *options, const ArbGame *game, ArbReport *report);
// The article of a reason under which a game ended.
ArbArticle arb_article_of_reason(LawsReason reason);

// ---- words and output ---------------------------------------------------------------------------

typedef struct ArbTotals {
    uint64_t games_read; // of event files
    uint64_t games;
    uint64_t by_comparison[4];
    uint64_t by_reason[128];
    uint64_t damaged;
    uint64_t played_past;
    uint64_t claims; // games in which a claim would have been right
    bool bad_input;
} ArbTotals;

// Of a file at a time: with the reader's memory it stays in the second-level cache.
#define ARB_PIECE_SIZE ((size_t)64 * 1024)
#define ARB_OUT_SIZE ((size_t)1 << 18)
// Most that one game's report takes.
#define ARB_OUT_GAME_MAX ((size_t)1 << 15)

typedef struct ArbRun {
    ArbOptions options;
    ArbTotals totals;
    const char *file; // being read
    struct PgnInput *input;
    size_t ahead_size; // bytes in piece that have been read ahead
    char piece[ARB_PIECE_SIZE];
    ArbGame game;
    ArbJudge judge;
    ArbReport report;
    bool control_seen;           // the present game has a TimeControl tag
    bool comment_clock;          // the next comment is about the last move of the game
    LawsRules rules;             // of a game of an event file
    struct ArbEventFile *events; // the game being told is of an event file
    JdOut out;                   // over memory
    char memory[ARB_OUT_SIZE];
} ArbRun;

void arb_flush(ArbRun *run);
// The next bytes of the file being read; false at its end and on failure, which has been told.
bool arb_input_read(ArbRun *run, JdStr *out);
// The game has been judged: counts it and prints what was asked for.
void arb_finish_game(ArbRun *run);
void arb_print_text(ArbRun *run);
void arb_print_json(ArbRun *run);
void arb_print_totals(ArbRun *run);
// What became of each event, in the report of an event file.
void arb_put_acts_json(ArbRun *run);
void arb_put_acts_text(ArbRun *run);
const char *arb_result_text(const uint8_t result[2]);

// The games of the file being read, from PGN or from events.
void arb_read_pgn(ArbRun *run);
void arb_read_events(ArbRun *run);

int arb_explain(const char *number, const ArbOptions *options);

#endif
