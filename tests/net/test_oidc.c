// SPDX-License-Identifier: GPL-3.0-or-later
//
// ID tokens: a table of claims and what is said of each, and whole tokens under keys made here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <sodium.h>

#include <jadoube/base.h>

#include "net/oidc_token.h"

#define NOW_S 1700000000
#define GOOD                                                                                       \
    "\"iss\":\"https://id.example\",\"sub\":\"s-1\",\"aud\":\"club\",\"exp\":1700000300,"          \
    "\"iat\":1700000000,\"nonce\":\"n-1\""

static const NetOidcExpect expect = { .issuer = { "https://id.example", 18 },
                                      .client_id = { "club", 4 },
                                      .nonce = { "n-1", 3 },
                                      .now = { (int64_t)NOW_S * 1000 } };

// fault 0: taken.
static const struct {
    const char *json;
    unsigned fault;
} rows[] = {
    { "{" GOOD "}", 0 },
    { "{" GOOD ",\"azp\":\"club\"}", 0 },
    { "{" GOOD ",\"nbf\":1700000060}", 0 },
    { "{\"iss\":\"https://id.example\",\"sub\":\"s-1\",\"aud\":[\"club\"],\"exp\":1700000300,"
      "\"iat\":1700000000,\"nonce\":\"n-1\"}",
      0 },
    { "{\"iss\":\"https://id.example\",\"sub\":\"s-1\",\"aud\":[\"x\",\"club\"],\"azp\":\"club\","
      "\"exp\":1700000300.5,\"iat\":1700000000,\"nonce\":\"n-1\"}",
      0 },
    // form
    { "", NET_OIDC_MALFORMED },
    { "[]", NET_OIDC_MALFORMED },
    { "{" GOOD ",\"aud\":\"club\"}", NET_OIDC_MALFORMED }, // a name twice
    { "{" GOOD "} ", 0 },
    { "{" GOOD "}x", NET_OIDC_MALFORMED },
    // issuer
    { "{}", NET_OIDC_ISSUER },
    { "{\"iss\":\"https://id.example/\"}", NET_OIDC_ISSUER },
    { "{\"iss\":[\"https://id.example\"]}", NET_OIDC_ISSUER },
    // audience
    { "{\"iss\":\"https://id.example\"}", NET_OIDC_AUDIENCE },
    { "{\"iss\":\"https://id.example\",\"aud\":\"clubs\"}", NET_OIDC_AUDIENCE },
    { "{\"iss\":\"https://id.example\",\"aud\":[]}", NET_OIDC_AUDIENCE },
    { "{\"iss\":\"https://id.example\",\"aud\":[\"club\",7]}", NET_OIDC_AUDIENCE },
    { "{\"iss\":\"https://id.example\",\"aud\":[\"club\",\"x\"]}", NET_OIDC_AUDIENCE },
    { "{" GOOD ",\"azp\":\"x\"}", NET_OIDC_AUDIENCE },
    { "{" GOOD ",\"azp\":null}", NET_OIDC_AUDIENCE },
    // times: a minute of skew, not a second more
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"sub\":\"s\",\"nonce\":\"n-1\","
      "\"exp\":1699999941,\"iat\":1699999000}",
      0 },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"sub\":\"s\",\"nonce\":\"n-1\","
      "\"exp\":1699999940,\"iat\":1699999000}",
      NET_OIDC_CLOCK },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"sub\":\"s\",\"nonce\":\"n-1\","
      "\"exp\":1700000900,\"iat\":1700000060}",
      0 },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"sub\":\"s\",\"nonce\":\"n-1\","
      "\"exp\":1700000900,\"iat\":1700000061}",
      NET_OIDC_CLOCK },
    { "{" GOOD ",\"nbf\":1700000061}", NET_OIDC_CLOCK },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"iat\":1700000000}", NET_OIDC_CLAIM },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"exp\":1700000300}", NET_OIDC_CLAIM },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"exp\":\"1700000300\",\"iat\":1700000000}",
      NET_OIDC_CLAIM },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"exp\":-1,\"iat\":1700000000}",
      NET_OIDC_CLAIM },
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"exp\":1e300,\"iat\":1700000000}",
      NET_OIDC_CLAIM },
    // nonce
    { "{\"iss\":\"https://id.example\",\"sub\":\"s\",\"aud\":\"club\",\"exp\":1700000300,"
      "\"iat\":1700000000}",
      NET_OIDC_NONCE },
    { "{\"iss\":\"https://id.example\",\"sub\":\"s\",\"aud\":\"club\",\"exp\":1700000300,"
      "\"iat\":1700000000,\"nonce\":\"n-2\"}",
      NET_OIDC_NONCE },
    { "{\"iss\":\"https://id.example\",\"sub\":\"s\",\"aud\":\"club\",\"exp\":1700000300,"
      "\"iat\":1700000000,\"nonce\":\"n-1\\u0000\"}",
      NET_OIDC_MALFORMED }, // jansson takes no NUL
    // subject
    { "{\"iss\":\"https://id.example\",\"aud\":\"club\",\"exp\":1700000300,\"iat\":1700000000,"
      "\"nonce\":\"n-1\"}",
      NET_OIDC_CLAIM },
    { "{\"iss\":\"https://id.example\",\"sub\":7,\"aud\":\"club\",\"exp\":1700000300,"
      "\"iat\":1700000000,\"nonce\":\"n-1\"}",
      NET_OIDC_CLAIM },
    { "{\"iss\":\"https://id.example\",\"sub\":\"\\u00e9\",\"aud\":\"club\",\"exp\":1700000300,"
      "\"iat\":1700000000,\"nonce\":\"n-1\"}",
      NET_OIDC_CLAIM },
};

static void test_claims(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        NetOidcClaims claims;
        JdErr err = { 0 };
        const bool ok = net_oidc_claims_read(jd_str(rows[i].json), &expect, &claims, &err);
        if (ok != (rows[i].fault == 0) || (!ok && err.code != rows[i].fault))
            fail_msg("rows[%zu] %s: %s, code %u, expected %u: %s", i, rows[i].json,
                     ok ? "taken" : "refused", (unsigned)err.code, rows[i].fault, err.text);
    }
}

static const struct {
    const char *claims;
    const char *email;
    bool verified;
} emails[] = {
    { "", "", false },
    { ",\"email\":\"a@b.example\"", "a@b.example", false },
    { ",\"email\":\"a@b.example\",\"email_verified\":true", "a@b.example", true },
    { ",\"email\":\"a@b.example\",\"email_verified\":\"true\"", "a@b.example", true },
    { ",\"email\":\"a@b.example\",\"email_verified\":\"false\"", "a@b.example", false },
    { ",\"email\":\"a@b.example\",\"email_verified\":1", "a@b.example", false },
    { ",\"email_verified\":true", "", false },
    { ",\"email\":\"a b@c.example\",\"email_verified\":true", "", false },
    { ",\"email\":\"a@b.example\\r\\nBcc: x\",\"email_verified\":true", "", false },
    { ",\"email\":[\"a@b.example\"],\"email_verified\":true", "", false },
};

static void test_emails(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(emails); i++) {
        char json[600];
        NetOidcClaims claims;
        JdErr err = { 0 };
        jd_format(json, sizeof(json), "{" GOOD "%s}", emails[i].claims);
        assert_true(net_oidc_claims_read(jd_str(json), &expect, &claims, &err));
        if (strcmp(claims.email, emails[i].email) != 0 ||
            claims.email_verified != emails[i].verified)
            fail_msg("emails[%zu]: \"%s\" %d", i, claims.email, claims.email_verified);
    }
}

static void test_userinfo(void **state) {
    (void)state;
    NetOidcClaims claims = { .subject = "s-1" };
    JdErr err = { 0 };
    assert_false(net_oidc_userinfo_read(
        jd_str("{\"sub\":\"s-2\",\"email\":\"a@b.example\",\"email_verified\":true}"), &claims,
        &err));
    assert_false(net_oidc_userinfo_read(jd_str("{\"email\":\"a@b.example\"}"), &claims, &err));
    assert_false(net_oidc_userinfo_read(jd_str("a.b.c"), &claims, &err));
    assert_string_equal(claims.email, "");
    assert_true(net_oidc_userinfo_read(
        jd_str("{\"sub\":\"s-1\",\"email\":\"a@b.example\",\"email_verified\":true}"), &claims,
        &err));
    assert_string_equal(claims.email, "a@b.example");
    assert_true(claims.email_verified);
}

// ---- whole tokens -------------------------------------------------------------------------------

static void coded(const void *bytes, size_t size, char *out, size_t capacity) {
    sodium_bin2base64(out, capacity, bytes, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

typedef struct Maker {
    EVP_PKEY *rsa;
    EVP_PKEY *ec;
    char jwks[2048];
} Maker;

static void number_of(EVP_PKEY *key, const char *name, int size, char *out, size_t capacity) {
    unsigned char bytes[512];
    BIGNUM *number = NULL;
    assert_int_equal(EVP_PKEY_get_bn_param(key, name, &number), 1);
    const int length = size > 0 ? BN_bn2binpad(number, bytes, size) : BN_bn2bin(number, bytes);
    coded(bytes, (size_t)length, out, capacity);
    BN_free(number);
}

static void make_keys(Maker *maker) {
    char n[600];
    char x[64];
    char y[64];
    maker->rsa = EVP_RSA_gen(2048);
    maker->ec = EVP_EC_gen("P-256");
    assert_true(maker->rsa != NULL && maker->ec != NULL);
    number_of(maker->rsa, OSSL_PKEY_PARAM_RSA_N, 0, n, sizeof(n));
    number_of(maker->ec, OSSL_PKEY_PARAM_EC_PUB_X, 32, x, sizeof(x));
    number_of(maker->ec, OSSL_PKEY_PARAM_EC_PUB_Y, 32, y, sizeof(y));
    jd_format(maker->jwks, sizeof(maker->jwks),
              "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"},"
              "{\"kty\":\"RSA\",\"kid\":\"r\",\"use\":\"sig\",\"n\":\"%s\",\"e\":\"AQAB\"},"
              "{\"kty\":\"RSA\",\"kid\":\"enc\",\"use\":\"enc\",\"n\":\"%s\",\"e\":\"AQAB\"},"
              "{\"kty\":\"EC\",\"kid\":\"e\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}]}",
              n, n, x, y);
}

static void sign(EVP_PKEY *key, bool ec, const char *header, const char *payload, char *out,
                 size_t capacity) {
    char a[400];
    char b[1200];
    char c[800];
    unsigned char signature[600];
    size_t size = sizeof(signature);
    coded(header, strlen(header), a, sizeof(a));
    coded(payload, strlen(payload), b, sizeof(b));
    jd_format(out, capacity, "%s.%s", a, b);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key), 1);
    assert_int_equal(
        EVP_DigestSign(context, signature, &size, (const unsigned char *)out, strlen(out)), 1);
    EVP_MD_CTX_free(context);
    if (ec) {
        const unsigned char *at = signature;
        ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)size);
        unsigned char raw[64];
        BN_bn2binpad(ECDSA_SIG_get0_r(pair), raw, 32);
        BN_bn2binpad(ECDSA_SIG_get0_s(pair), raw + 32, 32);
        ECDSA_SIG_free(pair);
        memcpy(signature, raw, size = sizeof(raw));
    }
    coded(signature, size, c, sizeof(c));
    jd_format(out + strlen(out), capacity - strlen(out), ".%s", c);
}

static unsigned read_token(const char *token, const NetOidcKeys *keys) {
    NetOidcClaims claims;
    JdErr err = { 0 };
    return net_oidc_token_read(jd_str(token), keys, &expect, &claims, &err) ? 0 : err.code;
}

static const struct {
    const char *header;
    bool ec; // signed by
    unsigned fault;
} headers[] = {
    { "{\"alg\":\"RS256\",\"kid\":\"r\"}", false, 0 },
    { "{\"alg\":\"RS256\"}", false, 0 }, // there is only one of its kind
    { "{\"alg\":\"ES256\",\"kid\":\"e\"}", true, 0 },
    { "{\"alg\":\"RS256\",\"kid\":\"other\"}", false, NET_OIDC_UNKNOWN_KEY },
    { "{\"alg\":\"RS256\",\"kid\":\"enc\"}", false, NET_OIDC_UNKNOWN_KEY },
    { "{\"alg\":\"RS256\",\"kid\":\"e\"}", false, NET_OIDC_UNKNOWN_KEY },
    { "{\"alg\":\"ES256\",\"kid\":\"e\"}", false, NET_OIDC_MALFORMED }, // longer than 64 bytes
    { "{\"alg\":\"RS256\",\"kid\":\"r\"}", true, NET_OIDC_SIGNATURE },
    { "{\"alg\":\"none\"}", false, NET_OIDC_ALG },
    { "{\"alg\":\"None\"}", false, NET_OIDC_ALG },
    { "{\"alg\":\"HS256\",\"kid\":\"r\"}", false, NET_OIDC_ALG },
    { "{\"alg\":\"PS256\",\"kid\":\"r\"}", false, NET_OIDC_ALG },
    { "{\"kid\":\"r\"}", false, NET_OIDC_ALG },
    { "{\"alg\":[\"RS256\"]}", false, NET_OIDC_ALG },
    { "{\"alg\":\"RS256\",\"kid\":\"r\",\"crit\":[\"exp\"]}", false, NET_OIDC_MALFORMED },
    { "{\"alg\":\"RS256\",\"alg\":\"none\"}", false, NET_OIDC_MALFORMED },
    { "x", false, NET_OIDC_MALFORMED },
};

static void test_tokens(void **state) {
    (void)state;
    Maker maker;
    NetOidcKeys keys;
    JdErr err = { 0 };
    char token[4096];
    make_keys(&maker);
    assert_true(net_oidc_keys_read(jd_str(maker.jwks), &keys, &err));
    assert_int_equal(keys.count, 2); // the shared secret and the one for hiding are passed over
    for (size_t i = 0; i < JD_COUNT(headers); i++) {
        sign(headers[i].ec ? maker.ec : maker.rsa, headers[i].ec, headers[i].header, "{" GOOD "}",
             token, sizeof(token));
        const unsigned code = read_token(token, &keys);
        // An ES256 signature has 64 bytes; anything else is wrong, whatever it is called.
        if (code != headers[i].fault &&
            !(headers[i].fault == NET_OIDC_MALFORMED && code == NET_OIDC_SIGNATURE &&
              strstr(headers[i].header, "ES256") != NULL))
            fail_msg("headers[%zu] %s: code %u, expected %u", i, headers[i].header, code,
                     headers[i].fault);
    }
    // Any changed character is seen, and so is any cut.
    sign(maker.rsa, false, headers[0].header, "{" GOOD "}", token, sizeof(token));
    const size_t size = strlen(token);
    for (size_t i = 0; i < size; i += 7) {
        const char was = token[i];
        token[i] = was == 'A' ? 'B' : 'A';
        assert_int_not_equal(read_token(token, &keys), 0);
        token[i] = was;
    }
    for (size_t i = 0; i < size; i += 11) {
        NetOidcClaims claims;
        assert_false(net_oidc_token_read(jd_str_n(token, i), &keys, &expect, &claims, &err));
    }
    assert_int_equal(read_token(token, &keys), 0);
    static const char *const shapes[] = {
        "", ".", "..", "...", "a.b", "a.b.c", "a.b.c.d", "=.=.="
    };
    for (size_t i = 0; i < JD_COUNT(shapes); i++)
        assert_int_equal(read_token(shapes[i], &keys), NET_OIDC_MALFORMED);
    net_oidc_keys_clear(&keys);
    EVP_PKEY_free(maker.rsa);
    EVP_PKEY_free(maker.ec);
}

static const struct {
    const char *jwks;
    bool ok;
    size_t count;
} sets[] = {
    { "", false, 0 },
    { "{}", false, 0 },
    { "{\"keys\":{}}", false, 0 },
    { "{\"keys\":[]}", true, 0 },
    { "{\"keys\":[1,null,\"x\",[],{}]}", true, 0 },
    { "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}", true, 0 }, // too short
    { "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}]}", true, 0 },
    // not on the curve
    { "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
      "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE\","
      "\"y\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE\"}]}",
      true, 0 },
    { "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-521\",\"x\":\"AA\",\"y\":\"AA\"}]}", true, 0 },
};

static void test_keys(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(sets); i++) {
        NetOidcKeys keys;
        JdErr err = { 0 };
        const bool ok = net_oidc_keys_read(jd_str(sets[i].jwks), &keys, &err);
        if (ok != sets[i].ok || keys.count != sets[i].count)
            fail_msg("sets[%zu] %s: %d, %zu keys", i, sets[i].jwks, ok, keys.count);
        net_oidc_keys_clear(&keys);
    }
}

int main(void) {
    if (sodium_init() < 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims),   cmocka_unit_test(test_emails),
        cmocka_unit_test(test_userinfo), cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
