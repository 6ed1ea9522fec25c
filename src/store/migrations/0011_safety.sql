-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Who may do what, who was stopped from what, and what was done about it.

-- A device is named by a number of its own in the list of devices; agent is "Firefox, Linux".
ALTER TABLE session ADD COLUMN device INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN agent TEXT NOT NULL DEFAULT '';

-- The day from which an account may be erased; NULL: nobody has asked.
ALTER TABLE account ADD COLUMN erase_after_ms INTEGER;

CREATE TABLE role (
    account    INTEGER NOT NULL REFERENCES account (id),
    role       TEXT    NOT NULL CHECK (role IN ('admin', 'moderator', 'committee', 'arbiter')),
    granted_ms INTEGER NOT NULL,
    PRIMARY KEY (account, role)
) STRICT, WITHOUT ROWID;

-- until_ms NULL: for ever. lifted_ms NULL: nobody has lifted it.
CREATE TABLE sanction (
    id        INTEGER PRIMARY KEY,
    account   INTEGER NOT NULL REFERENCES account (id),
    kind      TEXT    NOT NULL CHECK (kind IN ('block')),
    reason    TEXT    NOT NULL,
    from_ms   INTEGER NOT NULL,
    until_ms  INTEGER,
    lifted_ms INTEGER
) STRICT;
CREATE INDEX sanction_by_account ON sanction (account) WHERE lifted_ms IS NULL;

-- Append-only; actor 0 is the operator at the command line.
CREATE TABLE audit (
    id     INTEGER PRIMARY KEY,
    at_ms  INTEGER NOT NULL,
    actor  INTEGER NOT NULL,
    action TEXT    NOT NULL,
    object TEXT    NOT NULL,
    before TEXT    NOT NULL,
    after  TEXT    NOT NULL,
    reason TEXT    NOT NULL
) STRICT;
-- only SQLite
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_keeps BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
-- only PostgreSQL
CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''audit is append-only''; END';
CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses();
-- both

-- What people write to the administrators.
CREATE TABLE report (
    id      INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account (id),
    kind    TEXT    NOT NULL,
    at_ms   INTEGER NOT NULL,
    text    TEXT    NOT NULL
) STRICT;

-- Whom one does not want to deal with.
CREATE TABLE block (
    account    INTEGER NOT NULL REFERENCES account (id),
    blocked    INTEGER NOT NULL REFERENCES account (id),
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (account, blocked)
) STRICT, WITHOUT ROWID;

-- Words that the operator adds to those no nick may hold.
CREATE TABLE obscene_word (
    word TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Two accounts that may be one person's (S-014); never a ground by itself.
CREATE TABLE signal (
    account INTEGER NOT NULL REFERENCES account (id),
    other   INTEGER NOT NULL REFERENCES account (id),
    kind    TEXT    NOT NULL,
    at_ms   INTEGER NOT NULL,
    PRIMARY KEY (account, other, kind)
) STRICT, WITHOUT ROWID;
