// SPDX-License-Identifier: GPL-3.0-or-later
//
// What comes from a provider of OpenID Connect: key sets, tokens, claims, userinfo. Any bytes are
// refused with a reason or give texts that end and hold what they promise. The first byte chooses.
#include <stdlib.h>
#include <string.h>

#include "net/oidc_token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition) {
    if (!condition)
        abort();
}

static void check_claims(const NetOidcClaims *claims) {
    const size_t subject = strnlen(claims->subject, sizeof(claims->subject));
    const size_t email = strnlen(claims->email, sizeof(claims->email));
    must(subject > 0 && subject < sizeof(claims->subject) && email < sizeof(claims->email));
    for (size_t i = 0; i < subject; i++)
        must(claims->subject[i] >= ' ' && claims->subject[i] <= '~');
    for (size_t i = 0; i < email; i++)
        must((unsigned char)claims->email[i] > ' ');
    must(email > 0 || !claims->email_verified);
}

// Also the first key of RFC 7517, appendix A.1, and an RSA key of 2048 bits.
static const char known[] =
    "{\"keys\":[{\"kty\":\"EC\",\"kid\":\"e\",\"crv\":\"P-256\","
    "\"x\":\"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4\","
    "\"y\":\"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM\"},{\"kty\":\"RSA\",\"kid\":\"r\",\"n\":"
    "\"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_"
    "BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_"
    "FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-"
    "bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw\","
    "\"e\":\"AQAB\"}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const NetOidcExpect expect = { .issuer = jd_str("https://id.example"),
                                   .client_id = jd_str("club"),
                                   .nonce = jd_str("n-1"),
                                   .now = { INT64_C(1700000000000) } };
    if (size == 0)
        return 0;
    const JdStr text = jd_str_n((const char *)data + 1, size - 1);
    NetOidcClaims claims = { .subject = "s-1" };
    NetOidcKeys keys;
    JdErr err = { 0 };
    bool ok = false;
    if (data[0] % 4 == 0) {
        ok = net_oidc_keys_read(text, &keys, &err);
        must(keys.count <= NET_OIDC_KEYS_MAX && (ok || keys.count == 0));
        net_oidc_keys_clear(&keys);
    } else if (data[0] % 4 == 1) {
        must(net_oidc_keys_read(jd_str(known), &keys, &err) && keys.count == 2);
        ok = net_oidc_token_read(text, &keys, &expect, &claims, &err);
        must(!ok); // nobody signs here
        net_oidc_keys_clear(&keys);
    } else if (data[0] % 4 == 2) {
        ok = net_oidc_claims_read(text, &expect, &claims, &err);
    } else {
        ok = net_oidc_userinfo_read(text, &claims, &err);
    }
    must(ok || err.code != 0);
    must(jd_utf8_valid(jd_str(err.text), NULL) || !ok);
    if (data[0] % 4 >= 2 && ok)
        check_claims(&claims);
    return 0;
}
