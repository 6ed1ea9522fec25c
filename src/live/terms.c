// SPDX-License-Identifier: GPL-3.0-or-later
//
// The terms of a game: kind, control, edition of the Laws, flags, touch (S-031, S-032, S-105).
#include "live/terms.h"
#include "live/control.h"

static const char *const type_names[] = {
    [LIVE_CLASSIC] = "classic",
    [LIVE_ADVANCE] = "advance",
    [LIVE_BLITZ] = "blitz",
    [LIVE_AGAINST_COMPUTER] = "computer",
};

const char *live_type_name(uint8_t type) {
    return type < JD_COUNT(type_names) ? type_names[type] : NULL;
}

RatingList live_list(uint8_t type, const LiveControl *control) {
    if (type == LIVE_ADVANCE)
        return RATING_ADVANCE;
    switch (live_control_category(control)) {
    case LAWS_RAPID:
        return RATING_RAPID;
    case LAWS_BLITZ:
        return RATING_BLITZ;
    case LAWS_STANDARD:
        break;
    }
    return RATING_CLASSIC;
}

// ---- checking -----------------------------------------------------------------------------------

static bool fault(const char *code, const char *field, const char *text, const char **out,
                  JdErr *err) {
    *out = code;
    return jd_fail_field(err, 1, field, 0, "%s", text);
}

// S-031, S-032: Classic by days, Advance by days or out of the bank, Blitz on the clock.
static bool type_fits(const Terms *terms) {
    const uint8_t kind = terms->control.kind;
    switch ((LiveType)terms->type) {
    case LIVE_CLASSIC:
        return kind == LIVE_CONTROL_DAYS;
    case LIVE_ADVANCE:
        return kind == LIVE_CONTROL_DAYS || kind == LIVE_CONTROL_BANK;
    case LIVE_BLITZ:
        return kind == LIVE_CONTROL_CLOCK || kind == LIVE_CONTROL_PERIODS;
    case LIVE_AGAINST_COMPUTER:
        return kind != LIVE_CONTROL_BANK;
    }
    return false;
}

// claims are the law of rapid and blitz of 1997 and 2005, and may be chosen in other
// unrated games on the clock; automatic flags are not to be had against the law.
static bool check_flag(const Terms *terms, const char **code, JdErr *err) {
    LawsSetup setup;
    Terms usual = *terms;
    usual.flag = LIVE_FLAG_BY_LAWS;
    terms_setup(&usual, &setup);
    const uint8_t by_laws = terms_flag(&setup);
    if (terms->flag == LIVE_FLAG_BY_LAWS || terms->flag == by_laws)
        return true;
    if (terms->flag == LIVE_FLAG_AUTO)
        return fault("flag_mode", "flag",
                     "in rapid and blitz of this edition only a player's claim makes a flag fall",
                     code, err);
    if (live_control_is_slow(&terms->control))
        return fault("flag_mode", "flag", "flags of slow games fall by themselves", code, err);
    if (terms->rated != 0)
        return fault("flag_mode", "flag", "claims instead of automatic flags: unrated games only",
                     code, err);
    return true;
}

// set-up positions are unrated, and there is something to play for in them.
static bool check_start(const Terms *terms, const char **code, JdErr *err) {
    LawsSetup setup;
    if (!terms->set_up)
        return true;
    if (terms->rated != 0)
        return fault("position_rated", "fen", "set-up positions: unrated games only", code, err);
    if (!chess_has_legal_move(&terms->start))
        return fault("position_over", "fen", "the position has no legal move", code, err);
    if (laws_is_dead(&terms->start))
        return fault("position_dead", "fen", "no series of moves mates from the position", code,
                     err);
    terms_setup(terms, &setup);
    *code = "position_bad";
    return laws_setup_check(&setup, err);
}

bool terms_check(const Terms *terms, const char **code, JdErr *err) {
    LawsControl control;
    if (live_type_name(terms->type) == NULL)
        return fault("bad_request", "type", "expected classic, advance or blitz", code, err);
    if (laws_edition_name((LawsEdition)terms->edition) == NULL)
        return fault("bad_request", "edition", "there is no such edition", code, err);
    if (terms->flag > LIVE_FLAG_CLAIM || terms->touch > 1 || terms->unwatched > 1 ||
        terms->rated > 1)
        return fault("bad_request", "flag", "expected a known option", code, err);
    *code = "control_range";
    if (!live_control_to_laws(&terms->control, &control, err))
        return false;
    if (!type_fits(terms))
        return fault("control_range", "control", "this type of game is played at another control",
                     code, err);
    // S-090: in slow games there is no hand to watch.
    if (terms->touch != 0 && (terms->rated != 0 || live_control_is_slow(&terms->control)))
        return fault("touch_mode", "touch", "touch mode: unrated games on the clock only", code,
                     err);
    return check_flag(terms, code, err) && check_start(terms, code, err);
}

bool terms_of_command(const LiveCommand *command, Terms *out, const char **code, JdErr *err) {
    LawsControl control;
    jd_zero(out, sizeof(*out));
    out->control = command->control;
    out->type = command->type != 0                           ? command->type
                : command->control.kind == LIVE_CONTROL_DAYS ? LIVE_CLASSIC
                : command->control.kind == LIVE_CONTROL_BANK ? LIVE_ADVANCE
                                                             : LIVE_BLITZ;
    out->edition = command->edition != 0 ? command->edition : LAWS_FIDE_2023;
    out->flag = command->flag;
    out->touch = command->touch;
    out->unwatched = command->unwatched;
    out->rated = command->rated != 0;
    if (!terms_set_fen(out, command->fen, code, err))
        return false;
    if (!terms_check(out, code, err))
        return false;
    // What the log holds is what the Laws made of it.
    const bool sound = live_control_to_laws(&out->control, &control, err);
    JD_ASSERT(sound);
    out->control = live_control_from_laws(&control);
    return true;
}

// ---- setups -------------------------------------------------------------------------------------

void terms_setup(const Terms *terms, LawsSetup *out) {
    JdErr err = { 0 };
    jd_zero(out, sizeof(*out));
    out->start = terms->set_up ? terms->start : chess_position_start();
    const bool sound = live_control_to_laws(&terms->control, &out->control[0], &err);
    JD_ASSERT(sound); // it was checked when the challenge was made
    out->control[1] = out->control[0];
    out->edition = terms->edition;
    out->pace = (uint8_t)laws_control_pace((LawsEdition)terms->edition, &out->control[0]);
    out->supervised = terms->unwatched == 0;
    out->touch_move = terms->touch;
    out->slow_no_penalty = live_control_is_slow(&terms->control);
    out->offer_gap_moves = LIVE_OFFER_GAP_MOVES;
    const uint8_t by_laws = terms_flag(out);
    if (terms->flag == LIVE_FLAG_CLAIM && by_laws == LIVE_FLAG_AUTO)
        out->flag_mode = LAWS_FLAGS_CLAIMED;
}

void terms_of_setup(const LawsSetup *setup, uint8_t type, uint8_t rated, Terms *out) {
    jd_zero(out, sizeof(*out));
    out->control = live_control_from_laws(&setup->control[CHESS_WHITE]);
    out->type = type;
    out->edition = setup->edition;
    out->flag = terms_flag(setup);
    out->touch = setup->touch_move;
    out->unwatched = setup->supervised == 0;
    out->rated = rated;
}

uint8_t terms_flag(const LawsSetup *setup) {
    const LawsRules *rules =
        laws_rules((LawsEdition)setup->edition, (LawsPace)setup->pace, setup->supervised != 0);
    const bool by_laws = setup->flag_mode == LAWS_FLAGS_BY_EDITION;
    const bool claimed = by_laws ? rules->flag_caller == LAWS_FLAG_BY_PLAYER_ONLY
                                 : setup->flag_mode == LAWS_FLAGS_CLAIMED;
    return claimed ? LIVE_FLAG_CLAIM : LIVE_FLAG_AUTO;
}

// ---- set-up positions ---------------------------------------------------------------------------

void terms_fen(const Terms *terms, char out[CHESS_FEN_SIZE]) {
    jd_zero(out, CHESS_FEN_SIZE);
    if (terms->set_up)
        (void)chess_fen_write(&terms->start, CHESS_FEN_EP_LEGAL, out);
}

bool terms_set_fen(Terms *terms, JdStr fen, const char **code, JdErr *err) {
    char initial[CHESS_FEN_SIZE];
    char given[CHESS_FEN_SIZE];
    const ChessPosition start = chess_position_start();
    ChessPosition position;
    terms->set_up = false;
    if (fen.size == 0)
        return true;
    *code = "position_bad";
    JdErr unread = { 0 };
    if (!chess_fen_parse(fen, &position, &unread))
        return jd_fail_field(err, 1, "fen", unread.offset, "%s", unread.text);
    (void)chess_fen_write(&start, CHESS_FEN_EP_LEGAL, initial);
    (void)chess_fen_write(&position, CHESS_FEN_EP_LEGAL, given);
    terms->set_up = !jd_str_equal(jd_str(initial), jd_str(given));
    if (terms->set_up)
        terms->start = position;
    return true;
}

// ---- the log ------------------------------------------------------------------------------------

void terms_write(const Terms *terms, Writer *out) {
    write_number(out, terms->type, 1);
    write_number(out, terms->edition, 1);
    write_number(out, terms->flag, 1);
    write_number(out, terms->touch, 1);
    write_number(out, terms->unwatched, 1);
    control_write(&terms->control, out);
}

void terms_read(Reader *in, Terms *out) {
    jd_zero(out, sizeof(*out));
    out->type = (uint8_t)read_number(in, 1);
    out->edition = (uint8_t)read_number(in, 1);
    out->flag = (uint8_t)read_number(in, 1);
    out->touch = (uint8_t)read_number(in, 1);
    out->unwatched = (uint8_t)read_number(in, 1);
    control_read(in, &out->control);
}
