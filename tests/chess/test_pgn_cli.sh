#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The verbs of `jadoube pgn`: what they print and how they exit.
# usage: test_pgn_cli.sh PROGRAM DATA_FOLDER
set -u
program=$(realpath "$1")
data=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

pgn() { "$program" pgn "$@"; }

# expect NAME CODE ARGUMENT...: standard input holds what standard output must be.
expect() {
    name=$1
    code=$2
    shift 2
    cat >"$work/expected"
    pgn "$@" >"$work/got" 2>"$work/errors" </dev/null
    got=$?
    checks=$((checks + 1))
    if [ "$got" -ne "$code" ] || ! cmp -s "$work/expected" "$work/got"; then
        echo "FAILED: $name: exit $got, expected $code"
        diff "$work/expected" "$work/got"
        cat "$work/errors"
        failures=$((failures + 1))
    fi
}

cp "$data/pgn/mixed.pgn" "$work/mixed.pgn"
cd "$work" || exit 1

expect "check reports every fault by its place" 1 check mixed.pgn <<'TEXT'
mixed.pgn:19:16: byte 645, game 2: warning: sloppy_tag: tag Event: a quote inside is written \"
mixed.pgn:20:8: byte 663, game 2: warning: sloppy_tag: tag Round: opening quote expected
mixed.pgn:35:46: byte 1021, game 4: illegal_move: a null move while in check
mixed.pgn:41:13: byte 1133, game 6: illegal_move: White's move 2 "Ke3": no legal move fits
mixed.pgn:44:17: byte 1199, game 7: unterminated_comment: the comment that began here never ends; reading goes on at the next Event tag
mixed.pgn:50:6: byte 1277, game 8: warning: reserved: "<" is reserved by the standard
8 games, 3 damaged, 3 warnings, 60 plies
TEXT

expect "check as JSON" 1 check --json --main-line mixed.pgn <<'TEXT'
{"file":"mixed.pgn","game":2,"line":19,"column":16,"offset":645,"ply":0,"damages":false,"problem":"sloppy_tag","text":"tag Event: a quote inside is written \\\""}
{"file":"mixed.pgn","game":2,"line":20,"column":8,"offset":663,"ply":0,"damages":false,"problem":"sloppy_tag","text":"tag Round: opening quote expected"}
{"file":"mixed.pgn","game":6,"line":41,"column":13,"offset":1133,"ply":2,"damages":true,"problem":"illegal_move","text":"White's move 2 \"Ke3\": no legal move fits"}
{"file":"mixed.pgn","game":7,"line":44,"column":17,"offset":1199,"ply":3,"damages":true,"problem":"unterminated_comment","text":"the comment that began here never ends; reading goes on at the next Event tag"}
{"file":"mixed.pgn","game":8,"line":50,"column":6,"offset":1277,"ply":2,"damages":false,"problem":"reserved","text":"\"<\" is reserved by the standard"}
{"games":8,"damaged":2,"warnings":3,"plies":60}
TEXT

printf '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1\n[Result "1-0"]\n1. 0-0 *\n' >bad.pgn
expect "results against board and tag" 1 check bad.pgn <<'TEXT'
bad.pgn:1:1: byte 0, game 1: warning: result_against_board: the game ends in checkmate, yet with 0-1
bad.pgn:3:4: byte 62, game 2: illegal_move: White's move 1 "0-0": no legal move fits
2 games, 1 damaged, 1 warnings, 7 plies
TEXT

printf '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qf7 1-0\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 *\n' >sloppy.pgn
expect "liberties counted" 0 check --tolerances sloppy.pgn <<'TEXT'
2 games, 0 damaged, 0 warnings, 14 plies
  missing_check        1 moves
  missing_capture      1 moves
  zero_castling        1 moves
TEXT
expect "exact reading" 1 check --exact --quiet sloppy.pgn <<'TEXT'
2 games, 2 damaged, 0 warnings, 12 plies
TEXT

expect "convert writes the export format" 0 convert --strip=comments,variations sloppy.pgn <<'TEXT'
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *

TEXT

printf '[White "\317\345\362\360\356\342"]\n1. \312f3 {\365\356\344 [%%clk 1:00:00]} d5 *\n' >cp1251.pgn
expect "convert between encodings and languages" 0 \
    convert --encoding=windows-1251 --language=ru --to=figurine --form=long --width=0 --strip=clocks cp1251.pgn <<'TEXT'
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Петров"]
[Black "?"]
[Result "*"]

1. ♘g1-f3 {ход} 1... d7-d5 *

TEXT

# What is written is exact and stays the same when written again.
pgn convert mixed.pgn >once.pgn 2>/dev/null
[ $? -eq 1 ] || { echo "FAILED: convert of damaged games exits with 1"; failures=$((failures + 1)); }
pgn convert once.pgn >twice.pgn 2>errors || { cat errors; failures=$((failures + 1)); }
cmp once.pgn twice.pgn || failures=$((failures + 1))
expect "converted files are exact" 0 check --exact once.pgn <<'TEXT'
5 games, 0 damaged, 0 warnings, 49 plies
TEXT

pgn convert --split=2 --output=part once.pgn || failures=$((failures + 1))
cat part-1.pgn part-2.pgn part-3.pgn | cmp - once.pgn || failures=$((failures + 1))
[ ! -e part-4.pgn ] || failures=$((failures + 1))

expect "filter leaves games as they stand" 1 filter '--result=*' --plies=-9 mixed.pgn <<'TEXT'
[Event "Chess960"]
[FEN "rk3r2/5p2/8/8/8/8/5P2/RK3R2 w FAfa - 0 1"]
[SetUp "1"]
[Variant "Chess960"]

1. O-O O-O 2. f4 (2. Rac1 --) 2... f5 *

TEXT
for condition in '--result=0-1 2' '--player=ПЕТРОВ 0' '--player=Петров 1' '--tag=WhiteElo>=2105 1' \
    '--tag=WhiteElo>2105 0' '--tag=Event~CLUB 1' '--tag=Event=Club 0' '--tag=Variant 1' \
    '--tag=Date<2023.06 1' '--material=KRRPPKRRP 0' '--material=KRRPKRRP 1' '--mate 1' '--stalemate 0' \
    '--plies=20 1' '--plies=21- 0' '--not 0'; do
    expect "filter ${condition% *}" 1 filter --count "${condition% *}" mixed.pgn <<TEXT
${condition##* }
TEXT
done
expect "filter up to a number" 0 filter --count --limit=2 mixed.pgn <<'TEXT'
2
TEXT
expect "filter by position" 1 filter --count \
    '--fen=rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 7 9' mixed.pgn <<'TEXT'
1
TEXT

expect "fens" 0 fens --every=3 sloppy.pgn <<'TEXT'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
TEXT
expect "fens as EPD" 0 fens --epd --ply=6 sloppy.pgn <<'TEXT'
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - c0 "*"; fmvn 4; hmvc 4; id "? - ?"; sm Qxf7#;
rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - c0 "*"; fmvn 4; hmvc 4; id "? - ?"; sm O-O;
TEXT
expect "fens at the end" 0 fens --final --ep=always sloppy.pgn <<'TEXT'
r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4
TEXT

pgn stats --json sloppy.pgn >stats.json || failures=$((failures + 1))
for member in '"games":2' '"plies":14' '"checkmates":1' '"castlings_kingside":1' '"checks":1' '"captures":1'; do
    grep -q "$member" stats.json || { echo "FAILED: stats: no $member"; failures=$((failures + 1)); }
done

# Packed files, one stream or two, and a stream that is cut.
for packer in gzip bzip2 zstd; do
    command -v $packer >/dev/null || continue
    $packer -c <sloppy.pgn >packed
    cat packed packed >twice
    expect "$packer" 0 check twice <<'TEXT'
4 games, 0 damaged, 0 warnings, 28 plies
TEXT
    head -c 60 packed >cut
    pgn check --quiet cut >/dev/null 2>errors
    [ $? -eq 3 ] && grep -q "packed data" errors || { echo "FAILED: cut $packer"; failures=$((failures + 1)); }
done
expect "several files" 1 check --quiet sloppy.pgn bad.pgn <<'TEXT'
4 games, 1 damaged, 1 warnings, 21 plies
TEXT

expect "a file that is not there" 3 check --quiet nothing.pgn <<'TEXT'
0 games, 0 damaged, 0 warnings, 0 plies
TEXT
for wrong in 'check --nonsense' 'convert --form=x' 'convert --to=x' 'convert --strip=x' 'convert --split=2' \
    'convert --width=x' 'filter --fen=x' 'filter --material=KX' 'filter --material=QK' 'filter --result=2-0' \
    'filter --plies=x' 'filter --tag==x' 'fens --every=0' 'fens --ep=x' 'stats --encoding=x' \
    'stats --language=x' 'nonsense'; do
    # shellcheck disable=SC2086
    expect "wrong usage: $wrong" 2 $wrong sloppy.pgn </dev/null
    [ -s errors ] || { echo "FAILED: $wrong says nothing"; failures=$((failures + 1)); }
done
for verb in check convert filter stats fens; do
    pgn $verb --help | grep -q "^usage: jadoube pgn $verb" || failures=$((failures + 1))
done

echo "$checks checks, $failures failures"
[ "$failures" -eq 0 ]
