// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts as JSON.
#include "net/me.h"

#include "net/json_out.h"

#define FOR_EVER_MS INT64_C(9007199254740991) // as the account row has it

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
    json_out_key(out, "roles");
    json_out_open(out, '[');
    for (JdStr rest = jd_str(me->roles); rest.size > 0;)
        json_out_text(out, jd_str_cut(&rest, ' '));
    json_out_close(out, ']');
    json_out_key(out, "erase_after");
    if (me->erase_after_ms > 0)
        json_out_int(out, me->erase_after_ms);
    else
        json_out_null(out);
    json_out_key(out, "blocked");
    if (me->blocked_from_ms == 0) {
        json_out_null(out);
    } else {
        json_out_open(out, '{');
        json_out_key_int(out, "from", me->blocked_from_ms);
        json_out_key_time(out, "until",
                          me->blocked_until_ms < FOR_EVER_MS ? me->blocked_until_ms : -1);
        json_out_close(out, '}');
    }
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
