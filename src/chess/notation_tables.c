// SPDX-License-Identifier: GPL-3.0-or-later
//
// Languages, forms and tolerances by name. To add a language, add a row and its number.
#include <jadoube/notation.h>

#include "chess/notation_tables.h"

// The pawn's letter is left out where it is the letter of another piece.
const LanguageRow chess_languages[CHESS_LANGUAGE_COUNT] = {
    //                     code name           none pawn knight bishop rook queen king
    [CHESS_ENGLISH] = { "en", "English", { "", "P", "N", "B", "R", "Q", "K" } },
    [CHESS_RUSSIAN] = { "ru", "Russian", { "", "п", "К", "С", "Л", "Ф", "Кр" } },
    [CHESS_ROMANIAN] = { "ro", "Romanian", { "", "P", "C", "N", "T", "D", "R" } },
    [CHESS_GERMAN] = { "de", "German", { "", "B", "S", "L", "T", "D", "K" } },
    [CHESS_FRENCH] = { "fr", "French", { "", "P", "C", "F", "T", "D", "R" } },
    [CHESS_FIGURINE] = { "figurine", "figurine", { "", "♙", "♘", "♗", "♖", "♕", "♔" } },
    [CHESS_SPANISH] = { "es", "Spanish", { "", "P", "C", "A", "T", "D", "R" } },
    [CHESS_ITALIAN] = { "it", "Italian", { "", "P", "C", "A", "T", "D", "R" } },
    [CHESS_PORTUGUESE] = { "pt", "Portuguese", { "", "P", "C", "B", "T", "D", "R" } },
    [CHESS_CATALAN] = { "ca", "Catalan", { "", "P", "C", "A", "T", "D", "R" } },
    [CHESS_DUTCH] = { "nl", "Dutch", { "", "", "P", "L", "T", "D", "K" } },
    [CHESS_POLISH] = { "pl", "Polish", { "", "P", "S", "G", "W", "H", "K" } },
    [CHESS_CZECH] = { "cs", "Czech", { "", "P", "J", "S", "V", "D", "K" } },
    [CHESS_SLOVAK] = { "sk", "Slovak", { "", "P", "J", "S", "V", "D", "K" } },
    [CHESS_HUNGARIAN] = { "hu", "Hungarian", { "", "", "H", "F", "B", "V", "K" } },
    [CHESS_SWEDISH] = { "sv", "Swedish", { "", "B", "S", "L", "T", "D", "K" } },
    [CHESS_DANISH] = { "da", "Danish", { "", "B", "S", "L", "T", "D", "K" } },
    [CHESS_NORWEGIAN] = { "no", "Norwegian", { "", "B", "S", "L", "T", "D", "K" } },
    [CHESS_FINNISH] = { "fi", "Finnish", { "", "S", "R", "L", "T", "D", "K" } },
    [CHESS_ICELANDIC] = { "is", "Icelandic", { "", "P", "R", "B", "H", "D", "K" } },
    [CHESS_ESTONIAN] = { "et", "Estonian", { "", "E", "R", "O", "V", "L", "K" } },
    [CHESS_LATVIAN] = { "lv", "Latvian", { "", "", "Z", "L", "T", "D", "K" } },
    [CHESS_LITHUANIAN] = { "lt", "Lithuanian", { "", "P", "Ž", "R", "B", "V", "K" } },
    [CHESS_UKRAINIAN] = { "uk", "Ukrainian", { "", "п", "К", "С", "Т", "Ф", "Кр" } },
    [CHESS_BULGARIAN] = { "bg", "Bulgarian", { "", "П", "К", "О", "Т", "Д", "Ц" } },
    [CHESS_SERBIAN] = { "sr", "Serbian", { "", "П", "С", "Л", "Т", "Д", "К" } },
    [CHESS_CROATIAN] = { "hr", "Croatian", { "", "P", "S", "L", "T", "D", "K" } },
    [CHESS_SLOVENE] = { "sl", "Slovene", { "", "P", "S", "L", "T", "D", "K" } },
    [CHESS_GREEK] = { "el", "Greek", { "", "", "Ι", "Α", "Π", "Β", "Ρ" } },
    [CHESS_TURKISH] = { "tr", "Turkish", { "", "P", "A", "F", "K", "V", "Ş" } },
    [CHESS_ESPERANTO] = { "eo", "Esperanto", { "", "P", "Ĉ", "K", "T", "D", "R" } },
};

static const char *const form_names[] = {
    [CHESS_FORM_PGN] = "pgn", [CHESS_FORM_FIDE] = "fide", [CHESS_FORM_LONG] = "long",
    [CHESS_FORM_UCI] = "uci", [CHESS_FORM_ICCF] = "iccf",
};

// By bit number of ChessTolerance.
static const char *const tolerance_names[] = {
    "missing_check",
    "wrong_check",
    "check_style",
    "missing_capture",
    "wrong_capture",
    "capture_style",
    "marks",
    "zero_castling",
    "promotion_plain",
    "promotion_brackets",
    "promotion_slash",
    "promotion_missing",
    "ep_suffix",
    "long",
    "over_disambiguation",
    "lower_case",
    "pawn_letter",
    "lookalike",
    "draw_offer",
    "coordinates",
    "figurine",
    "blanks",
    "move_number",
    "numeric",
    "signs_unseen",
};
_Static_assert(JD_COUNT(tolerance_names) == CHESS_TOLERANCE_COUNT, "every tolerance has a name");

const char *chess_language_code(ChessLanguage language) {
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    return chess_languages[language].code;
}

const char *chess_language_name(ChessLanguage language) {
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    return chess_languages[language].name;
}

bool chess_language_find(JdStr code_or_name, ChessLanguage *out) {
    for (size_t i = 0; i < CHESS_LANGUAGE_COUNT; i++) {
        if (jd_str_equal_nocase(code_or_name, jd_str(chess_languages[i].code)) ||
            jd_str_equal_nocase(code_or_name, jd_str(chess_languages[i].name))) {
            *out = (ChessLanguage)i;
            return true;
        }
    }
    return false;
}

const char *chess_language_letter(ChessLanguage language, ChessKind kind) {
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    JD_ASSERT((unsigned)kind <= CHESS_KING);
    return chess_languages[language].letters[kind];
}

const char *chess_form_name(ChessForm form) {
    JD_ASSERT((unsigned)form < JD_COUNT(form_names));
    return form_names[form];
}

bool chess_form_find(JdStr name, ChessForm *out) {
    for (size_t i = 0; i < JD_COUNT(form_names); i++) {
        if (jd_str_equal_nocase(name, jd_str(form_names[i]))) {
            *out = (ChessForm)i;
            return true;
        }
    }
    return false;
}

const char *chess_tolerance_name(ChessTolerance bit) {
    JD_ASSERT(bit != 0);
    return tolerance_names[__builtin_ctz((unsigned)bit)];
}

bool chess_tolerance_find(JdStr name, ChessTolerance *out) {
    for (size_t i = 0; i < JD_COUNT(tolerance_names); i++) {
        if (jd_str_equal(name, jd_str(tolerance_names[i]))) {
            *out = (ChessTolerance)(1u << i);
            return true;
        }
    }
    return false;
}
