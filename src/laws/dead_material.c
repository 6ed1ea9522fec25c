// SPDX-License-Identifier: GPL-3.0-or-later
//
// Material that cannot mate, in both directions.
//
// "Cannot" (laws_mate_by_material holds the lemmas): in a mate every square beside the king is
// attacked by the winner or blocked by a man of the loser's own.
//   L1  A king alone attacks no king.
//   L2  King and knight against king and queens: the knight checks, and beside the mated king there
//   is a
//       square that his opponent's king does not attack and a queen must therefore block. In each
//       of the few cases one of these queens can take the knight: tests/laws/test_dead_rules.c goes
//       through them.
//   L3  King and bishops of one square colour, against anything but pawns, knights and bishops of
//   the other
//       colour: the mated king stands on the bishops' colour. Of the squares orthogonally beside
//       him, four, three or (in a corner) two, which no bishop attacks, the other king attacks one
//       at most; so at least one of the two that touch the first square of the checking diagonal is
//       blocked, by a rook or queen, who goes to that first square: it is empty, or the bishop
//       stands there. No bishop pins him, for he stands orthogonally beside his king, and two
//       bishops of one colour never come to check at once (a bishop that leaves a diagonal of the
//       king never arrives on the other).
//
// "Can": for every other material some position with these men is a mate, so nothing is to be said
// of material alone; what is left depends on where the men stand. The test shows a mate for each of
// the least.
#include "laws/dead_inner.h"

#include "laws/inner.h"

bool dead_is_material(const ChessPosition *pos, ChessColor winner) {
    return laws_mate_by_material(pos, winner) == LAWS_MATE_IMPOSSIBLE;
}
