// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pages: the request and response services over the database (site.md 2.1, 2.2). Plain C structs in
// and out; HTTP, cookies and JSON are the business of net.
//
// Every service blocks (disk, password hash): call it on a worker thread, never on the loop thread.
// A PagesWorker belongs to one thread at a time; the Pages behind it is shared by all. Time is an
// input (`now`), chance comes from libsodium. Texts come in as the client sent them: each service
// checks UTF-8, length and form itself, and a refusal changes nothing.
#ifndef PAGES_PAGES_H
#define PAGES_PAGES_H

#include <jadoube/base.h>
#include <jadoube/rating.h>
#include "store/store.h"

// ---- limits -------------------------------------------------------------------------------------

#define PAGES_NICK_MIN 3       // code points (S-002)
#define PAGES_NICK_MAX 20      // code points
#define PAGES_NICK_SIZE 64     // bytes with NUL: 20 letters of at most 2 bytes; as LIVE_NICK_SIZE
#define PAGES_PASSWORD_MIN 8   // code points (S-005)
#define PAGES_PASSWORD_MAX 128 // code points
#define PAGES_EMAIL_MAX 254    // bytes (RFC 5321 4.5.3.1.3 less the angle brackets)
#define PAGES_TOKEN_TEXT 43    // characters of a session token: 32 bytes in base64url
#define PAGES_CURSOR_SIZE 48   // bytes with NUL of a list's cursor
#define PAGES_LIST_MAX 50      // rows of one answer
#define PAGES_SESSIONS_MAX 20  // sessions of one account; the oldest end first
#define PAGES_NICKS_MAX 256    // accounts of one pages_nicks call

// ---- refusals -----------------------------------------------------------------------------------

// JdErr.code of everything in this header. pages_code_name gives the code of docs/protocol.md.
typedef enum PagesCode {
    PAGES_OK = 0,
    PAGES_BAD_REQUEST = 1, // 400
    PAGES_BAD_TEXT = 2,    // 400: not UTF-8, a NUL, a bidi override
    PAGES_AUTH_REQUIRED = 3,
    PAGES_BAD_CREDENTIALS = 4,
    PAGES_CLOSED = 5, // 403: registration is closed
    PAGES_NOT_FOUND = 6,
    PAGES_NICK_LENGTH = 7, // from here on 422
    PAGES_NICK_CHARACTERS = 8,
    PAGES_NICK_MIXED_SCRIPT = 9,
    PAGES_NICK_RESERVED = 10,
    PAGES_NICK_OBSCENE = 11,
    PAGES_NICK_TAKEN = 12,
    PAGES_EMAIL_BAD = 13,
    PAGES_PASSWORD_LENGTH = 14,
    PAGES_PASSWORD_WEAK = 15,
    PAGES_PASSWORD_MISMATCH = 16,
    PAGES_RULES_NOT_ACCEPTED = 17,
    PAGES_RATE_LIMITED = 18, // 429, with retry_after_s
    PAGES_INTERNAL = 19,     // 500: the text is for the server's journal, not for people
    PAGES_UNAVAILABLE = 20,  // 503: the store cannot write now
    PAGES_BAD_COLOUR = 35,   // 422, as the next
    PAGES_NAME_TAKEN = 36,
    PAGES_NAME_BAD = 37,
    PAGES_BAD_LAYOUT = 38,
    PAGES_TOO_MANY_LAYOUTS = 39,
    PAGES_FORBIDDEN = 21,        // 403
    PAGES_TOO_LONG = 22,         // 422
    PAGES_LINK_BAD = 50,         // 422: a link of a letter that was used or has expired
    PAGES_NO_MAIL = 51,          // 422: asked for a letter where none is sent
    PAGES_CAPTCHA_REQUIRED = 52, // 422
    PAGES_CAPTCHA_WRONG = 53,    // 422
    PAGES_CAPTCHA_EXPIRED = 54,  // 422: answered already, or too late
    PAGES_CAPTCHA_LOCKED = 55,   // 429, with retry_after_s
    PAGES_BLOCKED = 56,          // 403: the account is blocked
    PAGES_ANONYMIZER = 57,       // 403: registration from an exit that hides people
    PAGES_TOO_MANY_BLOCKS = 58,  // 422
    PAGES_TOO_MANY_PEOPLE = 60,  // 422
    PAGES_IDENTITY_TAKEN = 70,   // 422: a provider's identity is another account's
    PAGES_IDENTITY_LINKED = 71,  // 422: the account has another identity of that provider
} PagesCode;

const char *pages_code_name(PagesCode code); // "nick_taken"
int pages_code_status(PagesCode code);       // 422

// Why a service refused. err.code is a PagesCode, err.field the JSON field at fault (may be empty),
// err.text English for developers.
typedef struct PagesFault {
    JdErr err;
    uint32_t retry_after_s; // PAGES_RATE_LIMITED, PAGES_CAPTCHA_LOCKED
} PagesFault;

// ---- opening ------------------------------------------------------------------------------------

typedef struct Pages Pages; // shared: limits, hash slots
typedef struct PagesWorker
    PagesWorker; // of one worker thread: a reading connection, scratch memory

// How people show that they are people (S-006, S-009).
typedef enum PagesCaptchaWay {
    PAGES_CAPTCHA_OFF = 0,      // nothing is asked
    PAGES_CAPTCHA_PICTURES = 1, // pictures, or a question or a code for who asks for that
    PAGES_CAPTCHA_QUESTION = 2, // a question in words
    PAGES_CAPTCHA_CODE = 3,     // a code by e-mail (asked for; not for PagesConfig)
} PagesCaptchaWay;

typedef struct PagesConfig {
    Store *store;
    // Cost of Argon2id. 0: libsodium's INTERACTIVE (2 passes over 64 MiB, about 0.1 s). A hash
    // keeps the cost it was made with; it is made anew at the next log-in when this has changed.
    uint64_t hash_passes;
    size_t hash_memory_bytes;
    // Password hashes computed at once, each taking hash_memory_bytes; more wait their turn. 0: 2.
    uint32_t hashes_at_once;
    bool registration_closed;
    // Accounts one address block (IPv4 /24, IPv6 /64) may register in an hour. 0: 10.
    uint32_t registrations_per_hour;
    const char *site; // what people call it, "https://chess.example"; links in letters begin so
    bool mail;        // letters can be sent; off: none is queued, and nobody needs to confirm
    PagesCaptchaWay captcha;
    const char *anonymizers; // file of addresses nobody may register from; NULL or empty: none
    const char *questions;   // file of questions in words; NULL or empty: those of the house
    // Called on the commit thread when a letter has been put into the queue: be short. NULL: nobody
    // wants to know.
    void (*mail_waits)(void *context);
    void *context; // handed to mail_waits
    // The same of notices by push; NULL: none are sent.
    void (*push_waits)(void *context);
    void *push_context;
} PagesConfig;

JD_MUST_USE bool pages_open(const PagesConfig *config, Pages **out, JdErr *err);
void pages_close(Pages *pages); // all workers are closed before; NULL is allowed

JD_MUST_USE bool pages_worker_open(Pages *pages, PagesWorker **out, JdErr *err);
void pages_worker_close(PagesWorker *worker); // NULL is allowed

// ---- what comes out -----------------------------------------------------------------------------

// Where an account stands in each list, by RatingList.
typedef struct PagesRatings {
    RatingPlayer lists[RATING_LISTS];
} PagesRatings;

// The account one is logged in to. Ids are random, positive and below 2^53, so JSON numbers hold
// them.
typedef struct PagesMe {
    int64_t account;
    int64_t created_ms;
    char nick[PAGES_NICK_SIZE];
    char language[4];                // "ru", "ro", "en"
    char email[PAGES_EMAIL_MAX + 1]; // empty: none
    // Waits to be confirmed and then takes the place of email; empty: none.
    char email_pending[PAGES_EMAIL_MAX + 1];
    // "admin moderator": what else than a player one is, by blanks.
    char roles[64];
    int64_t erase_after_ms;   // asked to be erased, and will be then; 0: not
    int64_t blocked_from_ms;  // by the administration (S-252); 0: not
    int64_t blocked_until_ms; // INT64_MAX: for ever
    uint16_t blocks;          // whom one has blocked: how many
    bool confirmed;           // the address is; where no mail is sent, everybody is (S-004)
    PagesRatings ratings;     // filled by pages_session only
} PagesMe;

// A session begun: the cookie's value and how long the browser keeps it.
typedef struct PagesSession {
    PagesMe me;
    char token[PAGES_TOKEN_TEXT + 1];
    int64_t max_age_s; // 0: until the browser closes
    bool hides;        // logged in through an anonymiser, and not for the first time (S-023)
} PagesSession;

// An address as IPv6 bytes (IPv4 as ::ffff:a.b.c.d). All limits per address count blocks: IPv4 /24,
// IPv6 /64.
typedef struct PagesAddress {
    uint8_t bytes[16];
} PagesAddress;
// Reads "192.0.2.1" or "2001:db8::1" (no port, no brackets, no zone).
JD_MUST_USE bool pages_address_parse(JdStr text, PagesAddress *out);

// Who a provider of OpenID Connect says a person is (S-010): checked by net.
#define PAGES_IDENTITY_TEXT 256
typedef struct PagesIdentity {
    char issuer[PAGES_IDENTITY_TEXT];
    char subject[PAGES_IDENTITY_TEXT];
    char provider[32];               // the operator's name of the issuer
    char label[64];                  // and what people are shown
    char email[PAGES_EMAIL_MAX + 1]; // empty: none told
    bool email_verified;             // by the provider
} PagesIdentity;

// ---- accounts and sessions ----------------------------------------------------------------------

typedef struct PagesRegister {
    JdStr nick;
    JdStr email; // empty: none
    JdStr password;
    JdStr password2;
    JdStr language;
    bool accept_rules;
    JdStr captcha; // the pass of pages_captcha_answer
    JdStr agent;   // User-Agent, for the list of devices
    JdStr token;   // the cookie that came along: another account's tells of one person (S-014)
    // NULL, or whom a provider vouches for: linked to the new account. An address is needed then,
    // and is confirmed at once when it is the one the provider has verified.
    const PagesIdentity *identity;
    PagesAddress address;
} PagesRegister;

// Makes an account and logs it in (a session of the browser: not remembered).
//
// Refuses, in this order: bad_text; rules_not_accepted; bad_request (language); closed; nick_*;
// email_bad; password_mismatch, _length, _weak; captcha_required, _expired; rate_limited;
// nick_taken. The pass of a captcha is spent by success alone.
//
// An e-mail address is optional; without a confirmed one, rated games are closed where mail is
// sent. It belongs to the account that confirms it; any number of others may state it. Registering
// answers alike whether it is known or not, so that addresses cannot be probed (S-004): a new
// address gets a letter with a link that confirms it, the owner of a known one is told.
JD_MUST_USE bool pages_register(PagesWorker *worker, const PagesRegister *form, JdInstant now,
                                PagesSession *out, PagesFault *fault);

typedef struct PagesLogin {
    JdStr login; // nick (any case or look-alike spelling of it) or e-mail
    JdStr password;
    JdStr old_token; // the cookie that came along, or empty; that session ends (S-017)
    bool remember;   // 30 days; otherwise until the browser closes, and 7 days idle on the server
    JdStr captcha;   // the pass of pages_captcha_answer; needed after three errors
    JdStr agent;     // User-Agent, for the list of devices
    const PagesIdentity *identity; // NULL, or what is linked to the account that is entered
    PagesAddress address;
} PagesLogin;

// One answer for an unknown login and a wrong password: bad_credentials, after the same work.
// 10 errors within an hour for one pair of account and address block pause that pair for 15
// minutes, 100 errors from one address block pause the block (rate_limited; S-013). A right
// password clears the pair. Several accounts with the same e-mail: the newest three are tried.
//
// A log-in through an anonymiser (PagesConfig.anonymizers) is noted for 30 days; from the third on
// out->hides says so, the tenth is reported to the administrators (S-023).
JD_MUST_USE bool pages_login(PagesWorker *worker, const PagesLogin *form, JdInstant now,
                             PagesSession *out, PagesFault *fault);

typedef struct PagesEnter {
    const PagesIdentity *identity;
    JdStr old_token;
    bool remember;
    JdStr agent;
} PagesEnter;
// Logs in whom a provider vouches for. An identity that is linked enters its account. One that is
// not enters, and is linked to, the account that has confirmed the same address, and only if the
// provider has verified it (S-011). *entered false (and true returned): neither, nothing happened.
JD_MUST_USE bool pages_identity_enter(PagesWorker *worker, const PagesEnter *form, JdInstant now,
                                      PagesSession *out, bool *entered, PagesFault *fault);
// Whether the password is the account's, counted as pages_login counts: asked before an identity is
// linked or unlinked, so that an open browser is not enough and a way to log in is always left.
JD_MUST_USE bool pages_identity_prove(PagesWorker *worker, int64_t account, JdStr password,
                                      const PagesAddress *address, JdInstant now,
                                      PagesFault *fault);
// identity_taken, identity_linked; the owner is told by letter.
JD_MUST_USE bool pages_identity_link(PagesWorker *worker, int64_t account,
                                     const PagesIdentity *identity, JdInstant now,
                                     PagesFault *fault);
// not_found: the account has no identity of that provider.
JD_MUST_USE bool pages_identity_unlink(PagesWorker *worker, int64_t account, JdStr provider,
                                       JdInstant now, PagesFault *fault);

#define PAGES_IDENTITIES_MAX 16
typedef struct PagesIdentities {
    size_t count;
    struct {
        char provider[32];
        char issuer[PAGES_IDENTITY_TEXT];
        char subject[PAGES_IDENTITY_TEXT];
        char email[PAGES_EMAIL_MAX + 1];
        int64_t linked_ms;
        int64_t used_ms; // 0: never
    } list[PAGES_IDENTITIES_MAX];
} PagesIdentities;
JD_MUST_USE bool pages_identities(PagesWorker *worker, int64_t account, PagesIdentities *out,
                                  PagesFault *fault);

// Ends the session of a token; an unknown one is no error.
JD_MUST_USE bool pages_logout(PagesWorker *worker, JdStr token, JdInstant now, PagesFault *fault);

// Who is behind a cookie. *found false (and true returned): nobody, a guest. Reads only, but for
// one write an hour that keeps an idle limit moving. A token that was replaced at a log-in more
// than a minute ago and is shown again was copied: every session of the account ends (S-017).
JD_MUST_USE bool pages_session(PagesWorker *worker, JdStr token, JdInstant now, PagesMe *out,
                               bool *found, PagesFault *fault);

typedef struct PagesPassword {
    int64_t account;
    JdStr token; // of the session that asks; it stays, all others end
    JdStr password;
    JdStr new_password;
    JdStr new_password2;
    PagesAddress address;
} PagesPassword;

// bad_credentials (field "password") for a wrong current password, counted like a failed log-in.
JD_MUST_USE bool pages_password_change(PagesWorker *worker, const PagesPassword *form,
                                       JdInstant now, PagesFault *fault);

// ---- captcha ------------------------------------------------------------------------------------

#define PAGES_CAPTCHA_PNG_MAX 196608 // bytes
#define PAGES_QUESTION_MAX 200       // bytes

typedef struct PagesCaptcha {
    char id[PAGES_TOKEN_TEXT + 1]; // of the question, or when passed: the pass
    bool passed;
    uint8_t way;   // PagesCaptchaWay
    uint8_t level; // 1 to 4
    uint8_t piece; // to look for: 0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king
    uint8_t side;  // cells in a row and in a column
    uint8_t grid;  // 1 or 2, of grids
    uint8_t grids;
    int64_t expires_ms;
    char question[PAGES_QUESTION_MAX + 1];
    size_t png_size;
    unsigned char png[PAGES_CAPTCHA_PNG_MAX];
} PagesCaptcha;

typedef struct PagesCaptchaAsk {
    PagesCaptchaWay way;
    JdStr language;
    JdStr email;      // PAGES_CAPTCHA_CODE
    JdStr instead_of; // the id of one that is given up for this (S-007), or empty
    bool no_pictures; // asked by a page that cannot show any (S-013)
    PagesAddress address;
} PagesCaptchaAsk;
// Asks something (S-006 to S-009). A house that asks questions only asks one whatever the way; one
// that shows pictures and sends mail asks a question only where there are no pictures. not_found:
// nothing is asked here; captcha_locked after 8 wrong answers in an hour from one address block;
// rate_limited: more than ten others in ten minutes; no_mail, email_bad.
JD_MUST_USE bool pages_captcha_ask(PagesWorker *worker, const PagesCaptchaAsk *ask, JdInstant now,
                                   PagesCaptcha *out, PagesFault *fault);

typedef struct PagesCaptchaAnswer {
    JdStr id;
    bool has_cells;
    uint32_t cells; // bit 0 is the upper left one, row by row
    JdStr text;
    PagesAddress address;
} PagesCaptchaAnswer;
// One answer to one question. Right: out is a pass (passed), good for five minutes and one use, or
// at level 4 a second grid. captcha_wrong: ask for another, which is harder (S-008);
// captcha_expired.
JD_MUST_USE bool pages_captcha_answer(PagesWorker *worker, const PagesCaptchaAnswer *answer,
                                      JdInstant now, PagesCaptcha *out, PagesFault *fault);

// ---- by letter ----------------------------------------------------------------------------------

// The link that confirms an address (S-004; 48 h). link_bad: used, expired, unknown, or another
// account has confirmed the address meanwhile. out: the account as it is now.
JD_MUST_USE bool pages_confirm(PagesWorker *worker, JdStr token, JdInstant now, PagesMe *out,
                               PagesFault *fault);
// Sends that letter again. not_found: nothing waits to be confirmed. Five letters an hour go to one
// address.
JD_MUST_USE bool pages_confirm_again(PagesWorker *worker, int64_t account, JdInstant now,
                                     PagesFault *fault);

typedef struct PagesEmail {
    int64_t account;
    JdStr password;
    JdStr email;
    PagesAddress address;
} PagesEmail;
// A new address (S-025): asks the password; a confirmed address stays until the new one is
// confirmed and gets a letter with a link that takes the change back, for 72 h.
JD_MUST_USE bool pages_email_change(PagesWorker *worker, const PagesEmail *form, JdInstant now,
                                    PagesMe *out, PagesFault *fault);

// A forgotten password (S-015): a letter with a link that works once, for an hour. Answers alike,
// and after the same work, whether anybody has the address. no_mail; email_bad; captcha_*;
// rate_limited (10 an hour from one address block).
JD_MUST_USE bool pages_recover(PagesWorker *worker, JdStr email, JdStr captcha,
                               const PagesAddress *address, JdInstant now, PagesFault *fault);
// The new password by a link of pages_recover, or by one that takes a change back (S-025: the
// address that was changed comes back too). Ends every session; *account is whose they were.
JD_MUST_USE bool pages_link_password(PagesWorker *worker, JdStr token, JdStr password,
                                     JdStr password2, JdInstant now, int64_t *account,
                                     PagesFault *fault);

// Sets preferences; an empty text leaves one as it is.
JD_MUST_USE bool pages_prefs(PagesWorker *worker, int64_t account, JdStr language, PagesMe *out,
                             PagesFault *fault);

// ---- devices (S-021, S-022) ---------------------------------------------------------------------

#define PAGES_AGENT_SIZE 32 // "Firefox, Linux"

typedef struct PagesDevice {
    int64_t id;
    int64_t created_ms;
    int64_t seen_ms; // to the hour
    char agent[PAGES_AGENT_SIZE];
    bool own; // the one that asks
} PagesDevice;
typedef struct PagesDevices {
    size_t count;
    PagesDevice list[PAGES_SESSIONS_MAX];
} PagesDevices;
JD_MUST_USE bool pages_devices(PagesWorker *worker, int64_t account, JdStr token, JdInstant now,
                               PagesDevices *out, PagesFault *fault);
// Signs one out; not_found when it is none of the account's.
JD_MUST_USE bool pages_device_end(PagesWorker *worker, int64_t account, int64_t device,
                                  PagesFault *fault);

#define PAGES_REPORT_MAX 4000 // bytes
// "My account was used by someone else" (S-021): every other device is signed out, a new password
// is set, and the administrators are told, with what the player has to say (may be empty).
JD_MUST_USE bool pages_misuse(PagesWorker *worker, const PagesPassword *form, JdStr text,
                              JdInstant now, PagesFault *fault);

// A word to the administrators: against a block (S-024), or about anything. Five an hour.
JD_MUST_USE bool pages_appeal(PagesWorker *worker, int64_t account, JdStr text, JdInstant now,
                              PagesFault *fault);

// ---- blocking a player (X-016) ------------------------------------------------------------------

#define PAGES_IGNORED_MAX 200 // as LIVE_BLOCKED_MAX

typedef struct PagesIgnored {
    char nick[PAGES_NICK_SIZE];
    int64_t created_ms;
} PagesIgnored;
typedef struct PagesIgnoredList {
    size_t count;
    PagesIgnored list[PAGES_IGNORED_MAX];
} PagesIgnoredList;
JD_MUST_USE bool pages_ignored_list(PagesWorker *worker, int64_t account, PagesIgnoredList *out,
                                    PagesFault *fault);
// The same as numbers, for live.
JD_MUST_USE bool pages_ignored(PagesWorker *worker, int64_t account, int64_t out[PAGES_IGNORED_MAX],
                               size_t *count, PagesFault *fault);
// Blocks a player, or takes it back. not_found; bad_request for oneself; too_many_blocks.
JD_MUST_USE bool pages_ignore(PagesWorker *worker, int64_t account, JdStr nick, bool remove,
                              JdInstant now, PagesFault *fault);

// ---- leaving (X-009) ----------------------------------------------------------------------------

// Asks to be erased in fourteen days; every session ends. Running games are live's business (net
// ends them).
JD_MUST_USE bool pages_account_delete(PagesWorker *worker, int64_t account, JdStr password,
                                      const PagesAddress *address, JdInstant now,
                                      PagesFault *fault);
// Changes one's mind; not_found when nothing was asked.
JD_MUST_USE bool pages_account_stay(PagesWorker *worker, int64_t account, JdInstant now,
                                    PagesMe *out, PagesFault *fault);
#define PAGES_ERASED_MAX 20
typedef struct PagesErased {
    size_t count;
    int64_t accounts[PAGES_ERASED_MAX];
} PagesErased;
// Erases the persons whose day has come, twenty at most in one call.
//
// Nick, e-mail, password, language, sessions go. Games stay, played by a "former player"; nobody
// can take the nick again.
JD_MUST_USE bool pages_erase_due(PagesWorker *worker, JdInstant now, PagesErased *out,
                                 PagesFault *fault);

// ---- administration -----------------------------------------------------------------------------

#define PAGES_ADMIN_TEXT 32768
#define PAGES_ADMIN_WORDS 8

typedef struct PagesAdmin {
    char text[PAGES_ADMIN_TEXT]; // for the operator, lines; a refusal too
    size_t size;
    bool ok;
    // What live must be told.
    int64_t account;            // 0: nothing
    char nick[PAGES_NICK_SIZE]; // renamed to this; empty: not renamed
    bool blocked;               // blocked now: games end, connections close
    bool erased;                // a former player now
} PagesAdmin;
// One command of `jadoube admin`, as words: role NICK ROLE, unrole NICK ROLE, roles, rename NICK
// NEW, block NICK REASON [DAYS], unblock NICK REASON, erase NICK, word TEXT, unword TEXT, words,
// reports, audit. All that changes something leaves a line in the audit log. False when the store
// fails.
JD_MUST_USE bool pages_admin(PagesWorker *worker, const JdStr *words, size_t count, JdInstant now,
                             PagesAdmin *out, PagesFault *fault);
// What is written to the players of a game whose result was corrected (S-104).
typedef struct PagesCorrection {
    int64_t players[2];
    JdStr link; // to the game
    JdStr before;
    JdStr after;
    JdStr reason;
} PagesCorrection;
JD_MUST_USE bool pages_correction_letters(PagesWorker *worker, const PagesCorrection *correction,
                                          JdInstant now, PagesFault *fault);
// Accounts that are blocked now, and former players whose games still run, for net to end what they
// have going at start; at most capacity.
JD_MUST_USE bool pages_sanctioned(PagesWorker *worker, JdInstant now, int64_t *out, size_t capacity,
                                  size_t *count, PagesFault *fault);

// ---- who is not a person with a password
// ---------------------------------------------------------

// Makes an account for a guest, who may play against the computer and nothing more, and logs it in
// for 30 days. Its nick is drawn; guests whose 30 days are over are erased in passing.
// Refuses: bad_request (language), rate_limited (60 an hour and address block).
JD_MUST_USE bool pages_guest(PagesWorker *worker, JdStr language, const PagesAddress *address,
                             JdInstant now, PagesSession *out, PagesFault *fault);
// Whether a nick is a guest's.
bool pages_is_guest(JdStr nick);

// The accounts "computer-1" to "computer-<count>", made where they are missing; accounts has room
// for count of them.
JD_MUST_USE bool pages_computers(PagesWorker *worker, size_t count, PagesMe *accounts,
                                 JdInstant now, PagesFault *fault);
// The level of the computer with that nick; 0: a person.
int pages_level_of(JdStr nick);

// ---- letters ------------------------------------------------------------------------------------

#define PAGES_MAIL_WORDS 6
#define PAGES_MAIL_SUBJECT 400 // bytes
#define PAGES_MAIL_BODY 16384  // bytes

typedef struct PagesMailWord {
    const char *name; // "link" for {link} in the text
    JdStr value;
} PagesMailWord;

// One letter. Its text is the section `kind` of data/mail.*.txt; {nick} and {site} are known there.
typedef struct PagesMail {
    const char *kind;
    int64_t account;   // to its confirmed address, in its language; 0: only to `address`
    JdStr address;     // not empty: to this address, whatever the account's
    JdStr language;    // not empty: in this language, whatever the account's
    JdStr unsubscribe; // an address (https://...) that ends such letters by a POST (RFC 8058)
    PagesMailWord words[PAGES_MAIL_WORDS];
} PagesMail;

// Inside a store job: puts the letter into the queue, with the group it is sent. True with nothing
// queued when this house sends no mail or the account has no confirmed address. False (err) when
// the kind is unknown or a word of its text was not given.
JD_MUST_USE bool pages_mail_enqueue(Pages *pages, StoreDb *db, const PagesMail *mail, JdInstant now,
                                    JdErr *err);

typedef struct PagesLetter {
    int64_t id;
    int64_t created_ms;
    uint32_t tries; // with this one
    bool last_try;  // when it comes to nothing, the letter is given up (pages_mail_done)
    char kind[32];
    char to[PAGES_EMAIL_MAX + 1];
    char subject[PAGES_MAIL_SUBJECT + 1];
    char body[PAGES_MAIL_BODY + 1];
    char unsubscribe[512];
} PagesLetter;

// For the thread that sends: the letter that is due first. It is tried again after 5
// seconds, 1, 5, 15 minutes, 1, 2, 4, 8 hours and then every 8 hours, if pages_mail_done is not
// called; given up after two days. *found false: none is due, the next one at *next_ms (INT64_MAX:
// none waits).
JD_MUST_USE bool pages_mail_take(Pages *pages, JdInstant now, PagesLetter *out, bool *found,
                                 int64_t *next_ms, JdErr *err);
// Taken by the mail server, refused for good, or given up: the letter is removed.
JD_MUST_USE bool pages_mail_done(Pages *pages, int64_t letter, JdErr *err);

// A text of the pages that the server writes itself (data/plain.*.txt), words filled in.
void pages_plain_text(JdStr language, const char *name, const PagesMailWord *words, size_t count,
                      JdOut *out);
// The same of a longer text, in lines.
void pages_plain_page(JdStr language, const char *name, const PagesMailWord *words, size_t count,
                      JdOut *out);

// ---- players and their games --------------------------------------------------------------------

typedef struct PagesPlayer {
    int64_t account;
    int64_t created_ms;
    char nick[PAGES_NICK_SIZE];
    uint32_t games; // ended with a result; aborted and annulled ones are in no count
    uint32_t wins;
    uint32_t draws; // half a point
    uint32_t losses;
    bool hidden; // shows nobody whether he is there
} PagesPlayer;

// A player by nick (any case or look-alike spelling); not_found for none or a deleted one.
JD_MUST_USE bool pages_player(PagesWorker *worker, JdStr nick, PagesPlayer *out, PagesFault *fault);

// One row of a list of games: the projection's row and the nicks as they are now.
typedef struct PagesGameRow {
    StoreGameRow game;
    char white[PAGES_NICK_SIZE]; // empty: former player
    char black[PAGES_NICK_SIZE];
    // By ChessColor: before the game where it was rated, else as it is now.
    RatingPlayer standing[2];
} PagesGameRow;

typedef struct PagesGames {
    size_t count;
    PagesGameRow rows[PAGES_LIST_MAX];
    char after[PAGES_CURSOR_SIZE]; // cursor of the next page; empty: this was the last
} PagesGames;

// Ended games of a player, newest end first. Running games are live's.
// limit   1 to PAGES_LIST_MAX rows; 0: 20
// after   cursor of the page before, or empty; bad_request (field "after") when it is not one
JD_MUST_USE bool pages_player_games(PagesWorker *worker, JdStr nick, uint32_t limit, JdStr after,
                                    PagesGames *out, PagesFault *fault);

// Which finished games are looked for.
typedef struct PagesFilter {
    JdStr player;    // nick of White or Black; empty: anybody
    JdStr result;    // "1-0" ...; empty: any
    int list;        // RatingList; -1: any
    int edition;     // LawsEdition; -1: any
    int64_t from_ms; // ended from then on
    int64_t to_ms;   // and before then
    uint32_t limit;  // 1 to PAGES_LIST_MAX; 0: 20
    JdStr after;     // cursor of the page before
} PagesFilter;
#define PAGES_PGN_MAX 500 // games of one export

// Games with a result that fit, newest end first. not_found: there is no such player.
JD_MUST_USE bool pages_search(PagesWorker *worker, const PagesFilter *filter, PagesGames *out,
                              PagesFault *fault);

// Nicks of accounts by id, for games read back from the log. One empty nick for each unknown or
// deleted account. count is at most PAGES_NICKS_MAX.
typedef struct PagesNick {
    char text[PAGES_NICK_SIZE];
} PagesNick;
JD_MUST_USE bool pages_nicks(PagesWorker *worker, const int64_t *accounts, size_t count,
                             PagesNick *out, PagesFault *fault);

// ---- people -------------------------------------------------------------------------------------

// What one player says of another. Numbers stand in the database.
typedef enum PagesRelation {
    PAGES_FOLLOWS = 1,
    PAGES_FRIEND = 2, // a friendship when both say so
} PagesRelation;

typedef enum PagesStanding {
    PAGES_IS_FOLLOWED = 1,
    PAGES_IS_FRIEND = 2,
    PAGES_IS_ASKED = 3, // I have called him a friend, he has not yet
    PAGES_ASKS = 4,     // the other way round
} PagesStanding;

#define PAGES_PEOPLE_MAX 200 // of one kind

typedef struct PagesPerson {
    uint8_t standing; // PagesStanding
    bool hidden;      // shows nobody whether he is there
    int64_t account;
    char nick[PAGES_NICK_SIZE];
} PagesPerson;
typedef struct PagesPeople {
    size_t count;
    PagesPerson list[4 * PAGES_PEOPLE_MAX];
} PagesPeople;

// What the other is to be told of it, which stands behind his bell.
typedef struct PagesRelated {
    int64_t other;
    const char *kind; // "friend_asks", "friend"; NULL: nothing
} PagesRelated;

// Says it, or takes it back; the end of a friendship is one of both sides. Refuses not_found, and
// bad_request for oneself, too_many_people.
JD_MUST_USE bool pages_relate(PagesWorker *worker, int64_t account, JdStr nick, PagesRelation kind,
                              bool on, JdInstant now, PagesRelated *related, PagesFault *fault);
JD_MUST_USE bool pages_people(PagesWorker *worker, int64_t account, PagesPeople *out,
                              PagesFault *fault);

// ---- ratings ------------------------------------------------------------------------------------

// The standing of an account in all lists; the defaults where it has played no rated game.
JD_MUST_USE bool pages_ratings(PagesWorker *worker, int64_t account, PagesRatings *out,
                               PagesFault *fault);

// What a game did to its players' ratings, by ChessColor; *found is false when it was not rated.
JD_MUST_USE bool pages_rated_game(PagesWorker *worker, const StoreId *game, RatingChange out[2],
                                  bool *found, PagesFault *fault);

#define PAGES_RATINGS_MAX 100       // rows of one answer
#define PAGES_GRAPH_MAX 1000        // points of a graph
#define PAGES_TABLE_CURSOR_SIZE 112 // bytes with NUL

typedef struct PagesTableQuery {
    RatingList list;
    bool all;       // of the table: also who has not played for twelve months
    uint32_t limit; // 1 to PAGES_RATINGS_MAX; 0: 50
    JdStr after;    // cursor of the page before, or empty
} PagesTableQuery;

// S-119: a list by rating, then by games; equals share a place.
typedef struct PagesRatingRow {
    uint32_t place;
    char nick[PAGES_NICK_SIZE];
    RatingPlayer standing;
    uint32_t wins, draws, losses;
    int32_t month; // the change in the last 30 days
    int64_t last_ms;
} PagesRatingRow;
typedef struct PagesRatingTable {
    size_t count;
    PagesRatingRow rows[PAGES_RATINGS_MAX];
    char after[PAGES_TABLE_CURSOR_SIZE]; // empty: this was the last page
} PagesRatingTable;
JD_MUST_USE bool pages_rating_table(PagesWorker *worker, const PagesTableQuery *query,
                                    JdInstant now, PagesRatingTable *out, PagesFault *fault);

// A player's standing in one list.
typedef struct PagesListStanding {
    RatingPlayer standing;
    uint32_t wins, draws, losses;
    uint32_t place;  // among those who played in the last twelve months; 0: none
    int64_t last_ms; // 0: never
} PagesListStanding;
typedef struct PagesPlayerRatings {
    int64_t account;
    PagesListStanding lists[RATING_LISTS];
} PagesPlayerRatings;
JD_MUST_USE bool pages_player_ratings(PagesWorker *worker, JdStr nick, JdInstant now,
                                      PagesPlayerRatings *out, PagesFault *fault);

// S-120: a row for each rated game, newest first.
typedef struct PagesChangeRow {
    StoreId game;
    int64_t ended_ms;
    uint8_t color;       // ChessColor
    uint8_t half_points; // own
    int32_t opponent_rating;
    RatingChange change;
    char opponent[PAGES_NICK_SIZE]; // empty: former player
} PagesChangeRow;
typedef struct PagesRatingHistory {
    size_t count;
    PagesChangeRow rows[PAGES_RATINGS_MAX];
    char after[PAGES_TABLE_CURSOR_SIZE];
} PagesRatingHistory;
JD_MUST_USE bool pages_rating_history(PagesWorker *worker, JdStr nick, const PagesTableQuery *query,
                                      PagesRatingHistory *out, PagesFault *fault);

// The rating after each game, oldest first; where these are more than PAGES_GRAPH_MAX, after the
// last game of each day, and no more than that of the newest.
typedef struct PagesRatingPoint {
    int64_t ended_ms;
    int32_t rating;
} PagesRatingPoint;
typedef struct PagesRatingGraph {
    size_t count;
    PagesRatingPoint points[PAGES_GRAPH_MAX];
} PagesRatingGraph;
JD_MUST_USE bool pages_rating_graph(PagesWorker *worker, JdStr nick, RatingList list,
                                    PagesRatingGraph *out, PagesFault *fault);

// What became of one game.
typedef struct PagesRated {
    StoreId game;
    bool counts; // false: it was counted, and is so no more
    int64_t players[2];
    RatingChange change[2];   // valid when it counts
    PagesRatings standing[2]; // of the players now
} PagesRated;

#define PAGES_RATED_MAX 64
typedef struct PagesRatedGames {
    size_t count;
    bool more; // there is more to count: call again
    PagesRated list[PAGES_RATED_MAX];
} PagesRatedGames;

// Counts the rated games that have ended since the last call, in the order of their ends (S-112),
// and anew whatever a corrected result changes (S-104). At most so many games at once; those whose
// change is new come out. Calls one at a time.
JD_MUST_USE bool pages_rate(PagesWorker *worker, PagesRatedGames *out, PagesFault *fault);

// ---- rules that stand alone (pure; also for tests and the form's live check) --------------------

// ---- chat
// -----------------------------------------------------------------------------------------

#define PAGES_LINE_SIZE 1232 // bytes with the NUL of a line, whatever its characters
#define PAGES_CHAT_MAX 200   // lines of one answer

typedef struct PagesLine {
    char text[PAGES_LINE_SIZE];
} PagesLine;

// A line as it is kept: NFC, blanks and line ends folded into single spaces, none at the ends; may
// be empty. bad_text, too_long (more than characters_max code points). Reads no database: callable
// from any thread.
JD_MUST_USE bool pages_line(JdStr text, size_t characters_max, PagesLine *out, PagesFault *fault);

typedef enum PagesRoom { PAGES_ROOM_PLAYERS = 1, PAGES_ROOM_WATCHERS = 2 } PagesRoom;

typedef struct PagesChatAsk {
    JdStr game;
    uint8_t room;    // PagesRoom
    int64_t account; // who asks; 0: a guest
    int64_t before;  // only lines below that number; 0: the newest
} PagesChatAsk;

typedef struct PagesChatLine {
    int64_t seq;
    int64_t account;
    int64_t time_ms;
    char nick[PAGES_NICK_SIZE]; // empty: a former player
    char text[PAGES_LINE_SIZE];
} PagesChatLine;

typedef struct PagesChat {
    int64_t white; // accounts of the players
    int64_t black;
    size_t count;
    PagesChatLine lines[PAGES_CHAT_MAX]; // oldest first
} PagesChat;

// The last lines of a room of a game. not_found; auth_required and forbidden for the players' room.
JD_MUST_USE bool pages_chat(PagesWorker *worker, const PagesChatAsk *ask, PagesChat *out,
                            PagesFault *fault);

// Rules S-002, S-003 but for "taken". Writes the nick in NFC. err.code is a PagesCode, field
// "nick".
JD_MUST_USE bool pages_nick_check(JdStr nick, PagesNick *out, JdErr *err);

// What two nicks that look alike have in common; false when the text cannot be a nick at all.
#define PAGES_SKELETON_SIZE 128
JD_MUST_USE bool pages_nick_skeleton(JdStr nick, char out[PAGES_SKELETON_SIZE]);

// S-005 but for "mismatch". nick and email may be empty. err.code is a PagesCode.
JD_MUST_USE bool pages_password_check(JdStr password, JdStr nick, JdStr email, JdErr *err);

// Syntax of an address, and its form for comparing (domain in lower case, +tag stripped).
JD_MUST_USE bool pages_email_check(JdStr email, char key[PAGES_EMAIL_MAX + 1], JdErr *err);

#include "pages/bell.h"
#include "pages/notices.h"
#include "pages/push.h"
#include "pages/settings.h"
#include "pages/vacation.h"

#endif
