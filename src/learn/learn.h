// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is proved of a position, for lessons and problems: mates in a few with their only solution,
// material won against any defence, lines that show a motif; and the problems of
// learn/problems.txt. Pure: the miner finds with it, the checker proves with it, and the browser's
// lessons ask it.
#ifndef JADOUBE_LEARN_LEARN_H
#define JADOUBE_LEARN_LEARN_H

#include <jadoube/chess.h>

#include "tutor/tutor.h"

#define LEARN_MATE_MAX 3
// Full-width plies of learn_gain; captures and ways out of check go on behind them.
#define LEARN_GAIN_PLIES 4

// ---- mates

// Whether the side to move mates in at most n of its moves against any defence. Exact, every move
// of both sides is tried; n is at most LEARN_MATE_MAX.
bool learn_mates(const ChessPosition *pos, int n);
// The smallest n up to max, or 0.
int learn_mate_in(const ChessPosition *pos, int max);
// The first moves that mate in at most n; returns how many there are, *one is the first found.
int learn_mating_moves(const ChessPosition *pos, int n, ChessMove *one);
// The reply that puts the mate off longest (of equals the first in the order of generation).
ChessMove learn_longest_defence(const ChessPosition *pos, int n);
// Whether mate in n can be forced by checks alone: a quick look, "no" proves nothing.
bool learn_mates_by_checks(const ChessPosition *pos, int n);

// ---- material

// Pawn 100, knight and bishop 300, rook 500, queen 900 (L-040); king 0.
int learn_value(ChessKind kind);
// What the side to move gains in material with best play of both, in hundredths of a pawn: plies
// moves of full width, then captures. Mate counts LEARN_MATE. but: a move left out at first, or
// CHESS_NO_MOVE. *best: the move, when not NULL.
#define LEARN_MATE 20000
int learn_gain(const ChessPosition *pos, int plies, ChessMove but, ChessMove *best);

// ---- motifs

typedef enum LearnMotif {
    LEARN_NO_MOTIF = 0,
    LEARN_FORK = 1,
    LEARN_PIN = 2,
    LEARN_SKEWER = 3,
    LEARN_DISCOVERED = 4,
    LEARN_MOTIF_COUNT = 5,
} LearnMotif;
extern const char *const learn_motif_names[LEARN_MOTIF_COUNT]; // "fork", "pin", ...

// The squares behind each other that make a pin or a skewer: a slider of one side, the man in front
// and the man behind.
typedef struct LearnLine {
    ChessSquare slider;
    ChessSquare front;
    ChessSquare behind;
} LearnLine;
// Lines on which a slider of `by` attacks an enemy man through which it sees another enemy man.
int learn_lines(const ChessPosition *pos, ChessColor by, LearnLine out[32]);
// In front the lesser man, behind the greater (a king is greater than all): a pin.
bool learn_is_pin(const ChessPosition *pos, const LearnLine *line);
// In front the greater man or a king, behind another worth taking: a skewer.
bool learn_is_skewer(const ChessPosition *pos, const LearnLine *line);

// Enemy men that the man on this square attacks with gain: the king, a man worth more, or one that
// can be taken for nothing. Side to move: the enemy.
uint64_t learn_fork_targets(const ChessPosition *pos, ChessSquare square);

// The motif by which a line of three plies (move, reply, capture) wins; LEARN_NO_MOTIF where none
// of the four explains it. The moves must be legal one after the other.
LearnMotif learn_motif(const ChessPosition *pos, const ChessMove line[3]);
// Whether the line shows this very motif.
bool learn_shows(const ChessPosition *pos, const ChessMove line[3], LearnMotif motif);

// ---- what a learner is shown --------------------------------------------------------------------

// Pieces of a colour that have left their squares of the initial position: knights and bishops.
int learn_developed(const ChessPosition *pos, ChessColor color);

// The captures on one square as tutor_exchange counts them, begun by the side to move (L-041).
// balance: for that side, in pawns, after each capture.
#define LEARN_EXCHANGE_MAX TUTOR_EXCHANGE_MAX
typedef struct LearnExchange {
    ChessMove moves[LEARN_EXCHANGE_MAX];
    int balance[LEARN_EXCHANGE_MAX];
    int count;
    int result; // when each side stops where going on would cost it; below 0: better not begun
    int stop;   // captures made until then
} LearnExchange;
void learn_exchange(const ChessPosition *pos, ChessSquare square, LearnExchange *out);

// What a move leaves the opponent to gain, in hundredths of a pawn (0: nothing): the question
// before every move (L-052). LEARN_MATE: it lets itself be mated at once.
int learn_leaves(const ChessPosition *pos, ChessMove move);

// Whether the side to move brings a pawn to the last rank within n of its moves, where the new
// queen is not taken at once, whatever the other side does. Exact; for endings of a few men.
bool learn_promotes(const ChessPosition *pos, int n);

// ---- problems -----------------------------------------------------------------------------------

// One problem is a line of learn/problems.txt; its form stands in learn/README.md.
#define LEARN_LINE_MAX 5 // plies of a solution
#define LEARN_TEXT_SIZE 320

typedef enum LearnTheme {
    LEARN_THEME_MATE1 = 0,
    LEARN_THEME_MATE2 = 1,
    LEARN_THEME_MATE3 = 2,
    LEARN_THEME_FORK = 3,
    LEARN_THEME_PIN = 4,
    LEARN_THEME_SKEWER = 5,
    LEARN_THEME_DISCOVERED = 6,
    LEARN_THEME_PAWNS = 7,  // endings of kings and pawns alone
    LEARN_THEME_ENDING = 8, // other endings, to be won
    LEARN_THEME_DRAW = 9,   // endings to be held
    LEARN_THEME_COUNT = 10,
} LearnTheme;
extern const char *const learn_theme_names[LEARN_THEME_COUNT];

typedef struct LearnProblem {
    LearnTheme theme;
    int grade; // 1 easiest to 5
    ChessPosition pos;
    ChessMove line[LEARN_LINE_MAX]; // the solver's first, then turn by turn; odd in number
    int plies;
    uint32_t game; // number in games.pgn
    uint32_t ply;  // plies made before the position
    // Of endings: what the engine said of the first move and of the next best, in centipawns for
    // the solver (a mate as 10000), and how deep it looked.
    int32_t best;
    int32_t second;
    uint32_t depth;
} LearnProblem;

JD_MUST_USE bool learn_problem_parse(JdStr line, LearnProblem *out, JdErr *err);
size_t learn_problem_write(const LearnProblem *problem, char out[LEARN_TEXT_SIZE]);

// How hard, from what can be counted: moves to find, whether the first is a check, a capture or
// quiet, and how many men and moves distract.
int learn_grade(const LearnProblem *problem);

// The same for positions that are each other's mirror image or the same with colours exchanged.
uint64_t learn_position_key(const ChessPosition *pos);

// Everything that the rules can prove of a problem; false and a sentence in err where it is not so.
// Of endings that it is one, and the numbers of the engine.
JD_MUST_USE bool learn_problem_prove(const LearnProblem *problem, JdErr *err);

// Whether an endgame: no queens and few men.
bool learn_is_ending(const ChessPosition *pos);
bool learn_is_pawn_ending(const ChessPosition *pos);

// What the first move wins (hundredths of a pawn) and how much less the next best does.
#define LEARN_GAIN_MIN 200
#define LEARN_GAIN_LEAD 150
// Of endings: at least so much for the solver with the right move, at most so much with any other.
#define LEARN_WON 300
#define LEARN_NOT_WON 90
#define LEARN_HELD 40
#define LEARN_LOST 350
#define LEARN_ENDING_DEPTH 18

#endif
