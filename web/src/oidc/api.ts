// SPDX-License-Identifier: GPL-3.0-or-later
//
// Log-in by providers of OpenID Connect, over the wire.
import { request } from "../net/api";

// Whom a provider vouches for who has no account yet.
export interface Pending {
  name: string;
  label: string;
  email: string | null;
  verified: boolean;
}

export interface Identity {
  name: string;
  label: string;
  email: string | null;
  linked: number;
  used: number | null;
}

const part = encodeURIComponent;
export const oidc = {
  pending: () => request<{ pending: Pending | null }>("GET", "/oidc/pending"),
  identities: () => request<{ identities: Identity[] }>("GET", "/oidc"),
  link: (name: string, password: string) => request<{ location: string }>("POST", `/oidc/${part(name)}/link`, { password }),
  unlink: (name: string, password: string) =>
    request<{ identities: Identity[] }>("POST", `/oidc/${part(name)}/unlink`, { password }),
};
