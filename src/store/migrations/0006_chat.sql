-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What players and, after a game, its watchers say to each other. Not in the log: a game is judged
-- without it, and a line can be erased with the person who wrote it.

-- room: 1 the two players, 2 everybody at the board once the game has ended. seq rises within a game.
CREATE TABLE game_chat (
    game    TEXT    NOT NULL,
    seq     INTEGER NOT NULL,
    room    INTEGER NOT NULL CHECK (room IN (1, 2)),
    account INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    text    TEXT    NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX game_chat_by_account ON game_chat (account);
