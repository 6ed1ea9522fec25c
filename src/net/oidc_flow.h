// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: log-ins by a provider that are under way. Each belongs to one browser, which holds a key
// to it in a cookie; here only the key's hash is kept. In memory: after a restart people begin
// again.
#ifndef JADOUBE_NET_OIDC_FLOW_H
#define JADOUBE_NET_OIDC_FLOW_H

#include <jadoube/base.h>

#include "net/oidc_token.h"

#define NET_OIDC_RANDOM 44 // 32 bytes of chance in base64url, with NUL
#define NET_OIDC_NEXT 256

typedef struct NetOidcFlow {
    char state[NET_OIDC_RANDOM];
    char nonce[NET_OIDC_RANDOM];
    char verifier[NET_OIDC_RANDOM];
    size_t provider;
    char next[NET_OIDC_NEXT]; // a path of ours
    char language[4];
    int64_t account; // whose account is to be linked; 0: a log-in
    bool remember;
    bool plain;           // begun at the plain page
    bool answered;        // the provider has said who it is, who has no account yet (S-012)
    NetOidcClaims claims; // then
} NetOidcFlow;

typedef struct NetOidcFlows NetOidcFlows;
NetOidcFlows *net_oidc_flows_new(void); // NULL: no memory
void net_oidc_flows_free(NetOidcFlows *flows);

// Any thread, as all of these. Draws state, nonce and verifier unless the provider has answered,
// and the browser's key.
JD_MUST_USE bool net_oidc_flow_put(NetOidcFlows *flows, NetOidcFlow *flow, JdInstant now,
                                   char key[NET_OIDC_RANDOM]);
// Takes out the one of that key; false: there is none, or its time is over. An answer of a provider
// can be used once because the flow is taken for it.
JD_MUST_USE bool net_oidc_flow_take(NetOidcFlows *flows, JdStr key, JdInstant now,
                                    NetOidcFlow *out);
// The same, and it stays.
JD_MUST_USE bool net_oidc_flow_look(NetOidcFlows *flows, JdStr key, JdInstant now,
                                    NetOidcFlow *out);
// The code challenge of a verifier (RFC 7636 4.2, S256).
void net_oidc_challenge(const char *verifier, char out[NET_OIDC_RANDOM]);

#endif
