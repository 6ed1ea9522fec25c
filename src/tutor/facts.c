// SPDX-License-Identifier: GPL-3.0-or-later
//
// The facts of one move, the most telling first.
#include "tutor/inner.h"

// What the looks at one move share.
typedef struct Look {
    const ChessPosition *before;
    ChessPosition after;
    ChessPosition again;  // after, with the side that moved to move again
    bool has_again;       // not where the move gives check
    ChessPosition passed; // before, with the opponent to move
    bool has_passed;      // not where we are in check
    ChessMove move;
    ChessColor us;
    ChessSquare from, to; // where the man stands after it
    ChessPiece taken;
    int32_t net; // of the exchange on the arrival square
    uint32_t nodes;
    ChessMove mate_answer; // of the opponent; CHESS_NO_MOVE: he has none
    TutorLine line;
    TutorFacts *out;
} Look;

TutorFact *tutor_add(TutorFacts *out, TutorKind kind) {
    if (out->count == TUTOR_FACTS_MAX)
        return NULL;
    TutorFact *fact = &out->facts[out->count++];
    *fact = (TutorFact) { .kind = (uint8_t)kind };
    return fact;
}

// A fact about the man that moved; the last of a full list is given up for it.
static TutorFact *add(Look *look, TutorKind kind) {
    TutorFact *fact = tutor_add(look->out, kind);
    if (fact == NULL) {
        fact = &look->out->facts[TUTOR_FACTS_MAX - 1];
        *fact = (TutorFact) { .kind = (uint8_t)kind };
    }
    fact->man = man_at(&look->after, look->to);
    return fact;
}

static void target(TutorFact *fact, TutorMan man) {
    if (fact->target_count < TUTOR_TARGETS_MAX)
        fact->targets[fact->target_count++] = man;
}

static void targets(TutorFact *fact, const ChessPosition *pos, uint64_t set) {
    while (set != 0)
        target(fact, man_at(pos, next_square(&set)));
}

static bool has_two(uint64_t set) {
    return (set & (set - 1)) != 0;
}

static TutorMan taken_man(const Look *look) {
    const bool ep = chess_move_is_en_passant(look->move);
    return (TutorMan) { look->taken, (uint8_t)(ep ? look->to ^ 8 : look->to) };
}

// ---- mates --------------------------------------------------------------------------------------

// The line as far as it is legal: plies, the position at its end, and the material it brings.
static int follow(const Look *look, ChessPosition *end) {
    *end = *look->before;
    int count = 0;
    for (; count < look->line.count; count++) {
        if (!chess_move_is_legal(end, look->line.moves[count]))
            break;
        chess_move_make(end, look->line.moves[count], NULL);
    }
    return count;
}

static bool find_mate(Look *look) {
    if (chess_is_checkmate(&look->after)) {
        add(look, TUTOR_MATES)->number = 1;
        return true;
    }
    ChessPosition end;
    const int plies = follow(look, &end);
    const bool line_mates = plies % 2 == 1 && chess_is_checkmate(&end);
    const int wanted = line_mates ? (plies + 1) / 2 : 2;
    for (int n = 2; n <= wanted && n <= TUTOR_MATE_MAX; n++) {
        ChessMoveList replies;
        TutorMate all = TUTOR_MATE;
        chess_moves_generate(&look->after, &replies);
        for (int i = 0; i < replies.count && all == TUTOR_MATE; i++) {
            ChessPosition next = look->after;
            chess_move_make(&next, replies.moves[i], NULL);
            all = tutor_mate_in(&next, n - 1, &look->nodes, CHESS_NO_MOVE, NULL);
        }
        if (all == TUTOR_MATE && replies.count > 0) {
            add(look, TUTOR_MATES)->number = n;
            return true;
        }
    }
    if (line_mates)
        add(look, TUTOR_MATE_LINE)->number = wanted;
    return line_mates;
}

static void find_threat_of_mate(Look *look) {
    uint32_t nodes = 400;
    ChessMove first;
    if (look->has_again &&
        tutor_mate_in(&look->again, 1, &nodes, CHESS_NO_MOVE, &first) == TUTOR_MATE)
        add(look, TUTOR_THREATENS_MATE)->move = first;
}

static void find_stopped_mate(Look *look) {
    uint32_t nodes = 400;
    ChessMove threat;
    if (!look->has_passed ||
        tutor_mate_in(&look->passed, 1, &nodes, CHESS_NO_MOVE, &threat) != TUTOR_MATE)
        return;
    nodes = 400;
    if (tutor_mate_in(&look->after, 1, &nodes, CHESS_NO_MOVE, NULL) == TUTOR_NO_MATE)
        add(look, TUTOR_STOPS_MATE)->move = threat;
}

// ---- taking -------------------------------------------------------------------------------------

static void find_promotion(Look *look) {
    if (chess_move_promotion(look->move) != CHESS_NO_KIND)
        add(look, TUTOR_PROMOTES);
}

// Nobody can take the man that has moved.
static bool is_untouchable(const Look *look) {
    ChessMove best;
    (void)tutor_best_capture(&look->after, look->to, &best);
    return best == CHESS_NO_MOVE;
}

static void find_winning_capture(Look *look) {
    if (look->taken == CHESS_NO_PIECE || look->net <= 0)
        return;
    const bool free = is_untouchable(look);
    TutorFact *fact = add(look, free ? TUTOR_TAKES_FREE : TUTOR_WINS);
    target(fact, taken_man(look));
    fact->number = look->net;
}

static void find_trade(Look *look) {
    const int32_t worth = tutor_worth(chess_piece_kind(look->taken));
    if (worth < 300 || look->net != 0 || worth != worth_at(look->before, look->from) ||
        chess_move_promotion(look->move) != CHESS_NO_KIND)
        return;
    const int32_t ahead = tutor_material(look->before, look->us);
    TutorFact *fact = add(look, ahead >= 100 ? TUTOR_TRADES_AHEAD : TUTOR_TRADES);
    target(fact, taken_man(look));
    fact->number = ahead >= 100 ? ahead : 0;
}

// Whether the side to move can win a man by taking, on any square.
static bool is_quiet(const ChessPosition *pos) {
    if (chess_is_check(pos))
        return false;
    uint64_t men = pos->colors[pos->side_to_move ^ 1] & ~pos->kinds[CHESS_KING];
    while (men != 0) {
        ChessMove best;
        if (tutor_best_capture(pos, next_square(&men), &best) > 0)
            return false;
    }
    return true;
}

// What the line nets, cut back to where it ends in quiet; 0 when it does nowhere beyond the move.
static int32_t line_net(const Look *look) {
    ChessPosition at = *look->before;
    ChessPosition passed;
    const int32_t start = tutor_material(&at, look->us);
    int32_t net = 0;
    for (int i = 0; i < look->line.count && chess_move_is_legal(&at, look->line.moves[i]); i++) {
        chess_move_make(&at, look->line.moves[i], NULL);
        if (i >= 2 && is_quiet(&at) && tutor_pass(&at, &passed) && is_quiet(&passed))
            net = tutor_material(&at, look->us) - start;
    }
    return net;
}

// ---- lines of pieces ----------------------------------------------------------------------------

static void find_fork(Look *look) {
    const uint64_t now = tutor_fork_targets(&look->after, look->to);
    if (!has_two(now) || !tutor_is_safe(&look->after, look->to))
        return;
    // It did not attack all of them before.
    const uint64_t had = chess_move_promotion(look->move) == CHESS_NO_KIND
                             ? tutor_fork_targets(look->before, look->from)
                             : 0;
    if ((now & ~had) == 0)
        return;
    targets(add(look, TUTOR_FORK), &look->after, now);
}

static bool had_pair(const Look *look, const LinePair *pair, const LinePair *before, int count) {
    for (int i = 0; i < count; i++) {
        const ChessSquare slider = before[i].slider == look->from ? look->to : before[i].slider;
        if (slider == pair->slider && before[i].front == pair->front &&
            before[i].behind == pair->behind)
            return true;
    }
    return false;
}

static void find_pairs(Look *look, TutorKind kind) {
    LinePair before[LINE_PAIRS_MAX];
    LinePair after[LINE_PAIRS_MAX];
    const int before_count = tutor_line_pairs(look->before, look->us, before);
    const int after_count = tutor_line_pairs(&look->after, look->us, after);
    for (int i = 0; i < after_count; i++) {
        if (after[i].kind != kind || had_pair(look, &after[i], before, before_count) ||
            !tutor_is_safe(&look->after, after[i].slider))
            continue;
        // A pawn held against a king is worth no word.
        if (chess_piece_kind(look->after.board[after[i].front]) == CHESS_PAWN)
            continue;
        TutorFact *fact = add(look, kind);
        fact->man = man_at(&look->after, after[i].slider);
        target(fact, man_at(&look->after, after[i].front));
        target(fact, man_at(&look->after, after[i].behind));
    }
}

static void find_discoveries(Look *look) {
    const ChessColor them = chess_other(look->us);
    const uint64_t checkers = chess_checkers(&look->after);
    if (has_two(checkers)) {
        targets(add(look, TUTOR_DOUBLE_CHECK), &look->after,
                look->after.kinds[CHESS_KING] & look->after.colors[them]);
    } else if ((checkers & ~square_bit(look->to)) != 0 && !chess_move_is_castling(look->move)) {
        uint64_t checker = checkers;
        TutorFact *fact = add(look, TUTOR_DISCOVERED_CHECK);
        fact->man = man_at(&look->after, next_square(&checker));
        target(fact, man_at(&look->after, chess_king_square(&look->after, them)));
    }
    if (chess_move_is_castling(look->move))
        return;
    uint64_t men =
        look->after.colors[them] & ~look->after.kinds[CHESS_PAWN] & ~look->after.kinds[CHESS_KING];
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        uint64_t attackers =
            chess_attackers(&look->after, square, look->us) & ~square_bit(look->to) &
            ~chess_attackers(look->before, square, look->us) & ~chess_pins(&look->after, look->us);
        while (attackers != 0) {
            const ChessSquare slider = next_square(&attackers);
            if (chess_attackers(&look->after, square, them) != 0 &&
                worth_at(&look->after, square) <= worth_at(&look->after, slider))
                continue;
            TutorFact *fact = add(look, TUTOR_DISCOVERED_ATTACK);
            fact->man = man_at(&look->after, slider);
            target(fact, man_at(&look->after, square));
        }
    }
}

// ---- threats, rescues ---------------------------------------------------------------------------

static void find_threats(Look *look) {
    if (!look->has_again)
        return;
    uint64_t men = look->again.colors[chess_other(look->us)] & ~look->again.kinds[CHESS_KING];
    TutorFact most = { 0 };
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        ChessMove best;
        ChessMove had;
        const int32_t net = tutor_best_capture(&look->again, square, &best);
        if (best == CHESS_NO_MOVE || net <= most.number ||
            tutor_best_capture(look->before, square, &had) > 0)
            continue;
        most = (TutorFact) { .man = man_at(&look->again, chess_move_from(best)),
                             .number = net,
                             .move = best };
        target(&most, man_at(&look->again, square));
    }
    if (most.number > 0) {
        TutorFact *fact = add(look, TUTOR_THREATENS);
        const uint8_t kind = fact->kind;
        *fact = most;
        fact->kind = kind;
    }
}

static void find_rescue(Look *look) {
    if (!look->has_passed)
        return;
    uint64_t men = look->before->colors[look->us] & ~look->before->kinds[CHESS_KING];
    TutorFact saved = { 0 };
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        const ChessSquare now = square == look->from ? look->to : square;
        ChessMove best;
        const int32_t was = tutor_best_capture(&look->passed, square, &best);
        if (best == CHESS_NO_MOVE || was <= saved.number ||
            (square == look->from && look->taken != CHESS_NO_PIECE))
            continue;
        const int32_t is = tutor_best_capture(&look->after, now, &best);
        if (best != CHESS_NO_MOVE && is > 0)
            continue;
        saved.number = was;
        saved.target_count = 0;
        target(&saved, man_at(look->before, square));
    }
    if (saved.number <= 0 || chess_move_promotion(look->move) != CHESS_NO_KIND)
        return;
    TutorFact *fact = add(look, TUTOR_SAVES);
    fact->number = saved.number;
    target(fact, saved.targets[0]);
}

// ---- plain things -------------------------------------------------------------------------------

static bool is_center(ChessSquare square) {
    const int file = chess_file(square);
    const int rank = chess_rank(square);
    return (file == 3 || file == 4) && (rank == 3 || rank == 4);
}

static void find_pawn_things(Look *look) {
    if (chess_piece_kind(look->after.board[look->to]) != CHESS_PAWN ||
        !tutor_is_passed(&look->after, look->to))
        return;
    const bool was = tutor_is_passed(look->before, look->from);
    const int rank = chess_rank(look->to);
    add(look, was ? TUTOR_PASSED_ON : TUTOR_PASSED)->number =
        look->us == CHESS_WHITE ? 7 - rank : rank;
}

static void find_plain_things(Look *look) {
    const ChessKind kind = chess_piece_kind(look->after.board[look->to]);
    if (chess_move_is_castling(look->move))
        add(look, TUTOR_CASTLES);
    if (tutor_on_home_square(look->before, look->from) && look->net >= 0 &&
        tutor_phase(look->before) == TUTOR_OPENING)
        add(look, TUTOR_DEVELOPS);
    if (is_center(look->to) && (kind == CHESS_PAWN || kind == CHESS_KNIGHT) && look->net >= 0)
        add(look, TUTOR_CENTER);
    find_pawn_things(look);
    const uint64_t file = UINT64_C(0x0101010101010101) << chess_file(look->to);
    if (kind == CHESS_ROOK && !chess_move_is_castling(look->move) &&
        (look->after.kinds[CHESS_PAWN] & file) == 0 &&
        chess_file(look->from) != chess_file(look->to))
        add(look, TUTOR_OPEN_FILE);
    if (chess_is_check(&look->after))
        add(look, TUTOR_CHECK);
    if (chess_moves_count(look->before) == 1)
        add(look, TUTOR_ONLY_MOVE);
    if (chess_is_stalemate(&look->after))
        add(look, TUTOR_STALEMATES);
}

static void find_attacked(Look *look) {
    uint64_t men = look->after.colors[chess_other(look->us)];
    uint64_t found = 0;
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        if (attacks(&look->after, look->to, square) && !attacks(look->before, look->from, square))
            found |= square_bit(square);
    }
    if (found != 0)
        targets(add(look, TUTOR_ATTACKS), &look->after, found);
}

// ---- objections ---------------------------------------------------------------------------------

static void find_mate_allowed(Look *look) {
    ChessMove first = CHESS_NO_MOVE;
    for (int n = 1; n <= 2; n++) {
        uint32_t nodes = TUTOR_MATE_NODES / 2;
        if (tutor_mate_in(&look->after, n, &nodes, CHESS_NO_MOVE, &first) != TUTOR_MATE)
            continue;
        TutorFact *fact = add(look, TUTOR_ALLOWS_MATE);
        fact->number = n;
        fact->move = first;
        look->mate_answer = first;
        return;
    }
}

// The costliest own man the opponent can win elsewhere.
static TutorFact worst_left(const Look *look) {
    uint64_t men =
        look->after.colors[look->us] & ~look->after.kinds[CHESS_KING] & ~square_bit(look->to);
    TutorFact worst = { .kind = TUTOR_LEAVES };
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        ChessMove best;
        const int32_t net = tutor_best_capture(&look->after, square, &best);
        if (best == CHESS_NO_MOVE || net <= worst.number)
            continue;
        worst.number = net;
        worst.move = best;
        worst.target_count = 0;
        target(&worst, man_at(&look->after, square));
    }
    return worst;
}

// Not for a sacrifice that pays: whoever mates or wins by the line loses nothing.
static void find_losses(Look *look, int32_t net_of_line) {
    const TutorFact left = worst_left(look);
    ChessMove reply;
    const int32_t on_square = tutor_best_capture(&look->after, look->to, &reply);
    const bool takes = look->taken != CHESS_NO_PIECE;
    const int32_t gain = tutor_worth(chess_piece_kind(look->taken));
    // Taking that looks well, or at least even, on its square and is answered by more elsewhere
    // (an exchange there, a mate, the line), or does not even pay on its square.
    const bool pays = net_of_line > 0;
    if (takes && !pays &&
        (look->net < 0 || left.number > gain || look->mate_answer != CHESS_NO_MOVE)) {
        TutorFact *fact = add(look, TUTOR_DECOY);
        target(fact, taken_man(look));
        if (look->mate_answer != CHESS_NO_MOVE) {
            fact->number = 0;
            fact->move = look->mate_answer;
        } else if (look->net < 0 && look->net <= gain - left.number) {
            fact->number = look->net;
            fact->move = reply;
        } else {
            fact->number = gain - left.number;
            fact->move = left.move;
        }
    } else if (!takes && !pays && reply != CHESS_NO_MOVE && on_square > 0) {
        TutorFact *fact = add(look, TUTOR_LOSES);
        fact->number = on_square;
        fact->move = reply;
    }
    if (left.number > 0)
        *add(look, TUTOR_LEAVES) = left;
}

static void find_forks_allowed(Look *look) {
    ChessMoveList replies;
    chess_moves_generate(&look->after, &replies);
    TutorFact worst = { .kind = TUTOR_ALLOWS_FORK };
    int32_t most = 0;
    for (int i = 0; i < replies.count; i++) {
        const ChessMove reply = replies.moves[i];
        if (chess_move_is_castling(reply) || chess_move_promotion(reply) != CHESS_NO_KIND)
            continue;
        ChessPosition next = look->after;
        chess_move_make(&next, reply, NULL);
        const ChessSquare to = chess_move_to(reply);
        const uint64_t now = tutor_fork_targets(&next, to);
        if (!has_two(now) ||
            (now & ~tutor_fork_targets(&look->after, chess_move_from(reply))) == 0 ||
            !tutor_is_safe(&next, to))
            continue;
        // What is second in worth falls.
        int32_t first = 0;
        int32_t second = 0;
        for (uint64_t rest = now; rest != 0;) {
            const int32_t worth = worth_at(&next, next_square(&rest));
            second = worth > first ? first : worth > second ? worth : second;
            first = worth > first ? worth : first;
        }
        if (second <= most)
            continue;
        most = second;
        worst.man = man_at(&next, to);
        worst.move = reply;
        worst.target_count = 0;
        targets(&worst, &next, now);
    }
    if (most > 0)
        *add(look, TUTOR_ALLOWS_FORK) = worst;
}

static void find_checks_left(Look *look) {
    ChessMoveList replies;
    chess_moves_generate(&look->after, &replies);
    int checks = 0;
    for (int i = 0; i < replies.count; i++)
        checks += chess_move_gives_check(&look->after, replies.moves[i]) ? 1 : 0;
    TutorFact *fact = add(look, checks > 0 ? TUTOR_CHECKS_LEFT : TUTOR_KING_SAFE);
    fact->number = checks;
    fact->man = man_at(&look->after, chess_king_square(&look->after, look->us));
}

// ---- all of them --------------------------------------------------------------------------------

static void find_good(Look *look, int32_t net_of_line) {
    const bool mates = find_mate(look);
    find_promotion(look);
    if (chess_is_checkmate(&look->after))
        return; // nothing else counts any more
    find_winning_capture(look);
    find_discoveries(look);
    find_fork(look);
    find_pairs(look, TUTOR_SKEWER);
    find_stopped_mate(look);
    if (!mates)
        find_threat_of_mate(look);
    find_pairs(look, TUTOR_PIN_ABSOLUTE);
    find_pairs(look, TUTOR_PIN_RELATIVE);
    find_rescue(look);
    if (net_of_line > 0 && !mates)
        add(look, TUTOR_LINE_WINS)->number = net_of_line;
    find_threats(look);
    find_trade(look);
    find_plain_things(look);
    find_attacked(look);
}

static void find_bad(Look *look, int32_t net_of_line) {
    const bool mates = look->out->count > 0 && look->out->facts[0].kind <= TUTOR_MATE_LINE;
    if (mates || chess_moves_count(&look->after) == 0)
        return;
    find_mate_allowed(look);
    find_losses(look, net_of_line);
    find_forks_allowed(look);
    if (net_of_line < 0)
        add(look, TUTOR_LINE_LOSES)->number = -net_of_line;
    find_checks_left(look);
}

void tutor_move_facts(const ChessPosition *pos, ChessMove move, TutorLine line, TutorFacts *out) {
    Look look = { .before = pos,
                  .after = *pos,
                  .move = move,
                  .us = (ChessColor)pos->side_to_move,
                  .from = chess_move_from(move),
                  .to = chess_move_arrival(move),
                  .taken = chess_move_captured(pos, move),
                  .net = tutor_move_exchange(pos, move),
                  .nodes = TUTOR_MATE_NODES,
                  .line = line,
                  .out = out };
    jd_zero(out, sizeof *out);
    chess_move_make(&look.after, move, NULL);
    look.has_again = tutor_pass(&look.after, &look.again);
    look.has_passed = tutor_pass(pos, &look.passed);
    const bool fits = line.count > 0 && line.moves[0] == move;
    if (!fits)
        look.line.count = 0;
    const int32_t net_of_line = line_net(&look);
    find_good(&look, net_of_line);
    find_bad(&look, net_of_line);
}

// ---- words --------------------------------------------------------------------------------------

typedef struct KindRow {
    const char *name;
    TutorQuestion question;
    bool costs; // an objection
} KindRow;

static const KindRow kinds[] = {
    [TUTOR_MATES] = { "mates", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_MATE_LINE] = { "mate_line", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_PROMOTES] = { "promotes", TUTOR_NO_QUESTION, false },
    [TUTOR_TAKES_FREE] = { "takes_free", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_WINS] = { "wins", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_FORK] = { "fork", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_PIN_ABSOLUTE] = { "pin_absolute", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_PIN_RELATIVE] = { "pin_relative", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_SKEWER] = { "skewer", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_DOUBLE_CHECK] = { "double_check", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_DISCOVERED_CHECK] = { "discovered_check", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_DISCOVERED_ATTACK] = { "discovered_attack", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_STOPS_MATE] = { "stops_mate", TUTOR_KING, false },
    [TUTOR_THREATENS_MATE] = { "threatens_mate", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_SAVES] = { "saves", TUTOR_WHAT_LEFT, false },
    [TUTOR_LINE_WINS] = { "line_wins", TUTOR_NO_QUESTION, false },
    [TUTOR_THREATENS] = { "threatens", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_TRADES_AHEAD] = { "trades_ahead", TUTOR_NO_QUESTION, false },
    [TUTOR_TRADES] = { "trades", TUTOR_NO_QUESTION, false },
    [TUTOR_CASTLES] = { "castles", TUTOR_KING, false },
    [TUTOR_DEVELOPS] = { "develops", TUTOR_NO_QUESTION, false },
    [TUTOR_CENTER] = { "center", TUTOR_NO_QUESTION, false },
    [TUTOR_PASSED] = { "passed", TUTOR_NO_QUESTION, false },
    [TUTOR_PASSED_ON] = { "passed_on", TUTOR_NO_QUESTION, false },
    [TUTOR_OPEN_FILE] = { "open_file", TUTOR_NO_QUESTION, false },
    [TUTOR_CHECK] = { "check", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_ONLY_MOVE] = { "only_move", TUTOR_NO_QUESTION, false },
    [TUTOR_STALEMATES] = { "stalemates", TUTOR_NO_QUESTION, false },
    [TUTOR_ATTACKS] = { "attacks", TUTOR_WHAT_ATTACKED, false },
    [TUTOR_ALLOWS_MATE] = { "allows_mate", TUTOR_KING, true },
    [TUTOR_DECOY] = { "decoy", TUTOR_ANSWER_WITH_GAIN, true },
    [TUTOR_LOSES] = { "loses", TUTOR_ANSWER_WITH_GAIN, true },
    [TUTOR_LEAVES] = { "leaves", TUTOR_WHAT_LEFT, true },
    [TUTOR_ALLOWS_FORK] = { "allows_fork", TUTOR_ANSWER_WITH_GAIN, true },
    [TUTOR_CHECKS_LEFT] = { "checks_left", TUTOR_KING, false },
    [TUTOR_KING_SAFE] = { "king_safe", TUTOR_KING, false },
    [TUTOR_LINE_LOSES] = { "line_loses", TUTOR_ANSWER_WITH_GAIN, true },
};

const char *tutor_kind_name(TutorKind kind) {
    return (size_t)kind < JD_COUNT(kinds) ? kinds[kind].name : NULL;
}

TutorQuestion tutor_kind_question(TutorKind kind) {
    return (size_t)kind < JD_COUNT(kinds) ? kinds[kind].question : TUTOR_NO_QUESTION;
}

const TutorFact *tutor_reason(const TutorFacts *facts) {
    const bool any = facts->count > 0 && facts->facts[0].kind < TUTOR_ALLOWS_MATE;
    return any ? &facts->facts[0] : NULL;
}

const TutorFact *tutor_objection(const TutorFacts *facts) {
    for (int i = 0; i < facts->count; i++)
        if (facts->facts[i].kind >= TUTOR_ALLOWS_MATE && kinds[facts->facts[i].kind].costs)
            return &facts->facts[i];
    return NULL;
}
