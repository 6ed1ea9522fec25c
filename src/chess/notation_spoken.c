// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves as they are announced when a visually disabled player takes part (Appendix D; Appendix F of
// 1997). The Laws fix the names; the order of words is ours: piece, departure where needed,
// arrival.
#include <jadoube/notation.h>

#include "chess/notation_tables.h"
#include "chess/resolve.h"

typedef struct SpokenRow {
    uint8_t language; // ChessLanguage
    const char *pieces[7];
    const char *files[8];
    const char *ranks[8];
    const char *takes;
    const char *en_passant;
    const char *check;
    const char *mate;
    const char *castles[2]; // queenside, kingside
} SpokenRow;

static const SpokenRow rows[] = {
    { CHESS_ENGLISH,
      { "", "pawn", "knight", "bishop", "rook", "queen", "king" },
      { "Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector" },
      { "one", "two", "three", "four", "five", "six", "seven", "eight" },
      "takes",
      "en passant",
      "check",
      "mate",
      { "long castling", "short castling" } },
    { CHESS_GERMAN,
      { "", "Bauer", "Springer", "Läufer", "Turm", "Dame", "König" },
      { "Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector" },
      { "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht" },
      "schlägt",
      "en passant",
      "Schach",
      "matt",
      { "Lange Rochade", "Kurze Rochade" } },
    { CHESS_RUSSIAN,
      { "", "пешка", "конь", "слон", "ладья", "ферзь", "король" },
      { "Анна", "Белла", "Цезарь", "Давид", "Ева", "Феликс", "Густав", "Гектор" },
      { "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь" },
      "берёт",
      "на проходе",
      "шах",
      "мат",
      { "длинная рокировка", "короткая рокировка" } },
    { CHESS_ROMANIAN,
      { "", "pion", "cal", "nebun", "turn", "damă", "rege" },
      { "Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector" },
      { "unu", "doi", "trei", "patru", "cinci", "șase", "șapte", "opt" },
      "ia",
      "en passant",
      "șah",
      "mat",
      { "rocada mare", "rocada mică" } },
    { CHESS_FRENCH,
      { "", "pion", "cavalier", "fou", "tour", "dame", "roi" },
      { "Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector" },
      { "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit" },
      "prend",
      "en passant",
      "échec",
      "mat",
      { "grand roque", "petit roque" } },
};

static const SpokenRow *row_of(ChessLanguage language) {
    for (size_t i = 0; i < JD_COUNT(rows); i++)
        if (rows[i].language == language)
            return &rows[i];
    return &rows[0];
}

static void say(JdOut *out, const char *word) {
    if (out->size > 0)
        jd_out_char(out, ' ');
    jd_out_cstr(out, word);
}

static void say_square(JdOut *out, const SpokenRow *row, int square) {
    say(out, row->files[square & 7]);
    say(out, row->ranks[square >> 3]);
}

static void say_step(JdOut *out, const SpokenRow *row, const ChessPosition *pos, ChessMove move) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessKind kind = chess_piece_kind(pos->board[from]);
    const bool captures = chess_move_captured(pos, move) != CHESS_NO_PIECE;
    int detail = DETAIL_NONE;
    if (kind == CHESS_PAWN)
        detail = captures ? DETAIL_FILE : DETAIL_NONE;
    else if (kind != CHESS_KING)
        detail = detail_needed(keep_safe(pos, us, officers_reaching(pos, us, kind, to), to), from);
    if (kind != CHESS_PAWN || captures)
        say(out, row->pieces[kind]);
    if ((detail & DETAIL_FILE) != 0)
        say(out, row->files[from & 7]);
    if ((detail & DETAIL_RANK) != 0)
        say(out, row->ranks[from >> 3]);
    if (captures)
        say(out, row->takes);
    else if (detail != DETAIL_NONE)
        jd_out_char(out, ',');
    say_square(out, row, to);
    if (chess_move_promotion(move) != CHESS_NO_KIND)
        say(out, row->pieces[chess_move_promotion(move)]);
    if (chess_move_is_en_passant(move))
        say(out, row->en_passant);
}

size_t chess_spoken_write(const ChessPosition *pos, ChessMove move, ChessLanguage language,
                          char text[CHESS_SPOKEN_SIZE]) {
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    JD_ASSERT_SLOW(chess_move_is_legal(pos, move));
    const SpokenRow *row = row_of(language);
    JdOut out = jd_out(text, CHESS_SPOKEN_SIZE - 1);
    if (chess_move_is_castling(move))
        say(&out, row->castles[chess_move_to(move) > chess_move_from(move)]);
    else
        say_step(&out, row, pos, move);
    ChessPosition after = *pos;
    chess_move_make(&after, move, NULL);
    if (chess_is_check(&after)) {
        jd_out_char(&out, ',');
        say(&out, chess_has_legal_move(&after) ? row->check : row->mate);
    }
    JD_ASSERT(jd_out_fits(&out));
    text[out.size] = '\0';
    return out.size;
}
