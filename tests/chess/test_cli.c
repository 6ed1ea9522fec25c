// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube perft and jadoube position: output, exit codes, refusals.
#include "support.h"

#include <unistd.h>

#include "cli/cli.h"

static char output[65536];

// Runs a subcommand with the words of a line (a word in quotes keeps its blanks) and keeps what it
// printed.
static int run(int (*command)(int, char **), const char *line) {
    char words[1024];
    snprintf(words, sizeof words, "%s", line);
    char name[] = "command";
    char *argv[64] = { name };
    int argc = 1;
    for (char *at = words; *at != '\0';) {
        const char end = *at == '"' ? '"' : ' ';
        at += end == '"' ? 1 : 0;
        argv[argc++] = at;
        at = strchr(at, end);
        if (at == NULL)
            break;
        *at++ = '\0';
        at += strspn(at, " ");
    }
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    fflush(stderr);
    const int saved_out = dup(STDOUT_FILENO);
    const int saved_err = dup(STDERR_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    const int code = command(argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(saved_out, STDOUT_FILENO);
    dup2(saved_err, STDERR_FILENO);
    close(saved_out);
    close(saved_err);
    rewind(file);
    const size_t size = fread(output, 1, sizeof output - 1, file);
    output[size] = '\0';
    fclose(file);
    return code;
}

static void test_perft(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int code;
        const char *ends; // of the output
    } rows[] = {
        { "0", 0, "nodes 1\n" },
        { "1", 0, "nodes 20\n" },
        { "5", 0, "nodes 4865609\n" },
        { "--threads 2 5", 0, "nodes 4865609\n" },
        { "--hash 1 5", 0, "nodes 4865609\n" },
        { "--hash 3 --threads 3 5", 0, "nodes 4865609\n" },
        { "--divide --threads 2 4", 0, "h2h3: 8457\nh2h4: 9329\nnodes 197281\n" },
        { "4 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 0,
          "nodes 4085603\n" },
        { "4 \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"", 0,
          "nodes 326672\n" },
        { "--chess960 --divide 1 \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"", 0, "nodes 15\n" },
        { "3 \"k7/2Q5/1K6/8/8/8/8/8 b - - 0 1\"", 0, "nodes 0\n" },
        { "3 8/8", 1, "\n  8/8\n     ^\n" },
        { "--help", 0, "\"nodes N\".\n" },
        { "", 2, "\"nodes N\".\n" },
        { "65", 2, "\"nodes N\".\n" },
        { "-1", 2, "\"nodes N\".\n" },
        { "--threads 0 3", 2, "\"nodes N\".\n" },
        { "--threads", 2, "\"nodes N\".\n" },
        { "--hash x 3", 2, "\"nodes N\".\n" },
        { "--fast 3", 2, "\"nodes N\".\n" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        const int code = run(cli_perft, rows[i].line);
        if (code != rows[i].code || !jd_str_ends_with(jd_str(output), jd_str(rows[i].ends)))
            fail_msg("perft %s: exit %d, %s", rows[i].line, code, output);
    }
    run(cli_perft, "--chess960 --divide 1 \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"");
    assert_non_null(strstr(output, "e1h1: 1\n"));
}

static void test_position(void **state) {
    (void)state;
    assert_int_equal(
        run(cli_position,
            "--json rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 --moves e2e4 c7c5"),
        0);
    static char expected[CHESS_DESCRIBE_SIZE + 1];
    const ChessPosition pos =
        position_from("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    const size_t size = chess_describe(&pos, expected);
    expected[size] = '\n';
    assert_string_equal(output, expected);

    assert_int_equal(run(cli_position, "\"8/63/8/8/8/8/8/8 w - - 0 1\" --json"), 1);
    assert_string_equal(output,
                        "{\"error\":{\"field\":\"board\",\"offset\":3,\"code\":\"rank_too_wide\","
                        "\"message\":\"rank 7 is wider than 8 squares\"}}\n");
    assert_int_equal(
        run(cli_position, "--json \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --moves e1g1 e8e5"), 1);
    assert_string_equal(
        output, "{\"error\":{\"field\":\"moves\",\"offset\":0,\"code\":\"illegal\","
                "\"message\":\"e8e5 is not a legal move\",\"move\":\"e8e5\",\"index\":1}}\n");
    assert_int_equal(run(cli_position, "\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\""), 0);
    assert_non_null(strstr(output, "1  . . . . K . . R\n"));
    assert_non_null(strstr(output, "fen:     4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"));
    assert_int_equal(run(cli_position, "\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --moves e1e3"), 1);
    assert_non_null(strstr(output, "move 1"));
    assert_int_equal(run(cli_position, "--help"), 0);
    assert_int_equal(run(cli_position, ""), 2);
    assert_int_equal(run(cli_position, "--json"), 2);
    assert_int_equal(run(cli_position, "8/8 --fen"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
