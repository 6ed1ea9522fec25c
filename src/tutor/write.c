// SPDX-License-Identifier: GPL-3.0-or-later
//
// Facts as JSON.
#include "tutor/inner.h"

static const char piece_letters[] = ".PNBRQK..pnbrqk";

static void write_square(int square, JdOut *out) {
    jd_out_char(out, (char)('a' + (square & 7)));
    jd_out_char(out, (char)('1' + (square >> 3)));
}

static void write_man(TutorMan man, JdOut *out) {
    jd_out_cstr(out, "{\"piece\":\"");
    jd_out_char(out, piece_letters[man.piece & 15]);
    jd_out_cstr(out, "\",\"square\":\"");
    write_square(man.square, out);
    jd_out_cstr(out, "\"}");
}

static bool position_of(const ChessPosition *pos, ChessMove move, const TutorFact *fact,
                        ChessPosition *out) {
    ChessPosition after = *pos;
    if (move == CHESS_NO_MOVE) {
        *out = *pos;
        return chess_move_is_legal(pos, fact->move) || tutor_pass(pos, out);
    }
    if (fact->kind == TUTOR_STOPS_MATE)
        return tutor_pass(pos, out);
    chess_move_make(&after, move, NULL);
    *out = after;
    return fact->kind >= TUTOR_ALLOWS_MATE || tutor_pass(&after, out);
}

bool tutor_fact_position(const ChessPosition *pos, ChessMove move, const TutorFact *fact,
                         ChessPosition *out) {
    return fact->move != CHESS_NO_MOVE && position_of(pos, move, fact, out) &&
           chess_move_is_legal(out, fact->move);
}

static void write_move(const ChessPosition *pos, ChessMove move, const TutorFact *fact,
                       JdOut *out) {
    ChessPosition there;
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    if (!tutor_fact_position(pos, move, fact, &there))
        return;
    (void)chess_uci_write(&there, fact->move, uci);
    (void)chess_san_write(&there, fact->move, san);
    jd_out_cstr(out, ",\"move\":\"");
    jd_out_cstr(out, uci);
    jd_out_cstr(out, "\",\"san\":\"");
    jd_out_cstr(out, san);
    jd_out_char(out, '"');
}

void tutor_fact_write(const ChessPosition *pos, ChessMove move, const TutorFact *fact, JdOut *out) {
    static const char *const questions[] = { NULL, "attacked", "left", "king", "answer" };
    const char *question = questions[tutor_kind_question((TutorKind)fact->kind)];
    const char *name = tutor_kind_name((TutorKind)fact->kind);
    jd_out_cstr(out, "{\"id\":\"");
    jd_out_cstr(out, name != NULL ? name : "");
    jd_out_char(out, '"');
    if (question != NULL) {
        jd_out_cstr(out, ",\"question\":\"");
        jd_out_cstr(out, question);
        jd_out_char(out, '"');
    }
    jd_out_cstr(out, fact->kind < TUTOR_ALLOWS_MATE || fact->kind == TUTOR_KING_SAFE
                         ? ",\"good\":true"
                         : ",\"good\":false");
    if (fact->man.piece != CHESS_NO_PIECE) {
        jd_out_cstr(out, ",\"man\":");
        write_man(fact->man, out);
    }
    for (int i = 0; i < fact->target_count; i++) {
        jd_out_cstr(out, i == 0 ? ",\"targets\":[" : ",");
        write_man(fact->targets[i], out);
    }
    if (fact->target_count > 0)
        jd_out_char(out, ']');
    if (fact->number != 0) {
        jd_out_cstr(out, ",\"n\":");
        jd_out_i64(out, fact->number);
    }
    write_move(pos, move, fact, out);
    jd_out_char(out, '}');
}

void tutor_facts_write(const ChessPosition *pos, ChessMove move, const TutorFacts *facts,
                       JdOut *out) {
    jd_out_char(out, '[');
    for (int i = 0; i < facts->count; i++) {
        if (i > 0)
            jd_out_char(out, ',');
        tutor_fact_write(pos, move, &facts->facts[i], out);
    }
    jd_out_char(out, ']');
}
