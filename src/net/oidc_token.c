// SPDX-License-Identifier: GPL-3.0-or-later
//
// ID tokens. Only two algorithms are taken, by name, and each only with a key of its own kind: a
// token cannot choose "none", nor have a public key taken for a shared secret.
#include "net/oidc_token.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sodium.h>

#define RSA_BITS_MIN 2048
#define RSA_BITS_MAX 8192
#define NUMBER_MAX (RSA_BITS_MAX / 8) // bytes of a key's number
#define P256_SIZE 32

// ---- JSON and base64url -------------------------------------------------------------------------

static json_t *parse_object(JdStr text) {
    json_t *value =
        json_loadb(text.size > 0 ? text.data : "", text.size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(value))
        return value;
    json_decref(value);
    return NULL;
}

static JdStr text_of(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_string(value) ? jd_str_n(json_string_value(value), json_string_length(value))
                                 : jd_str("");
}

// Copies a text that fits and holds no NUL; false otherwise.
static bool keep(JdStr text, char *out, size_t size) {
    if (text.size >= size || jd_str_find(text, '\0') < text.size)
        return false;
    memset(out, 0, size);
    if (text.size > 0)
        memcpy(out, text.data, text.size);
    return true;
}

static bool decode(JdStr text, unsigned char *out, size_t capacity, size_t *size) {
    return text.size > 0 && sodium_base642bin(out, capacity, text.data, text.size, NULL, size, NULL,
                                              sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0;
}

// ---- keys ---------------------------------------------------------------------------------------

static EVP_PKEY *make_key(const char *type, OSSL_PARAM_BLD *build) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (params == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(params);
    return key;
}

static EVP_PKEY *rsa_key(const json_t *jwk) {
    unsigned char n_bytes[NUMBER_MAX];
    unsigned char e_bytes[NUMBER_MAX];
    size_t n_size = 0;
    size_t e_size = 0;
    if (!decode(text_of(jwk, "n"), n_bytes, sizeof(n_bytes), &n_size) ||
        !decode(text_of(jwk, "e"), e_bytes, sizeof(e_bytes), &e_size) || e_size > 8)
        return NULL;
    BIGNUM *n = BN_bin2bn(n_bytes, (int)n_size, NULL);
    BIGNUM *e = BN_bin2bn(e_bytes, (int)e_size, NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (n != NULL && e != NULL && build != NULL && BN_num_bits(n) >= RSA_BITS_MIN &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1)
        key = make_key("RSA", build);
    OSSL_PARAM_BLD_free(build);
    BN_free(e);
    BN_free(n);
    return key;
}

static EVP_PKEY *ec_key(const json_t *jwk) {
    unsigned char point[1 + 2 * P256_SIZE] = { POINT_CONVERSION_UNCOMPRESSED };
    size_t x_size = 0;
    size_t y_size = 0;
    if (!jd_str_equal(text_of(jwk, "crv"), JD_STR("P-256")) ||
        !decode(text_of(jwk, "x"), point + 1, P256_SIZE, &x_size) || x_size != P256_SIZE ||
        !decode(text_of(jwk, "y"), point + 1 + P256_SIZE, P256_SIZE, &y_size) ||
        y_size != P256_SIZE)
        return NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (build != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) == 1)
        key = make_key("EC", build); // a point that is not on the curve is refused here
    OSSL_PARAM_BLD_free(build);
    return key;
}

static bool meant_for(const json_t *jwk, const char *name, const char *value) {
    const json_t *said = json_object_get(jwk, name);
    return said == NULL || jd_str_equal(text_of(jwk, name), jd_str(value));
}

static bool read_key(const json_t *jwk, NetOidcKey *out) {
    const JdStr type = text_of(jwk, "kty");
    *out = (NetOidcKey) { .key = NULL };
    if (!meant_for(jwk, "use", "sig") || !keep(text_of(jwk, "kid"), out->id, sizeof(out->id)))
        return false;
    if (jd_str_equal(type, JD_STR("RSA")) && meant_for(jwk, "alg", "RS256")) {
        out->alg = NET_OIDC_RS256;
        out->key = rsa_key(jwk);
    } else if (jd_str_equal(type, JD_STR("EC")) && meant_for(jwk, "alg", "ES256")) {
        out->alg = NET_OIDC_ES256;
        out->key = ec_key(jwk);
    }
    return out->key != NULL;
}

bool net_oidc_keys_read(JdStr text, NetOidcKeys *out, JdErr *err) {
    json_t *object = parse_object(text);
    const json_t *list = json_object_get(object, "keys");
    *out = (NetOidcKeys) { .count = 0 };
    const bool ok = json_is_array(list);
    for (size_t i = 0; ok && i < json_array_size(list) && out->count < NET_OIDC_KEYS_MAX; i++)
        if (read_key(json_array_get(list, i), &out->list[out->count]))
            out->count++;
    json_decref(object);
    return ok || jd_fail(err, NET_OIDC_MALFORMED, 0, "no JSON Web Key Set");
}

void net_oidc_keys_clear(NetOidcKeys *keys) {
    for (size_t i = 0; i < keys->count; i++)
        EVP_PKEY_free(keys->list[i].key);
    keys->count = 0;
}

// The key a header names; one that names none may mean the only one of its kind.
static const NetOidcKey *find_key(const NetOidcKeys *keys, NetOidcAlg alg, JdStr id) {
    const NetOidcKey *only = NULL;
    size_t fitting = 0;
    for (size_t i = 0; i < keys->count; i++) {
        const NetOidcKey *key = &keys->list[i];
        if (key->alg != alg)
            continue;
        if (id.size > 0 && jd_str_equal(jd_str(key->id), id))
            return key;
        only = key;
        fitting++;
    }
    return id.size == 0 && fitting == 1 ? only : NULL;
}

// ---- the signature ------------------------------------------------------------------------------

// A signature of two numbers (RFC 7518 3.4) as OpenSSL takes it.
static unsigned char *der_of(const unsigned char *raw, size_t size, size_t *der_size) {
    unsigned char *der = NULL;
    if (size != 2 * P256_SIZE)
        return NULL;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, P256_SIZE, NULL);
    BIGNUM *s = BN_bin2bn(raw + P256_SIZE, P256_SIZE, NULL);
    if (pair != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
        const int length = i2d_ECDSA_SIG(pair, &der);
        *der_size = length > 0 ? (size_t)length : 0;
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(pair);
    return der;
}

static bool signature_fits(const NetOidcKey *key, JdStr text, const unsigned char *raw,
                           size_t size) {
    unsigned char *der = NULL;
    if (key->alg == NET_OIDC_ES256 && (der = der_of(raw, size, &size)) == NULL)
        return false;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool fits = context != NULL &&
                      EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key->key) == 1 &&
                      EVP_DigestVerify(context, der != NULL ? der : raw, size,
                                       (const unsigned char *)text.data, text.size) == 1;
    EVP_MD_CTX_free(context);
    OPENSSL_free(der);
    return fits;
}

static bool read_header(JdStr part, NetOidcAlg *alg, char id[128], JdErr *err) {
    unsigned char text[2048];
    size_t size = 0;
    if (!decode(part, text, sizeof(text), &size))
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "the header is no base64url");
    json_t *header = parse_object(jd_str_n((const char *)text, size));
    if (header == NULL)
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "the header is no JSON object");
    const JdStr name = text_of(header, "alg");
    const bool known = jd_str_equal(name, JD_STR("RS256")) || jd_str_equal(name, JD_STR("ES256"));
    const bool critical = json_object_get(header, "crit") != NULL;
    const bool kept = keep(text_of(header, "kid"), id, 128);
    *alg = jd_str_equal(name, JD_STR("ES256")) ? NET_OIDC_ES256 : NET_OIDC_RS256;
    if (!known)
        (void)jd_fail(err, NET_OIDC_ALG, 0, "signed by \"%.*s\", expected RS256 or ES256",
                      JD_PRINT(jd_str_part(name, 0, 20)));
    json_decref(header);
    if (!known)
        return false;
    return (kept && !critical) ||
           jd_fail(err, NET_OIDC_MALFORMED, 0, "the header asks for what is not known here");
}

bool net_oidc_token_read(JdStr token, const NetOidcKeys *keys, const NetOidcExpect *expect,
                         NetOidcClaims *out, JdErr *err) {
    if (token.size > NET_OIDC_TOKEN_MAX)
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "more than %d bytes", NET_OIDC_TOKEN_MAX);
    JdStr rest = token;
    const JdStr header = jd_str_cut(&rest, '.');
    const JdStr payload = jd_str_cut(&rest, '.');
    if (header.size + payload.size + 2 > token.size || jd_str_find(rest, '.') < rest.size)
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "expected three parts");
    NetOidcAlg alg = NET_OIDC_RS256;
    char id[128];
    if (!read_header(header, &alg, id, err))
        return false;
    unsigned char signature[NUMBER_MAX];
    size_t size = 0;
    if (!decode(rest, signature, sizeof(signature), &size))
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "the signature is no base64url");
    const NetOidcKey *key = find_key(keys, alg, jd_str(id));
    if (key == NULL)
        return jd_fail(err, NET_OIDC_UNKNOWN_KEY, 0, "signed by a key the provider did not show");
    const JdStr signed_text = jd_str_part(token, 0, header.size + 1 + payload.size);
    if (!signature_fits(key, signed_text, signature, size))
        return jd_fail(err, NET_OIDC_SIGNATURE, 0, "the signature is wrong");
    unsigned char *text = malloc(payload.size + 1);
    bool ok = text != NULL && decode(payload, text, payload.size, &size);
    if (!ok)
        (void)jd_fail(err, NET_OIDC_MALFORMED, 0, "the claims are no base64url");
    else
        ok = net_oidc_claims_read(jd_str_n((const char *)text, size), expect, out, err);
    free(text);
    return ok;
}

// ---- the claims ---------------------------------------------------------------------------------

// Core 3.1.3.7, 3 to 5: we are among those it is for; were there others, we are who asked.
static bool check_audience(const json_t *claims, JdStr client_id, JdErr *err) {
    const json_t *audience = json_object_get(claims, "aud");
    const json_t *party = json_object_get(claims, "azp");
    bool ours = jd_str_equal(text_of(claims, "aud"), client_id);
    for (size_t i = 0; i < json_array_size(audience); i++) {
        const json_t *one = json_array_get(audience, i);
        if (!json_is_string(one))
            return jd_fail(err, NET_OIDC_AUDIENCE, 0, "aud: expected texts");
        ours = ours ||
               jd_str_equal(jd_str_n(json_string_value(one), json_string_length(one)), client_id);
    }
    if (client_id.size == 0 || !ours)
        return jd_fail(err, NET_OIDC_AUDIENCE, 0, "aud: the token is for somebody else");
    if (party == NULL && json_array_size(audience) <= 1)
        return true;
    return jd_str_equal(text_of(claims, "azp"), client_id) ||
           jd_fail(err, NET_OIDC_AUDIENCE, 0, "azp: somebody else asked for the token");
}

// Seconds; fractions are allowed (RFC 7519 2).
static bool read_time(const json_t *claims, const char *name, bool needed, double *out,
                      JdErr *err) {
    const json_t *value = json_object_get(claims, name);
    *out = 0;
    if (value == NULL)
        return !needed || jd_fail(err, NET_OIDC_CLAIM, 0, "%s is missing", name);
    *out = json_number_value(value);
    return (json_is_number(value) && *out >= 0 && *out < 1e12) ||
           jd_fail(err, NET_OIDC_CLAIM, 0, "%s: expected seconds since 1970", name);
}

static bool check_times(const json_t *claims, JdInstant now, JdErr *err) {
    double expires = 0;
    double issued = 0;
    double not_before = 0;
    if (!read_time(claims, "exp", true, &expires, err) ||
        !read_time(claims, "iat", true, &issued, err) ||
        !read_time(claims, "nbf", false, &not_before, err))
        return false;
    const double now_s = (double)now.ms / 1000;
    const double skew_s = (double)NET_OIDC_SKEW_MS / 1000;
    if (now_s >= expires + skew_s)
        return jd_fail(err, NET_OIDC_CLOCK, 0, "expired %lld s ago", (long long)(now_s - expires));
    return (issued <= now_s + skew_s && not_before <= now_s + skew_s) ||
           jd_fail(err, NET_OIDC_CLOCK, 0, "from the future by %lld s",
                   (long long)((issued > not_before ? issued : not_before) - now_s));
}

static bool check_nonce(const json_t *claims, JdStr nonce, JdErr *err) {
    const JdStr told = text_of(claims, "nonce");
    return (nonce.size > 0 && told.size == nonce.size &&
            sodium_memcmp(told.data, nonce.data, nonce.size) == 0) ||
           jd_fail(err, NET_OIDC_NONCE, 0, "nonce: the token is not of this log-in");
}

static bool is_true(const json_t *value) {
    // Some providers write the text "true".
    return json_is_true(value) ||
           (json_is_string(value) && strcmp(json_string_value(value), "true") == 0);
}

// An address that does not fit, or has characters no address has, is as good as none.
static void read_email(const json_t *claims, NetOidcClaims *out) {
    const JdStr email = text_of(claims, "email");
    bool clean = true;
    for (size_t i = 0; i < email.size; i++)
        clean = clean && (unsigned char)email.data[i] > ' ' && email.data[i] != 0x7f;
    if (!clean || !keep(email, out->email, sizeof(out->email)))
        out->email[0] = '\0';
    out->email_verified =
        out->email[0] != '\0' && is_true(json_object_get(claims, "email_verified"));
}

static bool is_subject(JdStr text) {
    if (text.size == 0 || text.size >= NET_OIDC_TEXT)
        return false;
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < ' ' || (unsigned char)text.data[i] > '~')
            return false; // ASCII (Core 2)
    return true;
}

bool net_oidc_claims_read(JdStr json, const NetOidcExpect *expect, NetOidcClaims *out, JdErr *err) {
    NetOidcClaims read = { .subject = "" };
    json_t *claims = parse_object(json);
    if (claims == NULL)
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "the claims are no JSON object");
    const JdStr issuer = text_of(claims, "iss");
    const JdStr subject = text_of(claims, "sub");
    bool ok = true;
    if (issuer.size == 0 || !jd_str_equal(issuer, expect->issuer))
        ok = jd_fail(err, NET_OIDC_ISSUER, 0, "iss: the token is of another provider");
    ok = ok && check_audience(claims, expect->client_id, err) &&
         check_times(claims, expect->now, err) && check_nonce(claims, expect->nonce, err);
    if (ok && !is_subject(subject))
        ok = jd_fail(err, NET_OIDC_CLAIM, 0, "sub: expected 1 to 255 characters of ASCII");
    if (ok) {
        ok = keep(subject, read.subject, sizeof(read.subject));
        read_email(claims, &read);
    }
    json_decref(claims);
    if (ok)
        *out = read;
    return ok;
}

bool net_oidc_userinfo_read(JdStr json, NetOidcClaims *claims, JdErr *err) {
    json_t *info = parse_object(json);
    if (info == NULL)
        return jd_fail(err, NET_OIDC_MALFORMED, 0, "userinfo is no JSON object");
    // Core 5.3.2: or the answer could be about somebody else.
    const bool same = jd_str_equal(text_of(info, "sub"), jd_str(claims->subject));
    if (same)
        read_email(info, claims);
    json_decref(info);
    return same || jd_fail(err, NET_OIDC_CLAIM, 0, "userinfo speaks of another subject");
}
