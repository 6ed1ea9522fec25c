-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Letters that wait for the mail server. A row is removed when its letter was taken or given up.
CREATE TABLE mail_out (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL,
    recipient   TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    body        TEXT    NOT NULL,
    unsubscribe TEXT,
    created_ms  INTEGER NOT NULL,
    next_ms     INTEGER NOT NULL,
    tries       INTEGER NOT NULL
) STRICT;

CREATE INDEX mail_out_by_time ON mail_out (next_ms);

-- Whether the address was confirmed by a letter, and the address that is to take its place.
ALTER TABLE account ADD COLUMN email_confirmed_ms INTEGER;
ALTER TABLE account ADD COLUMN email_pending TEXT;

-- A confirmed address belongs to one account.
CREATE UNIQUE INDEX account_by_confirmed_email ON account (email_key)
    WHERE email_confirmed_ms IS NOT NULL AND email_key IS NOT NULL;
