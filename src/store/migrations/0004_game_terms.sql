-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What a game is besides its control: classic 1, advance 2, blitz 3; automatic flags 1, claims 2;
-- touch mode. Games from before were Classic by days ("1/...") and Blitz on the clock.

ALTER TABLE game ADD COLUMN type INTEGER NOT NULL DEFAULT 3;
ALTER TABLE game ADD COLUMN flag INTEGER NOT NULL DEFAULT 1;
ALTER TABLE game ADD COLUMN touch INTEGER NOT NULL DEFAULT 0;

UPDATE game SET type = 1 WHERE control LIKE '1/%';
