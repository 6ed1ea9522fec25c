// SPDX-License-Identifier: GPL-3.0-or-later
//
// A part of a page that is loaded when it is first shown, with the catalogues of its areas.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadArea } from "../i18n";
import type { Area } from "../i18n/areas";

export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  areas: readonly Area[] = [],
): (props: P) => JSX.Element | null {
  let ready: ComponentType<P> | null = null;
  return (props) => {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (ready) return;
      let gone = false;
      void Promise.all([load(), ...areas.map((area) => loadArea(area))]).then(([part]) => {
        ready = part;
        if (!gone) redraw((n) => n + 1);
      });
      return () => {
        gone = true;
      };
    }, []);
    const Part = ready;
    return Part && <Part {...props} />;
  };
}
