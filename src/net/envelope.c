// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/envelope.h"

#include <string.h>

#include <jadoube/limits.h>

typedef enum FieldKind {
    FIELD_U8,
    FIELD_U16,
    FIELD_U32,
    FIELD_U64,
    FIELD_ID,
    FIELD_DIGEST,
    FIELD_TEXT, // at most max bytes
    FIELD_LIST, // at most max items
    FIELD_RATED,
    FIELD_PROFILE,
    FIELD_ME,
} FieldKind;

typedef struct Field {
    uint8_t kind;
    size_t offset;
    size_t max;
} Field;

#define OF(member) offsetof(NetEnvelope, member)
#define FLAGS                                                                                      \
    { FIELD_U8, OF(flags), 0 }
#define MARK                                                                                       \
    { FIELD_U8, OF(mark), 0 }
#define CODE                                                                                       \
    { FIELD_U16, OF(code), 0 }
#define COUNT                                                                                      \
    { FIELD_U32, OF(count), 0 }
#define NUMBER                                                                                     \
    { FIELD_U64, OF(number), 0 }
#define ACCOUNT                                                                                    \
    { FIELD_U64, OF(account), 0 }
#define TIME(i)                                                                                    \
    { FIELD_U64, OF(times) + (i) * sizeof(int64_t), 0 }
#define ID                                                                                         \
    { FIELD_ID, OF(id), 0 }
#define DIGEST                                                                                     \
    { FIELD_DIGEST, OF(digest), 0 }
#define EXCEPT                                                                                     \
    { FIELD_DIGEST, OF(except), 0 }
#define RATED                                                                                      \
    { FIELD_RATED, OF(rated), 0 }
#define PROFILE                                                                                    \
    { FIELD_PROFILE, OF(profile), 0 }
#define ME                                                                                         \
    { FIELD_ME, OF(me), 0 }
#define NICK                                                                                       \
    { FIELD_TEXT, OF(nick), LIVE_NICK_SIZE - 1 }
#define WORD(max)                                                                                  \
    { FIELD_TEXT, OF(word), max }
#define PATH(max)                                                                                  \
    { FIELD_TEXT, OF(path), max }
#define QUERY                                                                                      \
    { FIELD_TEXT, OF(query), 4096 }
#define TEXT(max)                                                                                  \
    { FIELD_TEXT, OF(text), max }
#define LIST(max)                                                                                  \
    { FIELD_LIST, OF(list), max }

static const struct {
    uint8_t kind;
    uint8_t count;
    Field fields[9];
} kinds[] = {
    { NET_ENV_CONNECT, 4, { NUMBER, FLAGS, ME, LIST(LIVE_BLOCKED_MAX) } },
    { NET_ENV_LEAVE, 1, { NUMBER } },
    { NET_ENV_SAY, 5, { NUMBER, FLAGS, COUNT, CODE, TEXT(NET_FRAME_MAX) } },
    { NET_ENV_REQUEST,
      9,
      { NUMBER, FLAGS, CODE, PATH(512), QUERY, WORD(8), DIGEST, ME, TEXT(NET_BODY_MAX) } },
    { NET_ENV_FRAME, 4, { MARK, COUNT, LIST(NET_ENV_LIST_MAX), TEXT(NET_ENV_TEXT_MAX) } },
    { NET_ENV_FOLLOW, 2, { NUMBER, ID } },
    { NET_ENV_CLOSE, 2, { NUMBER, CODE } },
    { NET_ENV_BOUNCE, 5, { NUMBER, FLAGS, COUNT, CODE, TEXT(NET_FRAME_MAX) } },
    { NET_ENV_REPLY, 5, { NUMBER, CODE, COUNT, WORD(64), TEXT(NET_ENV_TEXT_MAX) } },
    { NET_ENV_RENAMED, 2, { ACCOUNT, NICK } },
    { NET_ENV_LEAVES, 2, { ACCOUNT, FLAGS } },
    { NET_ENV_PROFILE, 3, { ACCOUNT, PROFILE, LIST(LIVE_BLOCKED_MAX) } },
    { NET_ENV_SESSIONS, 4, { ACCOUNT, FLAGS, DIGEST, EXCEPT } },
    { NET_ENV_ME, 1, { ME } },
    { NET_ENV_NOTICE, 5, { ACCOUNT, WORD(32), NICK, PATH(64), TIME(0) } },
    { NET_ENV_VACATION, 4, { ACCOUNT, TIME(0), TIME(1), TIME(2) } },
    { NET_ENV_RATED, 3, { ID, FLAGS, RATED } },
    { NET_ENV_MAY, 4, { NUMBER, ACCOUNT, FLAGS, TEXT(NET_ENV_TEXT_MAX) } },
    { NET_ENV_ANSWER, 2, { NUMBER, FLAGS } },
};

static int row_of(uint8_t kind) {
    for (size_t i = 0; i < JD_COUNT(kinds); i++)
        if (kinds[i].kind == kind)
            return (int)i;
    return -1;
}

// ---- writing ----------------------------------------------------------------------------------

static void put(NetBuf *out, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    net_buf_add(out, bytes, size);
}

static void put_text(NetBuf *out, JdStr text) {
    put(out, text.size, 4);
    net_buf_add(out, text.data, text.size);
}

static void put_ratings(NetBuf *out, const int32_t rating[RATING_LISTS],
                        const uint32_t games[RATING_LISTS]) {
    for (int list = 0; list < RATING_LISTS; list++) {
        put(out, (uint32_t)rating[list], 4);
        put(out, games[list], 4);
    }
}

static void put_profile(NetBuf *out, const LiveProfile *profile) {
    put(out, profile->parts, 1);
    put(out, profile->confirmed, 1);
    put_ratings(out, profile->rating, profile->games);
}

static void put_me(NetBuf *out, const PagesMe *me) {
    int32_t rating[RATING_LISTS];
    uint32_t games[RATING_LISTS];
    for (int list = 0; list < RATING_LISTS; list++) {
        rating[list] = me->ratings.lists[list].rating;
        games[list] = me->ratings.lists[list].games;
    }
    put(out, (uint64_t)me->account, 8);
    put(out, (uint64_t)me->created_ms, 8);
    put_text(out, jd_str(me->nick));
    put_text(out, jd_str(me->language));
    put_text(out, jd_str(me->email));
    put_text(out, jd_str(me->email_pending));
    put_text(out, jd_str(me->roles));
    put(out, (uint64_t)me->erase_after_ms, 8);
    put(out, (uint64_t)me->blocked_from_ms, 8);
    put(out, (uint64_t)me->blocked_until_ms, 8);
    put(out, me->blocks, 2);
    put(out, me->confirmed, 1);
    put_ratings(out, rating, games);
}

static void put_rated(NetBuf *out, const LiveRated *rated) {
    for (int color = 0; color < 2; color++) {
        const RatingChange *change = &rated->change[color];
        put(out, (uint32_t)change->before, 4);
        put(out, (uint32_t)change->after, 4);
        put(out, (uint32_t)change->k, 4);
        put(out, (uint32_t)change->expected, 4);
    }
}

static void put_field(NetBuf *out, const Field *field, const NetEnvelope *envelope) {
    const char *at = (const char *)envelope + field->offset;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch ((FieldKind)field->kind) {
    case FIELD_U8:
        put(out, *(const uint8_t *)at, 1);
        break;
    case FIELD_U16:
        memcpy(&u16, at, sizeof(u16));
        put(out, u16, 2);
        break;
    case FIELD_U32:
        memcpy(&u32, at, sizeof(u32));
        put(out, u32, 4);
        break;
    case FIELD_U64:
        memcpy(&u64, at, sizeof(u64));
        put(out, u64, 8);
        break;
    case FIELD_ID:
        net_buf_add(out, at, LIVE_ID_CHARS);
        break;
    case FIELD_DIGEST:
        net_buf_add(out, at, NET_ENV_DIGEST);
        break;
    case FIELD_TEXT:
    case FIELD_LIST:
        put_text(out, *(const JdStr *)(const void *)at);
        break;
    case FIELD_RATED:
        put_rated(out, &envelope->rated);
        break;
    case FIELD_PROFILE:
        put_profile(out, &envelope->profile);
        break;
    case FIELD_ME:
        put_me(out, &envelope->me);
        break;
    }
}

void net_envelope_write(NetBuf *out, const NetEnvelope *envelope) {
    const int row = row_of(envelope->kind);
    JD_ASSERT(row >= 0);
    put(out, envelope->kind, 1);
    for (int i = 0; i < kinds[row].count; i++)
        put_field(out, &kinds[row].fields[i], envelope);
}

void net_envelope_add(NetBuf *list, uint64_t item) {
    put(list, item, 8);
}

// ---- reading ----------------------------------------------------------------------------------

typedef struct Reader {
    JdStr rest;
    bool failed;
} Reader;

static const char *take(Reader *reader, size_t size) {
    if (reader->failed || reader->rest.size < size) {
        reader->failed = true;
        return NULL;
    }
    const char *at = reader->rest.data;
    reader->rest = jd_str_part(reader->rest, size, reader->rest.size);
    return at;
}

static uint64_t get(Reader *reader, size_t size) {
    const unsigned char *bytes = (const unsigned char *)take(reader, size);
    uint64_t value = 0;
    for (size_t i = 0; bytes != NULL && i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static JdStr get_text(Reader *reader, size_t max) {
    const size_t size = (size_t)get(reader, 4);
    if (size > max)
        reader->failed = true;
    const char *at = take(reader, size);
    return at == NULL ? jd_str("") : jd_str_n(at, size);
}

static bool get_bool(Reader *reader) {
    const uint64_t value = get(reader, 1);
    if (value > 1)
        reader->failed = true;
    return value == 1;
}

// Into a text of the struct, NUL-terminated; a NUL inside is none of ours.
static void get_chars(Reader *reader, char *out, size_t size) {
    const JdStr text = get_text(reader, size - 1);
    if (jd_str_find(text, '\0') != text.size)
        reader->failed = true;
    else
        jd_copy(out, text.data, text.size);
}

static void get_profile(Reader *reader, LiveProfile *out) {
    const int all = LIVE_PROFILE_RATINGS | LIVE_PROFILE_CONFIRMED | LIVE_PROFILE_BLOCKED;
    out->parts = (uint8_t)get(reader, 1);
    if ((out->parts & ~all) != 0)
        reader->failed = true;
    out->confirmed = get_bool(reader);
    for (int list = 0; list < RATING_LISTS; list++) {
        out->rating[list] = (int32_t)(uint32_t)get(reader, 4);
        out->games[list] = (uint32_t)get(reader, 4);
    }
}

static void get_me(Reader *reader, PagesMe *me) {
    me->account = (int64_t)get(reader, 8);
    me->created_ms = (int64_t)get(reader, 8);
    get_chars(reader, me->nick, sizeof(me->nick));
    get_chars(reader, me->language, sizeof(me->language));
    get_chars(reader, me->email, sizeof(me->email));
    get_chars(reader, me->email_pending, sizeof(me->email_pending));
    get_chars(reader, me->roles, sizeof(me->roles));
    me->erase_after_ms = (int64_t)get(reader, 8);
    me->blocked_from_ms = (int64_t)get(reader, 8);
    me->blocked_until_ms = (int64_t)get(reader, 8);
    me->blocks = (uint16_t)get(reader, 2);
    me->confirmed = get_bool(reader);
    for (int list = 0; list < RATING_LISTS; list++) {
        me->ratings.lists[list].rating = (int32_t)(uint32_t)get(reader, 4);
        me->ratings.lists[list].games = (uint32_t)get(reader, 4);
    }
}

static void get_rated(Reader *reader, LiveRated *rated) {
    for (int color = 0; color < 2; color++) {
        RatingChange *change = &rated->change[color];
        change->before = (int32_t)(uint32_t)get(reader, 4);
        change->after = (int32_t)(uint32_t)get(reader, 4);
        change->k = (int32_t)(uint32_t)get(reader, 4);
        change->expected = (int32_t)(uint32_t)get(reader, 4);
    }
}

static void get_id(Reader *reader, LiveId *out) {
    const char *at = take(reader, LIVE_ID_CHARS);
    if (at != NULL && !live_id_parse(jd_str_n(at, LIVE_ID_CHARS), out))
        reader->failed = true;
}

static void get_bytes(Reader *reader, char *to, size_t size) {
    const char *from = take(reader, size);
    if (from != NULL)
        memcpy(to, from, size);
}

static void get_field(Reader *reader, const Field *field, NetEnvelope *out) {
    char *at = (char *)out + field->offset;
    JdStr text;
    switch ((FieldKind)field->kind) {
    case FIELD_U8:
        *(uint8_t *)at = (uint8_t)get(reader, 1);
        break;
    case FIELD_U16: {
        const uint16_t u16 = (uint16_t)get(reader, 2);
        memcpy(at, &u16, sizeof(u16));
        break;
    }
    case FIELD_U32: {
        const uint32_t u32 = (uint32_t)get(reader, 4);
        memcpy(at, &u32, sizeof(u32));
        break;
    }
    case FIELD_U64: {
        const uint64_t u64 = get(reader, 8);
        memcpy(at, &u64, sizeof(u64));
        break;
    }
    case FIELD_ID:
        get_id(reader, &out->id);
        break;
    case FIELD_DIGEST:
        get_bytes(reader, at, NET_ENV_DIGEST);
        break;
    case FIELD_TEXT:
        text = get_text(reader, field->max);
        memcpy(at, &text, sizeof(text));
        break;
    case FIELD_LIST:
        text = get_text(reader, field->max * 8);
        if (text.size % 8 != 0)
            reader->failed = true;
        memcpy(at, &text, sizeof(text));
        break;
    case FIELD_RATED:
        get_rated(reader, &out->rated);
        break;
    case FIELD_PROFILE:
        get_profile(reader, &out->profile);
        break;
    case FIELD_ME:
        get_me(reader, &out->me);
        break;
    }
}

bool net_envelope_read(JdStr bytes, NetEnvelope *out) {
    Reader reader = { .rest = bytes };
    memset(out, 0, sizeof(*out));
    out->kind = (uint8_t)get(&reader, 1);
    const int row = row_of(out->kind);
    if (reader.failed || row < 0)
        return false;
    for (int i = 0; i < kinds[row].count; i++)
        get_field(&reader, &kinds[row].fields[i], out);
    return !reader.failed && reader.rest.size == 0 && out->mark <= NET_MARK_COUNT;
}

size_t net_envelope_count(const NetEnvelope *envelope) {
    return envelope->list.size / 8;
}

uint64_t net_envelope_item(const NetEnvelope *envelope, size_t index) {
    Reader reader = { .rest = jd_str_part(envelope->list, index * 8, envelope->list.size) };
    return get(&reader, 8);
}
