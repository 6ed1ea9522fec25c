// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every route of the server in one table, and how a path finds its row.
#include "net/api.h"
#include "net/http.h"

// {} stands for one part of the path that is not empty. The first row that fits is taken. Columns:
// path, method, who must be logged in, allowance, flags, what a worker does
// first, what the loop does then.
static const NetRoute routes[] = {
    { "/healthz", NET_GET, NET_NO_AUTH, NET_QUOTA_PAGE, false, NULL, api_healthz },
    { "/metrics", NET_GET, NET_NO_AUTH, NET_QUOTA_PAGE, false, NULL, api_metrics },
    { "/ws", NET_GET, NET_NO_AUTH, NET_QUOTA_PAGE, false, NULL, api_not_a_websocket },
    // accounts
    { "/api/v1/site", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, NULL, api_site },
    { "/api/v1/register", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, true, api_register, api_entered },
    { "/api/v1/login", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, true, api_login, api_entered },
    { "/api/v1/logout", NET_POST, NET_AUTH_IF_ANY, NET_QUOTA_API, NET_FOR_BLOCKED, api_logout,
      api_logged_out },
    { "/api/v1/me", NET_GET, NET_AUTH_IF_ANY, NET_QUOTA_API, false, NULL, api_me },
    { "/api/v1/me/password", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, true, api_password,
      api_password_changed },
    { "/api/v1/me/notices", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_notices,
      api_notices_found },
    { "/api/v1/me/notices", NET_PUT, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_notices_set,
      api_notices_found },
    { "/api/v1/notices/off/{}", NET_POST, NET_FROM_ANYWHERE, NET_QUOTA_LOGIN, 0, api_notices_off,
      api_notices_are_off },
    { "/api/v1/me/push", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_push, api_push_found },
    { "/api/v1/me/push", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, 0, api_push_on,
      api_push_found },
    { "/api/v1/me/push/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_push_end, NULL },
    { "/api/v1/push/off", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, 0, api_push_off, NULL },
    { "/api/v1/me/bell", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_bell, api_bell_found },
    { "/api/v1/me/bell", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_bell_seen, NULL },
    { "/api/v1/me/events", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, 0, NULL, api_events },
    { "/api/v1/me/events", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_SOCKET, 0, NULL, api_events_open },
    { "/api/v1/me/events/{}", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, 0, NULL, api_events_send },
    { "/api/v1/me/events/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, 0, NULL,
      api_events_close },
    { "/api/v1/me/vacation", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_vacation,
      api_vacation_found },
    { "/api/v1/me/vacation", NET_PUT, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_vacation_form,
      api_vacation_change },
    { "/api/v1/me/prefs", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_settings,
      api_settings_found },
    { "/api/v1/me/prefs", NET_PUT, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_settings_change,
      api_settings_found },
    { "/api/v1/me/layouts", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_layouts,
      api_layouts_found },
    { "/api/v1/me/layouts/{}", NET_PUT, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_layout_save,
      api_layouts_found },
    { "/api/v1/me/layouts/{}", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_layout_change,
      api_layouts_found },
    { "/api/v1/me/layouts/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_layout_delete,
      api_layouts_found },
    { "/api/v1/me/prefs", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_prefs,
      api_prefs_changed },
    { "/api/v1/me/delete", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, NET_HEAVY | NET_FOR_BLOCKED,
      api_delete, api_deleted },
    { "/api/v1/me/stay", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_FOR_BLOCKED, api_stay,
      api_stayed },
    { "/api/v1/me/export", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, NET_FOR_BLOCKED, NULL,
      api_export },
    { "/api/v1/me/devices", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_devices,
      api_devices_found },
    { "/api/v1/me/devices/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_device_end,
      api_others_ended },
    { "/api/v1/me/misuse", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, NET_HEAVY, api_misuse,
      api_others_ended },
    { "/api/v1/me/appeal", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, NET_FOR_BLOCKED, api_appeal,
      api_no_content },
    { "/api/v1/me/blocks", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_blocks,
      api_blocks_found },
    { "/api/v1/me/blocks", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_block,
      api_blocks_changed },
    { "/api/v1/me/blocks/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_unblock,
      api_blocks_changed },
    { "/login/classic", NET_GET, NET_AUTH_IF_ANY, NET_QUOTA_PAGE, false, classic_show,
      classic_reply },
    { "/login/classic", NET_POST, NET_AUTH_IF_ANY, NET_QUOTA_LOGIN, NET_HEAVY | NET_FORM,
      classic_send, classic_reply },
    // by providers of OpenID Connect
    { "/login/oidc/{}", NET_GET, NET_NO_AUTH, NET_QUOTA_LOGIN, NET_OUTSIDE, oidc_begin, NULL },
    { "/login/oidc/{}/back", NET_GET, NET_AUTH_IF_ANY, NET_QUOTA_LOGIN, NET_OUTSIDE, oidc_back,
      oidc_entered },
    { "/api/v1/oidc", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, 0, api_oidc, api_oidc_found },
    { "/api/v1/oidc/pending", NET_GET, NET_NO_AUTH, NET_QUOTA_API, 0, NULL, api_oidc_pending },
    { "/api/v1/oidc/{}/link", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, NET_HEAVY | NET_OUTSIDE,
      api_oidc_link, api_oidc_link_begun },
    { "/api/v1/oidc/{}/unlink", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, NET_HEAVY,
      api_oidc_unlink, api_oidc_found },
    { "/api/v1/me/email", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, true, api_email,
      api_email_changed },
    { "/api/v1/me/confirm", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_LOGIN, false, api_confirm_again,
      api_accepted },
    { "/api/v1/captcha", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, false, api_captcha,
      api_captcha_asked },
    { "/api/v1/captcha/{}", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, false, api_captcha_answer,
      api_captcha_answered },
    // by letter
    { "/api/v1/confirm", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, false, api_confirm,
      api_confirmed },
    { "/api/v1/recover", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, false, api_recover, api_accepted },
    { "/api/v1/recover/finish", NET_POST, NET_NO_AUTH, NET_QUOTA_LOGIN, true, api_link_password,
      api_link_used },
    { "/api/v1/me/games", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, NET_GATHERED, NULL,
      api_my_games },
    { "/api/v1/players/{}", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, api_player,
      api_player_found },
    { "/api/v1/players/{}/games", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, api_player_games,
      api_player_games_found },
    // people
    { "/api/v1/me/people", NET_GET, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_people,
      api_people_found },
    { "/api/v1/me/follows/{}", NET_PUT, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_follow,
      api_related },
    { "/api/v1/me/follows/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_follow,
      api_related },
    { "/api/v1/me/friends/{}", NET_PUT, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_befriend,
      api_related },
    { "/api/v1/me/friends/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, false, api_befriend,
      api_related },
    // ratings
    { "/api/v1/players/{}/ratings", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, api_player_ratings,
      api_player_ratings_found },
    { "/api/v1/players/{}/ratings/graph", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false,
      api_player_graph, api_player_graph_found },
    { "/api/v1/ratings/expected", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, NULL,
      api_rating_expected },
    { "/api/v1/ratings/{}", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, api_ratings,
      api_ratings_found },
    // challenges
    { "/api/v1/challenges", NET_GET, NET_NO_AUTH, NET_QUOTA_API, NET_GATHERED, NULL,
      api_challenges },
    { "/api/v1/challenges", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_REMATCH, NULL,
      api_challenge },
    { "/api/v1/challenges/{}", NET_DELETE, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_cancel },
    { "/api/v1/challenges/{}/join", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_join },
    { "/api/v1/challenges/{}/decline", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_decline },
    // the computer
    { "/api/v1/computers", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, NULL, api_computers },
    { "/api/v1/guest", NET_POST, NET_AUTH_IF_ANY, NET_QUOTA_LOGIN, false, api_guest,
      api_guest_made },
    { "/api/v1/computer-games", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, false, NULL,
      api_computer_game },
    { "/api/v1/games/{}/hint", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_hint },
    { "/api/v1/games/{}/report", NET_GET, NET_NO_AUTH, NET_QUOTA_API, NET_BY_ID, NULL, api_report },
    { "/api/v1/games/{}/report", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_report_begin },
    { "/api/v1/games/{}/takeback", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_take_back },
    // games
    { "/api/v1/games", NET_GET, NET_NO_AUTH, NET_QUOTA_API, false, api_games, api_games_found },
    { "/api/v1/games.pgn", NET_GET, NET_NO_AUTH, NET_QUOTA_PAGE, false, api_games_pgn, NULL },
    { "/api/v1/games/running", NET_GET, NET_NO_AUTH, NET_QUOTA_API, NET_GATHERED, NULL, api_watch },
    { "/api/v1/games/{}.pgn", NET_GET, NET_NO_AUTH, NET_QUOTA_API, NET_BY_ID, NULL, api_game_pgn },
    { "/game/{}.pgn", NET_GET, NET_NO_AUTH, NET_QUOTA_API, NET_BY_ID, NULL, api_game_pgn },
    { "/game/{}", NET_GET, NET_AUTH_IF_ANY, NET_QUOTA_PAGE, NET_PAGE, game_page_prefs, game_page },
    { "/api/v1/games/{}", NET_GET, NET_NO_AUTH, NET_QUOTA_API, NET_BY_ID, NULL, api_game },
    { "/api/v1/games/{}/move", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_move },
    { "/api/v1/games/{}/draw", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_draw },
    { "/api/v1/games/{}/resign", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_resign },
    { "/api/v1/games/{}/abort", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_abort },
    { "/api/v1/games/{}/result", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, api_rule,
      api_rule_made },
    { "/api/v1/games/{}/flag", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_flag },
    { "/api/v1/games/{}/chat", NET_GET, NET_AUTH_IF_ANY, NET_QUOTA_API, false, api_chat,
      api_chat_found },
    { "/api/v1/games/{}/abandon", NET_POST, NET_AUTH_NEEDED, NET_QUOTA_API, NET_BY_ID, NULL,
      api_abandon },
};

// One part of the pattern: a word, or "{}" and perhaps an ending.
static bool part_fits(JdStr pattern, JdStr part, JdStr params[NET_PARAMS_MAX], int *count) {
    if (!jd_str_starts_with(pattern, JD_STR("{}")))
        return jd_str_equal(pattern, part);
    const JdStr ending = jd_str_part(pattern, 2, pattern.size);
    if (part.size <= ending.size || !jd_str_ends_with(part, ending))
        return false;
    params[(*count)++] = jd_str_part(part, 0, part.size - ending.size);
    return true;
}

static bool path_fits(JdStr pattern, JdStr path, JdStr params[NET_PARAMS_MAX]) {
    int count = 0;
    // A path that ends in a slash is another path.
    if (jd_str_ends_with(path, JD_STR("/")) != jd_str_ends_with(pattern, JD_STR("/")))
        return false;
    while (pattern.size > 0 && path.size > 0) {
        const JdStr want = jd_str_cut(&pattern, '/');
        if (!part_fits(want, jd_str_cut(&path, '/'), params, &count))
            return false;
    }
    return pattern.size == 0 && path.size == 0;
}

const NetRoute *net_route_find(NetMethod method, JdStr path, JdStr params[NET_PARAMS_MAX],
                               unsigned *allowed) {
    *allowed = 0;
    for (size_t i = 0; i < JD_COUNT(routes); i++) {
        JdStr found[NET_PARAMS_MAX] = { { NULL, 0 } };
        if (!path_fits(jd_str(routes[i].path), path, found))
            continue;
        *allowed |= routes[i].method;
        if (routes[i].method != method)
            continue;
        for (int p = 0; p < NET_PARAMS_MAX; p++)
            params[p] = found[p];
        return &routes[i];
    }
    return NULL;
}

const NetRoute *net_route_at(size_t index) {
    return index < JD_COUNT(routes) ? &routes[index] : NULL;
}
