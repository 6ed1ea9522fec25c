// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of the queries that `pages` asks; reached through store/store.h. Each line says what
// the parameters and the columns are. The SQL stands in queries.c.
#ifndef STORE_QUERIES_H
#define STORE_QUERIES_H

typedef enum StoreQuery {
    // Accounts. An "account row" has the columns
    // id, nick (NULL: deleted), language, email (NULL: none), password_hash (NULL: deleted),
    // created_ms, email_confirmed_ms (NULL: not), email_pending (NULL: none), erase_after_ms (NULL:
    // not), blocks, roles (NULL: none; by blanks), blocked_from_ms, blocked_until_ms (both NULL:
    // not
    // blocked; until the greatest number: for ever).
    // INSERT changes no row when the skeleton is taken, and fails (STORE_CONFLICT) when the id is.
    STORE_ACCOUNT_INSERT,      // id, nick, skeleton, email, email_key, hash, language, created_ms
    STORE_ACCOUNT_BY_ID,       // id -> account row
    STORE_ACCOUNT_BY_SKELETON, // skeleton -> account row
    STORE_ACCOUNTS_BY_EMAIL,   // email_key, limit -> account rows, the confirmed first, then newest
    STORE_ACCOUNT_BY_CONFIRMED_EMAIL, // email_key -> id
    // id, email, email_key (NULL: none), email_confirmed_ms (NULL: not); nothing is pending then
    STORE_ACCOUNT_SET_EMAIL,
    STORE_ACCOUNT_SET_PENDING,  // id, email_pending
    STORE_ACCOUNT_SET_PASSWORD, // id, hash
    STORE_ACCOUNT_SET_LANGUAGE, // id, language
    STORE_ACCOUNT_ERASE,        // id, deleted_ms: all that is personal goes, the skeleton stays
    STORE_GUESTS_OLD,           // created before, limit -> id: guests without a session
    // Sessions.
    STORE_SESSION_INSERT, // token_hash, account, created_ms, expires_ms, idle_ms, device, agent
    STORE_SESSION_FIND,   // token_hash -> account, seen_ms, expires_ms, idle_ms, retired_ms
    STORE_SESSION_TOUCH,  // token_hash, seen_ms
    STORE_SESSION_RETIRE, // token_hash, retired_ms: replaced by another at a log-in
    STORE_SESSION_DELETE, // token_hash
    STORE_SESSIONS_END,   // account: all of them
    STORE_SESSIONS_END_OTHERS, // account, token_hash that stays
    STORE_SESSIONS_EXPIRE,     // now_ms, limit: up to so many rows past their end
    STORE_SESSIONS_TRIM,       // account, count: all but so many of the newest
    // Devices, reports, roles, blocks, leaving.
    STORE_SESSIONS_OF,        // account, now_ms -> token_hash, device, created_ms, seen_ms, agent
    STORE_SESSION_END_DEVICE, // account, device
    STORE_REPORT_INSERT,      // account, kind, at_ms, text
    STORE_REPORTS,            // limit -> at_ms, kind, nick (NULL: former), text; newest first
    STORE_ROLE_HOLDERS,       // role -> account, nick
    STORE_ROLES,              // -> nick, role
    STORE_ROLE_INSERT,        // account, role, granted_ms
    STORE_ROLE_DELETE,        // account, role
    STORE_SANCTION_INSERT,    // account, reason, from_ms, until_ms (NULL: for ever)
    STORE_SANCTIONS_LIFT,     // account, lifted_ms
    STORE_SANCTIONED,         // now_ms -> account: blocked now
    STORE_AUDIT_INSERT,       // at_ms, actor, action, object, before, after, reason
    STORE_AUDIT,       // limit -> at_ms, actor's nick (NULL), action, object, before, after, reason
    STORE_WORDS,       // -> word
    STORE_WORD_INSERT, // word
    STORE_WORD_DELETE, // word
    STORE_ACCOUNT_RENAME,    // id, nick, skeleton
    STORE_NICK_KEEP,         // id, skeleton, now_ms: a name nobody may take, held by no one
    STORE_SIGNAL_INSERT,     // account, other, kind, at_ms
    STORE_BLOCKS_OF,         // account -> blocked, nick (NULL: former player), created_ms
    STORE_BLOCKS_COUNT,      // account -> count
    STORE_BLOCK_INSERT,      // account, blocked, created_ms
    STORE_BLOCK_DELETE,      // account, blocked
    STORE_ACCOUNT_SET_ERASE, // id, erase_after_ms (NULL: not to be erased)
    STORE_ACCOUNTS_TO_ERASE, // now_ms, limit -> id
    STORE_TICKETS_FORGET,    // account, as the next ones: all that is left of it there
    STORE_BLOCKS_FORGET,
    STORE_ROLES_FORGET,
    STORE_SIGNALS_FORGET,
    STORE_REPORTS_FORGET,
    STORE_MAIL_FORGET,
    // What a person is given of what is held of him, account -> the columns of the part of
    // that name in net/export.c.
    STORE_EXPORT_DEVICES,
    STORE_EXPORT_PREFERENCES,
    STORE_EXPORT_RATINGS,
    STORE_EXPORT_RATING_HISTORY,
    STORE_EXPORT_NOTICES,
    STORE_EXPORT_PEOPLE,
    STORE_EXPORT_BLOCKS,
    STORE_EXPORT_VACATIONS,
    STORE_EXPORT_CHAT,
    STORE_EXPORT_REPORTS,
    STORE_EXPORT_SANCTIONS,
    STORE_EXPORT_ROLES,
    STORE_EXPORT_AUDIT,
    STORE_EXPORT_IDENTITIES,
    STORE_EXPORT_LINKS,
    STORE_EXPORT_LETTERS,
    STORE_EXPORT_PUSH,
    STORE_EXPORT_BELL,
    // Log-ins through anonymisers: reports of a kind that is not shown to the administrators.
    STORE_HIDDEN_TRIM,  // account, before_ms
    STORE_HIDDEN_COUNT, // account -> count
    // Links in letters.
    STORE_TICKET_INSERT,  // token_hash, kind, account, email, email_key, created_ms, expires_ms
    STORE_TICKET_FIND,    // token_hash -> kind, account, email, email_key, expires_ms
    STORE_TICKETS_DROP,   // account, kind
    STORE_TICKETS_EXPIRE, // now_ms, limit: up to so many rows past their end
    // Letters.
    STORE_ACCOUNT_ADDRESS, // id -> nick, language, email (NULL: none), email_confirmed_ms (NULL:
                           // not)
    STORE_MAIL_INSERT,     // kind, recipient, subject, body, unsubscribe (NULL: none), now_ms
    // -> id, kind, recipient, subject, body, unsubscribe, created_ms, next_ms, tries: due first
    STORE_MAIL_FIRST,
    STORE_MAIL_CLAIM,  // id, next_ms: one more try
    STORE_MAIL_DELETE, // id
    // Games of a player.
    STORE_PLAYER_COUNTS, // account -> games, wins, draws, losses
    // account, ended_ms, id, limit -> the columns of `game` as in STORE_GAME_ROW_BY_ID, then the
    // nick of White and of Black (NULL: none), then rating and games of White and of Black (NULL:
    // the
    // default, none). Ended games below (ended_ms, id), newest first.
    STORE_PLAYER_GAMES,
    // id -> id, white, black, control, category, rated, edition, pace, turn, offer, result, reason,
    // plies, created_ms, started_ms, ended_ms, type, flag, touch, list,
    // deadline_ms
    STORE_GAME_ROW_BY_ID,
    // 0, ended_ms, id, limit, result, list, edition, from_ms, to_ms -> as STORE_PLAYER_GAMES; ended
    // games with a result. A condition that is NULL asks for nothing; to_ms is not included.
    STORE_GAMES_SEARCH,
    STORE_GAMES_SEARCH_OF, // account, then the same: games of that player
    // People. A kind is 1 for following, 2 for calling a friend.
    STORE_RELATION_INSERT, // account, kind, other, at_ms; nothing when it is there
    STORE_RELATION_DELETE, // account, kind, other
    STORE_RELATION_COUNT,  // account, kind, other -> how many of the kind besides that one
    // account, limit -> standing (1 followed, 2 friend, 3 asked, 4 asks), account, nick, whether
    // the
    // online mark is hidden
    STORE_RELATIONS_OF,
    STORE_RELATIONS_CLEAR, // account: on both sides
    STORE_ONLINE_HIDDEN,   // account -> a row when the account hides its online mark
    // Ratings.
    STORE_RATINGS_OF, // account -> list, rating, games, wins, draws, last_ms
    STORE_RATED_GAME, // game -> color, before, after, k, expected; White first
    // list, active_from_ms, rating, games, account, month_ms, limit -> nick, account, rating,
    // games,
    // wins, draws, last_ms, rating at month_ms (NULL: no game since). Rows behind the one of that
    // rating, games and account; players with a nick whose last game was not before active_from_ms.
    STORE_RATING_TABLE,
    STORE_RATING_PLACE, // list, active_from_ms, rating, games -> how many stand above
    // account, list, ended_ms, game, limit -> ended_ms, game, color, half_points, opponent's
    // rating,
    // before, after, k, expected, opponent's nick (NULL: none); newest first, below that place
    STORE_RATING_HISTORY,
    STORE_RATING_POINTS, // account, list -> ended_ms, after; newest first
    // Counting. A place is (ended_ms, game).
    // limit -> game, list, ended_ms, and list and ended_ms it was counted with (NULL: was not)
    STORE_RATE_UNSETTLED,
    STORE_RATE_SETTLE,     // game: its row has been taken notice of
    STORE_RATE_CURSOR,     // list -> ended_ms, game
    STORE_RATE_CURSOR_PUT, // list, ended_ms, game
    STORE_RATE_NEXT,       // list, place, limit -> columns of `game`, in the order of ends
    // account, list, place -> after, games, wins, draws, ended_ms of the last game before it
    STORE_RATE_STANDING,
    // account, list, ended_ms, game, color, opponent, half_points, opponent_was, before, after, k,
    // expected, games, wins, draws
    STORE_RATE_CHANGE_PUT,
    STORE_RATE_CHANGES_DELETE, // game
    STORE_RATE_PUT,            // account, list, rating, games, wins, draws, last_ms
    STORE_RATE_DELETE,         // account, list
    // Preferences, layouts. A "layout row" has the columns name, saved_ms, wide, narrow,
    // previous_wide, previous_narrow (the last four NULL: none).
    STORE_PREFS_ALL,     // account -> name, value
    STORE_PREF_PUT,      // account, name, value
    STORE_PREF_DELETE,   // account, name
    STORE_PREFS_CLEAR,   // account
    STORE_LAYOUTS_ALL,   // account -> layout rows by name_key
    STORE_LAYOUT_FIND,   // account, name_key -> layout row
    STORE_LAYOUT_PUT,    // account, name_key, then the columns of a layout row
    STORE_LAYOUT_DELETE, // account, name_key
    STORE_LAYOUTS_CLEAR, // account
    // Chat of a game.
    // game, room, seq, limit -> seq, account, time_ms, text, nick (NULL: former player): the last
    // so many lines of a room below seq, oldest first
    STORE_CHAT_LINES,
    STORE_CHAT_FORGET, // account: all it ever said
    // Games that sleep.
    STORE_SLEEPER,      // id -> wake_ms; no row: it does not sleep
    STORE_SLEEPERS_OF,  // account, id, limit -> id: those of a player above that id, in its order
    STORE_SLEEPERS_DUE, // until_ms, wake_ms, id, limit -> wake_ms, id: above (wake_ms, id), rising
    STORE_SLEEPERS_ANY, // -> one row, if any game sleeps
    STORE_OUTAGES,      // -> at_ms, span_ms, rising
    STORE_OUTAGES_OF_SHARDS, // since -> at_ms, span_ms, shards (512 bytes), rising: after that
                             // instant
    // Many nodes.
    STORE_NODES_ALIVE, // -> ms: the oldest last sign of life of the nodes that had the shards when
                       // a process without a name took the database over; 0: there were none
    // Vacations.
    STORE_VACATIONS_OF, // account, from_ms -> from_ms, until_ms, ended_ms (NULL): begun since
    // Identities at providers of OpenID Connect.
    STORE_IDENTITY_FIND,      // issuer, subject -> account
    STORE_IDENTITY_OF_ISSUER, // account, issuer -> subject
    STORE_IDENTITY_INSERT,    // issuer, subject, account, provider, email (NULL: none), now
    STORE_IDENTITY_USED,      // issuer, subject, provider, email, now
    STORE_IDENTITIES_OF,   // account -> provider, issuer, email, linked_ms, used_ms (NULL), subject
    STORE_IDENTITY_DELETE, // account, provider
    STORE_IDENTITIES_FORGET, // account
    // Notices. now_ms, limit -> id, white, black, turn, plies, deadline_ms, control: of games whose
    // player to move has not been told at this ply.
    STORE_NOTICES_MOVE,      // asleep
    STORE_NOTICES_HOURS,     // six hours or less are left
    STORE_NOTICES_DAY,       // less than a day, more than six hours
    STORE_NOTICE_TOLD_MOVE,  // id, plies
    STORE_NOTICE_TOLD_HOURS, // id, plies
    STORE_NOTICE_TOLD_DAY,   // id, plies
    STORE_NOTICE_PREFS,      // account -> moves, day, hours, digest_hour (NULL), token, invitations
    STORE_NOTICE_PREFS_PUT,  // account, moves, day, hours, digest_hour, token (of a new row),
                             // invitations
    STORE_NOTICES_OFF,       // token
    STORE_NOTICE_DIGESTS,    // hour, day, limit -> account: digest due, none yet that day
    STORE_NOTICE_DIGESTED,   // account, day
    STORE_NOTICE_WAITING,    // account -> games asleep in which it is his move
    // Notices by push. A "subscription" is a row's id.
    STORE_PUSH_KEY,           // -> private, public
    STORE_PUSH_KEY_PUT,       // private, public: unless there is one
    STORE_PUSH_SUBSCRIBE,     // account, session, endpoint, public, secret, created_ms
    STORE_PUSH_BY_ENDPOINT,   // endpoint -> subscription, account
    STORE_PUSH_TRIM,          // account, count: all but so many of the newest
    STORE_PUSH_OF,            // account -> subscription, created_ms, agent, session
    STORE_PUSH_END,           // account, subscription
    STORE_PUSH_DROP,          // subscription
    STORE_PUSH_DROP_ENDPOINT, // endpoint
    STORE_PUSH_FORGET,        // account
    STORE_PUSH_ENQUEUE,       // account, title, body, url, tag, off, language, urgent, expires_ms,
                              // now_ms:
                              // one for each of its subscriptions; of the same tag the newest stays
    STORE_PUSH_ENQUEUE_ONE,   // the same of a subscription
    STORE_PUSH_REPLACE, // account, tag, subscription or 0 (all): those that wait are not sent any
                        // more
    STORE_PUSH_FIRST,   // -> id, subscription, title, body, url, tag, off, language, urgent,
                        // expires_ms, next_ms, tries, endpoint, public, secret
    STORE_PUSH_CLAIM,   // id, next_ms
    STORE_PUSH_LATER,   // id, next_ms
    STORE_PUSH_DELETE,  // id
    // The bell.
    STORE_BELL_INSERT, // account, kind, other, ref, at_ms, tell
    STORE_BELL_TRIM,   // account, count: all but so many of the newest
    STORE_BELL_OF,   // account, limit -> kind, nick (NULL: former player), ref, at_ms; newest first
    STORE_BELL_SEEN, // account -> at_ms
    STORE_BELL_SEEN_PUT,    // account, at_ms: never back
    STORE_BELL_UNTOLD,      // limit -> id, account, kind, nick (NULL), ref, at_ms, other
    STORE_BELL_TOLD,        // id
    STORE_BELL_FORGET,      // account: its own, and where it is named
    STORE_BELL_SEEN_FORGET, // account
    STORE_RELATION_ANSWER,  // account, other -> whether other has blocked it; calls it a friend
    STORE_VACATIONS_LAST,   // now_ms -> account, from_ms, until_ms: those that last
    STORE_QUERY_COUNT
} StoreQuery;

#endif
