// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Ways to log in" in one's settings: providers are linked and unlinked, each time with the password,
// which is the way that always stays.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place } from "../app/router";
import { loadSite, site } from "../app/site";
import { useStore } from "../app/store";
import { date, t } from "../i18n";
import { ApiError } from "../net/api";
import { errorText } from "../ui/errors";
import { Field, FormError } from "../ui/field";
import { showFlash } from "../ui/flash";
import { oidc, type Identity } from "./api";
import { socialError } from "./entry";

const CAME_BACK = ["identity_taken", "identity_linked"] as const;

interface Row {
  name: string;
  label: string;
  identity: Identity | undefined;
}

export function LoginsSection(): JSX.Element | null {
  const info = useStore(site);
  const { query } = useStore(place);
  const [identities, setIdentities] = useState<Identity[] | null>(null);
  const [error, setError] = useState<string>();
  const [open, setOpen] = useState<string>();
  useEffect(() => {
    void loadSite();
    void oidc.identities().then((answer) => setIdentities(answer.identities), (e) => setError(errorText(e)));
  }, []);
  const social = query.get("social");
  useEffect(() => {
    if (social === null) return;
    const refused = CAME_BACK.find((word) => word === social);
    if (social === "linked") showFlash({ text: t("oidc.linked_now") });
    else setError(refused ? t(`error.${refused}`) : socialError(query));
    navigate("/account/logins", true); // a reload says it no more
  }, [social]);
  const shown = info !== null && identities !== null;
  useEffect(() => {
    if (shown && location.pathname === "/account/logins") document.getElementById("logins")?.scrollIntoView();
  }, [shown]);
  if (!info || !identities) return null;
  // Those the operator names, and those he named when they were linked.
  const rows: Row[] = info.oidc.map((p) => ({ ...p, identity: identities.find((one) => one.name === p.name) }));
  for (const identity of identities)
    if (!rows.some((row) => row.name === identity.name)) rows.push({ name: identity.name, label: identity.label, identity });
  if (rows.length === 0) return null;
  return (
    <section id="logins" aria-labelledby="logins-title">
      <h2 id="logins-title">{t("oidc.title")}</h2>
      <p class="hint">{t("oidc.hint")}</p>
      <FormError text={error} />
      <ul class="plain-list" data-testid="logins">
        {rows.map((row) => (
          <li key={row.name} class={open === row.name ? "opened" : undefined} data-testid={`login-${row.name}`}>
            <span>
              <b>{row.label}</b>
              <br />
              <small>
                {row.identity ? t("oidc.linked_since", { date: date(row.identity.linked) }) : t("oidc.not_linked")}
                {row.identity?.email && <> · {row.identity.email}</>}
              </small>
            </span>
            {open !== row.name && (
              <button
                onClick={() => {
                  setError(undefined);
                  setOpen(row.name);
                }}
                aria-label={`${row.identity ? t("oidc.unlink") : t("oidc.link")}: ${row.label}`}
                data-testid={`${row.identity ? "unlink" : "link"}-${row.name}`}
              >
                {row.identity ? t("oidc.unlink") : t("oidc.link")}
              </button>
            )}
            {open === row.name && <Ask row={row} onDone={setIdentities} onClose={() => setOpen(undefined)} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AskProps {
  row: Row;
  onDone: (identities: Identity[]) => void;
  onClose: () => void;
}

function Ask({ row, onDone, onClose }: AskProps): JSX.Element {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const name = `login_password_${row.name}`;
  useEffect(() => document.getElementById(name)?.focus(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      if (row.identity) {
        onDone((await oidc.unlink(row.name, password)).identities);
        showFlash({ text: t("oidc.unlinked_now", { provider: row.label }) });
        onClose();
        return;
      }
      location.href = (await oidc.link(row.name, password)).location;
      return; // the page is left
    } catch (e) {
      const code = e instanceof ApiError ? e.code : "";
      setError(code === "bad_credentials" ? t("account.password_wrong") : code === "social_failed" ? t("oidc.said.down") : errorText(e));
    }
    setBusy(false);
  };
  return (
    <form class="ask" onSubmit={submit} noValidate data-testid={`ask-${row.name}`}>
      <p class="hint">{row.identity ? t("oidc.unlink_ask", { provider: row.label }) : t("oidc.link_ask", { provider: row.label })}</p>
      <Field name={name} type="password" label={t("account.password_now")} value={password} onValue={setPassword} error={error}
        autocomplete="current-password" />
      <p class="buttons">
        <button class="primary" disabled={busy || password === ""}>{row.identity ? t("oidc.unlink_yes") : t("oidc.link_yes")}</button>
        <button type="button" onClick={onClose}>{t("common.cancel")}</button>
      </p>
    </form>
  );
}
