-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Notices by web push, and the list behind the bell (X-007).

-- The house's own key pair (RFC 8292), made at the first start.
CREATE TABLE push_key (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    private BLOB NOT NULL CHECK (length(private) = 32),
    public  BLOB NOT NULL CHECK (length(public) = 65)
) STRICT;

-- Where a browser is reached (RFC 8030). It lives no longer than the session it was made in: who logs
-- out is told nothing there any more.
CREATE TABLE push_subscription (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- a number given back would be somebody else's
    account    INTEGER NOT NULL REFERENCES account (id),
    session    BLOB    NOT NULL REFERENCES session (token_hash) ON DELETE CASCADE,
    endpoint   TEXT    NOT NULL UNIQUE,
    public     BLOB    NOT NULL CHECK (length(public) = 65),
    secret     BLOB    NOT NULL CHECK (length(secret) = 16),
    created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscription_by_account ON push_subscription (account);
CREATE INDEX push_subscription_by_session ON push_subscription (session);

-- Notices that wait for a push service. A row is removed when it was taken, given up or has expired.
CREATE TABLE push_out (
    id           INTEGER PRIMARY KEY AUTOINCREMENT, -- a thread may still hold one that was replaced
    subscription INTEGER NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
    title        TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    url          TEXT    NOT NULL,
    tag          TEXT    NOT NULL,
    off          TEXT    NOT NULL, -- the words on the button that ends them
    language     TEXT    NOT NULL,
    urgent       INTEGER NOT NULL CHECK (urgent IN (0, 1)),
    expires_ms   INTEGER NOT NULL,
    next_ms      INTEGER NOT NULL,
    tries        INTEGER NOT NULL
) STRICT;
CREATE INDEX push_out_by_time ON push_out (next_ms);
CREATE INDEX push_out_by_subscription ON push_out (subscription);

-- What a player was told on the site itself. tell: by letter and push as well, which has still to be done.
CREATE TABLE bell (
    id      INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account (id),
    kind    TEXT    NOT NULL CHECK (kind IN ('challenge', 'rematch', 'friend_asks', 'friend')),
    other   INTEGER NOT NULL REFERENCES account (id),
    ref     TEXT    NOT NULL, -- the challenge, or the game a rematch is asked for; else empty
    at_ms   INTEGER NOT NULL,
    tell    INTEGER NOT NULL CHECK (tell IN (0, 1))
) STRICT;
CREATE INDEX bell_by_account ON bell (account, at_ms);
CREATE INDEX bell_untold ON bell (id) WHERE tell = 1;

-- Up to when the list has been looked at.
CREATE TABLE bell_seen (
    account INTEGER PRIMARY KEY REFERENCES account (id),
    at_ms   INTEGER NOT NULL
) STRICT;

ALTER TABLE notice_prefs ADD COLUMN invitations INTEGER NOT NULL DEFAULT 1 CHECK (invitations IN (0, 1));
