// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: the ID token of an OpenID provider (OpenID Connect Core 3.1.3.7): a JSON Web Token (RFC
// 7519) signed by one of the provider's keys (RFC 7515, 7517, 7518). Reads bytes and decides; no
// network, no clock.
#ifndef JADOUBE_NET_OIDC_TOKEN_H
#define JADOUBE_NET_OIDC_TOKEN_H

#include <openssl/types.h>

#include <jadoube/base.h>

#define NET_OIDC_TEXT 256               // bytes with NUL of an issuer, a client's name, a subject
#define NET_OIDC_EMAIL 255              // bytes with NUL
#define NET_OIDC_KEYS_MAX 32            // keys of one provider that are looked at
#define NET_OIDC_TOKEN_MAX 16384        // bytes
#define NET_OIDC_SKEW_MS INT64_C(60000) // clocks may differ by a minute

// ---- the provider's keys ------------------------------------------------------------------------

typedef enum NetOidcAlg { NET_OIDC_RS256 = 1, NET_OIDC_ES256 = 2 } NetOidcAlg;

typedef struct NetOidcKey {
    char id[128]; // "kid"; empty: none
    NetOidcAlg alg;
    EVP_PKEY *key;
} NetOidcKey;

typedef struct NetOidcKeys {
    size_t count;
    NetOidcKey list[NET_OIDC_KEYS_MAX];
} NetOidcKeys;

// Reads a JSON Web Key Set. Keys of kinds we do not use, and RSA keys below 2048 bits, are passed
// over; false (err) when it is no key set at all. *out is given back with net_oidc_keys_clear.
JD_MUST_USE bool net_oidc_keys_read(JdStr text, NetOidcKeys *out, JdErr *err);
void net_oidc_keys_clear(NetOidcKeys *keys);

// ---- the token ----------------------------------------------------------------------------------

// JdErr.code of the functions below.
typedef enum NetOidcFault {
    NET_OIDC_MALFORMED = 1,
    NET_OIDC_ALG = 2,         // "none", a shared secret, or another we do not take
    NET_OIDC_UNKNOWN_KEY = 3, // the provider may have new keys
    NET_OIDC_SIGNATURE = 4,
    NET_OIDC_ISSUER = 5,
    NET_OIDC_AUDIENCE = 6, // not for us, or for others too without saying that we asked
    NET_OIDC_NONCE = 7,    // not of this log-in
    NET_OIDC_CLOCK = 8,    // expired, or from the future: their clock or ours is wrong
    NET_OIDC_CLAIM = 9,    // one is missing or of the wrong kind
} NetOidcFault;

typedef struct NetOidcExpect {
    JdStr issuer;
    JdStr client_id;
    JdStr nonce;
    JdInstant now;
} NetOidcExpect;

typedef struct NetOidcClaims {
    char subject[NET_OIDC_TEXT];
    char email[NET_OIDC_EMAIL]; // empty: none told
    bool email_verified;
} NetOidcClaims;

// The whole check: form, algorithm, key, signature, then every claim. *out is written on success
// only.
JD_MUST_USE bool net_oidc_token_read(JdStr token, const NetOidcKeys *keys,
                                     const NetOidcExpect *expect, NetOidcClaims *out, JdErr *err);

// The claims alone, of a payload whose signature has been checked.
JD_MUST_USE bool net_oidc_claims_read(JdStr json, const NetOidcExpect *expect, NetOidcClaims *out,
                                      JdErr *err);

// The answer of the provider's userinfo endpoint (Core 5.3): the address, when it speaks of the
// same subject. Fills claims->email; false (err) for another subject or what is no JSON.
JD_MUST_USE bool net_oidc_userinfo_read(JdStr json, NetOidcClaims *claims, JdErr *err);

#endif
