// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays a game of random moves and prints it as PGN.
//
//     cc random_game.c $(pkg-config --cflags --libs jadoube) -o random_game
//     ./random_game 2024
//
// The number is the seed: the same number gives the same game on every machine.
#include <jadoube/laws.h>
#include <jadoube/pgn.h>

#include <stdio.h>
#include <stdlib.h>

enum { PLIES_MAX = 600 };

static void print(void *context, JdStr text) {
    fwrite(text.data, 1, text.size, context);
}

// How a game stands by the board alone: mate, stalemate, or no mate possible any more.
static ChessPgnResult result_of(const ChessPosition *pos) {
    if (chess_is_checkmate(pos))
        return pos->side_to_move == CHESS_WHITE ? CHESS_PGN_BLACK_WINS : CHESS_PGN_WHITE_WINS;
    if (chess_is_stalemate(pos) || laws_is_dead(pos) || pos->halfmove_clock >= 150)
        return CHESS_PGN_DRAW;
    return CHESS_PGN_NO_RESULT;
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    ChessMove moves[PLIES_MAX];
    int count = 0;
    ChessPosition pos = chess_position_start();
    ChessPgnResult result = CHESS_PGN_NO_RESULT;

    // First the game, so that its result can stand in the tags.
    while (result == CHESS_PGN_NO_RESULT && count < PLIES_MAX) {
        ChessMoveList legal;
        chess_moves_generate(&pos, &legal);
        const ChessMove move = legal.moves[jd_random_below(&seed, (uint32_t)legal.count)];
        chess_move_make(&pos, move, NULL);
        moves[count++] = move;
        result = result_of(&pos);
    }

    ChessPgnWriter writer;
    ChessPgnTag tags[] = {
        { JD_STR("Event"), JD_STR("A random game") },
        { JD_STR("White"), JD_STR("Chance") },
        { JD_STR("Black"), JD_STR("Chance") },
    };
    chess_pgn_writer_init(&writer, print, stdout, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    chess_pgn_write_tags(&writer, tags, JD_COUNT(tags), result);
    pos = chess_position_start();
    for (int i = 0; i < count; i++) {
        chess_pgn_write_move(&writer, &pos, moves[i]);
        chess_move_make(&pos, moves[i], NULL);
    }
    chess_pgn_write_result(&writer, result);
    return 0;
}
