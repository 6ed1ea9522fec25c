// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files of pages share. Nobody outside src/pages includes this.
#ifndef PAGES_INTERNAL_H
#define PAGES_INTERNAL_H

#include <pthread.h>
#include <sodium.h>

#include "pages/pages.h"

// ---- refusals (pages.c) -------------------------------------------------------------------------

// Fills the fault; always false.
bool refuse(PagesFault *fault, PagesCode code, const char *field, const char *format, ...)
    JD_FORMAT(4, 5);
// The store's error as one of pages': a store that cannot write now is "unavailable".
bool refuse_store(PagesFault *fault, const JdErr *err);
// Text from outside: well-formed, without NUL and bidi overrides, at most size_max bytes.
JD_MUST_USE bool check_text(JdStr text, const char *field, size_t size_max, JdErr *err);

// The rule's own fault as a service's; fields of the rule have the names of the form.
bool refuse_as(PagesFault *fault, const JdErr *err, const char *field);
bool rate_limited(PagesFault *fault, uint32_t wait_s);

// ---- text (text.c) ------------------------------------------------------------------------------

#define CODE_POINTS_MAX 512 // of any text that is normalised here

typedef struct CodePoints {
    int32_t at[CODE_POINTS_MAX];
    size_t count;
} CodePoints;
// NFC; false when the text is not UTF-8 or has more than CODE_POINTS_MAX code points on the way.
JD_MUST_USE bool text_nfc(JdStr text, CodePoints *out);
// For comparing: compatibility decomposition, case folded, without marks.
JD_MUST_USE bool text_folded(JdStr text, CodePoints *out);
// NFC with case folded; marks stay.
JD_MUST_USE bool text_lower(JdStr text, CodePoints *out);
// As UTF-8; true when it fits, with a NUL.
JD_MUST_USE bool text_write(const CodePoints *points, char *out, size_t capacity);

// ---- texts of the server (mail.c; the tables are written by data/embed_texts.py) ----------------

typedef struct PagesText {
    const char *language;
    const char *name;
    const char *subject;
    const char *text;
} PagesText;
extern const PagesText mail_texts[];
extern const size_t mail_texts_count;
extern const PagesText plain_texts[];
extern const size_t plain_texts_count;
extern const PagesText push_texts[];
extern const size_t push_texts_count;
// In the language, else in English; NULL: there is none of that name.
const PagesText *text_find(const PagesText *texts, size_t count, JdStr language, const char *name);
// Writes the text with {name} replaced; false with *missing at a brace that no word answers.
JD_MUST_USE bool text_fill(const char *text, const PagesMailWord *words, size_t count, JdOut *out,
                           const char **missing);

// ---- words no nick may be (nick_words.c, obscene.c) ---------------------------------------------

extern const char *const reserved_nicks[];
extern const size_t reserved_nick_count;

typedef enum WordPlace { WORD_ANYWHERE, WORD_START, WORD_WHOLE } WordPlace;
typedef struct ObsceneWord {
    const char *text; // as it is spelt, in its own script, lower case
    WordPlace place;
} ObsceneWord;
extern const ObsceneWord obscene_words[];
extern const size_t obscene_word_count;
extern const ObsceneWord innocent_words[]; // that hold one of those, or sound like one
extern const size_t innocent_word_count;
bool is_obscene(const CodePoints *nick);
// Whether the nick holds the word, however it is spelt.
bool is_word_in(const CodePoints *nick, const char *word);

// ---- passwords (password.c) ---------------------------------------------------------------------

extern const char *const common_passwords[];
extern const size_t common_password_count;

#define PASSWORD_HASH_SIZE crypto_pwhash_STRBYTES

typedef struct HashSlots {
    pthread_mutex_t mutex;
    pthread_cond_t freed;
    uint32_t free;
    unsigned long long passes;
    size_t memory_bytes;
    char dummy[PASSWORD_HASH_SIZE]; // of a password nobody knows, at today's cost
} HashSlots;
JD_MUST_USE bool hash_open(HashSlots *slots, const PagesConfig *config, JdErr *err);
void hash_close(HashSlots *slots);
JD_MUST_USE bool hash_make(HashSlots *slots, JdStr password, char out[PASSWORD_HASH_SIZE]);
// hash NULL: the same work, and false.
bool hash_verify(HashSlots *slots, JdStr password, const char *hash);
bool hash_is_outdated(const HashSlots *slots, const char *hash);

// ---- limits (limits.c) --------------------------------------------------------------------------

// So many marks within a window, then a pause. All in memory, of fixed size.
typedef struct LimitRule {
    uint32_t most;
    int64_t window_ms;
    int64_t pause_ms; // 0: until the window ends
} LimitRule;

typedef struct LimitEntry {
    uint64_t key; // 0: free
    int64_t first_ms;
    int64_t last_ms;
    int64_t paused_until_ms;
    uint32_t count;
    uint32_t reserved;
} LimitEntry;

#define LIMIT_SETS 1024
#define LIMIT_WAYS 8

typedef struct Limit {
    LimitRule rule;
    pthread_mutex_t mutex;
    unsigned char secret[crypto_shorthash_KEYBYTES]; // nobody can aim at a set
    LimitEntry (*sets)[LIMIT_WAYS];
} Limit;
JD_MUST_USE bool limit_open(Limit *limit, LimitRule rule);
void limit_close(Limit *limit);
// Marks within the window.
uint32_t limit_count(Limit *limit, JdStr key, JdInstant now);
// Counts one more; false when the key is paused, with the seconds to wait.
JD_MUST_USE bool limit_take(Limit *limit, JdStr key, JdInstant now, uint32_t *wait_s);
// Only looks.
JD_MUST_USE bool limit_allows(Limit *limit, JdStr key, JdInstant now, uint32_t *wait_s);
void limit_give_back(Limit *limit, JdStr key, JdInstant now); // one
void limit_forget(Limit *limit, JdStr key);                   // all, and the pause

#define BLOCK_SIZE 9
// The address block as bytes: IPv4 /24, IPv6 /64.
void address_block(const PagesAddress *address, unsigned char out[BLOCK_SIZE]);

// ---- networks (nets.c) --------------------------------------------------------------------------

// One "address" or "address/bits" a line (S-023).
typedef struct Nets {
    struct Net *list;
    size_t count;
} Nets;
JD_MUST_USE bool nets_open(const char *path, Nets *out, JdErr *err);
void nets_close(Nets *nets);
bool nets_hold(const Nets *nets, const PagesAddress *address);

// ---- captcha (captcha.c) ------------------------------------------------------------------------

typedef struct Captchas Captchas;
JD_MUST_USE bool captcha_open(const PagesConfig *config, Captchas **out, JdErr *err);
void captcha_close(Captchas *captchas); // NULL is allowed
// Whether the pass is good (it always is where nothing is asked); spend: it is good no more.
JD_MUST_USE bool captcha_has_pass(Pages *pages, JdStr pass, JdInstant now, bool spend,
                                  PagesFault *fault);

// ---- files of the operator (pages.c) ------------------------------------------------------------

#define FILE_TEXT_MAX ((size_t)1024 * 1024)
JD_MUST_USE bool file_read(const char *path, char *out, size_t capacity, size_t *size, JdErr *err);

// ---- the state ----------------------------------------------------------------------------------

struct Pages {
    PagesConfig config;
    HashSlots hashes;
    Limit pair_errors;       // account (or what was typed for one) and address block
    Limit block_errors;      // address block
    Limit registrations;     // address block
    Limit recoveries;        // address block
    Limit captcha_errors;    // address block
    Limit captcha_level;     // address block: wrong answers since the last right one
    Limit captcha_refreshes; // address block
    Captchas *captchas;
    Nets anonymizers;
    struct WordList *words; // guarded by mutex
    Limit letters;          // e-mail address
    Limit guests;           // address block
    unsigned workers;
    pthread_mutex_t mutex; // guards workers and words
};

struct PagesWorker {
    Pages *pages;
    StoreDb *db;
};

// ---- accounts (account.c) -----------------------------------------------------------------------

typedef struct Account {
    PagesMe me;                              // but for what account_me adds
    char hash[PASSWORD_HASH_SIZE];           // empty: deleted
    char email_pending[PAGES_EMAIL_MAX + 1]; // waits to be confirmed; empty: none
    bool email_confirmed;
} Account;
// Reads the columns of an "account row".
void account_of_row(StoreStmt *row, Account *out);
// True with *found false when there is none, or it was deleted.
JD_MUST_USE bool account_by_id(StoreDb *db, int64_t id, Account *out, bool *found, JdErr *err);
JD_MUST_USE bool account_by_skeleton(StoreDb *db, const char *skeleton, Account *out, bool *found,
                                     JdErr *err);
// The account of somebody who is logged in, or "auth_required".
JD_MUST_USE bool account_own(PagesWorker *worker, int64_t id, Account *out, PagesFault *fault);
// The account as its owner sees it.
PagesMe account_me(const Pages *pages, const Account *account);
// Inside a job: whether the account is as it was when its password was checked.
JD_MUST_USE bool account_unchanged(StoreDb *db, const Account *account, bool *unchanged,
                                   JdErr *err);
JD_MUST_USE bool account_set_hash(StoreDb *db, int64_t account, const char *hash, JdErr *err);
// A wrong password, counted; false with the fault filled when paused or wrong.
JD_MUST_USE bool account_prove(PagesWorker *worker, const Account *account, JdStr password,
                               const PagesAddress *address, JdInstant now, PagesFault *fault);

JD_MUST_USE bool check_language(JdStr language, PagesFault *fault);
JD_MUST_USE bool check_new_password(JdStr password, JdStr again, JdStr nick, JdStr email,
                                    const char *field, const char *field2, PagesFault *fault);
// Text that is known to fit, with NULs to the end.
void copy_text(char *out, size_t size, JdStr text);

// ---- settings (prefs.c) -------------------------------------------------------------------------

// Inside jobs: the chosen layout has another name (NULL: it is gone); what the account has set is
// forgotten.
JD_MUST_USE bool prefs_layout_renamed(StoreDb *db, int64_t account, const char *from,
                                      const char *to, JdErr *err);
JD_MUST_USE bool settings_erase(StoreDb *db, int64_t account, JdErr *err);
// ---- people (people.c) --------------------------------------------------------------------------

// Inside a job: nobody's friend any more.
JD_MUST_USE bool people_erase(StoreDb *db, int64_t account, JdErr *err);

// ---- notices by push, the bell (push.c, bell.c) -------------------------------------------------

typedef struct PushNotice {
    const char *kind; // a section of data/push.*.txt
    int64_t account;
    int64_t subscription; // 0: all of the account
    JdStr path;           // of the page it opens
    JdStr tag;            // one that waits with the same tag is not sent any more
    int64_t lives_ms;     // worth telling for so long
    bool urgent;
    PagesMailWord words[PAGES_MAIL_WORDS];
} PushNotice;
// Inside a job.
JD_MUST_USE bool push_enqueue(Pages *pages, StoreDb *db, const PushNotice *notice, JdInstant now,
                              JdErr *err);
JD_MUST_USE bool push_erase(StoreDb *db, int64_t account, JdErr *err);
// Inside a job: a line more behind the bell of account, about other; *rang false: it stands there.
JD_MUST_USE bool bell_add(StoreDb *db, int64_t account, const char *kind, int64_t other,
                          JdInstant now, bool *rang, JdErr *err);
JD_MUST_USE bool bell_erase(StoreDb *db, int64_t account, JdErr *err);

// ---- players (player.c) ------------------------------------------------------------------------

// The account of a nick; not_found for none or a deleted one.
JD_MUST_USE bool player_find(PagesWorker *worker, JdStr nick, int64_t *account, PagesFault *fault);

// ---- ratings (ratings.c) ------------------------------------------------------------------------

JD_MUST_USE bool ratings_read(StoreDb *db, int64_t account, PagesRatings *out, JdErr *err);

// ---- identities (identity.c) --------------------------------------------------------------------

// Inside a job: links the identity, unless *code says why not (nothing is written then).
JD_MUST_USE bool identity_attach(Pages *pages, StoreDb *db, int64_t account,
                                 const PagesIdentity *identity, JdInstant now, PagesCode *code,
                                 JdErr *err);
// Inside a job: whether it could be linked to a new account.
JD_MUST_USE bool identity_free(StoreDb *db, const PagesIdentity *identity, bool *free, JdErr *err);
bool identity_refuse(PagesFault *fault, PagesCode code);
// Inside a job: none opens the account any more.
JD_MUST_USE bool identities_forget(StoreDb *db, int64_t account, JdErr *err);

// ---- sessions (session.c) -----------------------------------------------------------------------

#define TOKEN_BYTES 32
#define TOKEN_HASH_SIZE 32

typedef struct NewSession {
    char token[PAGES_TOKEN_TEXT + 1];
    unsigned char hash[TOKEN_HASH_SIZE];
    bool remember;
    JdInstant now;
    int64_t device; // by which the list of devices names it
    char agent[PAGES_AGENT_SIZE];
} NewSession;
void session_draw(NewSession *session, bool remember, JdInstant now);
// Inside a job: inserts it and puts the account's old ones in order.
JD_MUST_USE bool session_insert(StoreDb *db, const NewSession *session, int64_t account,
                                JdErr *err);
// Inside a job: the token was replaced by another.
JD_MUST_USE bool session_retire(StoreDb *db, JdStr token, JdInstant now, JdErr *err);
int64_t session_max_age_s(const NewSession *session);
void session_out(PagesSession *out, const PagesMe *me, const NewSession *session);
// False when the text cannot be a token.
bool token_hash(JdStr token, unsigned char out[TOKEN_HASH_SIZE]);

// ---- devices, leaving, administration (devices.c, leaving.c, admin.c) ---------------------------

// Inside a job: all that is personal goes at once.
JD_MUST_USE bool account_erase(StoreDb *db, int64_t account, JdInstant now, JdErr *err);
// "2026-11-30" in UTC.
void date_write(int64_t ms, char out[static 32]);
// "Firefox, Linux" out of a User-Agent; empty when it says nothing.
void agent_name(JdStr agent, char out[PAGES_AGENT_SIZE]);
// Inside a job: a word to the administrators, by letter too.
JD_MUST_USE bool report_insert(Pages *pages, StoreDb *db, const Account *from, const char *kind,
                               JdStr text, JdInstant now, JdErr *err);
// The operator's own words beside those of nick_words.c (S-003).
JD_MUST_USE bool words_open(Pages *pages, JdErr *err);
void words_close(Pages *pages);
bool words_forbid(Pages *pages, JdStr nick);

// ---- links in letters (ticket.c, letters.c) -----------------------------------------------------

#define TICKET_LINK_SIZE 640

typedef enum TicketKind { TICKET_CONFIRM, TICKET_RECOVER, TICKET_UNDO } TicketKind;

typedef struct Ticket {
    TicketKind kind;
    int64_t account;
    char email[PAGES_EMAIL_MAX + 1]; // empty: none
    char email_key[PAGES_EMAIL_MAX + 1];
} Ticket;
// All of these inside a job, but for ticket_find, which may read on a worker too.
JD_MUST_USE bool ticket_make(Pages *pages, StoreDb *db, const Ticket *ticket, JdInstant now,
                             char link[TICKET_LINK_SIZE], JdErr *err);
JD_MUST_USE bool ticket_find(StoreDb *db, const unsigned char hash[TOKEN_HASH_SIZE], JdInstant now,
                             Ticket *out, bool *found, JdErr *err);
JD_MUST_USE bool tickets_drop(StoreDb *db, int64_t account, TicketKind kind, JdErr *err);
// The account that has confirmed an address; 0: none.
JD_MUST_USE bool email_owner(StoreDb *db, const char *email_key, int64_t *out, JdErr *err);
// Inside a job: the account's address; confirmed when the instant is above 0.
JD_MUST_USE bool email_set(StoreDb *db, int64_t account, const char *email, const char *email_key,
                           JdInstant confirmed, JdErr *err);
// The letter that confirms an address, or one to its owner when it is somebody else's.
JD_MUST_USE bool letter_confirm(Pages *pages, StoreDb *db, int64_t account, const char *email,
                                const char *email_key, JdInstant now, JdErr *err);
JD_MUST_USE bool letter_password_changed(Pages *pages, StoreDb *db, int64_t account, JdInstant now,
                                         JdErr *err);
JD_MUST_USE bool letter_stolen_session(Pages *pages, StoreDb *db, int64_t account, JdInstant now,
                                       JdErr *err);

#endif
