-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Ratings: where everybody stands in each list, and how he came there. `list` is a RatingList.
-- Both tables follow from the rated games in the order of their ends.

CREATE TABLE rating (
    account INTEGER NOT NULL REFERENCES account (id),
    list    INTEGER NOT NULL CHECK (list BETWEEN 0 AND 3),
    rating  INTEGER NOT NULL,
    games   INTEGER NOT NULL,
    wins    INTEGER NOT NULL,
    draws   INTEGER NOT NULL,
    last_ms INTEGER NOT NULL, -- the end of the last rated game
    PRIMARY KEY (account, list)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_order ON rating (list, rating DESC, games DESC, account, last_ms);

-- One row for each player of a rated game; wins, draws and games count that game in.
CREATE TABLE rating_change (
    account      INTEGER NOT NULL REFERENCES account (id),
    list         INTEGER NOT NULL CHECK (list BETWEEN 0 AND 3),
    ended_ms     INTEGER NOT NULL,
    game         TEXT    NOT NULL,
    color        INTEGER NOT NULL CHECK (color IN (0, 1)),
    opponent     INTEGER NOT NULL,
    half_points  INTEGER NOT NULL CHECK (half_points BETWEEN 0 AND 2),
    opponent_was INTEGER NOT NULL, -- his rating before the game
    before       INTEGER NOT NULL,
    after        INTEGER NOT NULL,
    k            INTEGER NOT NULL,
    expected     INTEGER NOT NULL, -- hundredths
    games        INTEGER NOT NULL,
    wins         INTEGER NOT NULL,
    draws        INTEGER NOT NULL,
    PRIMARY KEY (account, list, ended_ms, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_change_by_game ON rating_change (game, color);

-- Up to where the games of a list have been counted: everything before this place in the order of
-- ends. A game that is found to lie before it (a result that was corrected) sets it back.
CREATE TABLE rating_cursor (
    list     INTEGER PRIMARY KEY CHECK (list BETWEEN 0 AND 3),
    ended_ms INTEGER NOT NULL,
    game     TEXT    NOT NULL
) STRICT;

-- settled: the ratings have taken notice of the row as it stands now. Each writing of the row sets it
-- to 0 again.
ALTER TABLE game ADD COLUMN list INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
UPDATE game SET list = CASE WHEN type = 2 THEN 1 WHEN category = 'blitz' THEN 3
    WHEN category = 'rapid' THEN 2 ELSE 0 END;

CREATE INDEX game_unsettled ON game (ended_ms, id)
    WHERE rated = 1 AND settled = 0 AND ended_ms IS NOT NULL;
CREATE INDEX game_rated ON game (list, ended_ms, id) WHERE rated = 1 AND ended_ms IS NOT NULL;
CREATE INDEX game_by_end ON game (ended_ms, id) WHERE ended_ms IS NOT NULL;
