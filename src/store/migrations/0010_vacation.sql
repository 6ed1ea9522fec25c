-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Vacations of players (X-008). Times are UTC milliseconds.
CREATE TABLE vacation (
    account  INTEGER NOT NULL,
    from_ms  INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    ended_ms INTEGER, -- before its time
    PRIMARY KEY (account, from_ms)
) STRICT, WITHOUT ROWID;

CREATE INDEX vacation_by_end ON vacation (until_ms) WHERE ended_ms IS NULL;
