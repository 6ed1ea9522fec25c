// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operator's settings.
#include "net/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/bus.h"

typedef enum KeyKind { KEY_TEXT, KEY_NUMBER, KEY_SWITCH, KEY_EDITION, KEY_OIDC } KeyKind;

static const struct {
    const char *name;
    KeyKind kind;
    size_t offset;
    int64_t min; // of a number; size of a text's array
    int64_t max;
    const char *help;
} keys[] = {
    { "data", KEY_TEXT, offsetof(NetConfig, data), NET_CONFIG_TEXT, 0,
      "  --data DIR           where the database lives (default: $XDG_DATA_HOME/jadoube)\n" },
    { "database", KEY_TEXT, offsetof(NetConfig, database), NET_CONFIG_TEXT, 0,
      "  --database URL       PostgreSQL instead of SQLite: postgresql://user@host/name; a "
      "password\n"
      "                       better in the file, in JADOUBE_DATABASE or in ~/.pgpass than "
      "here\n" },
    { "node", KEY_TEXT, offsetof(NetConfig, node), NET_CONFIG_TEXT, 0,
      "  --node NAME          this process is one of several that serve the site together, all\n"
      "                       on the same database; each has a name and a --data of its own\n" },
    { "bus", KEY_TEXT, offsetof(NetConfig, bus), NET_CONFIG_TEXT, 0,
      "  --bus URL            Redis server through which nodes talk:\n"
      "                       redis://[:password@]host[:port][/site]\n" },
    { "upgrade_backup", KEY_SWITCH, offsetof(NetConfig, upgrade_backup), 0, 0,
      "  --upgrade-backup BOOL  a backup of the SQLite file before a newer version changes its\n"
      "                       schema: DATA/jadoube.db.schema-N.backup (default: on)\n" },
    { "host", KEY_TEXT, offsetof(NetConfig, host), NET_CONFIG_TEXT, 0,
      "  --host ADDRESS       address to listen on (default: 127.0.0.1; all: 0.0.0.0 or ::)\n" },
    { "port", KEY_NUMBER, offsetof(NetConfig, port), 0, 65535,
      "  --port N             port to listen on (default: 8464; 0: any free one)\n" },
    { "tls_cert", KEY_TEXT, offsetof(NetConfig, tls_cert), NET_CONFIG_TEXT, 0,
      "  --tls-cert FILE      certificate with its chain, PEM: the port speaks https alone "
      "then\n" },
    { "tls_key", KEY_TEXT, offsetof(NetConfig, tls_key), NET_CONFIG_TEXT, 0,
      "  --tls-key FILE       its private key, PEM, without a pass phrase\n" },
    { "origin", KEY_TEXT, offsetof(NetConfig, origin), NET_CONFIG_TEXT, 0,
      "  --origin URL         address people use, e.g. https://chess.example; several by blanks\n"
      "                       (default: whatever host the browser names)\n" },
    { "static", KEY_TEXT, offsetof(NetConfig, static_dir), NET_CONFIG_TEXT, 0,
      "  --static DIR         serve the client from this folder, not the built-in one\n" },
    { "behind_proxy", KEY_SWITCH, offsetof(NetConfig, behind_proxy), 0, 0,
      "  --behind-proxy BOOL  take client addresses from X-Forwarded-For (default: off)\n" },
    { "registration", KEY_SWITCH, offsetof(NetConfig, registration), 0, 0,
      "  --registration BOOL  whether new accounts may be made (default: on)\n" },
    { "edition", KEY_EDITION, offsetof(NetConfig, edition), 0, 0,
      "  --edition KEY        Laws of Chess of new games unless their maker chooses: fide-1997,\n"
      "                       fide-2005, fide-2009, fide-2014, fide-2023 (default)\n" },
    { "supervised", KEY_SWITCH, offsetof(NetConfig, supervised), 0, 0,
      "  --supervised BOOL    rapid and blitz by the rules for watched games (default: on)\n" },
    { "rate_limits", KEY_SWITCH, offsetof(NetConfig, rate_limits), 0, 0,
      "  --rate-limits BOOL   limits per address (default: on; off for load tests)\n" },
    { "metrics", KEY_TEXT, offsetof(NetConfig, metrics), sizeof(((NetConfig *)0)->metrics), 0,
      "  --metrics WHO        who may read /metrics: local, all, off (default: local)\n" },
    { "log", KEY_TEXT, offsetof(NetConfig, log), sizeof(((NetConfig *)0)->log), 0,
      "  --log FORM           lines of the log: text, or json, one object a line (default: "
      "text)\n" },
    { "log_level", KEY_TEXT, offsetof(NetConfig, log_level), sizeof(((NetConfig *)0)->log_level), 0,
      "  --log-level LEVEL    error, warning or info (default: info)\n" },
    { "log_file", KEY_TEXT, offsetof(NetConfig, log_file), NET_CONFIG_TEXT, 0,
      "  --log-file FILE      where it goes; opened anew on SIGHUP (default: standard error)\n" },
    { "smtp", KEY_TEXT, offsetof(NetConfig, smtp), NET_CONFIG_TEXT, 0,
      "  --smtp URL           mail server, smtp://user:password@host:port or smtps://...; better "
      "in\n"
      "                       the file or JADOUBE_SMTP than here, where others see it\n" },
    { "mail_from", KEY_TEXT, offsetof(NetConfig, mail_from), NET_CONFIG_TEXT, 0,
      "  --mail-from ADDRESS  from whom letters come: club@chess.example or Name <address>\n" },
    { "push_local", KEY_SWITCH, offsetof(NetConfig, push_local), 0, 0,
      "  --push-local BOOL    browsers may name push services on this machine and its network,\n"
      "                       without TLS: for tests (default: off)\n" },
    { "captcha", KEY_TEXT, offsetof(NetConfig, captcha), sizeof(((NetConfig *)0)->captcha), 0,
      "  --captcha HOW        how people show that they are people: pictures, question, off\n"
      "                       (default: pictures)\n" },
    { "questions", KEY_TEXT, offsetof(NetConfig, questions), NET_CONFIG_TEXT, 0,
      "  --questions FILE     questions in words, lines \"en | question | answer; answer\"\n"
      "                       (default: a few of the house's own)\n" },
    { "anonymizers", KEY_TEXT, offsetof(NetConfig, anonymizers), NET_CONFIG_TEXT, 0,
      "  --anonymizers FILE   addresses nobody may register from, one a line: Tor's exits\n" },
    { "oidc", KEY_OIDC, offsetof(NetConfig, oidc), 0, 0,
      "  --oidc NAME,ISSUER,CLIENT_ID,SECRET_FILE[,LABEL]\n"
      "                       a provider of OpenID Connect that people may log in by; may be\n"
      "                       given several times, or several by semicolons. SECRET_FILE holds\n"
      "                       the secret; empty: a public client\n" },
    { "engine", KEY_TEXT, offsetof(NetConfig, engine), NET_CONFIG_TEXT, 0,
      "  --engine PROGRAM     UCI engine that plays as the computer (default: stockfish)\n" },
    { "engines", KEY_NUMBER, offsetof(NetConfig, engines), 0, 64,
      "  --engines N          engine processes at once (default: half of the processors)\n" },
    { "engine_pace", KEY_SWITCH, offsetof(NetConfig, engine_pace), 0, 0,
      "  --engine-pace BOOL   the computer takes as long as a person would (default: on)\n" },
    { "workers", KEY_NUMBER, offsetof(NetConfig, workers), 1, 8,
      "  --workers N          threads for database pages (default: 2)\n" },
    { "drain", KEY_NUMBER, offsetof(NetConfig, drain_s), 0, 3600,
      "  --drain SECONDS      after SIGTERM, /healthz answers 503 for so long before clients are\n"
      "                       told to come back, for proxies that look there (default: 0)\n" },
    { "max_connections", KEY_NUMBER, offsetof(NetConfig, max_connections), 16, 1000000,
      "  --max-connections N  connections at once (default: 16000, and what the system allows)\n" },
    { "max_connections_per_address", KEY_NUMBER, offsetof(NetConfig, max_connections_per_address),
      1, 1000000, "  --max-connections-per-address N  of one address (default: 500)\n" },
};

void net_config_init(NetConfig *config) {
    *config = (NetConfig) {
        .host = "127.0.0.1",
        .metrics = "local",
        .log = "text",
        .log_level = "info",
        .captcha = "pictures",
        .engine = "stockfish",
        .engine_pace = true,
        .port = 8464,
        .workers = 2,
        .max_connections = 16000,
        .max_connections_per_address = 500,
        .rate_limits = true,
        .registration = true,
        .supervised = true,
        .upgrade_backup = true,
        .edition = LAWS_FIDE_2023,
    };
    const char *xdg = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    if (xdg != NULL && xdg[0] == '/')
        jd_format(config->data, sizeof(config->data), "%s/jadoube", xdg);
    else if (home != NULL && home[0] == '/')
        jd_format(config->data, sizeof(config->data), "%s/.local/share/jadoube", home);
    else
        jd_format(config->data, sizeof(config->data), "jadoube-data");
}

static bool set_switch(bool *target, JdStr value, const char *name, JdErr *err) {
    static const char *const yes[] = { "on", "true", "yes", "1" };
    static const char *const no[] = { "off", "false", "no", "0" };
    for (size_t i = 0; i < JD_COUNT(yes); i++) {
        if (jd_str_equal_nocase(value, jd_str(yes[i]))) {
            *target = true;
            return true;
        }
        if (jd_str_equal_nocase(value, jd_str(no[i]))) {
            *target = false;
            return true;
        }
    }
    return jd_fail_field(err, 1, name, 0, "%s: \"%.*s\", expected on or off", name,
                         JD_PRINT(value));
}

// A site's address: scheme, host, perhaps a port, no path.
static bool origins_ok(JdStr list) {
    while (list.size > 0) {
        JdStr one = jd_str_trim(jd_str_cut(&list, ' '));
        if (one.size == 0)
            continue;
        if (jd_str_starts_with(one, JD_STR("http://")))
            one = jd_str_part(one, 7, one.size);
        else if (jd_str_starts_with(one, JD_STR("https://")))
            one = jd_str_part(one, 8, one.size);
        else
            return false;
        if (one.size == 0 || jd_str_find(one, '/') < one.size)
            return false;
    }
    return true;
}

// ---- providers of OpenID Connect ----------------------------------------------------------------

bool net_oidc_address_ok(JdStr address) {
    static const char *const here[] = { "http://127.0.0.1", "http://[::1]", "http://localhost" };
    for (size_t i = 0; i < address.size; i++) {
        const char c = address.data[i];
        if (c <= ' ' || c > '~' || c == '"' || c == '<' || c == '>' || c == '\\' || c == '#' ||
            c == '@')
            return false;
    }
    if (jd_str_starts_with(address, JD_STR("https://")))
        return address.size > 8 && address.data[8] != '/';
    for (size_t i = 0; i < JD_COUNT(here); i++) {
        const JdStr rest = jd_str_part(address, strlen(here[i]), address.size);
        if (jd_str_starts_with(address, jd_str(here[i])) &&
            (rest.size == 0 || rest.data[0] == ':' || rest.data[0] == '/'))
            return true;
    }
    return false;
}

static bool is_provider_name(JdStr name) {
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '-' && i > 0)))
            return false;
    }
    return name.size > 0;
}

static bool take_part(JdStr *rest, char *out, size_t size) {
    const JdStr part = jd_str_trim(jd_str_cut(rest, ','));
    if (part.size >= size)
        return false;
    memset(out, 0, size);
    jd_copy(out, part.data, part.size);
    return true;
}

// One provider; a name that is there already gets the new setting.
static bool set_provider(NetOidcSettings *list, JdStr text, JdErr *err) {
    NetOidcSetting read;
    JdStr rest = text;
    if (!take_part(&rest, read.name, sizeof(read.name)) ||
        !take_part(&rest, read.issuer, sizeof(read.issuer)) ||
        !take_part(&rest, read.client_id, sizeof(read.client_id)) ||
        !take_part(&rest, read.secret_file, sizeof(read.secret_file)) ||
        !take_part(&rest, read.label, sizeof(read.label)) || rest.size > 0 ||
        read.client_id[0] == '\0')
        return jd_fail_field(err, 1, "oidc", 0,
                             "oidc: expected NAME,ISSUER,CLIENT_ID,SECRET_FILE[,LABEL]");
    if (!is_provider_name(jd_str(read.name)))
        return jd_fail_field(err, 1, "oidc", 0, "oidc: a name has letters a-z, digits and -");
    const JdStr issuer = jd_str(read.issuer);
    if (!net_oidc_address_ok(issuer) || jd_str_find(issuer, '?') < issuer.size)
        return jd_fail_field(err, 1, "oidc", 0,
                             "oidc %s: expected an issuer by https (http on this machine only)",
                             read.name);
    if (!jd_utf8_valid(jd_str(read.label), NULL))
        return jd_fail_field(err, 1, "oidc", 0, "oidc %s: the label is not UTF-8", read.name);
    if (read.label[0] == '\0')
        jd_format(read.label, sizeof(read.label), "%s", read.name);
    size_t at = 0;
    while (at < list->count && strcmp(list->list[at].name, read.name) != 0) {
        // One person would have two identities of one issuer.
        if (strcmp(list->list[at].issuer, read.issuer) == 0)
            return jd_fail_field(err, 1, "oidc", 0, "oidc %s: the issuer of %s", read.name,
                                 list->list[at].name);
        at++;
    }
    if (at == NET_OIDC_PROVIDERS_MAX)
        return jd_fail_field(err, 1, "oidc", 0, "oidc: more than %d providers",
                             NET_OIDC_PROVIDERS_MAX);
    list->list[at] = read;
    list->count += at == list->count;
    return true;
}

static bool set_providers(NetOidcSettings *list, JdStr text, JdErr *err) {
    while (text.size > 0) {
        const JdStr one = jd_str_trim(jd_str_cut(&text, ';'));
        if (one.size > 0 && !set_provider(list, one, err))
            return false;
    }
    return true;
}

// Texts that are one of a few words.
static const struct {
    const char *name;
    const char *words[4];
    const char *expected;
} choices[] = {
    { "metrics", { "local", "all", "off" }, "local, all or off" },
    { "captcha", { "pictures", "question", "off" }, "pictures, question or off" },
    { "log", { "text", "json" }, "text or json" },
    { "log_level", { "error", "warning", "info" }, "error, warning or info" },
};

static bool choice_ok(const char *name, JdStr value, JdErr *err) {
    for (size_t i = 0; i < JD_COUNT(choices); i++) {
        if (strcmp(choices[i].name, name) != 0)
            continue;
        for (size_t j = 0; j < JD_COUNT(choices[i].words) && choices[i].words[j] != NULL; j++)
            if (jd_str_equal(value, jd_str(choices[i].words[j])))
                return true;
        return jd_fail_field(err, 1, name, 0, "%s: expected %s", name, choices[i].expected);
    }
    return true;
}

bool net_config_set(NetConfig *config, JdStr key, JdStr value, JdErr *err) {
    size_t i = 0;
    while (i < JD_COUNT(keys) && !jd_str_equal(key, jd_str(keys[i].name)))
        i++;
    if (i == JD_COUNT(keys))
        return jd_fail(err, 1, 0, "unknown setting \"%.*s\"", JD_PRINT(jd_str_part(key, 0, 60)));
    char *target = (char *)config + keys[i].offset;
    const char *name = keys[i].name;
    NetBusUrl bus;
    switch (keys[i].kind) {
    case KEY_TEXT:
        if ((int64_t)value.size >= keys[i].min)
            return jd_fail_field(err, 1, name, 0, "%s: longer than %d bytes", name,
                                 (int)keys[i].min - 1);
        if (target == config->origin && !origins_ok(value))
            return jd_fail_field(err, 1, name, 0,
                                 "origin: \"%.*s\", expected http(s)://host[:port]",
                                 JD_PRINT(jd_str_part(value, 0, 60)));
        if (!choice_ok(name, value, err))
            return false;
        if (target == config->node && value.size > 0 && !net_bus_name_ok(value))
            return jd_fail_field(err, 1, name, 0,
                                 "node: \"%.*s\", expected at most %d letters, digits, - _ .",
                                 JD_PRINT(jd_str_part(value, 0, 40)), NET_BUS_NAME_SIZE - 1);
        if (target == config->bus && value.size > 0 && !net_bus_url_read(value, &bus, err))
            return false;
        jd_copy(target, value.data, value.size);
        target[value.size] = '\0';
        return true;
    case KEY_NUMBER: {
        uint64_t number = 0;
        if (!jd_parse_u64(value, (uint64_t)keys[i].max, &number) || (int64_t)number < keys[i].min)
            return jd_fail_field(err, 1, name, 0,
                                 "%s: \"%.*s\", expected a number from %lld to %lld", name,
                                 JD_PRINT(jd_str_part(value, 0, 40)), (long long)keys[i].min,
                                 (long long)keys[i].max);
        *(int64_t *)(void *)target = (int64_t)number;
        return true;
    }
    case KEY_SWITCH:
        return set_switch((bool *)target, value, name, err);
    case KEY_OIDC:
        return set_providers((NetOidcSettings *)(void *)target, value, err);
    case KEY_EDITION:
        if (laws_edition_parse(value, (LawsEdition *)(void *)target))
            return true;
        return jd_fail_field(err, 1, name, 0,
                             "edition: \"%.*s\", expected fide-1997, fide-2005, fide-2009, "
                             "fide-2014 or fide-2023",
                             JD_PRINT(jd_str_part(value, 0, 40)));
    }
    return false;
}

bool net_config_read(NetConfig *config, JdStr text, JdErr *err) {
    int number = 0;
    while (text.size > 0) {
        JdStr line = jd_str_trim(jd_str_cut(&text, '\n'));
        number++;
        if (line.size == 0 || line.data[0] == '#')
            continue;
        if (jd_str_find(line, '=') == line.size)
            return jd_fail(err, 1, 0, "line %d: expected \"key = value\"", number);
        JdStr value = line;
        const JdStr key = jd_str_trim(jd_str_cut(&value, '='));
        JdErr cause = { 0 };
        if (!net_config_set(config, key, jd_str_trim(value), &cause))
            return jd_fail(err, 1, 0, "line %d: %s", number, cause.text);
    }
    return true;
}

#define FILE_MAX 65536

static bool read_file(NetConfig *config, const char *path, JdErr *err) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return jd_fail(err, 1, 0, "%s: %s", path, strerror(errno));
    char *text = malloc(FILE_MAX);
    const size_t size = text == NULL ? 0 : fread(text, 1, FILE_MAX, file);
    const bool bad = text == NULL || ferror(file) != 0 || size == FILE_MAX;
    fclose(file);
    JdErr cause = { 0 };
    bool ok = !bad;
    if (bad)
        jd_fail(err, 1, 0, "%s: cannot be read, or is larger than %d bytes", path, FILE_MAX - 1);
    else if (!(ok = net_config_read(config, jd_str_n(text, size), &cause)))
        jd_fail(err, 1, 0, "%s: %s", path, cause.text);
    free(text);
    return ok;
}

static bool read_environment(NetConfig *config, JdErr *err) {
    for (size_t i = 0; i < JD_COUNT(keys); i++) {
        char name[64] = "JADOUBE_";
        size_t at = strlen(name);
        for (const char *c = keys[i].name; *c != '\0' && at < sizeof(name) - 1; c++)
            name[at++] = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        name[at] = '\0';
        const char *value = getenv(name);
        JdErr cause = { 0 };
        if (value != NULL && !net_config_set(config, jd_str(keys[i].name), jd_str(value), &cause))
            return jd_fail(err, 1, 0, "%s: %s", name, cause.text);
    }
    return true;
}

// One flag: --key value or --key=value; dashes in the key stand for underscores.
static bool read_flag(NetConfig *config, int argc, char **argv, int *at, JdErr *err) {
    const char *flag = argv[*at];
    if (strncmp(flag, "--", 2) != 0)
        return jd_fail(err, NET_CONFIG_USAGE, 0, "unexpected argument \"%.60s\"", flag);
    JdStr value = jd_str(flag + 2);
    const bool joined = jd_str_find(value, '=') < value.size;
    const JdStr word = jd_str_cut(&value, '=');
    char key[64];
    if (word.size >= sizeof(key))
        return jd_fail(err, NET_CONFIG_USAGE, 0, "unknown option \"%.60s\"", flag);
    for (size_t i = 0; i < word.size; i++)
        key[i] = (char)(word.data[i] == '-' ? '_' : word.data[i]);
    if (!joined) {
        if (*at + 1 >= argc)
            return jd_fail(err, NET_CONFIG_USAGE, 0, "%.60s: a value is missing", flag);
        value = jd_str(argv[++*at]);
    }
    const JdStr name = jd_str_n(key, word.size);
    if (jd_str_equal(name, JD_STR("config")))
        return true; // read before the others
    JdErr cause = { 0 };
    if (net_config_set(config, name, value, &cause))
        return true;
    if (cause.field[0] == '\0')
        return jd_fail(err, NET_CONFIG_USAGE, 0, "unknown option \"%.60s\"", flag);
    return jd_fail(err, NET_CONFIG_USAGE, 0, "--%s", cause.text);
}

// A node is one of several: it needs what they share.
static bool check_node(const NetConfig *config, JdErr *err) {
    if (config->node[0] == '\0')
        return config->bus[0] == '\0' ||
               jd_fail(err, NET_CONFIG_USAGE, 0,
                       "bus is set: nodes talk by it, so node must say what this one is called");
    if (config->database[0] == '\0')
        return jd_fail(err, NET_CONFIG_USAGE, 0,
                       "node is set: several nodes share a PostgreSQL database, which database "
                       "must name");
    return config->bus[0] != '\0' ||
           jd_fail(err, NET_CONFIG_USAGE, 0,
                   "node is set: nodes talk through a Redis server, which bus must name "
                   "(redis://host:port)");
}

bool net_config_load(NetConfig *config, int argc, char **argv, bool *help, JdErr *err) {
    *help = false;
    const char *path = getenv("JADOUBE_CONFIG");
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            *help = true;
            return true;
        }
        if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            path = argv[i + 1];
        else if (strncmp(argv[i], "--config=", 9) == 0)
            path = argv[i] + 9;
    }
    if (path != NULL && path[0] != '\0' && !read_file(config, path, err))
        return false;
    if (!read_environment(config, err))
        return false;
    for (int i = 0; i < argc; i++)
        if (!read_flag(config, argc, argv, &i, err))
            return false;
    return check_node(config, err);
}

const char *net_config_help(size_t index) {
    return index < JD_COUNT(keys) ? keys[index].help : NULL;
}

const char *net_config_database(const NetConfig *config) {
    return config->database[0] != '\0' ? config->database : NULL;
}

bool net_config_is_https(const NetConfig *config) {
    return config->origin[0] == '\0' ? config->tls_cert[0] != '\0'
                                     : strncmp(config->origin, "https://", 8) == 0;
}
