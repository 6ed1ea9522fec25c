// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: the handlers that the table in routes.c names, in its order.
#ifndef JADOUBE_NET_API_H
#define JADOUBE_NET_API_H

#include "net/http.h"
#include "net/json_live.h"

void api_healthz(NetRequest *request);
void api_metrics(NetRequest *request);
void api_not_a_websocket(NetRequest *request);

// What the handlers about accounts share (api_account.c).
// Room for a stage's results, zeroed; NULL: the error is given.
void *api_results(NetRequest *request, size_t size);
void api_reply_me(NetRequest *request, int status, const PagesMe *me);
// True when the body is {}; false: the error is given.
bool api_empty_body(NetRequest *request);

void api_captcha(NetRequest *request, NetWorkerKit *kit);
void api_captcha_asked(NetRequest *request);
void api_captcha_answer(NetRequest *request, NetWorkerKit *kit);
void api_captcha_answered(NetRequest *request);

void api_site(NetRequest *request);
void api_confirm(NetRequest *request, NetWorkerKit *kit);
void api_confirmed(NetRequest *request);
void api_confirm_again(NetRequest *request, NetWorkerKit *kit);
void api_accepted(NetRequest *request);
void api_email(NetRequest *request, NetWorkerKit *kit);
void api_email_changed(NetRequest *request);
void api_recover(NetRequest *request, NetWorkerKit *kit);
void api_link_password(NetRequest *request, NetWorkerKit *kit);
void api_link_used(NetRequest *request);

void api_register(NetRequest *request, NetWorkerKit *kit);
void api_login(NetRequest *request, NetWorkerKit *kit);
void api_entered(NetRequest *request);
void api_logout(NetRequest *request, NetWorkerKit *kit);
void api_logged_out(NetRequest *request);
void api_me(NetRequest *request);
void api_password(NetRequest *request, NetWorkerKit *kit);
void api_password_changed(NetRequest *request);
void api_notices(NetRequest *request, NetWorkerKit *kit);
void api_notices_set(NetRequest *request, NetWorkerKit *kit);
void api_notices_found(NetRequest *request);
void api_notices_off(NetRequest *request, NetWorkerKit *kit);
void api_notices_are_off(NetRequest *request);
void api_push(NetRequest *request, NetWorkerKit *kit);
void api_push_found(NetRequest *request);
void api_push_on(NetRequest *request, NetWorkerKit *kit);
void api_push_end(NetRequest *request, NetWorkerKit *kit);
void api_push_off(NetRequest *request, NetWorkerKit *kit);
void api_bell(NetRequest *request, NetWorkerKit *kit);
void api_bell_found(NetRequest *request);
void api_bell_seen(NetRequest *request, NetWorkerKit *kit);
void api_events(NetRequest *request);
void api_events_open(NetRequest *request);
void api_events_send(NetRequest *request);
void api_events_close(NetRequest *request);
void api_vacation(NetRequest *request, NetWorkerKit *kit);
void api_vacation_found(NetRequest *request);
void api_vacation_form(NetRequest *request, NetWorkerKit *kit);
void api_vacation_change(NetRequest *request);
void api_prefs(NetRequest *request, NetWorkerKit *kit);
void api_prefs_changed(NetRequest *request);
void api_settings(NetRequest *request, NetWorkerKit *kit);
void api_settings_change(NetRequest *request, NetWorkerKit *kit);
void api_settings_found(NetRequest *request);
void api_layouts(NetRequest *request, NetWorkerKit *kit);
void api_layout_save(NetRequest *request, NetWorkerKit *kit);
void api_layout_change(NetRequest *request, NetWorkerKit *kit);
void api_layout_delete(NetRequest *request, NetWorkerKit *kit);
void api_layouts_found(NetRequest *request);
void net_write_layouts(NetBuf *out, const PagesLayouts *layouts);

void api_devices(NetRequest *request, NetWorkerKit *kit);
void api_devices_found(NetRequest *request);
void api_device_end(NetRequest *request, NetWorkerKit *kit);
void api_others_ended(NetRequest *request);
void api_misuse(NetRequest *request, NetWorkerKit *kit);
void api_appeal(NetRequest *request, NetWorkerKit *kit);
void api_no_content(NetRequest *request);
void api_blocks(NetRequest *request, NetWorkerKit *kit);
void api_blocks_found(NetRequest *request);
void api_block(NetRequest *request, NetWorkerKit *kit);
void api_unblock(NetRequest *request, NetWorkerKit *kit);
void api_blocks_changed(NetRequest *request);
void api_delete(NetRequest *request, NetWorkerKit *kit);
void api_deleted(NetRequest *request);
void api_stay(NetRequest *request, NetWorkerKit *kit);
void api_stayed(NetRequest *request);
void api_export(NetRequest *request);
void classic_show(NetRequest *request, NetWorkerKit *kit);
void classic_send(NetRequest *request, NetWorkerKit *kit);
void classic_reply(NetRequest *request);

// api_oidc.c
void oidc_begin(NetRequest *request, NetWorkerKit *kit);
void oidc_back(NetRequest *request, NetWorkerKit *kit);
void oidc_entered(NetRequest *request);
void api_oidc(NetRequest *request, NetWorkerKit *kit);
void api_oidc_found(NetRequest *request);
void api_oidc_pending(NetRequest *request);
void api_oidc_link(NetRequest *request, NetWorkerKit *kit);
void api_oidc_link_begun(NetRequest *request);
void api_oidc_unlink(NetRequest *request, NetWorkerKit *kit);

void api_my_games(NetRequest *request);
void api_player(NetRequest *request, NetWorkerKit *kit);
void api_player_found(NetRequest *request);
void api_player_games(NetRequest *request, NetWorkerKit *kit);
void api_player_games_found(NetRequest *request);

void api_games(NetRequest *request, NetWorkerKit *kit);
void api_games_found(NetRequest *request);
void api_games_pgn(NetRequest *request, NetWorkerKit *kit);
void api_watch(NetRequest *request);
void api_follow(NetRequest *request, NetWorkerKit *kit);
void api_related(NetRequest *request);
void api_befriend(NetRequest *request, NetWorkerKit *kit);
void api_people(NetRequest *request, NetWorkerKit *kit);
void api_people_found(NetRequest *request);
void api_player_ratings(NetRequest *request, NetWorkerKit *kit);
void api_player_ratings_found(NetRequest *request);
void api_player_graph(NetRequest *request, NetWorkerKit *kit);
void api_player_graph_found(NetRequest *request);
void api_ratings(NetRequest *request, NetWorkerKit *kit);
void api_ratings_found(NetRequest *request);
void api_rating_expected(NetRequest *request);

void api_challenges(NetRequest *request);
void api_challenge(NetRequest *request);
void api_cancel(NetRequest *request);
void api_join(NetRequest *request);
void api_decline(NetRequest *request);

void api_computers(NetRequest *request);
void api_guest(NetRequest *request, NetWorkerKit *kit);
void api_guest_made(NetRequest *request);
void api_computer_game(NetRequest *request);
void api_hint(NetRequest *request);
void api_report(NetRequest *request);
void api_report_begin(NetRequest *request);
void api_take_back(NetRequest *request);

void game_page_prefs(NetRequest *request, NetWorkerKit *kit);
void game_page(NetRequest *request);
void api_game(NetRequest *request);
void api_game_pgn(NetRequest *request);
void api_move(NetRequest *request);
void api_draw(NetRequest *request);
void api_resign(NetRequest *request);
void api_abort(NetRequest *request);
void api_rule(NetRequest *request, NetWorkerKit *kit);
void api_rule_made(NetRequest *request);
void api_flag(NetRequest *request);
void api_abandon(NetRequest *request);
// api_chat.c
void api_chat(NetRequest *request, NetWorkerKit *kit);
void api_chat_found(NetRequest *request);

#endif
