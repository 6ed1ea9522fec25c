// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what is asked of an OpenID provider over the network, by libcurl: its description
// (OpenID Connect Discovery 1.0), its keys, and the exchange of a code for an identity. All of it
// blocks, for some seconds at most: call it on a thread that nobody waits for.
#ifndef JADOUBE_NET_OIDC_PROVIDER_H
#define JADOUBE_NET_OIDC_PROVIDER_H

#include <jadoube/base.h>

#include "net/config.h"
#include "net/oidc_token.h"

typedef struct NetOidc NetOidc; // the providers that the operator named

// Reads the secrets from their files; NULL in *out, and true, when no provider was named. False
// (err) when a file cannot be read or a setting is malformed.
JD_MUST_USE bool net_oidc_new(const NetConfig *config, NetOidc **out, JdErr *err);
// What is being asked is broken off; may be called from any thread. NULL is allowed, here and
// below.
void net_oidc_stop(NetOidc *oidc);
// Nobody uses it any more.
void net_oidc_free(NetOidc *oidc);

// The providers in the operator's order; NULL after the last.
const NetOidcSetting *net_oidc_at(const NetOidc *oidc, size_t index);
// By name; SIZE_MAX: there is none.
size_t net_oidc_find(const NetOidc *oidc, JdStr name);

// JdErr.code of the functions below beside those of net_oidc_token_read.
#define NET_OIDC_DOWN 20    // not reached, too slow, too much, not what the protocol says
#define NET_OIDC_REFUSED 21 // the provider did not take our code or our secret

typedef struct NetOidcAsk {
    size_t provider;
    JdStr redirect_uri;
    JdStr state;
    JdStr nonce;
    JdStr challenge; // of the code verifier, S256 (RFC 7636)
    JdStr language;  // ui_locales
} NetOidcAsk;

// Where the browser is to be sent; *out is malloc'd.
JD_MUST_USE bool net_oidc_authorize(NetOidc *oidc, const NetOidcAsk *ask, JdInstant now, char **out,
                                    JdErr *err);

typedef struct NetOidcAnswer {
    size_t provider;
    JdStr redirect_uri;
    JdStr code;
    JdStr issuer;   // the parameter iss of the answer (RFC 9207); empty: none came
    JdStr verifier; // RFC 7636
    JdStr nonce;
} NetOidcAnswer;

// The identity behind a code.
JD_MUST_USE bool net_oidc_exchange(NetOidc *oidc, const NetOidcAnswer *answer, JdInstant now,
                                   NetOidcClaims *out, JdErr *err);

#endif
