// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <string.h>

bool net_tls_wanted(const NetConfig *config) {
    return config->tls_cert[0] != '\0' || config->tls_key[0] != '\0';
}

// The first of OpenSSL's reasons, which is the nearest to the cause.
static bool fail(JdErr *err, const char *setting, const char *path) {
    const unsigned long first = ERR_peek_error();
    const int code = ERR_GET_REASON(first);
    const bool is_none = code == PEM_R_NO_START_LINE || code == ERR_R_UNSUPPORTED;
    const char *reason = ERR_SYSTEM_ERROR(first) ? strerror(code)
                         : is_none               ? "no such thing in it, expected PEM"
                                                 : ERR_reason_error_string(first);
    return jd_fail(err, 1, 0, "%s %s: %s", setting, path,
                   reason == NULL ? "cannot be used" : reason);
}

static bool load(SSL_CTX *context, const NetConfig *config, JdErr *err) {
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, config->tls_cert) != 1)
        return fail(err, "tls-cert", config->tls_cert);
    ERR_clear_error();
    if (SSL_CTX_use_PrivateKey_file(context, config->tls_key, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1)
        return fail(err, "tls-key", config->tls_key);
    return true;
}

bool net_tls_check(const NetConfig *config, JdErr *err) {
    if (!net_tls_wanted(config))
        return true;
    if (config->tls_cert[0] == '\0' || config->tls_key[0] == '\0')
        return jd_fail(err, 1, 0, "tls-cert and tls-key belong together: one of them is missing");
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL)
        return jd_fail(err, 1, 0, "no memory to start");
    const bool ok = load(context, config, err);
    SSL_CTX_free(context);
    return ok;
}

void net_tls_context(void *ssl_context) {
    SSL_CTX_set_mode(ssl_context, SSL_MODE_RELEASE_BUFFERS);
}
