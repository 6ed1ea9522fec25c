// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arbitrate_words.h"

static const char *const words[ARB_WORD_COUNT][ARB_LANGUAGE_COUNT] = {
    [ARB_WORD_EDITION] = { "Laws of Chess {n}", "Правила шахмат {n}", "Regulile șahului {n}" },
    [ARB_WORD_PACE_STANDARD] = { "standard play", "классические шахматы", "șah clasic" },
    [ARB_WORD_PACE_RAPID] = { "rapid", "быстрые шахматы", "șah rapid" },
    [ARB_WORD_PACE_BLITZ] = { "blitz", "блиц", "blitz" },
    [ARB_WORD_NO_CONTROL] = { "no time control stated", "контроль времени не указан",
                              "control de timp neprecizat" },
    [ARB_WORD_LINE] = { "line {n}", "строка {n}", "linia {n}" },
    [ARB_WORD_PLIES] = { "moves made: White {n}, Black {k}", "сделано ходов: белые {n}, чёрные {k}",
                         "mutări efectuate: albul {n}, negrul {k}" },
    [ARB_WORD_WHITE] = { "White", "Белые", "Albul" },
    [ARB_WORD_BLACK] = { "Black", "Чёрные", "Negrul" },
    [ARB_WORD_OF_WHITE] = { "White's", "белых", "albului" },
    [ARB_WORD_OF_BLACK] = { "Black's", "чёрных", "negrului" },
    [ARB_WORD_THE_START] = { "the beginning", "начала", "început" },
    [ARB_WORD_REPETITION_BOARD] = { "{c} could claim a draw after {m}: the same position for the "
                                    "{t} time (Article {a})",
                                    "{c} могли потребовать ничью после {m}: позиция возникла в {t} "
                                    "раз (статья {a})",
                                    "{c} putea revendica remiza după {m}: aceeași poziție pentru a "
                                    "{t} oară (articolul {a})" },
    [ARB_WORD_REPETITION_INTENDED] = { "{c} could claim a draw after {m} by writing down {k}: the "
                                       "same position for the {t} time (Article {a})",
                                       "{c} могли потребовать ничью после {m}, записав {k}: "
                                       "позиция возникла бы в {t} раз (статья {a})",
                                       "{c} putea revendica remiza după {m}, notând {k}: aceeași "
                                       "poziție pentru a {t} oară (articolul {a})" },
    [ARB_WORD_FIFTY_BOARD] = { "{c} could claim a draw after {m}: {n} moves by each player without "
                               "a capture or a pawn move (Article {a})",
                               "{c} могли потребовать ничью после {m}: обе стороны сделали по {n} "
                               "ходов без взятий и без ходов пешками (статья {a})",
                               "{c} putea revendica remiza după {m}: fiecare jucător a efectuat "
                               "{n} de mutări fără captură și fără mutare de pion (articolul "
                               "{a})" },
    [ARB_WORD_FIFTY_INTENDED] = { "{c} could claim a draw after {m} by writing down a move such as "
                                  "{k}, which completes {n} moves by each player without a capture "
                                  "or a pawn move (Article {a})",
                                  "{c} могли потребовать ничью после {m}, записав, например, {k}: "
                                  "с этим ходом обе стороны сделали бы по {n} ходов без взятий и "
                                  "без ходов пешками (статья {a})",
                                  "{c} putea revendica remiza după {m}, notând de exemplu {k}: cu "
                                  "această mutare, fiecare jucător ar fi efectuat {n} de mutări "
                                  "fără captură și fără mutare de pion (articolul {a})" },
    [ARB_WORD_TURNS] = { "; so again at each turn up to the one after {m}",
                         "; и затем при каждом своём ходе, в последний раз — после {m}",
                         "; la fel de fiecare dată când era la mutare, ultima dată după {m}" },
    [ARB_WORD_LAPSED_MOVE] = { "; the right was lost with {m} (Article {b}).",
                               "; право утрачено ходом {m} (статья {b}).",
                               "; dreptul s-a pierdut prin mutarea {m} (articolul {b})." },
    [ARB_WORD_LAPSED_TOUCH] = { "; the right was lost by touching a piece, at the latest with {m} "
                                "(Article {b}).",
                                "; право утрачено прикосновением к фигуре, самое позднее — ходом "
                                "{m} (статья {b}).",
                                "; dreptul s-a pierdut prin atingerea unei piese, cel târziu prin "
                                "mutarea {m} (articolul {b})." },
    [ARB_WORD_STOOD] = { "; the right still stood at the end of the record.",
                         "; в конце записи это право ещё сохранялось.",
                         "; la sfârșitul notației dreptul încă exista." },
    [ARB_WORD_RANGES_LEFT_OUT] = { "Further possible claims, not listed: {n}.",
                                   "Другие возможные требования, здесь не перечисленные: {n}.",
                                   "Alte revendicări posibile, neenumerate aici: {n}." },
    [ARB_WORD_THIRD] = { "third", "третий", "treia" },
    [ARB_WORD_FOURTH] = { "fourth", "четвёртый", "patra" },
    [ARB_WORD_FIFTH] = { "fifth", "пятый", "cincea" },
    [ARB_WORD_NTH] = { "{n}th", "{n}-й", "{n}-a" },
    [ARB_WORD_PLAYED_PAST] = { "The game was over after {m}. What was played after that does not "
                               "count (moves of both players: {n}).",
                               "Партия закончилась после {m}. Сыгранное после этого не считается "
                               "(ходов обеих сторон: {n}).",
                               "Partida s-a încheiat după {m}. Ce s-a jucat după aceea nu contează "
                               "(mutări ale ambilor jucători: {n})." },
    [ARB_WORD_ILLEGAL_MOVE] = { "After {m} the record has a move that is not legal (Article {a}).",
                                "После {m} в записи стоит невозможный ход (статья {a}).",
                                "După {m} notația conține o mutare ilegală (articolul {a})." },
    [ARB_WORD_ILLEGAL_RULE] = { "If it was played: the position before it is restored, the "
                                "opponent gets {s} more, and illegal move no. {n} of the same "
                                "player loses (Article {b}).",
                                "Если он был сделан на доске: восстанавливается позиция перед ним, "
                                "соперник получает дополнительно {s}, а {n}-й невозможный ход того "
                                "же игрока ведёт к проигрышу (статья {b}).",
                                "Dacă a fost efectuată pe tablă: se restabilește poziția dinaintea "
                                "ei, adversarul primește în plus {s}, iar a {n}-a mutare ilegală a "
                                "aceluiași jucător duce la pierderea partidei (articolul {b})." },
    [ARB_WORD_ILLEGAL_RULE_AT_ONCE] = { "If it was played and the opponent claimed it before his "
                                        "own next move: he wins, or draws when he cannot mate; "
                                        "otherwise it stands (Article {b}).",
                                        "Если он был сделан на доске и соперник заявил об этом до "
                                        "своего следующего хода, соперник выигрывает, а если он не "
                                        "может поставить мат — ничья; иначе ход остаётся в силе "
                                        "(статья {b}).",
                                        "Dacă a fost efectuată pe tablă și adversarul a reclamat-o "
                                        "înaintea propriei mutări următoare, adversarul câștigă "
                                        "sau, dacă nu poate da mat, este remiză; altfel mutarea "
                                        "rămâne valabilă (articolul {b})." },
    [ARB_WORD_UNREADABLE] = { "After {m} the record cannot be read.",
                              "После {m} запись не читается.",
                              "După {m} notația nu se poate citi." },
    [ARB_WORD_FAULT_AT] = { "Line {n}, column {k}: {s}", "Строка {n}, столбец {k}: {s}",
                            "Linia {n}, coloana {k}: {s}" },
    [ARB_WORD_CLOCK_GAIN] = { "After {m} {g} clock shows {s} more than the time control allows "
                              "(Article {a}).",
                              "После {m} часы {g} показывают на {s} больше, чем допускает контроль "
                              "времени (статья {a}).",
                              "După {m} ceasul {g} arată cu {s} mai mult decât permite controlul "
                              "de timp (articolul {a})." },
    [ARB_WORD_FLAG_NOT_TURN] = { "{g} flag is said to have fallen although the opponent had the "
                                 "move: that needs {m} to be made but the "
                                 "clock not yet pressed (Article {a}).",
                                 "Указано, что упал флажок {g}, хотя ход был за соперником: это "
                                 "возможно, только если ход {m} сделан, "
                                 "а часы ещё не переключены (статья {a}).",
                                 "Se spune că a căzut steagul {g}, deși la mutare era "
                                 "adversarul: aceasta cere ca {m} să fi fost "
                                 "efectuată fără ca ceasul să fi fost apăsat (articolul {a})." },
    [ARB_WORD_ASSUME_STANDARD] = { "No time control is stated: the rules of standard play are "
                                   "applied.",
                                   "Контроль времени не указан: применены правила классических "
                                   "шахмат.",
                                   "Controlul de timp nu este precizat: se aplică regulile șahului "
                                   "clasic." },
    [ARB_WORD_CAN_MATE] = { "{c} ({s}) could still mate by some series of legal moves.",
                            "{c} ({s}) ещё могли поставить мат какой-либо последовательностью "
                            "возможных ходов.",
                            "{c} ({s}) mai putea da mat printr-o serie oarecare de mutări "
                            "legale." },
    [ARB_WORD_CANNOT_MATE] = { "{c} ({s}) could not mate by any series of legal moves.",
                               "{c} ({s}) не могли поставить мат никакой последовательностью "
                               "возможных ходов.",
                               "{c} ({s}) nu putea da mat prin nicio serie de mutări legale." },
    [ARB_WORD_TOO_EARLY] = { "A draw by agreement needs a move by each player (Article {a}): there "
                             "was none.",
                             "Для ничьей по соглашению каждый должен сделать хотя бы один ход "
                             "(статья {a}): этого не было.",
                             "Remiza prin acord cere cel puțin o mutare a fiecăruia (articolul "
                             "{a}): nu a fost cazul." },
    [ARB_WORD_ABANDONED] = { "A player left the game: the Laws leave that to the arbiter and the "
                             "regulations.",
                             "Игрок покинул партию: Правила оставляют это арбитру и регламенту.",
                             "Un jucător a părăsit partida: Regulile lasă aceasta în seama "
                             "arbitrului și a "
                             "regulamentului." },
    [ARB_WORD_DECIDED] = { "The result was set by a decision, not by play.",
                           "Результат установлен решением, а не игрой.",
                           "Rezultatul a fost stabilit printr-o decizie, nu prin joc." },
    [ARB_WORD_VARIANT] = { "Other rules than those of chess: nothing was judged.",
                           "Это не шахматы по Правилам ФИДЕ: партия не рассматривалась.",
                           "Nu este șah după Regulile FIDE: partida nu a fost judecată." },
    [ARB_WORD_INFRACTION] = { "The file says that a breach of the rules decided the game: the "
                              "arbiter's ruling (Article {a}).",
                              "В файле указано, что партию решило нарушение правил: решение "
                              "арбитра (статья {a}).",
                              "Fișierul spune că partida s-a decis printr-o încălcare a regulilor: "
                              "decizia arbitrului (articolul {a})." },
    [ARB_WORD_NO_MOVES] = { "No move was made: a player who does not arrive in time loses (Article "
                            "{a}); whether that was so the "
                            "record does not say.",
                            "Ходов не было: игрок, не явившийся вовремя, проигрывает (статья {a}); "
                            "было ли так, из записи не видно.",
                            "Nu s-a făcut nicio mutare: jucătorul care nu se prezintă la timp "
                            "pierde (articolul {a}); notația nu "
                            "spune dacă a fost așa." },
    [ARB_WORD_UNPROVED] = { "Whether a mate is still possible was not settled: it counts as "
                            "possible. The arbiter may rule otherwise.",
                            "Возможен ли ещё мат, не установлено: считается, что возможен. Арбитр "
                            "может решить иначе.",
                            "Nu s-a stabilit dacă un mat mai este posibil: se consideră posibil. "
                            "Arbitrul poate decide altfel." },
    [ARB_WORD_BY_LAWS] = { "By the Laws: {n}, {s} (Article {a}).",
                           "По Правилам: {n}, {s} (статья {a}).",
                           "Conform Regulilor: {n}, {s} (articolul {a})." },
    [ARB_WORD_BY_LAWS_NO_ARTICLE] = { "By the Laws: {n}, {s}.", "По Правилам: {n}, {s}.",
                                      "Conform Regulilor: {n}, {s}." },
    [ARB_WORD_NOT_DECIDED] = { "By the Laws: not decided by what is recorded.",
                               "По Правилам: по одной записи решить нельзя.",
                               "Conform Regulilor: numai din notație nu se poate decide." },
    [ARB_WORD_FILE_SAYS] = { "In the file: {n}.", "В файле: {n}.", "În fișier: {n}." },
    [ARB_WORD_FILE_SILENT] = { "In the file: no result.", "В файле: результата нет.",
                               "În fișier: fără rezultat." },
    [ARB_WORD_AGREES] = { "They agree.", "Совпадает.", "Coincide." },
    [ARB_WORD_DIFFERS] = { "THEY DIFFER.", "НЕ СОВПАДАЕТ.", "NU COINCIDE." },
    [ARB_WORD_TOTAL_GAMES] = { "Games: {n}", "Партий: {n}", "Partide: {n}" },
    [ARB_WORD_TOTAL_AGREE] = { "the result is that of the Laws: {n}",
                               "результат соответствует Правилам: {n}",
                               "rezultatul corespunde Regulilor: {n}" },
    [ARB_WORD_TOTAL_DIFFER] = { "the result differs from the Laws: {n}",
                                "результат не соответствует Правилам: {n}",
                                "rezultatul nu corespunde Regulilor: {n}" },
    [ARB_WORD_TOTAL_SUPPLIED] = { "no result in the file, one by the Laws: {n}",
                                  "в файле результата нет, по Правилам есть: {n}",
                                  "fără rezultat în fișier, dar decis de Reguli: {n}" },
    [ARB_WORD_TOTAL_OPEN] = { "not decided by what is recorded: {n}",
                              "по одной записи решить нельзя: {n}",
                              "nu se pot decide numai din notație: {n}" },
    [ARB_WORD_TOTAL_DAMAGED] = { "the record is damaged or has an illegal move: {n}",
                                 "запись повреждена или содержит невозможный ход: {n}",
                                 "notația este deteriorată sau conține o mutare ilegală: {n}" },
    [ARB_WORD_TOTAL_PLAYED_PAST] = { "played on after the game was over: {n}",
                                     "играли после окончания партии: {n}",
                                     "s-a jucat după încheierea partidei: {n}" },
    [ARB_WORD_TOTAL_CLAIMS] = { "a draw could have been claimed: {n}",
                                "можно было потребовать ничью: {n}",
                                "se putea revendica remiza: {n}" },
    [ARB_WORD_TOTAL_REASONS] = { "ended by", "чем закончились", "încheiate prin" },
    [ARB_WORD_EXPLAIN_ARTICLE] = { "Article {a} ({s}): {n}", "Статья {a} ({s}): {n}",
                                   "Articolul {a} ({s}): {n}" },
    [ARB_WORD_EXPLAIN_CLASS] = { "Decided by: {s}", "Кто решает: {s}", "Cine decide: {s}" },
    [ARB_WORD_EXPLAIN_REQUIRES] = { "What it asks (in English): {s}",
                                    "Чего требует (по-английски): {s}",
                                    "Ce cere (în engleză): {s}" },
    [ARB_WORD_EXPLAIN_PROGRAM] = { "The program: {s}", "Программа: {s}", "Programul: {s}" },
    [ARB_WORD_EXPLAIN_CODE] = { "In the code: {s}", "В коде: {s}", "În cod: {s}" },
    [ARB_WORD_EXPLAIN_CASES] = { "Tested by: {s}", "Проверено: {s}", "Verificat prin: {s}" },
    [ARB_WORD_EXPLAIN_EDITIONS] = { "Number by edition: {s}", "Номер по редакциям: {s}",
                                    "Numărul pe ediții: {s}" },
    [ARB_WORD_EXPLAIN_NOT_KEPT] = { "Not kept yet.", "Пока не соблюдается.", "Încă nerespectat." },
    [ARB_WORD_CLASS_D] = { "the program alone", "только программа", "programul singur" },
    [ARB_WORD_CLASS_C] = { "the program, when a player claims or offers",
                           "программа, по требованию или предложению игрока",
                           "programul, la cererea sau propunerea unui jucător" },
    [ARB_WORD_CLASS_A] = { "the arbiter; the program offers the action and records it",
                           "арбитр; программа предлагает действие и записывает его",
                           "arbitrul; programul propune acțiunea și o consemnează" },
    [ARB_WORD_CLASS_P] = { "physical conduct: guidance, a record of incidents, or an optional mode",
                           "поведение за доской: пояснения, запись происшествий или особый режим",
                           "conduita la masă: îndrumare, registru de incidente sau un mod "
                           "opțional" },
    [ARB_WORD_ACT_REFUSED] = { "refused: {s}", "отклонено: {s}", "respins: {s}" },
    [ARB_WORD_ACT_CLAIM_WRONG] = { "the claim is wrong", "необоснованно", "neîntemeiat" },
    [ARB_WORD_ARBITER] = { "Arbiter", "Арбитр", "Arbitrul" },
    [ARB_WORD_SERVER] = { "Program", "Программа", "Programul" },
    [ARB_WORD_OPPONENT_GETS] = { "the opponent gets {s} more",
                                 "соперник получает дополнительно {s}",
                                 "adversarul primește în plus {s}" },
    [ARB_WORD_INCIDENT] = { "put on record", "занесено в протокол", "consemnat" },
    [ARB_WORD_IN_ARTICLE] = { "(Article {a})", "(статья {a})", "(articolul {a})" },
    [ARB_WORD_ACTS_LEFT_OUT] = { "Further events, not listed: {n}.",
                                 "Другие события, не перечисленные здесь: {n}.",
                                 "Alte evenimente, neenumerate aici: {n}." },
    [ARB_WORD_NO_CLOCK] = { "no clocks", "без часов", "fără ceas" },
    [ARB_WORD_MOVES_IN] = { " in ", " за ", " în " },
    [ARB_WORD_PER_MOVE] = { " per move", " на ход", " pe mutare" },
    [ARB_WORD_DELAY] = { ", delay ", ", задержка ", ", întârziere " },
    [ARB_WORD_BRONSTEIN] = { " (Bronstein)", " (Бронштейн)", " (Bronstein)" },
    [ARB_WORD_THEN] = { ", then ", ", затем ", ", apoi " },
    [ARB_WORD_AGAIN] = { ", and so on", ", и так далее", ", și tot așa" },
    [ARB_WORD_AND] = { " and ", " и ", " și " },
    [ARB_WORD_FAULT_MOVE] = { "Line {n}, column {k}: {m}{s} is no legal move there.",
                              "Строка {n}, столбец {k}: хода {m}{s} в этой позиции нет.",
                              "Linia {n}, coloana {k}: {m}{s} nu este o mutare legală în acea "
                              "poziție." },
    [ARB_WORD_ACT_UPHELD] = { "the claim is right", "обоснованно", "întemeiat" },
    [ARB_WORD_ACT_TO_ARBITER] = { "the arbiter decides", "решает арбитр", "decide arbitrul" },
    [ARB_WORD_ACT_ALLOWED] = { "allowed", "допустимо", "permis" },
    [ARB_WORD_ILLEGAL_COUNT] = { "{g} illegal move no. {n}", "{n}-й невозможный ход {g}",
                                 "mutarea ilegală nr. {n} a {g}" },
    [ARB_WORD_FLAG_FELL] = { "{g} flag fell.", "Флажок {g} упал.", "Steagul {g} a căzut." },
    [ARB_WORD_WRITING] = { ", writing down ", ", записан ход ", ", notând " },
};

static const struct {
    uint8_t reason;
    const char *text[ARB_LANGUAGE_COUNT];
} reasons[] = {
    { LAWS_NOT_ENDED, { "not ended", "не закончена", "neîncheiată" } },
    { LAWS_CHECKMATE, { "checkmate", "мат", "șah mat" } },
    { LAWS_STALEMATE, { "stalemate", "пат", "pat" } },
    { LAWS_DEAD_POSITION,
      { "dead position: neither player can mate", "мёртвая позиция: никто не может поставить мат",
        "poziție moartă: niciunul nu poate da mat" } },
    { LAWS_RESIGNATION, { "resignation", "сдача партии", "cedarea partidei" } },
    { LAWS_RESIGN_DRAW,
      { "resignation, but the opponent could not mate",
        "сдача партии, но соперник не мог поставить мат",
        "cedarea partidei, dar adversarul nu putea da mat" } },
    { LAWS_AGREEMENT, { "agreement of the players", "соглашение игроков", "acordul jucătorilor" } },
    { LAWS_CLAIM_REPETITION,
      { "threefold repetition, on a claim", "троекратное повторение позиции, по требованию",
        "repetarea poziției de trei ori, la cerere" } },
    { LAWS_CLAIM_50,
      { "fifty moves, on a claim", "пятьдесят ходов, по требованию",
        "cincizeci de mutări, la cerere" } },
    { LAWS_AUTO_REPETITION,
      { "fivefold repetition", "пятикратное повторение позиции",
        "repetarea poziției de cinci ori" } },
    { LAWS_AUTO_75,
      { "seventy-five moves", "семьдесят пять ходов", "șaptezeci și cinci de mutări" } },
    { LAWS_FLAG, { "fall of the flag", "падение флажка", "căderea steagului" } },
    { LAWS_FLAG_DRAW,
      { "fall of the flag, but the opponent could not mate",
        "падение флажка, но соперник не мог поставить мат",
        "căderea steagului, dar adversarul nu putea da mat" } },
    { LAWS_BOTH_FLAGS, { "both flags down", "упали оба флажка", "ambele steaguri căzute" } },
    { LAWS_QPF_DRAW,
      { "draw by the arbiter in a quickplay finish",
        "ничья решением арбитра в ускоренном окончании",
        "remiză decisă de arbitru în finalul rapid" } },
    { LAWS_QPF_PENDING,
      { "quickplay finish, the arbiter will rule", "ускоренное окончание, решение за арбитром",
        "final rapid, arbitrul va decide" } },
    { LAWS_ILLEGAL_LIMIT, { "illegal moves", "невозможные ходы", "mutări ilegale" } },
    { LAWS_ILLEGAL_CLAIM,
      { "illegal move, on a claim", "невозможный ход, по требованию",
        "mutare ilegală, la cerere" } },
    { LAWS_ILLEGAL_DRAW,
      { "illegal move, but the opponent could not mate",
        "невозможный ход, но соперник не мог поставить мат",
        "mutare ilegală, dar adversarul nu putea da mat" } },
    { LAWS_ILLEGAL_POSITION_DRAW,
      { "illegal position", "невозможная позиция", "poziție ilegală" } },
    { LAWS_DEFAULT, { "late arrival", "опоздание", "întârziere" } },
    { LAWS_BOTH_DEFAULT,
      { "neither player arrived in time", "оба игрока опоздали", "ambii jucători au întârziat" } },
    { LAWS_SEALED_FAULT,
      { "faulty sealed move", "неверный записанный ход", "mutare în plic greșită" } },
    { LAWS_DEVICE, { "electronic device", "электронное устройство", "dispozitiv electronic" } },
    { LAWS_PENALTY, { "penalty of the arbiter", "наказание арбитра", "sancțiunea arbitrului" } },
    { LAWS_BOTH_GUILTY,
      { "both players guilty", "виновны оба игрока", "ambii jucători vinovați" } },
    { LAWS_ARBITER, { "decision of the arbiter", "решение арбитра", "decizia arbitrului" } },
    { LAWS_ANNULLED_REASON, { "annulled", "аннулирована", "anulată" } },
    { LAWS_ABORTED,
      { "called off before both had moved", "отменена до ходов обоих",
        "anulată înaintea mutărilor ambilor" } },
    { LAWS_ABANDONED, { "a player left", "игрок покинул партию", "un jucător a plecat" } },
    { LAWS_BLOCKED, { "a player was blocked", "игрок заблокирован", "un jucător a fost blocat" } },
};

const char *arb_word(ArbWord word, ArbLanguage language) {
    return words[word][language];
}

const char *arb_reason_word(LawsReason reason, ArbLanguage language) {
    for (size_t i = 0; i < JD_COUNT(reasons); i++)
        if (reasons[i].reason == (uint8_t)reason)
            return reasons[i].text[language];
    return laws_reason_name(reason);
}

static const char *place(const ArbPlaces *places, char name) {
    switch (name) {
    case 'c':
        return places->c;
    case 'g':
        return places->g;
    case 'm':
        return places->m;
    case 'k':
        return places->k;
    case 'a':
        return places->a;
    case 'b':
        return places->b;
    case 'n':
        return places->n;
    case 't':
        return places->t;
    case 's':
        return places->s;
    default:
        return NULL;
    }
}

void arb_say(JdOut *out, ArbLanguage language, ArbWord word, const ArbPlaces *places) {
    const char *text = words[word][language];
    while (*text != '\0') {
        size_t plain = 0;
        while (text[plain] != '\0' && text[plain] != '{')
            plain++;
        jd_out_text(out, jd_str_n(text, plain));
        text += plain;
        if (*text == '\0')
            break;
        const char *const filled = place(places, text[1]);
        JD_ASSERT(filled != NULL && text[2] == '}');
        jd_out_cstr(out, filled);
        text += 3;
    }
}
