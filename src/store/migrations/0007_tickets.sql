-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Links in letters that do something once. The token itself is only in the letter.
--   confirm  the address email becomes the account's
--   recover  a new password
--   undo     a new password, and email (NULL: none was changed) comes back
CREATE TABLE ticket (
    token_hash BLOB    PRIMARY KEY,
    kind       TEXT    NOT NULL CHECK (kind IN ('confirm', 'recover', 'undo')),
    account    INTEGER NOT NULL REFERENCES account (id),
    email      TEXT,
    email_key  TEXT,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ticket_by_account ON ticket (account, kind);
CREATE INDEX ticket_by_end ON ticket (expires_ms);
