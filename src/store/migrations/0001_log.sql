-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The log, what it is folded into, and the projection made from it. Times are UTC milliseconds.

-- Append-only, in order of arrival. No second index: a key by game would dirty one page for every
-- game that moves, and the checkpoints then stall the commits.
CREATE TABLE game_event (
    arrival INTEGER PRIMARY KEY,
    game    TEXT    NOT NULL,
    seq     INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    actor   INTEGER NOT NULL,
    kind    INTEGER NOT NULL,
    body    BLOB    NOT NULL
) STRICT;

-- The entities neither folded nor closed. first_arrival is the first of its events that its record
-- does not hold; NULL when the record holds them all. The least of them is where a replay begins.
CREATE TABLE log_open (
    entity        TEXT PRIMARY KEY,
    first_arrival INTEGER
) STRICT, WITHOUT ROWID;

-- All events of a finished game in one row, or those of a long unfinished one up to last_arrival
-- (ended = 0). The form of body is described in record.h.
CREATE TABLE game_record (
    game         TEXT    PRIMARY KEY,
    ended        INTEGER NOT NULL CHECK (ended IN (0, 1)),
    events       INTEGER NOT NULL,
    last_arrival INTEGER NOT NULL,
    body         BLOB    NOT NULL
) STRICT;

-- Projection: can be emptied and rebuilt from the log.
CREATE TABLE game (
    id         TEXT    PRIMARY KEY,
    white      INTEGER NOT NULL,
    black      INTEGER NOT NULL,
    control    TEXT    NOT NULL,
    category   TEXT    NOT NULL,
    rated      INTEGER NOT NULL,
    edition    INTEGER NOT NULL,
    pace       INTEGER NOT NULL,
    turn       INTEGER NOT NULL,
    offer      INTEGER NOT NULL,
    result     TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    plies      INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms   INTEGER
) STRICT;

CREATE INDEX game_by_white ON game (white, ended_ms, id, result) WHERE ended_ms IS NOT NULL;
CREATE INDEX game_by_black ON game (black, ended_ms, id, result) WHERE ended_ms IS NOT NULL;

CREATE TABLE meta (
    key   TEXT    PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
