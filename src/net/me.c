// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts as JSON.
#include "net/me.h"

#include "net/json_out.h"

void net_write_me(NetBuf *out, const PagesMe *me) {
    if (me == NULL) {
        json_out_null(out);
        return;
    }
    json_out_open(out, '{');
    json_out_key_int(out, "id", me->account);
    json_out_key_cstr(out, "nick", me->nick);
    json_out_key_cstr(out, "language", me->language);
    json_out_key_cstr(out, "email", me->email[0] == '\0' ? NULL : me->email);
    json_out_key_cstr(out, "email_pending",
                      me->email_pending[0] == '\0' ? NULL : me->email_pending);
    json_out_key_bool(out, "confirmed", me->confirmed);
    json_out_key_int(out, "created", me->created_ms);
    json_out_close(out, '}');
}

LiveProfile net_profile_of_ratings(const PagesRatings *ratings) {
    LiveProfile profile = { .parts = LIVE_PROFILE_RATINGS };
    for (int list = 0; list < RATING_LISTS; list++) {
        profile.rating[list] = ratings->lists[list].rating;
        profile.games[list] = ratings->lists[list].games;
    }
    return profile;
}

LiveProfile net_profile_of(const PagesMe *me) {
    LiveProfile profile = net_profile_of_ratings(&me->ratings);
    profile.parts |= LIVE_PROFILE_CONFIRMED;
    profile.confirmed = me->confirmed;
    return profile;
}

void net_write_player(NetBuf *out, const PagesPlayer *player, bool online) {
    json_out_open(out, '{');
    json_out_key_cstr(out, "nick", player->nick);
    json_out_key_int(out, "created", player->created_ms);
    json_out_key_bool(out, "online", online);
    json_out_key_int(out, "games", player->games);
    json_out_key_int(out, "wins", player->wins);
    json_out_key_int(out, "draws", player->draws);
    json_out_key_int(out, "losses", player->losses);
    json_out_close(out, '}');
}
