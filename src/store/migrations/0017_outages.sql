-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Spans that no clock pays for in some shards alone (store.h, "Many nodes"): nobody owned them, or their
-- owner stood still. shards: StoreShards, of 64 words the low bytes first. Times are UTC milliseconds.

CREATE TABLE shard_outage (
    at_ms   INTEGER NOT NULL,
    span_ms INTEGER NOT NULL,
    shards  BLOB    NOT NULL CHECK (length(shards) = 512),
    PRIMARY KEY (at_ms, shards)
) STRICT;
