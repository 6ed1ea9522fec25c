// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything has a limit, a name and a reason; they all stand here.
#ifndef JADOUBE_LIMITS_H
#define JADOUBE_LIMITS_H

// ---- chess --------------------------------------------------------------------------------------

// The position with the most legal moves known has 218 (Petrovic 1964; proved maximal in 2024).
#define CHESS_MOVES_MAX 256
// Plies of one game. Under Article 9.6.2 a game cannot pass 11,797 plies (118 irreversible moves of
// each kind, 75 moves each); older editions know no bound, so this one is ours.
#define CHESS_GAME_PLIES_MAX 12000
// The longest FEN record read; the longest legal one has 90 bytes, generous blanks are not legal.
#define CHESS_FEN_TEXT_MAX 128
// One tag of a PGN file with its brackets. The standard asks for lines of at most 255 characters.
#define CHESS_PGN_TAG_MAX 8192
// One word of PGN movetext; the longest move with all its liberties has about 30 bytes.
#define CHESS_PGN_WORD_MAX 64
// Memory of a PGN reader for the text being looked at.
#define CHESS_PGN_BUFFER_MIN 32768
// One line of an EPD file, and the operations on it.
#define CHESS_EPD_TEXT_MAX 8192
#define CHESS_EPD_OPERATIONS_MAX 64

// ---- laws ---------------------------------------------------------------------------------------

// Periods of a time control. National rules stop at four.
#define LAWS_PERIODS_MAX 6
// Parameters of an edition that one event sets otherwise.
#define LAWS_OVERRIDES_MAX 8

// ---- live ---------------------------------------------------------------------------------------

// Open challenges of one player (site.md challenge.max_open).
#define LIVE_CHALLENGES_PER_PLAYER 10
// Channels one connection may follow (site.md 6.2).
#define LIVE_CHANNELS_PER_CONNECTION 20
// Connections of one account (site.md 6.2).
#define LIVE_CONNECTIONS_PER_ACCOUNT 5
// Games in memory, running or ended a while ago.
#define LIVE_GAMES_MAX 200000
// Games of one player that have not ended.
#define LIVE_GAMES_PER_PLAYER 200
// Running games that are shown to who looks for something to watch.
#define LIVE_WATCH_MAX 30
// Accounts one account does not want to deal with.
#define LIVE_BLOCKED_MAX 200
// Open challenges of all players.
#define LIVE_CHALLENGES_MAX 20000
// Connections at once; the shell's own limit is lower.
#define LIVE_CONNECTIONS_MAX 200000
// Messages remembered for a client that comes back: of a game, of the lobby, of one player.
#define LIVE_GAME_RING 64
#define LIVE_LOBBY_RING 256
#define LIVE_ME_RING 64
// White's clock starts when both boards have loaded, or this long after joining.
#define LIVE_START_MS 15000
// A live game whose side to move has not made its first move by then is aborted (S-077).
#define LIVE_FIRST_MOVE_MS 30000
// Own moves between two draw offers of one player (draw.offer_gap).
#define LIVE_OFFER_GAP_MOVES 5
// Who has left a live game for so long may be claimed against.
#define LIVE_ABANDON_MS 60000
#define LIVE_ABANDON_BLITZ_MS 30000
// A lost connection is shown to the opponent after this long (S-076); counts are sent this often.
#define LIVE_PRESENCE_GRACE_MS 10000
#define LIVE_PRESENCE_EVERY_MS 2000
// Open challenges vanish: live ones after the creator's last presence, slow ones after creation
// (challenge.ttl_live, challenge.ttl_days).
#define LIVE_CHALLENGE_AWAY_MS (15 * 60 * 1000)
#define LIVE_CHALLENGE_DAYS 30
// Ended games and closed challenges leave memory after this long without a follower.
#define LIVE_LINGER_MS (10 * 60 * 1000)
// Characters of a line of the mini-chat, and lines of one person within so long (S-071).
#define LIVE_CHAT_CHARS 200
#define LIVE_CHAT_BYTES_MAX 1024
#define LIVE_CHAT_BURST 5
#define LIVE_CHAT_SPAN_MS 10000
// What a move made in advance costs.
#define LIVE_PREMOVE_MS 100
// A question who can mate that was not answered is asked again after that long, and a game that
// waits for the answer waits no longer than that.
#define LIVE_ASK_AGAIN_MS (60 * 1000)
#define LIVE_VERDICT_MS (30 * 1000)
// A false press of "Flag!" switches it off for so long; every third is put on record.
#define LIVE_FALSE_FLAG_MS 5000
#define LIVE_FALSE_FLAGS 3
// Both players gone for so long after a flag that only a claim makes fall: it is settled.
#define LIVE_UNCLAIMED_FLAG_MS (10 * 60 * 1000)
// Touches of one player within one turn that are put on record.
#define LIVE_TOUCHES_MAX 16
// A game by days leaves memory when it was quiet for so long, but not shortly before it is due.
#define LIVE_SLEEP_AFTER_MS (10 * 60 * 1000)
#define LIVE_SLEEP_LEAST_MS (5 * 60 * 1000)
// Vacations: days at a time, and in a year.
#define LIVE_VACATION_DAYS_MAX 14
#define LIVE_VACATION_DAYS_YEAR 30
// A commit that stood still for longer is an interruption of every running game.
#define LIVE_STALL_MS 1000

// ---- net ----------------------------------------------------------------------------------------

// One WebSocket message from a client (site.md 6.2).
#define NET_FRAME_MAX (16 * 1024)
// One HTTP request body of the JSON API.
#define NET_BODY_MAX (64 * 1024)

#endif
