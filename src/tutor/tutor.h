// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor: what is true of a move and of a position, as a teacher would say it (L-024, L-041 to
// L-054). Every fact is checked with the rules: a mate is proved, what is won is counted by playing
// the captures with legal moves, a pin is seen on the board. What an engine says is used to choose
// among facts and to follow its line, never believed without a look.
//
// Pure: no I/O, no allocation, no chance. A fact is a kind, the men it is about and numbers; words
// stand in the catalogues (web/src/i18n/areas/tutor.*.json), one message per kind.
#ifndef JADOUBE_TUTOR_TUTOR_H
#define JADOUBE_TUTOR_TUTOR_H

#include <jadoube/chess.h>

// ---- facts --------------------------------------------------------------------------------------

// Numbers go into stored reports and are not reused. "Worth": pawn 100, knight and bishop 300, rook
// 500, queen 900 (L-040). An exchange is what the side to move nets when both sides go on taking on
// one square with legal moves as long as that pays.
typedef enum TutorKind {
    TUTOR_NOTHING = 0,
    // -- good: why to make the move. `man` is the man that moved unless said otherwise.
    TUTOR_MATES = 1,        // in `number` moves against any defence, proved
    TUTOR_MATE_LINE = 2,    // the line given mates in `number` moves
    TUTOR_PROMOTES = 3,     // `man` is what the pawn becomes
    TUTOR_TAKES_FREE = 4,   // targets[0], which nobody can retake
    TUTOR_WINS = 5,         // taking targets[0] nets `number`, though it is guarded
    TUTOR_FORK = 6,         // `man` attacks all targets and cannot be taken without loss; each is
                            // the king, worth more than `man`, or unguarded
    TUTOR_PIN_ABSOLUTE = 7, // `man` holds targets[0] against its king, targets[1]
    TUTOR_PIN_RELATIVE = 8, // the same against a man worth more; it cannot take the pinner
    TUTOR_SKEWER = 9,       // targets[0] must go, and targets[1] behind it is lost
    TUTOR_DOUBLE_CHECK = 10,
    TUTOR_DISCOVERED_CHECK = 11,  // `man` gives it, from behind the man that moved
    TUTOR_DISCOVERED_ATTACK = 12, // `man` attacks targets[0], unguarded or worth more
    TUTOR_STOPS_MATE = 13,     // the opponent threatened `move`, mate; now no mate in one is left
    TUTOR_THREATENS_MATE = 14, // `move` would mate if the opponent did nothing
    TUTOR_SAVES = 15,          // targets[0], own, where it could have been won; it cannot be now
    TUTOR_LINE_WINS = 16,      // the line given nets `number` and ends in quiet
    TUTOR_THREATENS = 17,      // to win targets[0], which could not be won before; nets `number`
    TUTOR_TRADES_AHEAD = 18,   // an even trade by the side that has more, by `number`
    TUTOR_TRADES = 19,         // an even trade of `man` for targets[0]
    TUTOR_CASTLES = 20,
    TUTOR_DEVELOPS = 21,  // `man`, a knight or bishop, leaves its first square
    TUTOR_CENTER = 22,    // a pawn or knight goes to d4, e4, d5 or e5 and cannot be won there
    TUTOR_PASSED = 23,    // a pawn has become passed
    TUTOR_PASSED_ON = 24, // a passed pawn goes on; number: ranks left
    TUTOR_OPEN_FILE = 25, // a rook comes to a file without pawns
    TUTOR_CHECK = 26,
    TUTOR_ONLY_MOVE = 27, // no other legal move
    TUTOR_STALEMATES = 28,
    TUTOR_ATTACKS = 29, // what `man` attacks and did not before: plain geometry
    // -- bad: why not to make it. `move` is the opponent's answer, legal after the move.
    TUTOR_ALLOWS_MATE = 40, // in `number` moves, proved
    TUTOR_DECOY = 41,  // taking targets[0] loses: number < 0 is the balance after `move` (L-051); a
                       // mate is told beside it, with number 0
    TUTOR_LOSES = 42,  // `man` can be taken where it went: nets the opponent `number`
    TUTOR_LEAVES = 43, // targets[0], own, elsewhere: can be won by `move`, for `number`
    TUTOR_ALLOWS_FORK = 44, // `move` forks the targets, own
    TUTOR_CHECKS_LEFT = 45, // the opponent has `number` checks
    TUTOR_KING_SAFE = 46,   // he has none
    TUTOR_LINE_LOSES = 47,  // the line given loses `number` and ends in quiet
} TutorKind;

// "mates", "fork": the stable word; messages are "tutor.fork". NULL: no such kind.
const char *tutor_kind_name(TutorKind kind);

// The questions before a move (L-052); each fact answers one, or none.
typedef enum TutorQuestion {
    TUTOR_NO_QUESTION = 0,
    TUTOR_WHAT_ATTACKED = 1,
    TUTOR_WHAT_LEFT = 2,
    TUTOR_KING = 3,
    TUTOR_ANSWER_WITH_GAIN = 4,
} TutorQuestion;
TutorQuestion tutor_kind_question(TutorKind kind);

typedef struct TutorMan {
    uint8_t piece; // ChessPiece
    uint8_t square;
} TutorMan;

#define TUTOR_TARGETS_MAX 6
typedef struct TutorFact {
    uint8_t kind; // TutorKind
    uint8_t target_count;
    TutorMan man; // where it stands after the move; piece 0: none
    TutorMan targets[TUTOR_TARGETS_MAX];
    int32_t number;
    ChessMove move;
} TutorFact;

#define TUTOR_FACTS_MAX 32
typedef struct TutorFacts {
    int count;
    TutorFact facts[TUTOR_FACTS_MAX]; // the good ones first, the most telling of each first
} TutorFacts;

// A variation that begins with the move asked about; count 0: none.
typedef struct TutorLine {
    const ChessMove *moves;
    int count;
} TutorLine;

// Nodes spent on proving mates by one call of tutor_move_facts, at most; more moves to mate than
// TUTOR_MATE_MAX are not proved.
#define TUTOR_MATE_NODES 60000
#define TUTOR_MATE_MAX 3

// The facts about a legal move. A line that is illegal somewhere counts up to there.
void tutor_move_facts(const ChessPosition *pos, ChessMove move, TutorLine line, TutorFacts *out);

// The one reason to name for the move: the first good fact; NULL when nothing tells.
const TutorFact *tutor_reason(const TutorFacts *facts);
// The one objection: the first bad fact that costs something; NULL when there is none.
const TutorFact *tutor_objection(const TutorFacts *facts);

// What stands on the board for the side `color`, whoever is to move: its pins, skewers and forks
// against the other side, and the other side's men that it could win (TUTOR_THREATENS, told only
// when `color` is to move or may be thought so: the other side is not in check) (L-049, L-050).
void tutor_position_facts(const ChessPosition *pos, ChessColor color, TutorFacts *out);

// ---- exchanges (L-041) --------------------------------------------------------------------------

#define TUTOR_EXCHANGE_MAX 32
typedef struct TutorExchange {
    int count; // captures, as both sides would make them with their cheapest men
    ChessMove moves[TUTOR_EXCHANGE_MAX];
    int32_t balance[TUTOR_EXCHANGE_MAX]; // for the side that began, after each
    int best;    // captures after which it is best to stop for whoever is next; 0: better not begin
    int32_t net; // what the best play gives the side that began; never negative
    int32_t given; // worth of the first capturer, if there is one
    int32_t taken; // worth of what stands there
} TutorExchange;

// Captures on a square by `color` first. False when the square holds no man of the other side, or
// the other side is in check while it would not be to move.
JD_MUST_USE bool tutor_exchange(const ChessPosition *pos, ChessSquare square, ChessColor color,
                                TutorExchange *out);

// What the legal move nets on its arrival square, by legal captures alone; 0 for a quiet move that
// cannot be punished there.
int32_t tutor_move_exchange(const ChessPosition *pos, ChessMove move);
int32_t tutor_worth(ChessKind kind); // king: 10000

// ---- mates --------------------------------------------------------------------------------------

typedef enum TutorMate { TUTOR_NO_MATE = 0, TUTOR_MATE = 1, TUTOR_UNDECIDED = 2 } TutorMate;

// Whether the side to move mates in at most `moves` moves. *nodes is spent; *first (may be NULL) is
// written when it does. try_first: a move to look at first, or CHESS_NO_MOVE.
TutorMate tutor_mate_in(const ChessPosition *pos, int moves, uint32_t *nodes, ChessMove try_first,
                        ChessMove *first);

// The same position with the other side to move (a pass). False in check, where nobody may pass.
JD_MUST_USE bool tutor_pass(const ChessPosition *pos, ChessPosition *out);

// ---- openings, the centre, phases ---------------------------------------------------------------

// L-043; a set bit means: broken.
typedef enum TutorRule {
    TUTOR_RULE_CENTER = 1,  // no pawn of files d and e has moved
    TUTOR_RULE_DEVELOP = 2, // knights or bishops on their first squares
    TUTOR_RULE_TWICE =
        4, // the same man moved twice, unattacked, taking nothing, while others waited
    TUTOR_RULE_CASTLE = 8,   // not castled
    TUTOR_RULE_BISHOPS = 16, // a bishop without a move, walled in by own pawns
    TUTOR_RULE_PAWNS = 32,   // six pawns or more have moved
    TUTOR_RULE_QUEEN = 64,   // the queen went out before two of the knights and bishops
} TutorRule;
#define TUTOR_RULES 7

typedef struct TutorOpening {
    uint32_t broken;               // TutorRule bits
    uint8_t waiting;               // knights and bishops on their first squares
    uint16_t move_no[TUTOR_RULES]; // where TWICE and QUEEN were broken first; 0: not by one move
    uint8_t squares[TUTOR_RULES];  // of the man it is about, or CHESS_NO_SQUARE
} TutorOpening;

// The checklist for a side after the moves, which must be legal from the standard start position.
void tutor_opening(const ChessMove *moves, int count, ChessColor color, TutorOpening *out);

typedef struct TutorCenter {
    uint8_t white[4], black[4]; // attackers of d4, e4, d5, e5, in this order (L-048)
} TutorCenter;
void tutor_center(const ChessPosition *pos, TutorCenter *out);

typedef enum TutorPhase { TUTOR_OPENING = 1, TUTOR_MIDDLEGAME = 2, TUTOR_ENDGAME = 3 } TutorPhase;
// L-054. Endgame: at most six knights, bishops, rooks and queens are left in all. Opening: at least
// eleven are, and three or more knights and bishops stand where they began. Else the middlegame.
TutorPhase tutor_phase(const ChessPosition *pos);
const char *tutor_phase_name(TutorPhase phase); // "opening", ...

// Balance of material for a colour, in hundredths of a pawn.
int32_t tutor_material(const ChessPosition *pos, ChessColor color);

// ---- as text ------------------------------------------------------------------------------------

// One fact as JSON:
//   {"id":"fork","question":"attacked","good":true,"man":{"piece":"N","square":"e5"},
//    "targets":[{"piece":"k","square":"g8"},...],"n":3,"move":"e5g6","san":"Nxg6"}
// Pieces as in FEN. What does not apply is left out. pos: before the move the fact is about; move:
// that move, or CHESS_NO_MOVE for facts of a position.
void tutor_fact_write(const ChessPosition *pos, ChessMove move, const TutorFact *fact, JdOut *out);
// An array of them.
void tutor_facts_write(const ChessPosition *pos, ChessMove move, const TutorFacts *facts,
                       JdOut *out);

// The position a fact's move is legal in: after the move, or after a pass there. False: it has
// none.
JD_MUST_USE bool tutor_fact_position(const ChessPosition *pos, ChessMove move,
                                     const TutorFact *fact, ChessPosition *out);

#endif
