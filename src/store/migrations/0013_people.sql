-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Whom a player follows (kind 1), and whom he calls a friend (kind 2; a friendship when both do).

CREATE TABLE relation (
    account INTEGER NOT NULL REFERENCES account (id),
    kind    INTEGER NOT NULL CHECK (kind IN (1, 2)),
    other   INTEGER NOT NULL REFERENCES account (id),
    at_ms   INTEGER NOT NULL,
    PRIMARY KEY (account, kind, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX relation_by_other ON relation (other, kind, account);
