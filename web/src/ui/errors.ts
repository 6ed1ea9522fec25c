// SPDX-License-Identifier: GPL-3.0-or-later
//
// Error codes in plain words.
import { known, t } from "../i18n";
import { ApiError } from "../net/api";

export function errorText(error: unknown): string {
  const e = error instanceof ApiError ? error : new ApiError("internal", String(error));
  const key = `error.${e.code}`;
  const params = { n: e.retryAfter ?? 0, ref: e.ref ?? "" };
  if (e.code === "rate_limited" && !e.retryAfter) return t("error.rate_limited_soon");
  if (e.code === "internal" && e.ref) return t("error.internal_ref", params);
  return known(key) ? t(key, params) : t("error.internal");
}

// Texts of a form's errors by field; what belongs to no shown field stands under "".
export function fieldErrors(error: unknown, fields: readonly string[]): Record<string, string> {
  const field = error instanceof ApiError ? (error.field ?? "") : "";
  return { [fields.includes(field) ? field : ""]: errorText(error) };
}
