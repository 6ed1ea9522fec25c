// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the operator may set: by a file of "key = value" lines, by JADOUBE_* in the environment, by
// flags. A later one of these wins. One table holds all keys.
#ifndef JADOUBE_NET_CONFIG_H
#define JADOUBE_NET_CONFIG_H

#include <jadoube/base.h>
#include <jadoube/laws.h>

#define NET_CONFIG_TEXT 512

// A provider of OpenID Connect (S-010): "name,issuer,client_id,secret-file[,label]".
#define NET_OIDC_PROVIDERS_MAX 8
typedef struct NetOidcSetting {
    char name[25];         // in addresses: a-z, 0-9, -
    char issuer[256];      // https, or http on this machine
    char client_id[256];   // as the provider calls us
    char secret_file[256]; // empty: a public client
    char label[49];        // on the button; UTF-8
} NetOidcSetting;
typedef struct NetOidcSettings {
    size_t count;
    NetOidcSetting list[NET_OIDC_PROVIDERS_MAX];
} NetOidcSettings;

typedef struct NetConfig {
    char data[NET_CONFIG_TEXT];     // data directory; made when it does not exist
    char database[NET_CONFIG_TEXT]; // PostgreSQL's, as libpq takes it; empty: SQLite in data
    char node[NET_CONFIG_TEXT];     // name of this one among several; empty: it is alone
    char bus[NET_CONFIG_TEXT];      // redis://host:port/site, with node
    char tls_cert[NET_CONFIG_TEXT]; // PEM files; empty: no TLS
    char tls_key[NET_CONFIG_TEXT];
    char host[NET_CONFIG_TEXT];       // address or name to listen on
    char origin[NET_CONFIG_TEXT];     // "https://chess.example"; several by blanks; empty: the Host
                                      // header
    char static_dir[NET_CONFIG_TEXT]; // serve the client from this folder; empty: the built-in one
    char metrics[16];                 // "local", "all", "off"
    char log[16];                     // "text", "json"
    char log_level[16];               // "error", "warning", "info"
    char log_file[NET_CONFIG_TEXT];   // opened anew on SIGHUP; empty: standard error
    char smtp[NET_CONFIG_TEXT];       // smtp://user:password@host:port; empty: no mail is sent
    char mail_from[NET_CONFIG_TEXT];  // "Name <address>" of the letters
    char captcha[16];                 // "pictures", "question", "off"
    char questions[NET_CONFIG_TEXT];  // file of questions in words; empty: those of the house
    char anonymizers[NET_CONFIG_TEXT]; // file of addresses of exits that hide people; empty: none
    char engine[NET_CONFIG_TEXT];      // UCI engine: a path, or a name in PATH or /usr/games
    NetOidcSettings oidc;              // none: no buttons
    int64_t engines;                   // engine processes at once; 0: half of the processors
    bool engine_pace;                  // the computer takes as long as a person would
    int64_t port;                      // 0: any free one
    int64_t drain_s;                   // between the wish to stop and the stop
    int64_t workers;
    int64_t max_connections;
    int64_t max_connections_per_address;
    bool behind_proxy;   // take the address from X-Forwarded-For
    bool upgrade_backup; // keep the SQLite file before its schema changes
    bool push_local;     // notices may be pushed to this machine: tests
    bool rate_limits;    // off: load tests on one machine
    bool registration;   // off: nobody may register
    bool supervised;     // laws.supervised: the site watches and records its games
    LawsEdition edition; // laws.edition: of games whose creator chose none
} NetConfig;

// The defaults. Environment: HOME and XDG_DATA_HOME choose the data directory.
void net_config_init(NetConfig *config);

// Sets one key from its text; false (err: field and what was expected) for an unknown key or a bad
// value.
JD_MUST_USE bool net_config_set(NetConfig *config, JdStr key, JdStr value, JdErr *err);

// Reads the lines of a file's text: "key = value", blank lines, and comments that begin with #. err
// names the line.
JD_MUST_USE bool net_config_read(NetConfig *config, JdStr text, JdErr *err);

// JdErr.code of net_config_load when the command line itself is wrong.
#define NET_CONFIG_USAGE 2

// All of it: the file of --config (or JADOUBE_CONFIG), the environment, the flags of argv (without
// the program's name). *help is set when --help was among them.
JD_MUST_USE bool net_config_load(NetConfig *config, int argc, char **argv, bool *help, JdErr *err);

// One line per key for --help; each ends in a newline. NULL after the last.
const char *net_config_help(size_t index);

// An address by https, or by http on this machine: 127.0.0.1, [::1], localhost. No blanks, quotes,
// user or fragment.
bool net_oidc_address_ok(JdStr address);

// What StoreConfig.database wants: NULL for SQLite.
const char *net_config_database(const NetConfig *config);

// What follows from origin: whether the site is reached by https (cookies are marked Secure).
bool net_config_is_https(const NetConfig *config);

#endif
