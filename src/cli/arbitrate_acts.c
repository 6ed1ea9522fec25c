// SPDX-License-Identifier: GPL-3.0-or-later
//
// The events of an event file that are worth telling, and what the Laws said to each.
#include "cli/arbitrate_events.h"
#include "cli/arbitrate_words.h"

#define SMALL_SIZE 48

typedef const char *Words[ARB_LANGUAGE_COUNT];

static const Words event_words[LAWS_EVENT_KIND_COUNT] = {
    [LAWS_EVENT_START] = { "start", "начало", "începutul" },
    [LAWS_EVENT_MOVE] = { "move", "ход", "mutare" },
    [LAWS_EVENT_OFFER] = { "draw offer", "предложение ничьей", "propunere de remiză" },
    [LAWS_EVENT_ACCEPT] = { "accepts the draw", "принятие ничьей", "acceptă remiza" },
    [LAWS_EVENT_DECLINE] = { "declines the draw", "отказ от ничьей", "respinge remiza" },
    [LAWS_EVENT_RESIGN] = { "resigns", "сдача партии", "cedează" },
    [LAWS_EVENT_CLAIM_REP] = { "claims a draw by repetition",
                               "требование ничьей из-за повторения позиции",
                               "revendică remiza prin repetare" },
    [LAWS_EVENT_CLAIM_50] = { "claims a draw by fifty moves",
                              "требование ничьей по правилу 50 ходов",
                              "revendică remiza prin 50 de mutări" },
    [LAWS_EVENT_CLAIM_FLAG] = { "claims that the flag has fallen", "заявление о падении флажка",
                                "revendică căderea steagului" },
    [LAWS_EVENT_TICK] = { "looks at the clock", "взгляд на часы", "privește ceasul" },
    [LAWS_EVENT_INTERRUPTION] = { "interruption", "перерыв", "întrerupere" },
    [LAWS_EVENT_ABORT] = { "calls the game off", "отмена партии", "anulează partida" },
    [LAWS_EVENT_ABANDONED] = { "a player has left", "игрок ушёл", "un jucător a plecat" },
    [LAWS_EVENT_DEFAULT] = { "default time", "срок явки истёк", "timpul de prezentare a expirat" },
    [LAWS_EVENT_CLAIM_DRAW] = { "claims a draw", "требование ничьей", "revendică remiza" },
    [LAWS_EVENT_ARRIVE] = { "arrives", "явка", "se prezintă" },
    [LAWS_EVENT_TOUCH] = { "touches", "прикосновение", "atinge" },
    [LAWS_EVENT_ADJUST] = { "adjusts", "«поправляю»", "aranjează" },
    [LAWS_EVENT_RELEASE] = { "releases", "фигура отпущена", "eliberează" },
    [LAWS_EVENT_PROMO_TOUCH] = { "touches the square of promotion", "фигура на поле превращения",
                                 "atinge câmpul de promovare" },
    [LAWS_EVENT_PRESS] = { "presses the clock", "переключение часов", "apasă ceasul" },
    [LAWS_EVENT_REQUEST_INCREMENT] = { "asks for an increment", "просьба о добавлении времени",
                                       "cere increment" },
    [LAWS_EVENT_FLAG_OBSERVED] = { "sees a fallen flag", "флажок упал", "vede steagul căzut" },
    [LAWS_EVENT_CLAIM_ILLEGAL] = { "claims an illegal move", "заявление о невозможном ходе",
                                   "reclamă o mutare ilegală" },
    [LAWS_EVENT_CLAIM_TOUCH] = { "claims touch-move", "заявление о прикосновении",
                                 "reclamă piesa atinsă" },
    [LAWS_EVENT_CLAIM_SETUP] = { "claims a wrong set-up", "заявление о неверной расстановке",
                                 "reclamă așezarea greșită" },
    [LAWS_EVENT_CLAIM_CLOCK_SETTING] = { "claims a wrong clock setting",
                                         "заявление о неверной установке часов",
                                         "reclamă reglarea ceasului" },
    [LAWS_EVENT_SUMMON] = { "calls the arbiter", "вызов арбитра", "cheamă arbitrul" },
    [LAWS_EVENT_ARB_STOP] = { "stops the clocks", "остановка часов", "oprește ceasurile" },
    [LAWS_EVENT_RESUME] = { "resumes the game", "возобновление партии", "reia partida" },
    [LAWS_EVENT_SET_CLOCK] = { "sets a clock", "установка часов", "reglează ceasul" },
    [LAWS_EVENT_ADD_TIME] = { "adds time", "добавление времени", "adaugă timp" },
    [LAWS_EVENT_SUB_TIME] = { "takes time", "уменьшение времени", "scade timp" },
    [LAWS_EVENT_SET_MOVE_COUNT] = { "sets the number of moves", "установка числа ходов",
                                    "stabilește numărul de mutări" },
    [LAWS_EVENT_RESTORE] = { "restores a position", "восстановление позиции",
                             "restabilește poziția" },
    [LAWS_EVENT_RULE_ILLEGAL] = { "rules on an illegal move", "решение о невозможном ходе",
                                  "decide asupra unei mutări ilegale" },
    [LAWS_EVENT_WARN] = { "warns", "предупреждение", "avertizează" },
    [LAWS_EVENT_POINTS] = { "changes points", "изменение очков", "modifică punctele" },
    [LAWS_EVENT_EXPEL] = { "expels", "удаление из турнира", "exclude" },
    [LAWS_EVENT_FINE] = { "fines", "штраф", "amendează" },
    [LAWS_EVENT_EXCLUDE_ROUNDS] = { "excludes from rounds", "отстранение от туров",
                                    "exclude din runde" },
    [LAWS_EVENT_NOTE] = { "notes", "отметка", "notează" },
    [LAWS_EVENT_INCIDENT] = { "incident", "происшествие", "incident" },
    [LAWS_EVENT_ARB_RESULT] = { "sets the result", "установление результата",
                                "stabilește rezultatul" },
    [LAWS_EVENT_CLAIM_QPF] = { "claims a draw (quickplay finish)",
                               "требование ничьей (ускоренное окончание)",
                               "revendică remiza (final rapid)" },
    [LAWS_EVENT_ARB_QPF] = { "rules on the quickplay finish", "решение об ускоренном окончании",
                             "decide asupra finalului rapid" },
    [LAWS_EVENT_CONSENT] = { "consents to a draw", "согласие на ничью", "consimte la remiză" },
    [LAWS_EVENT_ASSISTANT] = { "names an assistant", "назначение помощника",
                               "numește un asistent" },
    [LAWS_EVENT_ARB_SEAL] = { "orders the sealing", "указание записать ход",
                              "cere mutarea în plic" },
    [LAWS_EVENT_ADJOURN_EARLY] = { "adjourns early", "откладывание раньше срока",
                                   "întrerupe înainte de termen" },
    [LAWS_EVENT_SEAL] = { "seals a move", "запись хода в конверт", "pune mutarea în plic" },
    [LAWS_EVENT_STOP_CLOCK] = { "stops the own clock", "остановка своих часов",
                                "își oprește ceasul" },
    [LAWS_EVENT_RESUME_START] = { "resumption begins", "начало доигрывания", "reluarea începe" },
    [LAWS_EVENT_OPEN_ENVELOPE] = { "opens the envelope", "вскрытие конверта", "deschide plicul" },
    [LAWS_EVENT_SEAL_REPLY] = { "seals the reply", "запись ответа", "pune răspunsul în plic" },
    [LAWS_EVENT_RULE_SEALED] = { "rules on the sealed move", "решение о записанном ходе",
                                 "decide asupra mutării din plic" },
    [LAWS_EVENT_ENVELOPE_LOST] = { "the envelope is lost", "конверт утерян", "plicul s-a pierdut" },
    [LAWS_EVENT_ENVELOPE_CHECK] = { "checks the envelope", "проверка конверта", "verifică plicul" },
    [LAWS_EVENT_ANNUL] = { "annuls the game", "аннулирование партии", "anulează partida" },
    [LAWS_EVENT_APPEAL] = { "appeals", "апелляция", "face apel" },
    [LAWS_EVENT_OVERRULE_RESULT] = { "changes the result", "изменение результата",
                                     "schimbă rezultatul" },
    [LAWS_EVENT_WAIVE_DEFAULT] = { "waives the default", "прощение опоздания",
                                   "iartă întârzierea" },
    [LAWS_EVENT_HOLD] = { "holds the clock", "приостановка часов", "suspendă ceasul" },
    [LAWS_EVENT_UNHOLD] = { "lets the clock run", "пуск часов", "reia ceasul" },
    [LAWS_EVENT_BLOCKED] = { "a player was blocked", "игрок заблокирован",
                             "un jucător a fost blocat" },
    [LAWS_EVENT_RECORD] = { "records", "запись ходов", "notează mutările" },
    [LAWS_EVENT_RULE_TOUCH] = { "rules on a touch", "решение о прикосновении",
                                "decide asupra atingerii" },
    [LAWS_EVENT_RULE_INCREMENT] = { "rules on the increment", "решение о добавлении времени",
                                    "decide asupra incrementului" },
    [LAWS_EVENT_VERIFY] = { "confirms position and record", "подтверждение позиции и записи",
                            "confirmă poziția și notația" },
    [LAWS_EVENT_TAKE_BACK_AGREED] = { "agrees to take back", "согласие взять ход назад",
                                      "acceptă revenirea" },
    [LAWS_EVENT_CONFIRM_RESULT] = { "signs the result", "подпись результата",
                                    "semnează rezultatul" },
    [LAWS_EVENT_DECLARE_LOST] = { "declares the game lost", "объявление проигрыша",
                                  "declară partida pierdută" },
    [LAWS_EVENT_VIEW_SHEET] = { "looks at the sheet", "просмотр бланка", "privește formularul" },
    [LAWS_EVENT_ANNOUNCE] = { "announces", "объявление хода", "anunță" },
    [LAWS_EVENT_REPEAT] = { "repeats", "повторение хода", "repetă" },
    [LAWS_EVENT_REMOVE_SPECTATOR] = { "removes a spectator", "удаление зрителя",
                                      "îndepărtează un spectator" },
    [LAWS_EVENT_RULE_COLORS] = { "rules on the colours", "решение о цветах",
                                 "decide asupra culorilor" },
};

static const Words refusal_words[LAWS_REFUSAL_COUNT] = {
    [LAWS_REFUSED_GAME_OVER] = { "the game is over", "партия закончена", "partida s-a încheiat" },
    [LAWS_REFUSED_NOT_STARTED] = { "the game has not begun", "партия не начата",
                                   "partida nu a început" },
    [LAWS_REFUSED_NOT_YOUR_TURN] = { "the opponent has the move", "ход за соперником",
                                     "este rândul adversarului" },
    [LAWS_REFUSED_ILLEGAL_MOVE] = { "the move is not legal", "ход невозможен",
                                    "mutarea este ilegală" },
    [LAWS_REFUSED_NO_OFFER] = { "no offer stands", "предложения нет", "nu există propunere" },
    [LAWS_REFUSED_OFFER_STANDS] = { "an offer stands already", "предложение уже есть",
                                    "există deja o propunere" },
    [LAWS_REFUSED_DRAW_TOO_EARLY] = { "too early for a draw", "для ничьей ещё рано",
                                      "prea devreme pentru remiză" },
    [LAWS_REFUSED_DRAW_FORBIDDEN] = { "the event allows no agreement",
                                      "регламент не допускает соглашения",
                                      "regulamentul nu permite acordul" },
    [LAWS_REFUSED_RIGHT_LOST] = { "the right is lost for this move", "право на этот ход утрачено",
                                  "dreptul s-a pierdut pentru această mutare" },
    [LAWS_REFUSED_BOUND_MOVE] = { "the announced move must be made",
                                  "нужно сделать объявленный ход",
                                  "trebuie făcută mutarea anunțată" },
    [LAWS_REFUSED_FLAG_NOT_DOWN] = { "the flag is not down", "флажок не упал",
                                     "steagul nu a căzut" },
    [LAWS_REFUSED_TOO_LATE] = { "too late", "слишком поздно", "prea târziu" },
    [LAWS_REFUSED_ALREADY_STARTED] = { "the game has begun", "партия уже начата",
                                       "partida a început deja" },
    [LAWS_REFUSED_NOT_ALLOWED] = { "not for this person or game",
                                   "не этому лицу или не в этой партии",
                                   "nu pentru această persoană sau partidă" },
    [LAWS_REFUSED_RECORD_FULL] = { "the record is full", "запись заполнена", "notația este plină" },
    [LAWS_REFUSED_UNKNOWN_EVENT] = { "no such event", "нет такого события",
                                     "nu există un asemenea eveniment" },
    [LAWS_REFUSED_TIME_BACKWARDS] = { "earlier than the last event", "раньше предыдущего события",
                                      "înaintea evenimentului precedent" },
    [LAWS_REFUSED_OFFER_TOO_SOON] = { "too soon after the last offer",
                                      "слишком скоро после предыдущего предложения",
                                      "prea curând după ultima propunere" },
    [LAWS_REFUSED_NOT_YET] = { "not yet", "ещё не время", "încă nu" },
    [LAWS_REFUSED_CLOCKS_STOPPED] = { "the clocks stand", "часы остановлены",
                                      "ceasurile sunt oprite" },
    [LAWS_REFUSED_NO_ARBITER] = { "there is no arbiter", "арбитра нет", "nu există arbitru" },
    [LAWS_REFUSED_NO_SUCH_RULE] = { "these Laws have no such rule", "в этих Правилах такого нет",
                                    "aceste Reguli nu au o asemenea regulă" },
    [LAWS_REFUSED_TOUCH_MOVE] = { "a touched piece binds", "тронутая фигура обязывает",
                                  "piesa atinsă obligă" },
    [LAWS_REFUSED_NOT_DUE] = { "nothing waits for this", "этого ничто не требует",
                               "nimic nu așteaptă aceasta" },
    [LAWS_REFUSED_NOT_COMPLETED] = { "the move is not completed yet", "ход ещё не завершён",
                                     "mutarea nu este încă încheiată" },
    [LAWS_REFUSED_NOT_STOPPED] = { "the clocks must stand", "часы должны стоять",
                                   "ceasurile trebuie oprite" },
    [LAWS_REFUSED_BAD_VALUE] = { "a value that cannot be", "недопустимое значение",
                                 "o valoare imposibilă" },
    [LAWS_REFUSED_SHEET_INCOMPLETE] = { "the score sheet is incomplete", "бланк не дополнен",
                                        "formularul este incomplet" },
    [LAWS_REFUSED_NOT_ANNOUNCED] = { "the move was not announced", "ход не объявлен",
                                     "mutarea nu a fost anunțată" },
    [LAWS_REFUSED_TIME_LEFT] = { "too much time is left", "осталось слишком много времени",
                                 "a rămas prea mult timp" },
    [LAWS_REFUSED_FLAG_DOWN] = { "the own flag is down", "свой флажок упал",
                                 "propriul steag a căzut" },
    [LAWS_REFUSED_NOT_PRESENT] = { "not present", "отсутствует", "absent" },
    [LAWS_REFUSED_SEAL_DIFFERS] = { "not what was sealed", "записано было другое",
                                    "nu este ce s-a pus în plic" },
    [LAWS_REFUSED_FINAL] = { "the decision is final", "решение окончательно",
                             "decizia este definitivă" },
    [LAWS_REFUSED_NOT_SEALED] = { "nothing is sealed", "ничего не записано", "nimic în plic" },
    [LAWS_REFUSED_NO_DUTY] = { "not a duty of the assistant", "не входит в обязанности помощника",
                               "nu intră în îndatoririle asistentului" },
};

static const Words incident_words[LAWS_INCIDENT_COUNT] = {
    [LAWS_INCIDENT_TWO_HANDS] = { "two hands", "двумя руками", "cu două mâini" },
    [LAWS_INCIDENT_CLOCK_HAND] = { "hand and clock", "рука и часы", "mâna și ceasul" },
    [LAWS_INCIDENT_CLOCK_ABUSE] = { "clock mistreated", "небрежность с часами", "ceas bruscat" },
    [LAWS_INCIDENT_DISPLACED] = { "pieces displaced", "сдвинуты фигуры", "piese deplasate" },
    [LAWS_INCIDENT_DISREPUTE] = { "conduct", "недостойное поведение", "conduită" },
    [LAWS_INCIDENT_ADVICE] = { "notes or advice", "записи или подсказка", "note sau sfaturi" },
    [LAWS_INCIDENT_DEVICE] = { "device", "устройство", "dispozitiv" },
    [LAWS_INCIDENT_LEFT] = { "left the venue", "уход из зоны", "a părăsit zona" },
    [LAWS_INCIDENT_DISTRACTION] = { "distraction", "помеха", "deranj" },
    [LAWS_INCIDENT_RECORD_BEHIND] = { "recording late", "запись с опозданием",
                                      "notare întârziată" },
    [LAWS_INCIDENT_RECORD_AHEAD] = { "recording in advance", "запись заранее",
                                     "notare anticipată" },
    [LAWS_INCIDENT_OFFER_SPAM] = { "too many draw offers", "слишком много предложений",
                                   "prea multe propuneri" },
    [LAWS_INCIDENT_FALSE_CLAIM] = { "false claim", "ложное заявление", "cerere falsă" },
    [LAWS_INCIDENT_PRESS_WITHOUT_MOVE] = { "clock pressed without a move",
                                           "часы переключены без хода", "ceas apăsat fără mutare" },
    [LAWS_INCIDENT_BAD_SUMMON] = { "unfounded call", "необоснованный вызов",
                                   "chemare neîntemeiată" },
    [LAWS_INCIDENT_SPECTATOR] = { "spectator", "зритель", "spectator" },
    [LAWS_INCIDENT_SMOKING] = { "smoking", "курение", "fumat" },
    [LAWS_INCIDENT_REFUSAL] = { "refusal to comply", "отказ подчиниться", "refuz de conformare" },
    [LAWS_INCIDENT_ECHO] = { "repeated wrongly", "повторено неверно", "repetat greșit" },
    [LAWS_INCIDENT_UNTIMELY_OFFER] = { "untimely draw offer", "несвоевременное предложение",
                                       "propunere nepotrivită" },
};

const char *arb_event_word(uint8_t kind, ArbLanguage language) {
    const char *const word = kind < LAWS_EVENT_KIND_COUNT ? event_words[kind][language] : NULL;
    return word != NULL ? word : laws_event_name(kind);
}

const char *arb_refusal_word(LawsRefusal refusal, ArbLanguage language) {
    const char *const word = refusal_words[refusal][language];
    return word != NULL ? word : laws_refusal_name(refusal);
}

static void write_time(int64_t ms, char out[SMALL_SIZE]) {
    const size_t size = jd_format(out, SMALL_SIZE, "%lld:%02lld:%02lld", (long long)(ms / 3600000),
                                  (long long)(ms / 60000 % 60), (long long)(ms / 1000 % 60));
    if (ms % 1000 != 0)
        jd_format(out + size, SMALL_SIZE - size, ".%03lld", (long long)(ms % 1000));
}

static const char *actor_word(uint8_t actor, ArbLanguage language) {
    switch (actor) {
    case LAWS_WHITE:
    case LAWS_WHITE_ASSISTANT:
        return arb_word(ARB_WORD_WHITE, language);
    case LAWS_BLACK:
    case LAWS_BLACK_ASSISTANT:
        return arb_word(ARB_WORD_BLACK, language);
    case LAWS_ARBITER_ACTOR:
        return arb_word(ARB_WORD_ARBITER, language);
    default:
        return arb_word(ARB_WORD_SERVER, language);
    }
}

// A claim is right or wrong, or waits for the arbiter; anything else is simply allowed.
static ArbWord answer_word(const ArbAct *act) {
    if (act->verdict.claim_wrong || act->verdict.message == LAWS_MESSAGE_CLAIM_UNFOUNDED)
        return ARB_WORD_ACT_CLAIM_WRONG;
    switch (act->event.kind) {
    case LAWS_EVENT_CLAIM_REP:
    case LAWS_EVENT_CLAIM_50:
    case LAWS_EVENT_CLAIM_DRAW:
    case LAWS_EVENT_CLAIM_FLAG:
    case LAWS_EVENT_CLAIM_ILLEGAL:
        return ARB_WORD_ACT_UPHELD;
    case LAWS_EVENT_CLAIM_QPF:
    case LAWS_EVENT_CLAIM_TOUCH:
    case LAWS_EVENT_CLAIM_SETUP:
    case LAWS_EVENT_CLAIM_CLOCK_SETTING:
    case LAWS_EVENT_REQUEST_INCREMENT:
        return act->verdict.message == LAWS_MESSAGE_STOPPED ? ARB_WORD_ACT_TO_ARBITER
                                                            : ARB_WORD_ACT_UPHELD;
    default:
        return ARB_WORD_ACT_ALLOWED;
    }
}

// What the Laws said: refused, right, wrong, allowed; and what was put on record.
static void put_answer(ArbRun *run, const ArbAct *act) {
    const ArbLanguage language = run->options.language;
    const LawsVerdict *const verdict = &act->verdict;
    JdOut *const out = &run->out;
    if (verdict->refusal != LAWS_NOT_REFUSED)
        arb_say(out, language, ARB_WORD_ACT_REFUSED,
                &(ArbPlaces) { .s = arb_refusal_word((LawsRefusal)verdict->refusal, language) });
    else
        jd_out_cstr(out, arb_word(answer_word(act), language));
    if ((verdict->message == LAWS_MESSAGE_CLAIM_WRONG ||
         verdict->message == LAWS_MESSAGE_ILLEGAL_CORRECTED ||
         verdict->message == LAWS_MESSAGE_QUEEN_PLACED ||
         verdict->message == LAWS_MESSAGE_QPF_REJECTED) &&
        verdict->numbers[0] > 0) {
        char text[SMALL_SIZE];
        JdOut time = jd_out(text, sizeof text - 1);
        arb_put_span(&time, language, verdict->numbers[0]);
        text[jd_out_str(&time).size] = '\0';
        jd_out_cstr(out, "; ");
        arb_say(out, language, ARB_WORD_OPPONENT_GETS, &(ArbPlaces) { .s = text });
    }
    if (verdict->message == LAWS_MESSAGE_ILLEGAL_CORRECTED ||
        verdict->message == LAWS_MESSAGE_QUEEN_PLACED) {
        char number[SMALL_SIZE];
        jd_format(number, sizeof number, "%lld", (long long)verdict->numbers[1]);
        jd_out_cstr(out, "; ");
        const ArbWord whose =
            verdict->message_side == CHESS_WHITE ? ARB_WORD_OF_WHITE : ARB_WORD_OF_BLACK;
        arb_say(out, language, ARB_WORD_ILLEGAL_COUNT,
                &(ArbPlaces) { .n = number, .g = arb_word(whose, language) });
    }
    if (verdict->incident > 0 && verdict->incident < LAWS_INCIDENT_COUNT) {
        jd_out_cstr(out, "; ");
        jd_out_cstr(out, arb_word(ARB_WORD_INCIDENT, language));
        jd_out_cstr(out, ": ");
        jd_out_cstr(out, incident_words[verdict->incident][language]);
    }
    if (verdict->article[0] != '\0') {
        jd_out_char(out, ' ');
        arb_say(out, language, ARB_WORD_IN_ARTICLE, &(ArbPlaces) { .a = verdict->article });
    }
}

// "4.Kg1" in the letters of the report; what is no legal move as the file has it.
static void put_move(ArbRun *run, const ArbAct *act) {
    static const ChessLanguage letters[ARB_LANGUAGE_COUNT] = { CHESS_ENGLISH, CHESS_RUSSIAN,
                                                               CHESS_ROMANIAN };
    if (!chess_move_is_legal(&act->position, act->event.move)) {
        jd_out_cstr(&run->out, act->move);
        return;
    }
    char text[CHESS_NOTATION_SIZE];
    jd_out_u64(&run->out, act->position.fullmove_number);
    jd_out_cstr(&run->out, act->position.side_to_move == CHESS_WHITE ? "." : "...");
    chess_notation_write(&act->position, act->event.move, CHESS_FORM_FIDE,
                         letters[run->options.language], text);
    jd_out_cstr(&run->out, text);
}

// Whether a flag ended the game that nobody had to claim: no event of the file says when it fell.
static bool flag_fell_unclaimed(const ArbEventFile *file) {
    const LawsGame *const game = &file->game;
    if (game->state != LAWS_ENDED || (game->reason != LAWS_FLAG && game->reason != LAWS_FLAG_DRAW))
        return false;
    for (uint32_t i = 0; i < file->act_count; i++)
        if (file->acts[i].verdict.refusal == LAWS_NOT_REFUSED &&
            (file->acts[i].event.kind == LAWS_EVENT_CLAIM_FLAG ||
             file->acts[i].event.kind == LAWS_EVENT_FLAG_OBSERVED))
            return false;
    return true;
}

static void put_flag_fall(ArbRun *run) {
    const LawsGame *const game = &run->events->game;
    const ArbLanguage language = run->options.language;
    const ArbWord whose =
        game->clock.flag_down[CHESS_WHITE] ? ARB_WORD_OF_WHITE : ARB_WORD_OF_BLACK;
    char time[SMALL_SIZE];
    write_time(game->ended_ms, time);
    jd_out_cstr(&run->out, "\n   ");
    jd_out_cstr(&run->out, time);
    jd_out_cstr(&run->out, "  ");
    arb_say(&run->out, language, ARB_WORD_FLAG_FELL,
            &(ArbPlaces) { .g = arb_word(whose, language) });
}

void arb_put_acts_text(ArbRun *run) {
    const ArbEventFile *const file = run->events;
    bool flag_is_due = flag_fell_unclaimed(file);
    for (uint32_t i = 0; i < file->act_count; i++) {
        const ArbAct *const act = &file->acts[i];
        if (flag_is_due && act->at_ms >= file->game.ended_ms) {
            put_flag_fall(run);
            flag_is_due = false;
        }
        char time[SMALL_SIZE];
        write_time(act->at_ms, time);
        jd_out_cstr(&run->out, "\n   ");
        jd_out_cstr(&run->out, time);
        jd_out_cstr(&run->out, "  ");
        jd_out_cstr(&run->out, actor_word(act->event.actor, run->options.language));
        jd_out_cstr(&run->out, ": ");
        jd_out_cstr(&run->out, arb_event_word(act->event.kind, run->options.language));
        if (act->move[0] != '\0') {
            if (act->event.kind == LAWS_EVENT_CLAIM_REP || act->event.kind == LAWS_EVENT_CLAIM_50 ||
                act->event.kind == LAWS_EVENT_CLAIM_DRAW)
                jd_out_cstr(&run->out, arb_word(ARB_WORD_WRITING, run->options.language));
            else
                jd_out_char(&run->out, ' ');
            put_move(run, act);
        }
        jd_out_cstr(&run->out, " – ");
        put_answer(run, act);
        jd_out_char(&run->out, '.');
        if (run->out.size > ARB_OUT_SIZE - ARB_OUT_GAME_MAX)
            arb_flush(run);
    }
    if (file->acts_left_out > 0) {
        char number[SMALL_SIZE];
        jd_format(number, sizeof number, "%u", (unsigned)file->acts_left_out);
        jd_out_cstr(&run->out, "\n   ");
        arb_say(&run->out, run->options.language, ARB_WORD_ACTS_LEFT_OUT,
                &(ArbPlaces) { .n = number });
    }
    if (flag_is_due)
        put_flag_fall(run);
}

void arb_put_acts_json(ArbRun *run) {
    static const char *const actors[] = { "white",  "black",           "arbiter",
                                          "server", "white_assistant", "black_assistant" };
    const ArbEventFile *const file = run->events;
    JdOut *const out = &run->out;
    jd_out_cstr(out, ",\"events\":[");
    for (uint32_t i = 0; i < file->act_count; i++) {
        const ArbAct *const act = &file->acts[i];
        jd_out_cstr(out, i > 0 ? ",{\"line\":" : "{\"line\":");
        jd_out_u64(out, act->line);
        jd_out_cstr(out, ",\"ms\":");
        jd_out_i64(out, act->at_ms);
        jd_out_cstr(out, ",\"actor\":");
        jd_out_json(out, jd_str(actors[act->event.actor]));
        jd_out_cstr(out, ",\"kind\":");
        jd_out_json(out, jd_str(laws_event_name(act->event.kind)));
        if (act->move[0] != '\0') {
            jd_out_cstr(out, ",\"move\":");
            jd_out_json(out, jd_str(act->move));
        }
        jd_out_cstr(out, ",\"refused\":");
        if (act->verdict.refusal != LAWS_NOT_REFUSED)
            jd_out_json(out, jd_str(laws_refusal_name((LawsRefusal)act->verdict.refusal)));
        else
            jd_out_cstr(out, "null");
        jd_out_cstr(out,
                    act->verdict.claim_wrong ? ",\"claim_wrong\":true" : ",\"claim_wrong\":false");
        if (act->verdict.incident > 0) {
            jd_out_cstr(out, ",\"incident\":");
            jd_out_json(out, jd_str(laws_incident_name((LawsIncident)act->verdict.incident)));
        }
        jd_out_cstr(out, ",\"article\":");
        jd_out_json(out, jd_str(act->verdict.article));
        jd_out_char(out, '}');
        if (out->size > ARB_OUT_SIZE - ARB_OUT_GAME_MAX)
            arb_flush(run);
    }
    jd_out_cstr(out, "],\"events_left_out\":");
    jd_out_u64(out, file->acts_left_out);
}
