// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every fact the tutor tells in many games is checked by brute force (plain.h): real games when the
// environment names a PGN file in JADOUBE_GAMES, random ones otherwise and always.
#include <check.h>

#include <jadoube/pgn.h>

#include "chess/support.h"
#include "plain.h"
#include "tutor/tutor.h"

typedef struct Claim {
    const ChessPosition *before;
    ChessPosition after;
    ChessMove move;
    int us, them;
    int from, to;
    const TutorFact *fact;
} Claim;

static uint64_t told[64];

static bool is_square(const Claim *claim, TutorMan man) {
    return claim->after.board[man.square] == man.piece;
}

static bool unguarded(const Claim *claim, int square, int color) {
    return !plain_is_attacked(claim->after.board, square, color);
}

static bool worth_attacking(const Claim *claim, TutorMan man, TutorMan target) {
    const int owner = target.piece / 8;
    return plain_attacks(claim->after.board, man.square, target.square) &&
           (unguarded(claim, target.square, owner) ||
            plain_worth(target.piece) > plain_worth(man.piece));
}

static bool holds_fork(const Claim *claim) {
    const TutorFact *fact = claim->fact;
    int count = 0;
    for (int i = 0; i < fact->target_count; i++)
        count += worth_attacking(claim, fact->man, fact->targets[i]) ? 1 : 0;
    return count == fact->target_count && count >= 2 &&
           plain_take(&claim->after, fact->man.square) < 0;
}

// With the first man taken off the board, the slider attacks the second.
static bool holds_line(const Claim *claim) {
    const TutorFact *fact = claim->fact;
    uint8_t board[64];
    memcpy(board, claim->after.board, sizeof board);
    const TutorMan front = fact->targets[0];
    const TutorMan behind = fact->targets[1];
    if (!plain_attacks(board, fact->man.square, front.square))
        return false;
    board[front.square] = 0;
    if (!plain_attacks(board, fact->man.square, behind.square) ||
        plain_take(&claim->after, fact->man.square) >= 0)
        return false;
    const bool falls = plain_worth(behind.piece) > plain_worth(fact->man.piece) ||
                       unguarded(claim, behind.square, claim->them);
    switch (fact->kind) {
    case TUTOR_PIN_ABSOLUTE:
        return (behind.piece & 7) == CHESS_KING;
    case TUTOR_PIN_RELATIVE:
        return falls && plain_worth(behind.piece) > plain_worth(front.piece) &&
               !plain_attacks(claim->after.board, front.square, fact->man.square);
    default:
        return falls && plain_worth(front.piece) >= plain_worth(behind.piece);
    }
}

static bool holds_discovered(const Claim *claim) {
    const TutorFact *fact = claim->fact;
    return fact->man.square != claim->to &&
           plain_attacks(claim->after.board, fact->man.square, fact->targets[0].square) &&
           !plain_attacks(claim->before->board, fact->man.square, fact->targets[0].square);
}

static int checkers(const Claim *claim) {
    const int king = plain_king(claim->after.board, claim->them);
    int count = 0;
    for (int square = 0; square < 64; square++)
        if (claim->after.board[square] != 0 && claim->after.board[square] / 8 == claim->us &&
            plain_attacks(claim->after.board, square, king))
            count++;
    return count;
}

static bool passed_mates(const ChessPosition *pos) {
    ChessPosition passed;
    return plain_pass(pos, &passed) && plain_mates(&passed, 1);
}

static bool saved(const Claim *claim) {
    ChessPosition passed;
    const int was = claim->fact->targets[0].square;
    const int now = was == claim->from ? claim->to : was;
    return plain_pass(claim->before, &passed) && plain_take(&passed, was) > 0 &&
           plain_take(&claim->after, now) <= 0;
}

static bool threatened(const Claim *claim) {
    ChessPosition passed;
    const int square = claim->fact->targets[0].square;
    return plain_pass(&claim->after, &passed) &&
           plain_take(&passed, square) == claim->fact->number && claim->fact->number > 0 &&
           plain_take(claim->before, square) <= 0;
}

static bool is_passed(const Claim *claim) {
    const int step = claim->us == 0 ? 1 : -1;
    for (int rank = claim->to / 8 + step; rank >= 0 && rank < 8; rank += step)
        for (int file = claim->to % 8 - 1; file <= claim->to % 8 + 1; file++)
            if (file >= 0 && file < 8 && claim->after.board[rank * 8 + file] == 1 + 8 * claim->them)
                return false;
    return (claim->after.board[claim->to] & 7) == 1;
}

static unsigned plain_taken(const Claim *claim) {
    return chess_move_captured(claim->before, claim->move);
}

// What the move itself nets on its square.
static int own_net(const Claim *claim) {
    const unsigned promoted = chess_move_promotion(claim->move);
    return plain_worth(plain_taken(claim)) + (promoted != 0 ? plain_worth(promoted) - 100 : 0) -
           plain_exchange(&claim->after, claim->to);
}

static int checks_left(const Claim *claim) {
    ChessMoveList replies;
    int count = 0;
    chess_moves_generate(&claim->after, &replies);
    for (int i = 0; i < replies.count; i++) {
        ChessPosition next = claim->after;
        chess_move_make(&next, replies.moves[i], NULL);
        count += plain_is_attacked(next.board, plain_king(next.board, claim->us), claim->them);
    }
    return count;
}

// The decoy loses: by mate, on its square, or elsewhere by more than it brought.
static bool is_decoy(const Claim *claim) {
    ChessPosition next = claim->after;
    const TutorFact *fact = claim->fact;
    if (plain_taken(claim) == 0 || !chess_move_is_legal(&claim->after, fact->move))
        return false;
    chess_move_make(&next, fact->move, NULL);
    if (fact->number == 0)
        return plain_is_lost(&next, 1);
    const int lost = plain_worth(chess_move_captured(&claim->after, fact->move));
    return fact->number < 0 && lost > 0;
}

static bool allows_fork(const Claim *claim) {
    const TutorFact *fact = claim->fact;
    Claim reply = { .before = &claim->after,
                    .after = claim->after,
                    .us = claim->them,
                    .them = claim->us,
                    .fact = fact };
    if (!chess_move_is_legal(&claim->after, fact->move))
        return false;
    chess_move_make(&reply.after, fact->move, NULL);
    return holds_fork(&reply);
}

static bool holds(const Claim *claim) {
    const TutorFact *fact = claim->fact;
    const TutorMan target = fact->targets[0];
    switch ((TutorKind)fact->kind) {
    case TUTOR_NOTHING:
        return false;
    case TUTOR_MATES:
        return plain_is_lost(&claim->after, fact->number - 1);
    case TUTOR_MATE_LINE:
    case TUTOR_LINE_WINS:
    case TUTOR_LINE_LOSES:
        return false; // no line was given
    case TUTOR_PROMOTES:
        return chess_move_promotion(claim->move) == (fact->man.piece & 7);
    case TUTOR_TAKES_FREE:
        return plain_take(&claim->after, claim->to) < -100000 && target.piece == plain_taken(claim);
    case TUTOR_WINS:
        return own_net(claim) == fact->number && fact->number > 0;
    case TUTOR_FORK:
        return holds_fork(claim);
    case TUTOR_PIN_ABSOLUTE:
    case TUTOR_PIN_RELATIVE:
    case TUTOR_SKEWER:
        return holds_line(claim);
    case TUTOR_DOUBLE_CHECK:
        return checkers(claim) == 2;
    case TUTOR_DISCOVERED_CHECK:
    case TUTOR_DISCOVERED_ATTACK:
        return holds_discovered(claim);
    case TUTOR_STOPS_MATE:
        return passed_mates(claim->before) && !plain_mates(&claim->after, 1);
    case TUTOR_THREATENS_MATE:
        return passed_mates(&claim->after);
    case TUTOR_SAVES:
        return saved(claim);
    case TUTOR_THREATENS:
        return threatened(claim);
    case TUTOR_TRADES_AHEAD:
    case TUTOR_TRADES:
        return own_net(claim) == 0 &&
               plain_worth(plain_taken(claim)) == plain_worth(claim->before->board[claim->from]);
    case TUTOR_CASTLES:
        return chess_move_is_castling(claim->move);
    case TUTOR_DEVELOPS:
        return claim->from / 8 == 7 * claim->us && own_net(claim) >= 0;
    case TUTOR_CENTER:
        return (claim->to / 8 == 3 || claim->to / 8 == 4) &&
               (claim->to % 8 == 3 || claim->to % 8 == 4) && own_net(claim) >= 0;
    case TUTOR_PASSED:
    case TUTOR_PASSED_ON:
        return is_passed(claim);
    case TUTOR_OPEN_FILE:
        for (int rank = 1; rank < 7; rank++)
            if ((claim->after.board[rank * 8 + claim->to % 8] & 7) == 1)
                return false;
        return true;
    case TUTOR_CHECK:
        return checkers(claim) > 0;
    case TUTOR_ONLY_MOVE:
        return chess_moves_count(claim->before) == 1;
    case TUTOR_STALEMATES:
        return checkers(claim) == 0 && chess_moves_count(&claim->after) == 0;
    case TUTOR_ATTACKS:
        for (int i = 0; i < fact->target_count; i++)
            if (!plain_attacks(claim->after.board, claim->to, fact->targets[i].square))
                return false;
        return fact->target_count > 0;
    case TUTOR_ALLOWS_MATE: {
        ChessPosition next = claim->after;
        chess_move_make(&next, fact->move, NULL);
        return plain_is_lost(&next, fact->number - 1);
    }
    case TUTOR_DECOY:
        return is_decoy(claim);
    case TUTOR_LOSES:
        return plain_take(&claim->after, claim->to) == fact->number && fact->number > 0;
    case TUTOR_LEAVES:
        return plain_take(&claim->after, target.square) == fact->number && fact->number > 0;
    case TUTOR_ALLOWS_FORK:
        return allows_fork(claim);
    case TUTOR_CHECKS_LEFT:
        return checks_left(claim) == fact->number && fact->number > 0;
    case TUTOR_KING_SAFE:
        return checks_left(claim) == 0;
    }
    return false;
}

static bool men_are_there(const Claim *claim) {
    const TutorFact *fact = claim->fact;
    if (fact->kind == TUTOR_ALLOWS_FORK)
        return true; // one move later; holds_fork looks
    if (fact->man.piece != 0 && fact->kind != TUTOR_THREATENS && !is_square(claim, fact->man))
        return false;
    const bool before = fact->kind == TUTOR_TAKES_FREE || fact->kind == TUTOR_WINS ||
                        fact->kind == TUTOR_TRADES || fact->kind == TUTOR_TRADES_AHEAD ||
                        fact->kind == TUTOR_DECOY || fact->kind == TUTOR_SAVES;
    for (int i = 0; i < fact->target_count; i++) {
        const TutorMan target = fact->targets[i];
        if (before ? claim->before->board[target.square] != target.piece
                   : !is_square(claim, target))
            return false;
    }
    return true;
}

static void check_move(const ChessPosition *pos, ChessMove move) {
    TutorFacts facts;
    tutor_move_facts(pos, move, (TutorLine) { NULL, 0 }, &facts);
    Claim claim = { .before = pos,
                    .after = *pos,
                    .move = move,
                    .us = pos->side_to_move,
                    .them = 1 - pos->side_to_move,
                    .from = chess_move_from(move),
                    .to = chess_move_arrival(move) };
    chess_move_make(&claim.after, move, NULL);
    for (int i = 0; i < facts.count; i++) {
        claim.fact = &facts.facts[i];
        told[claim.fact->kind]++;
        if (!men_are_there(&claim) || !holds(&claim)) {
            char uci[CHESS_UCI_SIZE];
            chess_uci_write(pos, move, uci);
            fail_msg("%s %s: \"%s\" #%d man %d target %d is not true", fen_of(pos), uci,
                     tutor_kind_name((TutorKind)claim.fact->kind), claim.fact->number,
                     claim.fact->man.square, claim.fact->targets[0].square);
        }
    }
}

static void on_random(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    uint64_t *seed = context;
    for (int i = 0; i < 3 && legal->count > 0; i++)
        check_move(pos, legal->moves[jd_random_below(seed, (uint32_t)legal->count)]);
}

static void test_random_games(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    uint64_t chance = seed ^ 77;
    const char *games = getenv("JADOUBE_TUTOR_GAMES");
    each_random_position(&seed, games != NULL ? atoi(games) : 12, 90, on_random, &chance);
    assert_true(told[TUTOR_FORK] > 0 && told[TUTOR_PIN_ABSOLUTE] > 0 && told[TUTOR_LEAVES] > 0);
}

// Each move of a game, and one that was not played.
static void on_pgn_move(void *context, const ChessPgnMove *move) {
    uint64_t *seed = context;
    if (move->position == NULL || move->is_null)
        return;
    ChessMoveList legal;
    chess_moves_generate(move->position, &legal);
    check_move(move->position, move->move);
    check_move(move->position, legal.moves[jd_random_below(seed, (uint32_t)legal.count)]);
}

static void read_games(const char *path) {
    static char buffer[256 * 1024];
    static ChessPgnLine lines[8];
    static char text[64 * 1024];
    const ChessPgnVisitor visitor = { .move = on_pgn_move };
    const ChessPgnOptions options = {
        .buffer = buffer, .buffer_size = sizeof buffer, .lines = lines, .line_count = 8
    };
    uint64_t seed = 5;
    ChessPgnReader reader;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("cannot open %s", path);
    chess_pgn_init(&reader, &options, &visitor, &seed);
    for (size_t got; (got = fread(text, 1, sizeof text, in)) > 0;)
        (void)chess_pgn_push(&reader, jd_str_n(text, got));
    chess_pgn_finish(&reader);
    fclose(in);
}

static void test_real_games(void **state) {
    (void)state;
    const char *path = getenv("JADOUBE_GAMES");
    read_games(TEST_DATA "/pgn/mixed.pgn");
    if (path != NULL)
        read_games(path);
    for (int kind = 1; kind < 64; kind++)
        if (tutor_kind_name((TutorKind)kind) != NULL)
            print_message("%-18s %llu\n", tutor_kind_name((TutorKind)kind),
                          (unsigned long long)told[kind]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_real_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
