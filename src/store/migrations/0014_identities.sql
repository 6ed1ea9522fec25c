-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Who a person is to a provider of OpenID Connect (S-010). The provider's own name for him is
-- (issuer, subject); one account has at most one identity of each issuer. provider is the name the
-- operator gave the issuer when it was last used; email the address the provider told then.
CREATE TABLE identity (
    issuer    TEXT    NOT NULL,
    subject   TEXT    NOT NULL,
    account   INTEGER NOT NULL REFERENCES account (id),
    provider  TEXT    NOT NULL,
    email     TEXT,
    linked_ms INTEGER NOT NULL,
    used_ms   INTEGER,
    PRIMARY KEY (issuer, subject),
    UNIQUE (account, issuer)
) STRICT, WITHOUT ROWID;
