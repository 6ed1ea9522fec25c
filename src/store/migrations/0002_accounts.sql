-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- People and their sessions. Times are UTC milliseconds.

-- A deleted account keeps its id (games point to it) and its skeleton (nobody may take a name that
-- looks like it); all else that is personal is gone.
CREATE TABLE account (
    id            INTEGER PRIMARY KEY CHECK (id > 0),
    nick          TEXT,
    skeleton      TEXT    NOT NULL UNIQUE,
    email         TEXT,
    email_key     TEXT,
    password_hash TEXT,
    language      TEXT    NOT NULL CHECK (language IN ('ru', 'ro', 'en')),
    created_ms    INTEGER NOT NULL,
    deleted_ms    INTEGER,
    state         TEXT    NOT NULL CHECK (state IN ('active', 'deleted')),
    CHECK ((state = 'deleted') = (nick IS NULL)),
    CHECK ((state = 'deleted') = (password_hash IS NULL))
) STRICT;

-- Not unique: an address is never confirmed here, so it belongs to nobody.
CREATE INDEX account_by_email ON account (email_key, created_ms) WHERE email_key IS NOT NULL;

-- The token itself is only in the browser's cookie.
CREATE TABLE session (
    token_hash BLOB    PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (id),
    created_ms INTEGER NOT NULL,
    seen_ms    INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    idle_ms    INTEGER NOT NULL,
    retired_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_account ON session (account, created_ms);
CREATE INDEX session_by_end ON session (expires_ms);
