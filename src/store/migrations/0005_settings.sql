-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- How a person likes the board: preferences that differ from the client's own, and layouts of the
-- game zone with a name.

CREATE TABLE prefs (
    account INTEGER NOT NULL REFERENCES account (id),
    name    TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;

-- name_key is the name in lower case: two layouts of one person differ in it. wide and narrow hold
-- the places of the blocks for large and for small windows, the previous_* what stood there before
-- the last change.
CREATE TABLE layout (
    account         INTEGER NOT NULL REFERENCES account (id),
    name_key        TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    saved_ms        INTEGER NOT NULL,
    wide            TEXT,
    narrow          TEXT,
    previous_wide   TEXT,
    previous_narrow TEXT,
    PRIMARY KEY (account, name_key)
) STRICT, WITHOUT ROWID;
