// SPDX-License-Identifier: GPL-3.0-or-later
import { t } from "../i18n";

// Accounts that nobody registered: they play against the computer and nothing more.
export const isGuest = (nick: string): boolean => nick.startsWith("guest-");

export const nickText = (nick: string): string => (isGuest(nick) ? t("player.guest") : nick);
