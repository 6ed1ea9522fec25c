-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What players are told by letter about their games by days (X-007).

-- The ply at which the player to move was last told that it is his move, that a day is left, that
-- six hours are left: each once.
ALTER TABLE game ADD COLUMN told_move INTEGER NOT NULL DEFAULT -1;
ALTER TABLE game ADD COLUMN told_day INTEGER NOT NULL DEFAULT -1;
ALTER TABLE game ADD COLUMN told_hours INTEGER NOT NULL DEFAULT -1;

-- Games asleep whose player does not know yet that it is his move.
CREATE INDEX game_untold ON game (id) WHERE wake_ms IS NOT NULL AND told_move <> plies;

-- What a player wants to be told; no row: everything, at once.
CREATE TABLE notice_prefs (
    account     INTEGER PRIMARY KEY,
    moves       INTEGER NOT NULL CHECK (moves IN (0, 1)),
    day         INTEGER NOT NULL CHECK (day IN (0, 1)),
    hours       INTEGER NOT NULL CHECK (hours IN (0, 1)),
    digest_hour INTEGER CHECK (digest_hour BETWEEN 0 AND 23), -- UTC; moves come once a day then
    digest_day  INTEGER NOT NULL DEFAULT 0, -- of the last digest, days since 1970
    token       TEXT    NOT NULL UNIQUE     -- in the link that ends all letters
) STRICT;

CREATE INDEX notice_prefs_by_hour ON notice_prefs (digest_hour, digest_day) WHERE digest_hour IS NOT NULL;
