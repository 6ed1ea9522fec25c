// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/pgn.h"

bool net_pgn_write(const char *origin, const LiveGameView *game, NetBuf *out) {
    char site[700];
    jd_format(site, sizeof(site), "%s/game/%s", origin, game->row.id.text);
    const LivePgnTags tags = { .event =
                                   game->row.rated ? JD_STR("Rated game") : JD_STR("Casual game"),
                               .site = jd_str(site) };
    const size_t most = live_game_pgn_size(game, &tags);
    char *space = net_buf_space(out, most);
    if (space == NULL)
        return false;
    JdOut text = jd_out(space, most);
    live_game_pgn(game, &tags, &text);
    JD_ASSERT(jd_out_fits(&text));
    out->size += text.size;
    return true;
}
