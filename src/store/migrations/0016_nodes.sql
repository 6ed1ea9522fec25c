-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Many nodes on one PostgreSQL database (store.h, "Many nodes"). In SQLite, which one process has for
-- itself, both tables stay empty. Times are UTC milliseconds.

CREATE TABLE node (
    name     TEXT    PRIMARY KEY,
    epoch    INTEGER NOT NULL,     -- rises with every start, and when others end its lease
    address  TEXT    NOT NULL,
    lease_ms INTEGER NOT NULL,
    alive_at INTEGER NOT NULL,     -- the lease was renewed then, by the database's clock; 0: given up
    alive_ms INTEGER NOT NULL,     -- the loop's last sign of life, by the node's clock; 0: none yet
    leaving  INTEGER NOT NULL CHECK (leaving IN (0, 1)),
    UNIQUE (name, epoch)           -- so that a new epoch conflicts with FOR KEY SHARE
) STRICT;

CREATE TABLE shard (
    shard    INTEGER NOT NULL,
    node     TEXT,                 -- NULL: nobody's
    epoch    INTEGER NOT NULL,     -- rises with every change of owner
    alive_ms INTEGER NOT NULL,     -- of one that is nobody's: when it was last played; 0: never
    released INTEGER NOT NULL CHECK (released IN (0, 1)), -- it was given away, not taken
    PRIMARY KEY (shard)
) STRICT;

-- only PostgreSQL
-- Blocks of arrival numbers: one begins at each value.
CREATE SEQUENCE arrival_block INCREMENT BY 1000;
-- both
