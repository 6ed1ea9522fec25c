// SPDX-License-Identifier: GPL-3.0-or-later
// Who says nothing for 45 s is gone.
import { Site, Socket, runTests, same, test, within } from "./harness.mjs";

const site = await Site.start();

test("silence of 45 s closes, an answered ping does not", async () => {
  const deaf = await Socket.open(site, { autoPong: false });
  const live = await Socket.open(site);
  const code = await within(90_000, "the close", deaf.closed);
  same(code, 1001, "code");
  same((await live.must("hello")).t, "welcome", "who answers pings stays");
  await live.close();
});

await runTests();
