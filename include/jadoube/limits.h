// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything has a limit, a name and a reason; they all stand here.
#ifndef JADOUBE_LIMITS_H
#define JADOUBE_LIMITS_H

// ---- chess ---------------------------------------------------------------------------------------

// The position with the most legal moves known has 218 (Petrovic 1964; proved maximal in 2024).
#define CHESS_MOVES_MAX 256
// Plies of one game. Under Article 9.6.2 a game cannot pass 11,797 plies (118 irreversible moves of
// each kind, 75 moves each); older editions know no bound, so this one is ours.
#define CHESS_GAME_PLIES_MAX 12000
// The longest FEN record read; the longest legal one has 90 bytes, generous blanks are not legal.
#define CHESS_FEN_TEXT_MAX 128

// ---- laws ----------------------------------------------------------------------------------------

// Periods of a time control. National rules stop at four.
#define LAWS_PERIODS_MAX 6

// ---- live ----------------------------------------------------------------------------------------

// Open challenges of one player (site.md challenge.max_open).
#define LIVE_CHALLENGES_PER_PLAYER 10
// Channels one connection may follow (site.md 6.2).
#define LIVE_CHANNELS_PER_CONNECTION 20
// Connections of one account (site.md 6.2).
#define LIVE_CONNECTIONS_PER_ACCOUNT 5

// ---- net -----------------------------------------------------------------------------------------

// One WebSocket message from a client (site.md 6.2).
#define NET_FRAME_MAX (16 * 1024)
// One HTTP request body of the JSON API.
#define NET_BODY_MAX (64 * 1024)

#endif
