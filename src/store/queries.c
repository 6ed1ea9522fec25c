// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every SQL statement of the program but those that open a file. Common SQL: numbered parameters,
// ON CONFLICT, row values: SQLite and PostgreSQL take them alike. What only one has stands in
// sqlite.c, check.c and migrate.c, in postgres.c and postgres_open.c.
#include "store/internal.h"

#define GAME_COLUMNS                                                                               \
    "g.id, g.white, g.black, g.control, g.category, g.rated, g.edition, g.pace, g.turn, g.offer, " \
    "g.result, g.reason, g.plies, g.created_ms, g.started_ms, g.ended_ms, "                        \
    "g.type, g.flag, g.touch, g.list, g.deadline_ms"
// The rating of each player: before the game where it was rated, else as it is now; and the number
// of rated games he had then.
#define SEAT_RATINGS                                                                               \
    "coalesce(wc.before, wr.rating), coalesce(wc.games - 1, wr.games),"                            \
    " coalesce(bc.before, br.rating), coalesce(bc.games - 1, br.games)"
#define SEAT_JOINS                                                                                 \
    " LEFT JOIN rating_change AS wc ON wc.game = g.id AND wc.color = 0"                            \
    " LEFT JOIN rating_change AS bc ON bc.game = g.id AND bc.color = 1"                            \
    " LEFT JOIN rating AS wr ON wr.account = g.white AND wr.list = g.list"                         \
    " LEFT JOIN rating AS br ON br.account = g.black AND br.list = g.list"
#define BLOCK_OF_ACCOUNT " FROM sanction WHERE account = account.id AND lifted_ms IS NULL)"
#define ACCOUNT_COLUMNS                                                                            \
    "id, nick, language, email, password_hash, created_ms, email_confirmed_ms, email_pending,"     \
    " erase_after_ms, (SELECT count(*) FROM block WHERE account = account.id),"                    \
    " (SELECT group_concat(role, ' ') FROM role WHERE account = account.id),"                      \
    " (SELECT min(from_ms)" BLOCK_OF_ACCOUNT                                                       \
    ", (SELECT max(coalesce(until_ms, 9007199254740991))" BLOCK_OF_ACCOUNT
#define LAYOUT_COLUMNS "name, saved_ms, wide, narrow, previous_wide, previous_narrow"
#define NOTICE_COLUMNS "id, white, black, turn, plies, deadline_ms, control"
// The conditions of a search; a parameter that is NULL asks for nothing.
#define GAME_FILTER                                                                                \
    " AND (CAST($5 AS TEXT) IS NULL OR result = $5) AND (CAST($6 AS BIGINT) IS NULL OR list = $6)" \
    " AND (CAST($7 AS BIGINT) IS NULL OR edition = $7) AND ended_ms >= $8 AND ended_ms < $9 AND "  \
    "result <> '*'"
#define GAME_NAMES                                                                                 \
    " LEFT JOIN account AS w ON w.id = g.white LEFT JOIN account AS b ON b.id = "                  \
    "g.black" SEAT_JOINS
#define LIST_NAME                                                                                  \
    "CASE list WHEN 0 THEN 'classic' WHEN 1 THEN 'advance' WHEN 2 THEN 'rapid' ELSE 'blitz' END"
#define EVENT_COLUMNS "game, seq, time_ms, actor, kind, body, arrival"

const char *const store_sql[STORE_Q_COUNT] = {
    // ---- accounts
    [STORE_ACCOUNT_INSERT] =
        "INSERT INTO account (id, nick, skeleton, email, email_key, password_hash, language,"
        " created_ms, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'active')"
        " ON CONFLICT DO NOTHING",
    [STORE_ACCOUNT_BY_ID] = "SELECT " ACCOUNT_COLUMNS " FROM account WHERE id = $1",
    [STORE_ACCOUNT_BY_SKELETON] = "SELECT " ACCOUNT_COLUMNS " FROM account WHERE skeleton = $1",
    [STORE_ACCOUNTS_BY_EMAIL] = "SELECT " ACCOUNT_COLUMNS " FROM account WHERE email_key = $1"
                                " ORDER BY email_confirmed_ms IS NULL, created_ms DESC, id DESC"
                                " LIMIT $2",
    [STORE_ACCOUNT_BY_CONFIRMED_EMAIL] = "SELECT id FROM account WHERE email_key = $1"
                                         " AND email_confirmed_ms IS NOT NULL",
    [STORE_ACCOUNT_SET_EMAIL] =
        "UPDATE account SET email = $2, email_key = $3, email_confirmed_ms = $4,"
        " email_pending = NULL WHERE id = $1 AND state = 'active'",
    [STORE_ACCOUNT_SET_PENDING] =
        "UPDATE account SET email_pending = $2 WHERE id = $1 AND state = 'active'",
    [STORE_ACCOUNT_SET_PASSWORD] =
        "UPDATE account SET password_hash = $2 WHERE id = $1 AND state = 'active'",
    [STORE_IDENTITY_FIND] = "SELECT account FROM identity WHERE issuer = $1 AND subject = $2",
    [STORE_IDENTITY_OF_ISSUER] = "SELECT subject FROM identity WHERE account = $1 AND issuer = $2",
    [STORE_IDENTITY_INSERT] =
        "INSERT INTO identity (issuer, subject, account, provider, email, linked_ms)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
    [STORE_IDENTITY_USED] = "UPDATE identity SET provider = $3, email = $4, used_ms = $5"
                            " WHERE issuer = $1 AND subject = $2",
    [STORE_IDENTITIES_OF] =
        "SELECT provider, issuer, email, linked_ms, used_ms, subject FROM identity"
        " WHERE account = $1 ORDER BY provider, issuer",
    [STORE_IDENTITY_DELETE] = "DELETE FROM identity WHERE account = $1 AND provider = $2",
    [STORE_IDENTITIES_FORGET] = "DELETE FROM identity WHERE account = $1",
    [STORE_ACCOUNT_SET_LANGUAGE] =
        "UPDATE account SET language = $2 WHERE id = $1 AND state = 'active'",
    [STORE_ACCOUNT_ERASE] =
        "UPDATE account SET nick = NULL, email = NULL, email_key = NULL, password_hash = NULL,"
        " email_confirmed_ms = NULL, email_pending = NULL, erase_after_ms = NULL,"
        " language = 'en', deleted_ms = $2, state = 'deleted' WHERE id = $1 AND state = 'active'",
    [STORE_GUESTS_OLD] =
        "SELECT id FROM account WHERE nick LIKE 'guest-%' AND created_ms < $1 AND state = 'active'"
        " AND NOT EXISTS (SELECT 1 FROM session WHERE session.account = account.id) LIMIT $2",

    // ---- sessions
    [STORE_SESSION_INSERT] = "INSERT INTO session (token_hash, account, created_ms, seen_ms, "
                             "expires_ms, idle_ms, device,"
                             " agent) VALUES ($1, $2, $3, $3, $4, $5, $6, $7)",
    [STORE_SESSION_FIND] = "SELECT account, seen_ms, expires_ms, idle_ms, retired_ms FROM session"
                           " WHERE token_hash = $1",
    [STORE_SESSION_TOUCH] =
        "UPDATE session SET seen_ms = $2 WHERE token_hash = $1 AND seen_ms < $2",
    [STORE_SESSION_RETIRE] =
        "UPDATE session SET retired_ms = $2 WHERE token_hash = $1 AND retired_ms IS NULL",
    [STORE_SESSION_DELETE] = "DELETE FROM session WHERE token_hash = $1",
    [STORE_SESSIONS_END] = "DELETE FROM session WHERE account = $1",
    [STORE_SESSIONS_END_OTHERS] = "DELETE FROM session WHERE account = $1 AND token_hash <> $2",
    [STORE_SESSIONS_EXPIRE] = "DELETE FROM session WHERE token_hash IN (SELECT token_hash"
                              " FROM session WHERE expires_ms <= $1 ORDER BY expires_ms LIMIT $2)",
    [STORE_SESSIONS_TRIM] =
        "DELETE FROM session WHERE account = $1 AND token_hash NOT IN (SELECT token_hash"
        " FROM session WHERE account = $1 ORDER BY created_ms DESC, token_hash LIMIT $2)",

    // ---- devices, reports, roles, blocks, leaving
    [STORE_SESSIONS_OF] =
        "SELECT token_hash, device, created_ms, seen_ms, agent FROM session WHERE account = $1"
        " AND retired_ms IS NULL AND expires_ms > $2 AND (idle_ms = 0 OR seen_ms + idle_ms > $2)"
        " ORDER BY seen_ms DESC, device",
    [STORE_SESSION_END_DEVICE] = "DELETE FROM session WHERE account = $1 AND device = $2",
    [STORE_REPORT_INSERT] =
        "INSERT INTO report (account, kind, at_ms, text) VALUES ($1, $2, $3, $4)",
    [STORE_REPORTS] = "SELECT r.at_ms, r.kind, a.nick, r.text FROM report AS r JOIN account AS a"
                      " ON a.id = r.account WHERE r.kind <> 'hidden_login'"
                      " ORDER BY r.id DESC LIMIT $1",
    [STORE_ROLE_HOLDERS] = "SELECT r.account, a.nick FROM role AS r JOIN account AS a"
                           " ON a.id = r.account WHERE r.role = $1 ORDER BY r.account",
    [STORE_ROLES] = "SELECT a.nick, r.role FROM role AS r JOIN account AS a ON a.id = r.account"
                    " ORDER BY r.role, a.nick",
    [STORE_ROLE_INSERT] = "INSERT INTO role (account, role, granted_ms) VALUES ($1, $2, $3)"
                          " ON CONFLICT (account, role) DO NOTHING",
    [STORE_ROLE_DELETE] = "DELETE FROM role WHERE account = $1 AND role = $2",
    [STORE_SANCTION_INSERT] = "INSERT INTO sanction (account, kind, reason, from_ms, until_ms)"
                              " VALUES ($1, 'block', $2, $3, $4)",
    [STORE_SANCTIONS_LIFT] =
        "UPDATE sanction SET lifted_ms = $2 WHERE account = $1 AND lifted_ms IS NULL",
    [STORE_SANCTIONED] = "SELECT DISTINCT account FROM sanction WHERE lifted_ms IS NULL"
                         " AND (until_ms IS NULL OR until_ms > $1)"
                         // Erased, and the end of their games was lost with a crash.
                         " UNION SELECT a.id FROM game AS g JOIN account AS a"
                         " ON a.id IN (g.white, g.black)"
                         " WHERE (g.deadline_ms IS NOT NULL OR g.wake_ms IS NOT NULL)"
                         " AND a.state = 'deleted'",
    [STORE_AUDIT_INSERT] = "INSERT INTO audit (at_ms, actor, action, object, before, after, reason)"
                           " VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [STORE_AUDIT] = "SELECT u.at_ms, a.nick, u.action, u.object, u.before, u.after, u.reason"
                    " FROM audit AS u LEFT JOIN account AS a ON a.id = u.actor"
                    " ORDER BY u.id DESC LIMIT $1",
    [STORE_WORDS] = "SELECT word FROM obscene_word ORDER BY word",
    [STORE_WORD_INSERT] =
        "INSERT INTO obscene_word (word) VALUES ($1) ON CONFLICT (word) DO NOTHING",
    [STORE_WORD_DELETE] = "DELETE FROM obscene_word WHERE word = $1",
    [STORE_ACCOUNT_RENAME] =
        "UPDATE account SET nick = $2, skeleton = $3 WHERE id = $1 AND state = 'active'",
    [STORE_NICK_KEEP] =
        "INSERT INTO account (id, skeleton, language, created_ms, deleted_ms, state)"
        " VALUES ($1, $2, 'en', $3, $3, 'deleted') ON CONFLICT (skeleton) DO NOTHING",
    [STORE_SIGNAL_INSERT] = "INSERT INTO signal (account, other, kind, at_ms)"
                            " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    [STORE_BLOCKS_OF] = "SELECT b.blocked, a.nick, b.created_ms FROM block AS b JOIN account AS a"
                        " ON a.id = b.blocked WHERE b.account = $1 ORDER BY a.nick",
    [STORE_BLOCKS_COUNT] = "SELECT count(*) FROM block WHERE account = $1",
    [STORE_BLOCK_INSERT] = "INSERT INTO block (account, blocked, created_ms) VALUES ($1, $2, $3)"
                           " ON CONFLICT (account, blocked) DO NOTHING",
    [STORE_BLOCK_DELETE] = "DELETE FROM block WHERE account = $1 AND blocked = $2",
    [STORE_ACCOUNT_SET_ERASE] =
        "UPDATE account SET erase_after_ms = $2 WHERE id = $1 AND state = 'active'",
    [STORE_ACCOUNTS_TO_ERASE] = "SELECT id FROM account WHERE state = 'active'"
                                " AND erase_after_ms <= $1 ORDER BY erase_after_ms LIMIT $2",
    [STORE_TICKETS_FORGET] = "DELETE FROM ticket WHERE account = $1",
    [STORE_BLOCKS_FORGET] = "DELETE FROM block WHERE account = $1 OR blocked = $1",
    [STORE_ROLES_FORGET] = "DELETE FROM role WHERE account = $1",
    [STORE_SIGNALS_FORGET] = "DELETE FROM signal WHERE account = $1 OR other = $1",
    [STORE_REPORTS_FORGET] = "DELETE FROM report WHERE account = $1",
    [STORE_MAIL_FORGET] =
        "DELETE FROM mail_out WHERE recipient = (SELECT email FROM account WHERE id = $1)",

    // ---- what is held of a person
    [STORE_EXPORT_DEVICES] = "SELECT created_ms, seen_ms, expires_ms, agent FROM session"
                             " WHERE account = $1 AND retired_ms IS NULL ORDER BY created_ms",
    [STORE_EXPORT_PREFERENCES] = "SELECT name, value FROM prefs WHERE account = $1 ORDER BY name",
    [STORE_EXPORT_RATINGS] = "SELECT " LIST_NAME ", rating, games, wins, draws, last_ms FROM rating"
                             " WHERE account = $1 ORDER BY list",
    [STORE_EXPORT_RATING_HISTORY] =
        "SELECT " LIST_NAME
        ", c.ended_ms, c.game, CASE c.color WHEN 0 THEN 'white' ELSE 'black' END,"
        " o.nick, c.opponent_was, c.half_points, c.before, c.after, c.k, c.expected, c.games, "
        "c.wins,"
        " c.draws FROM rating_change AS c LEFT JOIN account AS o ON o.id = c.opponent"
        " WHERE c.account = $1 ORDER BY c.list, c.ended_ms, c.game",
    [STORE_EXPORT_NOTICES] =
        "SELECT moves, day, hours, invitations, digest_hour FROM notice_prefs WHERE account = $1",
    [STORE_EXPORT_PEOPLE] =
        "SELECT CASE r.kind WHEN 1 THEN 'follow' ELSE 'friend' END, o.nick, r.at_ms"
        " FROM relation AS r LEFT JOIN account AS o ON o.id = r.other"
        " WHERE r.account = $1 ORDER BY r.kind, r.at_ms",
    [STORE_EXPORT_BLOCKS] = "SELECT o.nick, b.created_ms FROM block AS b"
                            " LEFT JOIN account AS o ON o.id = b.blocked"
                            " WHERE b.account = $1 ORDER BY b.created_ms",
    [STORE_EXPORT_VACATIONS] = "SELECT from_ms, until_ms, ended_ms FROM vacation"
                               " WHERE account = $1 ORDER BY from_ms",
    [STORE_EXPORT_CHAT] =
        "SELECT game, time_ms, CASE room WHEN 1 THEN 'players' ELSE 'watchers' END, text"
        " FROM game_chat WHERE account = $1 ORDER BY time_ms, game, seq",
    [STORE_EXPORT_REPORTS] = "SELECT kind, at_ms, text FROM report WHERE account = $1 ORDER BY id",
    [STORE_EXPORT_SANCTIONS] = "SELECT kind, reason, from_ms, until_ms, lifted_ms FROM sanction"
                               " WHERE account = $1 ORDER BY id",
    [STORE_EXPORT_ROLES] = "SELECT role, granted_ms FROM role WHERE account = $1 ORDER BY role",
    // What he did as an administrator, and what was done about him; who did that stays untold.
    [STORE_EXPORT_AUDIT] =
        "SELECT at_ms, actor = $1, action, object, before, after, reason FROM audit"
        " WHERE actor = $1"
        " OR object = (SELECT nick FROM account WHERE id = $1) ORDER BY id",
    [STORE_EXPORT_IDENTITIES] =
        "SELECT provider, issuer, subject, email, linked_ms, used_ms FROM identity"
        " WHERE account = $1 ORDER BY linked_ms",
    [STORE_EXPORT_LINKS] = "SELECT kind, email, created_ms, expires_ms FROM ticket"
                           " WHERE account = $1 ORDER BY created_ms",
    // Without the text: a link in it opens the account.
    [STORE_EXPORT_PUSH] =
        "SELECT p.created_ms, s.agent FROM push_subscription AS p"
        " JOIN session AS s ON s.token_hash = p.session WHERE p.account = $1 ORDER BY p.id",
    [STORE_EXPORT_BELL] = "SELECT b.kind, o.nick, b.ref, b.at_ms FROM bell AS b"
                          " LEFT JOIN account AS o ON o.id = b.other"
                          " WHERE b.account = $1 ORDER BY b.at_ms, b.id",
    [STORE_EXPORT_LETTERS] =
        "SELECT kind, subject, created_ms FROM mail_out"
        " WHERE recipient = (SELECT email FROM account WHERE id = $1) ORDER BY id",

    // ---- log-ins through anonymisers
    [STORE_HIDDEN_TRIM] =
        "DELETE FROM report WHERE account = $1 AND kind = 'hidden_login' AND at_ms < $2",
    [STORE_HIDDEN_COUNT] =
        "SELECT count(*) FROM report WHERE account = $1 AND kind = 'hidden_login'",

    // ---- links in letters
    [STORE_TICKET_INSERT] =
        "INSERT INTO ticket (token_hash, kind, account, email, email_key, created_ms, expires_ms)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [STORE_TICKET_FIND] = "SELECT kind, account, email, email_key, expires_ms FROM ticket"
                          " WHERE token_hash = $1",
    [STORE_TICKETS_DROP] = "DELETE FROM ticket WHERE account = $1 AND kind = $2",
    [STORE_TICKETS_EXPIRE] = "DELETE FROM ticket WHERE token_hash IN (SELECT token_hash"
                             " FROM ticket WHERE expires_ms <= $1 ORDER BY expires_ms LIMIT $2)",

    // ---- letters
    [STORE_ACCOUNT_ADDRESS] =
        "SELECT nick, language, email, email_confirmed_ms FROM account WHERE id = $1"
        " AND state = 'active'",
    [STORE_MAIL_INSERT] = "INSERT INTO mail_out (kind, recipient, subject, body, unsubscribe,"
                          " created_ms, next_ms, tries) VALUES ($1, $2, $3, $4, $5, $6, $6, 0)",
    [STORE_MAIL_FIRST] = "SELECT id, kind, recipient, subject, body, unsubscribe, created_ms,"
                         " next_ms, tries FROM mail_out ORDER BY next_ms, id LIMIT 1",
    [STORE_MAIL_CLAIM] = "UPDATE mail_out SET tries = tries + 1, next_ms = $2 WHERE id = $1",
    [STORE_MAIL_DELETE] = "DELETE FROM mail_out WHERE id = $1",

    // ---- games of a player. Half a point reads as a draw, whatever the other side got.
    [STORE_PLAYER_COUNTS] =
        "SELECT count(*), coalesce(sum(won), 0), coalesce(sum(drawn), 0), coalesce(sum(lost), 0)"
        " FROM (SELECT CASE WHEN result LIKE '1-%' THEN 1 ELSE 0 END AS won,"
        " CASE WHEN result LIKE '1/2-%' THEN 1 ELSE 0 END AS drawn,"
        " CASE WHEN result LIKE '0-%' THEN 1 ELSE 0 END AS lost"
        " FROM game WHERE white = $1 AND ended_ms IS NOT NULL AND result <> '*'"
        " UNION ALL SELECT CASE WHEN result LIKE '%-1' THEN 1 ELSE 0 END,"
        " CASE WHEN result LIKE '%-1/2' THEN 1 ELSE 0 END,"
        " CASE WHEN result LIKE '%-0' THEN 1 ELSE 0 END"
        " FROM game WHERE black = $1 AND ended_ms IS NOT NULL AND result <> '*') AS played",
    [STORE_PLAYER_GAMES] =
        "SELECT " GAME_COLUMNS ", w.nick, b.nick, " SEAT_RATINGS " FROM ("
        "SELECT id FROM (SELECT id FROM game WHERE white = $1 AND ended_ms IS NOT NULL"
        " AND (ended_ms, id) < ($2, $3) ORDER BY ended_ms DESC, id DESC LIMIT $4) AS as_white"
        " UNION SELECT id FROM (SELECT id FROM game WHERE black = $1 AND ended_ms IS NOT NULL"
        " AND (ended_ms, id) < ($2, $3) ORDER BY ended_ms DESC, id DESC LIMIT $4) AS as_black"
        ") AS own JOIN game AS g ON g.id = own.id"
        " LEFT JOIN account AS w ON w.id = g.white LEFT JOIN account AS b ON b.id = "
        "g.black" SEAT_JOINS " ORDER BY g.ended_ms DESC, g.id DESC LIMIT $4",
    [STORE_GAMES_SEARCH] =
        "SELECT " GAME_COLUMNS ", w.nick, b.nick, " SEAT_RATINGS " FROM (SELECT id FROM game"
        " WHERE ended_ms IS NOT NULL AND (ended_ms, id) < ($2, $3)" GAME_FILTER
        " AND $1 = 0 ORDER BY ended_ms DESC, id DESC LIMIT $4) AS found JOIN game AS g"
        " ON g.id = found.id" GAME_NAMES " ORDER BY g.ended_ms DESC, g.id DESC LIMIT $4",
    [STORE_GAMES_SEARCH_OF] =
        "SELECT " GAME_COLUMNS ", w.nick, b.nick, " SEAT_RATINGS " FROM ("
        "SELECT id FROM (SELECT id FROM game WHERE white = $1 AND ended_ms IS NOT NULL"
        " AND (ended_ms, id) < ($2, $3)" GAME_FILTER
        " ORDER BY ended_ms DESC, id DESC LIMIT $4) AS as_white"
        " UNION SELECT id FROM (SELECT id FROM game WHERE black = $1 AND ended_ms IS NOT NULL"
        " AND (ended_ms, id) < ($2, $3)" GAME_FILTER
        " ORDER BY ended_ms DESC, id DESC LIMIT $4) AS as_black"
        ") AS own JOIN game AS g ON g.id = own.id" GAME_NAMES
        " ORDER BY g.ended_ms DESC, g.id DESC LIMIT $4",
    [STORE_GAME_ROW_BY_ID] = "SELECT " GAME_COLUMNS " FROM game AS g WHERE g.id = $1",
    [STORE_CHAT_LINES] =
        "SELECT seq, account, time_ms, text, nick FROM (SELECT c.seq, c.account, c.time_ms, c.text,"
        " a.nick FROM game_chat AS c LEFT JOIN account AS a ON a.id = c.account"
        " WHERE c.game = $1 AND c.room = $2 AND c.seq < $3 ORDER BY c.seq DESC LIMIT $4) AS latest"
        " ORDER BY seq",
    [STORE_CHAT_FORGET] = "DELETE FROM game_chat WHERE account = $1",

    // ---- preferences, layouts
    [STORE_PREFS_ALL] = "SELECT name, value FROM prefs WHERE account = $1 ORDER BY name",
    [STORE_PREF_PUT] = "INSERT INTO prefs (account, name, value) VALUES ($1, $2, $3)"
                       " ON CONFLICT (account, name) DO UPDATE SET value = excluded.value",
    [STORE_PREF_DELETE] = "DELETE FROM prefs WHERE account = $1 AND name = $2",
    [STORE_PREFS_CLEAR] = "DELETE FROM prefs WHERE account = $1",
    [STORE_LAYOUTS_ALL] =
        "SELECT " LAYOUT_COLUMNS " FROM layout WHERE account = $1 ORDER BY name_key",
    [STORE_LAYOUT_FIND] =
        "SELECT " LAYOUT_COLUMNS " FROM layout WHERE account = $1 AND name_key = $2",
    [STORE_LAYOUT_PUT] =
        "INSERT INTO layout (account, name_key, " LAYOUT_COLUMNS ")"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account, name_key) DO UPDATE"
        " SET name = excluded.name, saved_ms = excluded.saved_ms, wide = excluded.wide,"
        " narrow = excluded.narrow, previous_wide = excluded.previous_wide,"
        " previous_narrow = excluded.previous_narrow",
    [STORE_LAYOUT_DELETE] = "DELETE FROM layout WHERE account = $1 AND name_key = $2",
    [STORE_LAYOUTS_CLEAR] = "DELETE FROM layout WHERE account = $1",
    // ---- games that sleep
    [STORE_SLEEPER] = "SELECT wake_ms FROM game WHERE id = $1 AND wake_ms IS NOT NULL",
    [STORE_SLEEPERS_OF] =
        "SELECT id FROM (SELECT id FROM game WHERE white = $1 AND wake_ms IS NOT NULL AND id > $2"
        " ORDER BY id LIMIT $3) AS as_white UNION SELECT id FROM (SELECT id FROM game"
        " WHERE black = $1 AND wake_ms IS NOT NULL AND id > $2 ORDER BY id LIMIT $3) AS as_black"
        " ORDER BY id LIMIT $3",
    [STORE_SLEEPERS_DUE] = "SELECT wake_ms, id FROM game WHERE wake_ms IS NOT NULL"
                           " AND wake_ms <= $1 AND (wake_ms, id) > ($2, $3)"
                           " ORDER BY wake_ms, id LIMIT $4",
    [STORE_SLEEPERS_ANY] = "SELECT 1 FROM game WHERE wake_ms IS NOT NULL LIMIT 1",
    [STORE_NODES_ALIVE] = "SELECT coalesce(min(alive_ms), 0) FROM shard WHERE alive_ms > 0",
    [STORE_OUTAGES] = "SELECT at_ms, span_ms FROM outage ORDER BY at_ms",
    [STORE_OUTAGES_OF_SHARDS] = "SELECT at_ms, span_ms, shards FROM shard_outage WHERE at_ms > $1"
                                " ORDER BY at_ms",
    [STORE_VACATIONS_OF] = "SELECT from_ms, until_ms, ended_ms FROM vacation WHERE account = $1"
                           " AND from_ms >= $2 ORDER BY from_ms",
    [STORE_NOTICES_MOVE] = "SELECT " NOTICE_COLUMNS " FROM game WHERE wake_ms IS NOT NULL"
                           " AND told_move <> plies AND $1 > 0 ORDER BY id LIMIT $2",
    [STORE_NOTICES_HOURS] = "SELECT " NOTICE_COLUMNS " FROM game WHERE deadline_ms > $1"
                            " AND deadline_ms <= $1 + 21600000 AND told_hours <> plies"
                            " ORDER BY deadline_ms LIMIT $2",
    [STORE_NOTICES_DAY] = "SELECT " NOTICE_COLUMNS " FROM game WHERE deadline_ms > $1 + 21600000"
                          " AND deadline_ms <= $1 + 86400000 AND told_day <> plies"
                          " ORDER BY deadline_ms LIMIT $2",
    [STORE_NOTICE_TOLD_MOVE] = "UPDATE game SET told_move = $2 WHERE id = $1",
    [STORE_NOTICE_TOLD_HOURS] = "UPDATE game SET told_hours = $2 WHERE id = $1",
    [STORE_NOTICE_TOLD_DAY] = "UPDATE game SET told_day = $2 WHERE id = $1",
    [STORE_NOTICE_PREFS] =
        "SELECT moves, day, hours, digest_hour, token, invitations FROM notice_prefs"
        " WHERE account = $1",
    [STORE_NOTICE_PREFS_PUT] =
        "INSERT INTO notice_prefs (account, moves, day, hours, digest_hour, token, invitations)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account) DO UPDATE SET"
        " moves = excluded.moves, day = excluded.day, hours = excluded.hours,"
        " digest_hour = excluded.digest_hour, invitations = excluded.invitations",
    [STORE_NOTICES_OFF] = "UPDATE notice_prefs SET moves = 0, day = 0, hours = 0,"
                          " invitations = 0, digest_hour = NULL WHERE token = $1",
    [STORE_NOTICE_DIGESTS] = "SELECT account FROM notice_prefs WHERE digest_hour = $1"
                             " AND digest_day < $2 LIMIT $3",
    [STORE_NOTICE_DIGESTED] = "UPDATE notice_prefs SET digest_day = $2 WHERE account = $1",
    [STORE_NOTICE_WAITING] =
        "SELECT (SELECT count(*) FROM game WHERE white = $1 AND turn = 0 AND wake_ms IS NOT NULL)"
        " + (SELECT count(*) FROM game WHERE black = $1 AND turn = 1 AND wake_ms IS NOT NULL)",
    // ---- push and bell
    [STORE_PUSH_KEY] = "SELECT private, public FROM push_key",
    [STORE_PUSH_KEY_PUT] =
        "INSERT INTO push_key (id, private, public) VALUES (1, $1, $2) ON CONFLICT DO NOTHING",
    [STORE_PUSH_SUBSCRIBE] =
        "INSERT INTO push_subscription (account, session, endpoint, public, secret, created_ms)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (endpoint) DO UPDATE SET"
        " account = excluded.account, session = excluded.session, public = excluded.public,"
        " secret = excluded.secret",
    [STORE_PUSH_BY_ENDPOINT] = "SELECT id, account FROM push_subscription WHERE endpoint = $1",
    [STORE_PUSH_TRIM] =
        "DELETE FROM push_subscription WHERE account = $1 AND id NOT IN (SELECT id FROM"
        " push_subscription WHERE account = $1 ORDER BY id DESC LIMIT $2)",
    [STORE_PUSH_OF] = "SELECT p.id, p.created_ms, s.agent, p.session FROM push_subscription AS p"
                      " JOIN session AS s ON s.token_hash = p.session WHERE p.account = $1"
                      " ORDER BY p.id DESC",
    [STORE_PUSH_END] = "DELETE FROM push_subscription WHERE account = $1 AND id = $2",
    [STORE_PUSH_DROP] = "DELETE FROM push_subscription WHERE id = $1",
    [STORE_PUSH_DROP_ENDPOINT] = "DELETE FROM push_subscription WHERE endpoint = $1",
    [STORE_PUSH_FORGET] = "DELETE FROM push_subscription WHERE account = $1",
    [STORE_PUSH_ENQUEUE] =
        "INSERT INTO push_out (subscription, title, body, url, tag, off, language, urgent,"
        " expires_ms, next_ms, tries) SELECT p.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0"
        " FROM push_subscription AS p WHERE p.account = $1",
    [STORE_PUSH_ENQUEUE_ONE] =
        "INSERT INTO push_out (subscription, title, body, url, tag, off, language, urgent,"
        " expires_ms, next_ms, tries) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)",
    [STORE_PUSH_REPLACE] = "DELETE FROM push_out WHERE tag = $2 AND subscription IN"
                           " (SELECT id FROM push_subscription WHERE account = $1)"
                           " AND ($3 = 0 OR subscription = $3)",
    [STORE_PUSH_FIRST] =
        "SELECT o.id, o.subscription, o.title, o.body, o.url, o.tag, o.off, o.language, o.urgent,"
        " o.expires_ms, o.next_ms, o.tries, p.endpoint, p.public, p.secret FROM push_out AS o"
        " JOIN push_subscription AS p ON p.id = o.subscription ORDER BY o.next_ms, o.id LIMIT 1",
    [STORE_PUSH_CLAIM] = "UPDATE push_out SET tries = tries + 1, next_ms = $2 WHERE id = $1",
    [STORE_PUSH_LATER] = "UPDATE push_out SET next_ms = $2 WHERE id = $1",
    [STORE_PUSH_DELETE] = "DELETE FROM push_out WHERE id = $1",
    // Friendship given and taken back in turn rings once a day.
    [STORE_BELL_INSERT] =
        "INSERT INTO bell (account, kind, other, ref, at_ms, tell) SELECT $1, $2, $3, $4, $5, $6"
        " WHERE $2 NOT LIKE 'friend%' OR NOT EXISTS (SELECT 1 FROM bell WHERE account = $1"
        " AND kind = $2 AND other = $3 AND at_ms + 86400000 > $5)",
    [STORE_BELL_TRIM] = "DELETE FROM bell WHERE account = $1 AND id NOT IN (SELECT id FROM bell"
                        " WHERE account = $1 ORDER BY at_ms DESC, id DESC LIMIT $2)",
    [STORE_BELL_OF] = "SELECT b.kind, a.nick, b.ref, b.at_ms FROM bell AS b JOIN account AS a"
                      " ON a.id = b.other WHERE b.account = $1 ORDER BY b.at_ms DESC, b.id DESC"
                      " LIMIT $2",
    [STORE_BELL_SEEN] = "SELECT at_ms FROM bell_seen WHERE account = $1",
    [STORE_BELL_SEEN_PUT] = "INSERT INTO bell_seen (account, at_ms) VALUES ($1, $2) ON CONFLICT"
                            " (account) DO UPDATE SET at_ms = excluded.at_ms"
                            " WHERE bell_seen.at_ms < excluded.at_ms",
    [STORE_BELL_UNTOLD] = "SELECT b.id, b.account, b.kind, a.nick, b.ref, b.at_ms, b.other"
                          " FROM bell AS b JOIN account AS a ON a.id = b.other WHERE b.tell = 1"
                          " ORDER BY b.id LIMIT $1",
    [STORE_BELL_TOLD] = "UPDATE bell SET tell = 0 WHERE id = $1",
    [STORE_BELL_FORGET] = "DELETE FROM bell WHERE account = $1 OR other = $1",
    [STORE_BELL_SEEN_FORGET] = "DELETE FROM bell_seen WHERE account = $1",
    [STORE_RELATION_ANSWER] =
        "SELECT EXISTS (SELECT 1 FROM block WHERE account = $2 AND blocked = $1),"
        " EXISTS (SELECT 1 FROM relation WHERE account = $2 AND kind = 2 AND other = $1)",
    [STORE_VACATIONS_LAST] = "SELECT account, from_ms, until_ms FROM vacation"
                             " WHERE ended_ms IS NULL AND until_ms > $1",

    // ---- ratings
    [STORE_RATINGS_OF] = "SELECT list, rating, games, wins, draws, last_ms FROM rating"
                         " WHERE account = $1 ORDER BY list",
    [STORE_RATED_GAME] = "SELECT color, before, after, k, expected FROM rating_change"
                         " WHERE game = $1 ORDER BY color",
    [STORE_RELATION_INSERT] = "INSERT INTO relation (account, kind, other, at_ms)"
                              " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    [STORE_RELATION_DELETE] =
        "DELETE FROM relation WHERE account = $1 AND kind = $2 AND other = $3",
    [STORE_RELATION_COUNT] =
        "SELECT count(*) FROM relation WHERE account = $1 AND kind = $2 AND other <> $3",
    [STORE_RELATIONS_OF] =
        "SELECT CASE WHEN r.kind = 1 THEN 1 WHEN b.account IS NULL THEN 3 ELSE 2 END AS standing,"
        " a.id, a.nick AS name, CASE WHEN EXISTS (SELECT 1 FROM prefs AS p WHERE"
        " p.account = a.id AND p.name = 'online_hidden' AND p.value = 'true') THEN 1 ELSE 0 END"
        " FROM relation AS r"
        " JOIN account AS a ON a.id = r.other AND a.nick IS NOT NULL"
        " LEFT JOIN relation AS b ON b.account = r.other AND b.kind = 2 AND b.other = r.account"
        " WHERE r.account = $1 UNION ALL SELECT 4, a.id, a.nick, 1 FROM relation AS r"
        " JOIN account AS a ON a.id = r.account AND a.nick IS NOT NULL"
        " LEFT JOIN relation AS m ON m.account = $1 AND m.kind = 2 AND m.other = r.account"
        " WHERE r.other = $1 AND r.kind = 2 AND m.account IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM block AS k WHERE k.account = $1 AND k.blocked = r.account)"
        " ORDER BY standing, name LIMIT $2",
    [STORE_RELATIONS_CLEAR] = "DELETE FROM relation WHERE account = $1 OR other = $1",
    [STORE_ONLINE_HIDDEN] = "SELECT 1 FROM prefs WHERE account = $1 AND name = 'online_hidden'"
                            " AND value = 'true'",
    [STORE_RATING_TABLE] =
        "SELECT a.nick, r.account, r.rating, r.games, r.wins, r.draws, r.last_ms,"
        " (SELECT c.before FROM rating_change AS c WHERE c.account = r.account AND c.list = r.list"
        " AND c.ended_ms >= $6 ORDER BY c.ended_ms, c.game LIMIT 1) FROM rating AS r"
        " JOIN account AS a ON a.id = r.account WHERE r.list = $1 AND r.last_ms >= $2"
        " AND a.nick IS NOT NULL AND r.rating <= $3 AND (r.rating < $3 OR r.games < $4"
        " OR (r.games = $4 AND r.account > $5))"
        " ORDER BY r.rating DESC, r.games DESC, r.account LIMIT $7",
    [STORE_RATING_PLACE] =
        "SELECT count(*) FROM rating AS r JOIN account AS a ON a.id = r.account WHERE r.list = $1"
        " AND r.last_ms >= $2 AND a.nick IS NOT NULL AND r.rating >= $3"
        " AND (r.rating > $3 OR r.games > $4)",
    [STORE_RATING_HISTORY] =
        "SELECT c.ended_ms, c.game, c.color, c.half_points, c.opponent_was, c.before, c.after, c.k,"
        " c.expected, o.nick FROM rating_change AS c LEFT JOIN account AS o ON o.id = c.opponent"
        " WHERE c.account = $1 AND c.list = $2 AND (c.ended_ms, c.game) < ($3, $4)"
        " ORDER BY c.ended_ms DESC, c.game DESC LIMIT $5",
    [STORE_RATING_POINTS] =
        "SELECT ended_ms, after FROM rating_change WHERE account = $1 AND list = $2"
        " ORDER BY ended_ms DESC, game DESC",
    // What the ratings have not taken notice of, in the order of ends.
    [STORE_RATE_UNSETTLED] = "SELECT g.id, g.list, g.ended_ms, c.list, c.ended_ms FROM game AS g"
                             " LEFT JOIN rating_change AS c ON c.game = g.id AND c.color = 0"
                             " WHERE g.rated = 1 AND g.settled = 0 AND g.ended_ms IS NOT NULL"
                             " ORDER BY g.ended_ms, g.id LIMIT $1",
    [STORE_RATE_SETTLE] = "UPDATE game SET settled = 1 WHERE id = $1",
    [STORE_RATE_CURSOR] = "SELECT ended_ms, game FROM rating_cursor WHERE list = $1",
    [STORE_RATE_CURSOR_PUT] =
        "INSERT INTO rating_cursor (list, ended_ms, game) VALUES ($1, $2, $3)"
        " ON CONFLICT (list) DO UPDATE SET ended_ms = excluded.ended_ms, game = excluded.game",
    [STORE_RATE_NEXT] =
        "SELECT " GAME_COLUMNS " FROM game AS g WHERE g.rated = 1 AND g.ended_ms IS NOT NULL"
        " AND g.list = $1 AND (g.ended_ms, g.id) > ($2, $3) ORDER BY g.ended_ms, g.id LIMIT $4",
    [STORE_RATE_STANDING] =
        "SELECT after, games, wins, draws, ended_ms FROM rating_change WHERE account = $1"
        " AND list = $2 AND (ended_ms, game) < ($3, $4) ORDER BY ended_ms DESC, game DESC LIMIT 1",
    [STORE_RATE_CHANGE_PUT] =
        "INSERT INTO rating_change (account, list, ended_ms, game, color, opponent, half_points,"
        " opponent_was, before, after, k, expected, games, wins, draws)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    [STORE_RATE_CHANGES_DELETE] = "DELETE FROM rating_change WHERE game = $1",
    [STORE_RATE_PUT] =
        "INSERT INTO rating (account, list, rating, games, wins, draws, last_ms)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account, list) DO UPDATE"
        " SET rating = excluded.rating, games = excluded.games, wins = excluded.wins,"
        " draws = excluded.draws, last_ms = excluded.last_ms",
    [STORE_RATE_DELETE] = "DELETE FROM rating WHERE account = $1 AND list = $2",

    // ---- the log
    [STORE_Q_EVENT_INSERT] = "INSERT INTO game_event (game, seq, time_ms, actor, kind, body,"
                             " arrival) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [STORE_Q_EVENT_BY_ARRIVAL] = "SELECT " EVENT_COLUMNS " FROM game_event WHERE arrival = $1",
    [STORE_Q_EVENTS_FROM] =
        "SELECT " EVENT_COLUMNS " FROM game_event WHERE arrival >= $1 ORDER BY arrival",
    [STORE_Q_LAST_ARRIVAL] = "SELECT coalesce(max(arrival), 0) FROM game_event",
    [STORE_Q_OPEN_PUT] = "INSERT INTO log_open (entity, first_arrival) VALUES ($1, $2)"
                         " ON CONFLICT (entity) DO UPDATE SET first_arrival = $2",
    [STORE_Q_OPEN_DELETE] = "DELETE FROM log_open WHERE entity = $1",
    [STORE_Q_OPEN_FIND] = "SELECT first_arrival FROM log_open WHERE entity = $1",
    [STORE_Q_OPEN_ALL] = "SELECT o.entity, o.first_arrival, r.body FROM log_open AS o"
                         " LEFT JOIN game_record AS r ON r.game = o.entity ORDER BY o.entity",
    [STORE_Q_RECORD_PUT] = "INSERT INTO game_record (game, ended, events, last_arrival, body)"
                           " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (game) DO UPDATE"
                           " SET ended = excluded.ended, events = excluded.events,"
                           " last_arrival = excluded.last_arrival, body = excluded.body",
    [STORE_Q_RECORD_FIND] = "SELECT body, ended FROM game_record WHERE game = $1",
    [STORE_Q_RECORD_EXISTS] = "SELECT body, ended FROM game_record WHERE game = $1",
    [STORE_Q_RECORD_DELETE] = "DELETE FROM game_record WHERE game = $1",
    [STORE_Q_RECORDS_ENDED] = "SELECT game, body FROM game_record WHERE ended = 1"
                              " OR game NOT IN (SELECT entity FROM log_open)",

    // ---- projection, meta
    [STORE_Q_GAME_PUT] =
        "INSERT INTO game (id, white, black, control, category, rated, edition, pace, turn, offer,"
        " result, reason, plies, created_ms, started_ms, ended_ms, type, flag, touch, list,"
        " deadline_ms, wake_ms)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"
        " $19, $20, $21,"
        // A row made anew, of a game that sleeps: when to look at it follows from the deadline.
        " CASE WHEN EXISTS (SELECT 1 FROM game_record WHERE game = $1 AND ended = 0) AND NOT EXISTS"
        " (SELECT 1 FROM log_open WHERE entity = $1) THEN coalesce(CAST($21 AS BIGINT), 0) END)"
        " ON CONFLICT (id) DO UPDATE SET white = excluded.white, black = excluded.black,"
        " control = excluded.control, category = excluded.category, rated = excluded.rated,"
        " edition = excluded.edition, pace = excluded.pace, turn = excluded.turn,"
        " offer = excluded.offer, result = excluded.result, reason = excluded.reason,"
        " plies = excluded.plies, created_ms = excluded.created_ms,"
        " started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,"
        " type = excluded.type, flag = excluded.flag, touch = excluded.touch, list = excluded.list,"
        " settled = 0, deadline_ms = excluded.deadline_ms",
    [STORE_Q_GAME_SLEEP] = "UPDATE game SET wake_ms = $2 WHERE id = $1",
    [STORE_Q_GAME_AWAKE] = "UPDATE game SET wake_ms = NULL WHERE id = $1",
    [STORE_Q_OUTAGE_PUT] = "INSERT INTO outage (at_ms, span_ms) VALUES ($1, $2)"
                           " ON CONFLICT (at_ms) DO UPDATE SET span_ms = excluded.span_ms",
    [STORE_Q_VACATION_PUT] =
        "INSERT INTO vacation (account, from_ms, until_ms, ended_ms) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (account, from_ms) DO UPDATE SET ended_ms = excluded.ended_ms",
    [STORE_Q_SHARD_OUTAGE_PUT] = "INSERT INTO shard_outage (at_ms, span_ms, shards)"
                                 " VALUES ($1, $2, $3) ON CONFLICT (at_ms, shards)"
                                 " DO UPDATE SET span_ms = excluded.span_ms",
    [STORE_Q_SHARD_OUTAGES_TRIM] = "DELETE FROM shard_outage WHERE at_ms < $1",
    [STORE_Q_OUTAGES_TRIM] = "DELETE FROM outage WHERE at_ms < $1",
    [STORE_Q_GAMES_ALL] = "SELECT " GAME_COLUMNS " FROM game AS g ORDER BY g.id",
    [STORE_Q_GAMES_CLEAR] = "DELETE FROM game",
    [STORE_Q_CHAT_PUT] = "INSERT INTO game_chat (game, seq, room, account, time_ms, text)"
                         " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (game, seq) DO NOTHING",
    [STORE_Q_META_PUT] = "INSERT INTO meta (key, value) VALUES ($1, $2)"
                         " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [STORE_Q_META_FIND] = "SELECT value FROM meta WHERE key = $1",
};
