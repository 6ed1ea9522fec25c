// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices by push: the worked example of RFC 8291, and which addresses may be written to.
#include <arpa/inet.h>
#include <string.h>

#include <sodium.h>

#include "../check.h"
#include "net/webpush.h"

static void decode(const char *text, unsigned char *out, size_t size) {
    size_t read = 0;
    const int bad = sodium_base642bin(out, size, text, strlen(text), NULL, &read, NULL,
                                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    assert_int_equal(bad, 0);
    assert_int_equal(read, size);
}

// RFC 8291, section 5 and appendix A.
static const char as_public[] =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char as_private[] = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
static const char ua_public[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char salt_text[] = "DGv6ra1nlYgDCS1FRnbzlw";
static const char auth[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char expected[] =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
    "lcy4a-fN";

static void rfc_target(PagesPushTarget *target) {
    decode(ua_public, target->public_key, sizeof(target->public_key));
    decode(auth, target->secret, sizeof(target->secret));
}

static void test_rfc_8291(void **state) {
    (void)state;
    PagesPushTarget target = { .endpoint = JD_STR("https://push.example.net/x") };
    PagesPushKey one_time;
    unsigned char salt[16];
    unsigned char body[NET_PUSH_BODY_MAX];
    char text[512];
    size_t size = 0;
    JdErr err = { 0 };
    rfc_target(&target);
    decode(as_private, one_time.private_key, sizeof(one_time.private_key));
    decode(as_public, one_time.public_key, sizeof(one_time.public_key));
    decode(salt_text, salt, sizeof(salt));
    assert_true(net_push_encrypt(JD_STR("When I grow up, I want to be a watermelon"), &target,
                                 &one_time, salt, body, &size, &err));
    sodium_bin2base64(text, sizeof(text), body, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    assert_string_equal(text, expected);
}

static void test_what_cannot_be_encrypted(void **state) {
    (void)state;
    static char long_text[NET_PUSH_PLAIN_MAX + 1];
    PagesPushTarget target = { .endpoint = JD_STR("https://push.example.net/x") };
    PagesPushKey one_time;
    const unsigned char salt[16] = { 1 };
    unsigned char body[NET_PUSH_BODY_MAX];
    size_t size = 0;
    JdErr err = { 0 };
    rfc_target(&target);
    assert_true(net_push_make_key(&one_time, &err));
    assert_true(net_push_is_point(one_time.public_key));
    memset(long_text, 'x', sizeof(long_text));
    assert_true(net_push_encrypt(jd_str_n(long_text, NET_PUSH_PLAIN_MAX), &target, &one_time, salt,
                                 body, &size, &err));
    assert_true(size <= NET_PUSH_BODY_MAX);
    assert_false(net_push_encrypt(jd_str_n(long_text, NET_PUSH_PLAIN_MAX + 1), &target, &one_time,
                                  salt, body, &size, &err));
    target.public_key[40] ^= 1; // not on the curve
    assert_false(net_push_is_point(target.public_key));
    assert_false(net_push_encrypt(JD_STR("x"), &target, &one_time, salt, body, &size, &err));
}

static const struct {
    const char *endpoint;
    bool ok;
} endpoints[] = {
    { "https://fcm.googleapis.com/fcm/send/abc:DEF-1_2", true },
    { "https://updates.push.services.mozilla.com/wpush/v2/gAAA", true },
    { "https://web.push.apple.com/Qx", true },
    { "http://push.example.net/x", false },
    { "https://push.example.net", false }, // names no subscription
    { "https://push.example.net:8443/x", false },
    { "https://user@push.example.net/x", false },
    { "https://localhost/x", false },
    { "https://127.0.0.1/x", false },
    { "https://2130706433/x", false },
    { "https://0x7f.1/x", false },
    { "https://127.0.0.1.nip.io/x", true }, // a name: the address is looked at when it is known
    { "https://[::1]/x", false },
    { "https:///x", false },
    { "https://.example/x", false },
    { "https://push.example.net/a b", false },
    { "https://push.example.net/a\r\nX: y", false },
    { "ftp://push.example.net/x", false },
    { "", false },
};

static void test_endpoints(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(endpoints); i++)
        if (net_push_endpoint_ok(jd_str(endpoints[i].endpoint), false) != endpoints[i].ok)
            fail_msg("\"%s\": expected to be %s", endpoints[i].endpoint,
                     endpoints[i].ok ? "allowed" : "refused");
    assert_true(net_push_endpoint_ok(JD_STR("http://127.0.0.1:9/x"), true));
}

static const struct {
    const char *address;
    bool is_private;
} addresses[] = {
    { "127.0.0.1", true },
    { "10.1.2.3", true },
    { "172.31.0.1", true },
    { "172.32.0.1", false },
    { "192.168.1.1", true },
    { "169.254.169.254", true },
    { "100.64.0.1", true },
    { "0.0.0.0", true },
    { "224.0.0.1", true },
    { "255.255.255.255", true },
    { "8.8.8.8", false },
    { "142.250.1.1", false },
    { "::1", true },
    { "::", true },
    { "fe80::1", true },
    { "fd00::1", true },
    { "ff02::1", true },
    { "::ffff:127.0.0.1", true },
    { "::ffff:8.8.8.8", false },
    { "64:ff9b::7f00:1", true },
    { "2002:7f00:1::", true },
    { "2a00:1450:4001::1", false },
};

static void test_addresses(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(addresses); i++) {
        unsigned char bytes[16];
        const int family = strchr(addresses[i].address, ':') != NULL ? AF_INET6 : AF_INET;
        assert_int_equal(inet_pton(family, addresses[i].address, bytes), 1);
        if (net_push_is_private(family, bytes) != addresses[i].is_private)
            fail_msg("%s: expected to be %s", addresses[i].address,
                     addresses[i].is_private ? "private" : "public");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rfc_8291),
        cmocka_unit_test(test_what_cannot_be_encrypted),
        cmocka_unit_test(test_endpoints),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
