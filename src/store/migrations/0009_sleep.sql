-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Slow games: when a clock falls, and games that are not in memory. Times are UTC milliseconds.

-- The running clock of an unfinished slow game falls then, if no outage comes between.
ALTER TABLE game ADD COLUMN deadline_ms INTEGER;
-- Set while the game sleeps: its events lie in game_record, it is not in log_open and in nobody's
-- memory unless somebody looks at it; something is due in it at that instant.
ALTER TABLE game ADD COLUMN wake_ms INTEGER;

CREATE INDEX game_by_deadline ON game (deadline_ms, id) WHERE deadline_ms IS NOT NULL;
CREATE INDEX game_by_wake ON game (wake_ms, id) WHERE wake_ms IS NOT NULL;
CREATE INDEX game_asleep_by_white ON game (white, id) WHERE wake_ms IS NOT NULL;
CREATE INDEX game_asleep_by_black ON game (black, id) WHERE wake_ms IS NOT NULL;

-- Spans that no clock pays for; games that slept through one are credited when they wake.
CREATE TABLE outage (
    at_ms   INTEGER PRIMARY KEY,
    span_ms INTEGER NOT NULL
) STRICT;
