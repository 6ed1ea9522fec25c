// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/invite.h"

#include <string.h>

#include "net/log.h"
#include "net/me.h"
#include "net/record.h"
#include "net/server.h"

static bool is_rematch(const LiveCommand *command) {
    return command->rematch.text[0] != '\0';
}

bool net_invite_needed(const LiveCommand *command) {
    return command->kind == LIVE_CHALLENGE && (command->to_nick.size > 0 || is_rematch(command));
}

// What the row of a game makes of a request for a rematch of it.
static void fill_rematch(NetInvite *invite, const LiveGameRow *row, const char *start_fen) {
    const char *code = NULL;
    jd_format(invite->fen, sizeof(invite->fen), "%s", start_fen);
    if (!live_rematch(row, invite->command.account, &invite->command, &code))
        net_fail(&invite->err, code, "rematch", "no rematch of this game");
}

void net_invite_begin(NetInvite *invite, const NetServer *server, const LiveCommand *command,
                      LiveAccount account) {
    *invite = (NetInvite) { .command = *command, .now = net_now(server) };
    invite->command.account = account;
    jd_copy(invite->key, command->key.data, command->key.size);
    invite->command.key = jd_str_n(invite->key, command->key.size);
    if (command->to_nick.size >= sizeof(invite->nick)) {
        net_fail(&invite->err, "not_found", "to", "there is no such player");
        return;
    }
    jd_copy(invite->nick, command->to_nick.data, command->to_nick.size);
    JD_ASSERT(command->fen.size < sizeof(invite->fen));
    jd_copy(invite->fen, command->fen.data, command->fen.size);
    char start[CHESS_FEN_SIZE];
    LiveGameRow row;
    if (!is_rematch(command))
        return;
    live_start_fen(server->shell.live, &command->rematch, start);
    if (live_game_row(server->shell.live, &command->rematch, &row))
        fill_rematch(invite, &row, start);
    else
        invite->from_record = true;
}

static void read_record(NetInvite *invite, NetWorkerKit *kit) {
    NetRecord record;
    bool found = false;
    JdErr err = { 0 };
    const LiveId game = invite->command.rematch;
    if (!net_record_read(kit, &game, invite->now, &record, &found, &err)) {
        net_record_fault(&err, &invite->err);
        return;
    }
    if (found)
        fill_rematch(invite, &record.game.row, record.game.start_fen);
    else
        net_fail(&invite->err, "not_found", "rematch", "there is no such game");
    net_record_free(&record);
}

static bool pages_refused(NetInvite *invite, const PagesFault *fault) {
    const bool may_pass = fault->err.code == PAGES_UNAVAILABLE;
    net_log(NET_LOG_WARN, "an invitation: %s", fault->err.text);
    return net_fail(&invite->err, may_pass ? "unavailable" : "internal", NULL, "%s",
                    may_pass ? "the server cannot do that now; try again" : fault->err.text);
}

static bool set_nick(NetInvite *invite, const char *nick) {
    jd_format(invite->nick, sizeof(invite->nick), "%s", nick);
    return nick[0] != '\0';
}

static bool find_player(NetInvite *invite, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    PagesNick nick;
    if (is_rematch(&invite->command)) {
        if (!pages_nicks(kit->pages, &invite->command.to, 1, &nick, &fault))
            return pages_refused(invite, &fault);
        return set_nick(invite, nick.text) ||
               net_fail(&invite->err, "not_found", "rematch", "the opponent is gone");
    }
    PagesPlayer player;
    if (!pages_player(kit->pages, jd_str(invite->nick), &player, &fault)) {
        if (fault.err.code == PAGES_NOT_FOUND)
            return net_fail(&invite->err, "not_found", "to", "there is no such player");
        return pages_refused(invite, &fault);
    }
    invite->command.to = player.account;
    return set_nick(invite, player.nick);
}

static bool declines(const PagesPrefs *prefs) {
    for (size_t i = 0; i < PAGES_PREF_COUNT; i++)
        if (strcmp(pages_pref_specs[i].name, "declines") == 0)
            return strcmp(prefs->values[i], "true") == 0;
    return false;
}

void net_invite_look_up(NetInvite *invite, NetWorkerKit *kit) {
    if (invite->from_record)
        read_record(invite, kit);
    if (invite->err.code != NULL || !find_player(invite, kit))
        return;
    PagesFault fault = { 0 };
    PagesPrefs prefs;
    PagesRatings ratings;
    size_t ignored_count = 0;
    if (!pages_ignored(kit->pages, invite->command.to, invite->ignored, &ignored_count, &fault) ||
        !pages_prefs_read(kit->pages, invite->command.to, &prefs, &fault) ||
        !pages_ratings(kit->pages, invite->command.to, &ratings, &fault)) {
        pages_refused(invite, &fault);
        return;
    }
    invite->command.declines = declines(&prefs);
    invite->profile = net_profile_of_ratings(&ratings);
    invite->profile.parts |= LIVE_PROFILE_BLOCKED;
    invite->profile.blocked = invite->ignored;
    invite->profile.blocked_count = (uint16_t)ignored_count;
    // S-038: whom a player has blocked finds nobody there.
    for (size_t i = 0; i < ignored_count; i++)
        if (invite->ignored[i] == invite->command.account)
            net_fail(&invite->err, "not_found", is_rematch(&invite->command) ? "rematch" : "to",
                     "there is no such player");
}

LiveCommand *net_invite_command(NetInvite *invite) {
    invite->command.to_nick = jd_str(invite->nick);
    invite->command.to_profile = &invite->profile;
    invite->command.fen = jd_str(invite->fen);
    return invite->err.code == NULL ? &invite->command : NULL;
}
