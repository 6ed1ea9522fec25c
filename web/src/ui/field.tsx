// SPDX-License-Identifier: GPL-3.0-or-later
//
// One labelled input with its hint and its error beside it.
import type { ComponentChildren, JSX } from "preact";

interface FieldProps {
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  type?: "text" | "email" | "password" | "number";
  hint?: string | undefined;
  error?: string | undefined;
  autocomplete?: string;
  required?: boolean;
  maxLength?: number;
  onBlur?: () => void;
}

export function Field(p: FieldProps): JSX.Element {
  const note = p.error ? `${p.name}-error` : p.hint ? `${p.name}-hint` : undefined;
  return (
    <div class={p.error ? "field bad" : "field"}>
      <label for={p.name}>{p.label}</label>
      <input
        id={p.name}
        name={p.name}
        type={(p.type ?? "text") as "text"}
        value={p.value}
        onInput={(e) => p.onValue(e.currentTarget.value)}
        onBlur={p.onBlur}
        autocomplete={p.autocomplete ?? "off"}
        autocapitalize="none"
        spellcheck={false}
        required={p.required}
        maxLength={p.maxLength}
        aria-invalid={p.error ? true : undefined}
        aria-describedby={note}
      />
      {p.error ? (
        <p class="error" id={`${p.name}-error`}>
          {p.error}
        </p>
      ) : (
        p.hint && (
          <p class="hint" id={`${p.name}-hint`}>
            {p.hint}
          </p>
        )
      )}
    </div>
  );
}

interface CheckProps {
  name: string;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  children: ComponentChildren;
  error?: string | undefined;
  disabled?: boolean;
}

export function Check(p: CheckProps): JSX.Element {
  return (
    <div class={p.error ? "field check bad" : "field check"}>
      <label>
        <input
          type="checkbox"
          name={p.name}
          id={p.name}
          checked={p.checked}
          disabled={p.disabled}
          onChange={(e) => p.onChecked(e.currentTarget.checked)}
          aria-invalid={p.error ? true : undefined}
          aria-describedby={p.error ? `${p.name}-error` : undefined}
        />
        <span>{p.children}</span>
      </label>
      {p.error && (
        <p class="error" id={`${p.name}-error`}>
          {p.error}
        </p>
      )}
    </div>
  );
}

// What belongs to the form as a whole.
export function FormError({ text }: { text: string | undefined }): JSX.Element {
  return (
    <div role="alert" class="form-error" data-testid="form-error">
      {text && <p class="error">{text}</p>}
    </div>
  );
}
