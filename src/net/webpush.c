// SPDX-License-Identifier: GPL-3.0-or-later
//
// Encryption and signatures by OpenSSL, the request by libcurl.
#include "net/webpush.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <sodium.h>

#include "net/json_out.h"

#define CURVE "prime256v1"
#define CONNECT_S 5L
#define WHOLE_S 15L
#define JWT_LIVES_S (INT64_C(12) * 3600) // RFC 8292: at most 24 hours
#define TAG_SIZE 16
#define HEADER_SIZE (16 + 4 + 1 + PAGES_PUSH_PUBLIC)
// "WebPush: info", NUL, the browser's key, ours.
#define INFO_SIZE (14 + 2 * PAGES_PUSH_PUBLIC)

// ---- keys ---------------------------------------------------------------------------------------

// A key of P-256; private_key NULL: the public half alone. NULL: it is no point of the curve.
static EVP_PKEY *load(const unsigned char *private_key, const unsigned char *public_key) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *number = private_key == NULL ? NULL : BN_bin2bn(private_key, PAGES_PUSH_PRIVATE, NULL);
    bool ok = context != NULL && build != NULL && (private_key == NULL || number != NULL) &&
              OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0) == 1 &&
              OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, public_key,
                                               PAGES_PUSH_PUBLIC) == 1;
    ok = ok &&
         (number == NULL || OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1);
    OSSL_PARAM *params = ok ? OSSL_PARAM_BLD_to_param(build) : NULL;
    const int selection = private_key == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
    if (params != NULL && EVP_PKEY_fromdata_init(context) == 1)
        (void)EVP_PKEY_fromdata(context, &key, selection, params);
    OSSL_PARAM_free(params);
    BN_clear_free(number);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    return key;
}

bool net_push_make_key(PagesPushKey *out, JdErr *err) {
    EVP_PKEY *key = EVP_EC_gen(CURVE);
    BIGNUM *number = NULL;
    size_t size = 0;
    const bool ok =
        key != NULL && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
        BN_bn2binpad(number, out->private_key, PAGES_PUSH_PRIVATE) == PAGES_PUSH_PRIVATE &&
        EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, out->public_key,
                                        PAGES_PUSH_PUBLIC, &size) == 1 &&
        size == PAGES_PUSH_PUBLIC && out->public_key[0] == 4;
    BN_clear_free(number);
    EVP_PKEY_free(key);
    return ok || jd_fail(err, 1, 0, "no key pair for notices by push can be made");
}

bool net_push_is_point(const unsigned char point[PAGES_PUSH_PUBLIC]) {
    EVP_PKEY *key = point[0] == 4 ? load(NULL, point) : NULL;
    EVP_PKEY_CTX *context = key == NULL ? NULL : EVP_PKEY_CTX_new(key, NULL);
    const bool ok = context != NULL && EVP_PKEY_public_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    return ok;
}

// ---- encryption ---------------------------------------------------------------------------------

static bool agree(const PagesPushKey *own, const unsigned char *theirs, unsigned char shared[32]) {
    EVP_PKEY *mine = load(own->private_key, own->public_key);
    EVP_PKEY *other = load(NULL, theirs);
    EVP_PKEY_CTX *context = mine == NULL ? NULL : EVP_PKEY_CTX_new(mine, NULL);
    size_t size = 32;
    const bool ok = other != NULL && context != NULL && EVP_PKEY_derive_init(context) == 1 &&
                    EVP_PKEY_derive_set_peer(context, other) == 1 &&
                    EVP_PKEY_derive(context, shared, &size) == 1 && size == 32;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(other);
    EVP_PKEY_free(mine);
    return ok;
}

// HKDF with SHA-256 (RFC 5869).
static bool hkdf(const unsigned char salt[16], const unsigned char key[32],
                 const unsigned char *info, size_t info_size, unsigned char *out, size_t size) {
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
    char digest[] = "SHA256";
    // The library takes what it only reads without const.
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)(uintptr_t)salt, 16),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)key, 32),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)(uintptr_t)info, info_size),
        OSSL_PARAM_construct_end(),
    };
    const bool ok = context != NULL && EVP_KDF_derive(context, out, size, params) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return ok;
}

static bool seal(const unsigned char key[16], const unsigned char nonce[12],
                 const unsigned char *plain, int size, unsigned char *out) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    int rest = 0;
    const bool ok = context != NULL &&
                    EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                    EVP_EncryptUpdate(context, out, &written, plain, size) == 1 &&
                    EVP_EncryptFinal_ex(context, out + written, &rest) == 1 &&
                    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG_SIZE, out + size) == 1;
    EVP_CIPHER_CTX_free(context);
    return ok && written + rest == size;
}

// Key and nonce of the record (RFC 8291, 3.4).
static bool derive(const PagesPushTarget *target, const PagesPushKey *own,
                   const unsigned char salt[16], unsigned char key[16], unsigned char nonce[12]) {
    static const char key_info[] = "Content-Encoding: aes128gcm";
    static const char nonce_info[] = "Content-Encoding: nonce";
    unsigned char shared[32];
    unsigned char secret[32];
    unsigned char info[INFO_SIZE] = "WebPush: info";
    memcpy(info + 14, target->public_key, PAGES_PUSH_PUBLIC);
    memcpy(info + 14 + PAGES_PUSH_PUBLIC, own->public_key, PAGES_PUSH_PUBLIC);
    const bool ok =
        agree(own, target->public_key, shared) &&
        hkdf(target->secret, shared, info, sizeof(info), secret, sizeof(secret)) &&
        hkdf(salt, secret, (const unsigned char *)key_info, sizeof(key_info), key, 16) &&
        hkdf(salt, secret, (const unsigned char *)nonce_info, sizeof(nonce_info), nonce, 12);
    sodium_memzero(shared, sizeof(shared));
    sodium_memzero(secret, sizeof(secret));
    return ok;
}

bool net_push_encrypt(JdStr plain, const PagesPushTarget *target, const PagesPushKey *one_time,
                      const unsigned char salt[16], unsigned char *body, size_t *size, JdErr *err) {
    unsigned char key[16];
    unsigned char nonce[12];
    unsigned char record[NET_PUSH_PLAIN_MAX + 1];
    if (plain.size > NET_PUSH_PLAIN_MAX)
        return jd_fail(err, 1, 0, "a notice has at most %d bytes", NET_PUSH_PLAIN_MAX);
    if (!derive(target, one_time, salt, key, nonce))
        return jd_fail(err, 1, 0, "the browser's key is none");
    // RFC 8188, 2.1: salt, record size, length of the key's id, the id; then the last record, whose
    // text ends in a 2.
    memcpy(body, salt, 16);
    const unsigned char sizes[5] = { 0, 0, NET_PUSH_BODY_MAX >> 8, NET_PUSH_BODY_MAX & 0xff,
                                     PAGES_PUSH_PUBLIC };
    memcpy(body + 16, sizes, sizeof(sizes));
    memcpy(body + 21, one_time->public_key, PAGES_PUSH_PUBLIC);
    jd_copy(record, plain.data, plain.size);
    record[plain.size] = 2;
    const bool ok = seal(key, nonce, record, (int)plain.size + 1, body + HEADER_SIZE);
    *size = HEADER_SIZE + plain.size + 1 + TAG_SIZE;
    sodium_memzero(key, sizeof(key));
    return ok || jd_fail(err, 1, 0, "the notice cannot be encrypted");
}

// ---- who sends ----------------------------------------------------------------------------------

static void add_base64(JdOut *out, const void *bytes, size_t size) {
    char text[NET_PUSH_JWT_MAX];
    JD_ASSERT(sodium_base64_encoded_len(size, sodium_base64_VARIANT_URLSAFE_NO_PADDING) <=
              sizeof(text));
    sodium_bin2base64(text, sizeof(text), bytes, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    jd_out_cstr(out, text);
}

// ES256: the two numbers of the signature, 32 bytes each (RFC 7518, 3.4).
static bool sign(const PagesPushKey *key, JdStr text, unsigned char out[64]) {
    EVP_PKEY *pkey = load(key->private_key, key->public_key);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char der[128];
    size_t size = sizeof(der);
    const unsigned char *at = der;
    bool ok = pkey != NULL && context != NULL &&
              EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, pkey) == 1 &&
              EVP_DigestSign(context, der, &size, (const unsigned char *)text.data, text.size) == 1;
    ECDSA_SIG *signature = ok ? d2i_ECDSA_SIG(NULL, &at, (long)size) : NULL;
    ok = signature != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, 32) == 32 &&
         BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pkey);
    return ok;
}

bool net_push_sign(const PagesPushKey *key, JdStr audience, JdStr subject, int64_t expires_s,
                   char out[NET_PUSH_JWT_MAX], JdErr *err) {
    static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    unsigned char signature[64];
    NetBuf *claims = net_buf_new();
    JdOut text = jd_out(out, NET_PUSH_JWT_MAX - 1);
    if (claims == NULL)
        return jd_fail(err, 1, 0, "no memory");
    json_out_open(claims, '{');
    json_out_key_text(claims, "aud", audience);
    json_out_key_int(claims, "exp", expires_s);
    json_out_key_text(claims, "sub", subject);
    json_out_close(claims, '}');
    bool ok = !claims->failed && claims->size < 500;
    if (ok) {
        add_base64(&text, head, sizeof(head) - 1);
        jd_out_cstr(&text, ".");
        add_base64(&text, claims->data, claims->size);
        ok = sign(key, jd_out_str(&text), signature);
    }
    if (ok) {
        jd_out_cstr(&text, ".");
        add_base64(&text, signature, sizeof(signature));
        ok = jd_out_fits(&text);
        out[ok ? text.size : 0] = '\0';
    }
    net_buf_drop(claims);
    return ok || jd_fail(err, 1, 0, "the notice cannot be signed");
}

// ---- where to -----------------------------------------------------------------------------------

bool net_push_is_private(int family, const void *address) {
    static const struct {
        uint32_t net;
        int bits;
    } nets[] = {
        { 0x00000000, 8 },  { 0x0a000000, 8 },  { 0x64400000, 10 }, { 0x7f000000, 8 },
        { 0xa9fe0000, 16 }, { 0xac100000, 12 }, { 0xc0000000, 24 }, { 0xc0000200, 24 },
        { 0xc0586300, 24 }, { 0xc0a80000, 16 }, { 0xc6120000, 15 }, { 0xc6336400, 24 },
        { 0xcb007100, 24 }, { 0xe0000000, 3 },
    };
    const unsigned char *bytes = address;
    if (family == AF_INET6) {
        static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
        static const unsigned char nat64[12] = { 0x00, 0x64, 0xff, 0x9b };
        if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, nat64, 12) == 0)
            return net_push_is_private(AF_INET, bytes + 12);
        // 2002::/16 carries an address of the older kind; else 2000::/3 alone is the world.
        if (bytes[0] == 0x20 && bytes[1] == 0x02)
            return net_push_is_private(AF_INET, bytes + 2);
        return (bytes[0] & 0xe0) != 0x20;
    }
    if (family != AF_INET)
        return true;
    const uint32_t host =
        (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (size_t i = 0; i < JD_COUNT(nets); i++)
        if ((host ^ nets[i].net) >> (32 - nets[i].bits) == 0)
            return true;
    return false;
}

// "https://host" of an endpoint; the empty view when it has none.
static JdStr origin_of(JdStr endpoint) {
    const size_t skip = jd_str_starts_with(endpoint, JD_STR("https://"))  ? 8
                        : jd_str_starts_with(endpoint, JD_STR("http://")) ? 7
                                                                          : 0;
    if (skip == 0)
        return jd_str("");
    const JdStr rest = jd_str_part(endpoint, skip, endpoint.size);
    return jd_str_part(endpoint, 0, skip + jd_str_find(rest, '/'));
}

bool net_push_endpoint_ok(JdStr endpoint, bool local) {
    const JdStr origin = origin_of(endpoint);
    if (origin.size == 0 || endpoint.size > PAGES_PUSH_ENDPOINT_MAX || origin.size >= endpoint.size)
        return false;
    for (size_t i = 0; i < endpoint.size; i++)
        if (endpoint.data[i] <= ' ' || (unsigned char)endpoint.data[i] >= 0x7f ||
            endpoint.data[i] == '"' || endpoint.data[i] == '\\' || endpoint.data[i] == '#')
            return false;
    if (local)
        return true;
    if (!jd_str_starts_with(endpoint, JD_STR("https://")))
        return false;
    // A name with a dot whose last part is no number: neither an address nor "localhost". No user,
    // no port.
    const JdStr host = jd_str_part(origin, 8, origin.size);
    bool dot = false;
    char after_dot = '0';
    for (size_t i = 0; i < host.size; i++) {
        const char c = host.data[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '.')
            return false;
        if (c == '.') {
            dot = true;
            after_dot = i + 1 < host.size ? host.data[i + 1] : '0';
        }
    }
    return dot && host.data[0] != '.' && !(after_dot >= '0' && after_dot <= '9');
}

// ---- the request --------------------------------------------------------------------------------

// A name can lead anywhere, so the address is looked at where the connection is made.
static curl_socket_t open_socket(void *context, curlsocktype purpose,
                                 struct curl_sockaddr *address) {
    const NetPush *push = context;
    const struct sockaddr *plain = &address->addr;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    const void *host = NULL;
    if (purpose != CURLSOCKTYPE_IPCXN)
        return CURL_SOCKET_BAD;
    if (address->family == AF_INET) {
        memcpy(&v4, plain, sizeof(v4));
        host = &v4.sin_addr;
    } else if (address->family == AF_INET6) {
        // Room of the library's own follows the struct: curl_sockaddr is as long as it says.
        memcpy(&v6, plain, sizeof(v6));
        host = &v6.sin6_addr;
    }
    if (host == NULL || (!push->local && net_push_is_private(address->family, host)))
        return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t on_body(char *data, size_t size, size_t count, void *context) {
    (void)data;
    (void)context;
    return size * count; // what the service says is of no use
}

static int on_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const NetPush *push = context;
    (void)a;
    (void)c;
    (void)d;
    return atomic_load(push->stop) || b > 65536 ? 1 : 0;
}

static struct curl_slist *add(struct curl_slist *list, const char *format, ...) JD_FORMAT(2, 3);
static struct curl_slist *add(struct curl_slist *list, const char *format, ...) {
    char line[NET_PUSH_JWT_MAX + 256];
    va_list arguments;
    va_start(arguments, format);
    (void)jd_format_v(line, sizeof(line), format, arguments);
    va_end(arguments);
    return curl_slist_append(list, line);
}

static struct curl_slist *headers(const NetPush *push, const PagesPush *notice, JdInstant now,
                                  JdErr *err) {
    char jwt[NET_PUSH_JWT_MAX];
    char key[128];
    const JdStr audience = origin_of(jd_str(notice->endpoint));
    if (!net_push_sign(&push->key, audience, jd_str(push->subject), now.ms / 1000 + JWT_LIVES_S,
                       jwt, err))
        return NULL;
    sodium_bin2base64(key, sizeof(key), push->key.public_key, PAGES_PUSH_PUBLIC,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    const int64_t lives_s = (notice->expires_ms - now.ms) / 1000;
    struct curl_slist *list = add(NULL, "Authorization: vapid t=%s, k=%s", jwt, key);
    list = add(list, "TTL: %lld", (long long)(lives_s < 0 ? 0 : lives_s));
    list = add(list, "Urgency: %s", notice->urgent ? "high" : "normal");
    list = add(list, "Content-Encoding: aes128gcm");
    list = add(list, "Content-Type: application/octet-stream");
    return add(list, "Expect:");
}

// What the service worker reads (docs/protocol.md).
static NetBuf *message_of(const PagesPush *notice) {
    NetBuf *out = net_buf_new();
    if (out == NULL)
        return NULL;
    json_out_open(out, '{');
    json_out_key_cstr(out, "title", notice->title);
    json_out_key_cstr(out, "body", notice->body);
    json_out_key_cstr(out, "url", notice->url);
    json_out_key_cstr(out, "tag", notice->tag);
    json_out_key_cstr(out, "off", notice->off);
    json_out_key_cstr(out, "lang", notice->language);
    json_out_close(out, '}');
    return out;
}

static bool set_up(CURL *curl, const NetPush *push, const PagesPush *notice,
                   struct curl_slist *list, const unsigned char *body, size_t size) {
    const char *schemes = push->local ? "http,https" : "https";
    return curl_easy_setopt(curl, CURLOPT_URL, notice->endpoint) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, schemes) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)size) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, push) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, push) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT, WHOLE_S) == CURLE_OK &&
           // A proxy of the environment would resolve names where we do not see it.
           (push->local || curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK);
}

static NetPushOutcome outcome_of(CURL *curl, CURLcode result, int64_t *retry_s, JdErr *err) {
    long status = 0;
    curl_off_t after = 0;
    if (result != CURLE_OK) {
        (void)jd_fail(err, 1, 0, "%s", curl_easy_strerror(result));
        return NET_PUSH_LATER;
    }
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &after);
    if (status >= 200 && status < 300)
        return NET_PUSH_SENT;
    (void)jd_fail(err, 1, 0, "answered %ld", status);
    *retry_s = after;
    if (status == 404 || status == 410)
        return NET_PUSH_GONE;
    return status == 429 || status == 408 || status >= 500 ? NET_PUSH_LATER : NET_PUSH_REFUSED;
}

static NetPushOutcome post(const NetPush *push, const PagesPush *notice, JdStr message,
                           JdInstant now, int64_t *retry_s, JdErr *err) {
    PagesPushTarget target = { .endpoint = jd_str(notice->endpoint) };
    memcpy(target.public_key, notice->public_key, sizeof(target.public_key));
    memcpy(target.secret, notice->secret, sizeof(target.secret));
    unsigned char body[NET_PUSH_BODY_MAX];
    unsigned char salt[16];
    size_t size = 0;
    PagesPushKey one_time;
    randombytes_buf(salt, sizeof(salt));
    if (!net_push_make_key(&one_time, err))
        return NET_PUSH_LATER;
    const bool sealed = net_push_encrypt(message, &target, &one_time, salt, body, &size, err);
    sodium_memzero(&one_time, sizeof(one_time));
    if (!sealed)
        return NET_PUSH_REFUSED;
    struct curl_slist *list = headers(push, notice, now, err);
    CURL *curl = curl_easy_init();
    NetPushOutcome outcome = NET_PUSH_LATER;
    if (list != NULL && curl != NULL && set_up(curl, push, notice, list, body, size))
        outcome = outcome_of(curl, curl_easy_perform(curl), retry_s, err);
    else
        (void)jd_fail(err, 1, 0, "the request cannot be made");
    curl_slist_free_all(list);
    curl_easy_cleanup(curl);
    return outcome;
}

NetPushOutcome net_push_send(const NetPush *push, const PagesPush *notice, JdInstant now,
                             int64_t *retry_s, JdErr *err) {
    *retry_s = 0;
    // The operator may have taken the test's freedom back.
    if (!net_push_endpoint_ok(jd_str(notice->endpoint), push->local)) {
        (void)jd_fail(err, 1, 0, "nothing is sent to such an address");
        return NET_PUSH_GONE;
    }
    NetBuf *message = message_of(notice);
    NetPushOutcome outcome = NET_PUSH_LATER;
    if (message == NULL || message->failed)
        (void)jd_fail(err, 1, 0, "no memory");
    else
        outcome = post(push, notice, net_buf_str(message), now, retry_s, err);
    net_buf_drop(message);
    return outcome;
}
