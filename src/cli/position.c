// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube position: shows a position, after moves if asked, for people or as JSON.
#include "cli/cli.h"

#include <jadoube/chess.h>

#include <stdio.h>
#include <string.h>

#include "cli/position_argument.h"

static const char usage[] =
    "usage: jadoube position [--json] FEN [--moves UCI...]\n"
    "\n"
    "Shows the position FEN (one argument, or its six fields) after the given moves.\n"
    "\n"
    "  --json         one JSON object: fen, side_to_move, legal_moves, check, checkmate,\n"
    "                 stalemate, zobrist_key; or {\"error\": ...} with field, offset, code\n"
    "                 and message when the position or a move is refused\n"
    "  --moves UCI... moves to make first, such as e2e4 e7e5\n"
    "\n"
    "Exit codes: 0 shown, 1 refused, 2 wrong usage.\n";

// A refusal; move is NULL for a fault of the FEN, else the move at index.
static int refuse(bool json, JdStr text, const JdErr *err, const char *move, int index) {
    const char *code = move == NULL ? chess_fen_fault_name((ChessFenFault)err->code)
                                    : chess_move_fault_name((ChessMoveFault)err->code);
    if (!json) {
        if (move != NULL)
            fprintf(stderr, "jadoube position: move %d of --moves (index %d)\n", index + 1, index);
        cli_show_fault("jadoube position", text, err);
        return 1;
    }
    char line[2048];
    JdOut out = jd_out(line, sizeof line);
    jd_out_cstr(&out, "{\"error\":{\"field\":");
    jd_out_json(&out, jd_str(move != NULL ? "moves" : err->field));
    jd_out_cstr(&out, ",\"offset\":");
    jd_out_u64(&out, err->offset);
    jd_out_cstr(&out, ",\"code\":");
    jd_out_json(&out, jd_str(code));
    jd_out_cstr(&out, ",\"message\":");
    jd_out_json(&out, jd_str(err->text));
    if (move != NULL) {
        // Bytes that are no UTF-8 have no place in JSON; such a move is shown up to the first of
        // them.
        size_t valid = strlen(move);
        if (!jd_utf8_valid(jd_str(move), &valid) || valid > 64)
            valid = valid > 64 ? 0 : valid;
        jd_out_cstr(&out, ",\"move\":");
        jd_out_json(&out, jd_str_n(move, valid));
        jd_out_cstr(&out, ",\"index\":");
        jd_out_u64(&out, (uint64_t)index);
    }
    jd_out_cstr(&out, "}}");
    printf("%.*s\n", JD_PRINT(jd_out_str(&out)));
    return 1;
}

static void print_board(const ChessPosition *pos) {
    static const char letters[] = ".PNBRQK..pnbrqk";
    for (int rank = 7; rank >= 0; rank--) {
        printf("%d ", rank + 1);
        for (int file = 0; file < 8; file++)
            printf(" %c", letters[chess_piece_at(pos, chess_square(file, rank))]);
        printf("\n");
    }
    printf("\n   a b c d e f g h\n\n");
}

static void print_for_people(const ChessPosition *pos) {
    print_board(pos);
    char fen[CHESS_FEN_SIZE];
    chess_fen_write(pos, CHESS_FEN_EP_LEGAL, fen);
    const char *state = chess_is_checkmate(pos)   ? "checkmate"
                        : chess_is_stalemate(pos) ? "stalemate"
                        : chess_is_check(pos)     ? "check"
                                                  : "no check";
    printf("fen:     %s\n", fen);
    printf("to move: %s, %s\n", pos->side_to_move == CHESS_WHITE ? "white" : "black", state);
    printf("key:     %016llx\n", (unsigned long long)pos->zobrist_key);
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    printf("moves:   %d", legal.count);
    for (int i = 0; i < legal.count; i++) {
        char san[CHESS_SAN_SIZE];
        chess_san_write(pos, legal.moves[i], san);
        printf("%s%s", i == 0 ? ": " : i % 12 == 0 ? "\n         " : " ", san);
    }
    printf("\n");
}

static int wrong(const char *what, const char *argument) {
    fprintf(stderr, "jadoube position: %s%s%s\n%s", what, argument != NULL ? ": " : "",
            argument != NULL ? argument : "", usage);
    return 2;
}

int cli_position(int argc, char **argv) {
    bool json = false; // wherever it stands: a script appends it
    int count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else
            argv[count++] = argv[i];
    }
    int fen_count = 0;
    while (fen_count < count && strncmp(argv[fen_count], "--", 2) != 0)
        fen_count++;
    if (fen_count < count && strcmp(argv[fen_count], "--moves") != 0)
        return wrong("unknown option", argv[fen_count]);
    if (fen_count == 0)
        return wrong("FEN is missing", NULL);

    char memory[CHESS_FEN_TEXT_MAX + 2];
    const JdStr fen = cli_join_arguments(argv, fen_count, memory, sizeof memory);
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(fen, &pos, &err))
        return refuse(json, fen, &err, NULL, 0);
    for (int i = fen_count + 1; i < count; i++) {
        ChessMove move = CHESS_NO_MOVE;
        if (!chess_uci_parse(jd_str(argv[i]), &pos, &move, &err))
            return refuse(json, jd_str(argv[i]), &err, argv[i], i - fen_count - 1);
        chess_move_make(&pos, move, NULL);
    }
    if (json) {
        static char text[CHESS_DESCRIBE_SIZE];
        chess_describe(&pos, text);
        puts(text);
    } else {
        print_for_people(&pos);
    }
    return 0;
}
