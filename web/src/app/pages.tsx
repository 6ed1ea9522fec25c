// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which page stands at which address. A page is loaded when it is opened, with the catalogues of the
// areas it speaks of; that of the first address side by side with everything else.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadArea } from "../i18n";
import type { Area } from "../i18n/areas";
import { NotFoundPage } from "../pages/not_found";
import { loadExtras } from "./sheet";

// The place holders of a path by name, decoded.
type Args = Record<string, string>;
type View = ComponentType<Args>;

interface Route {
  // Segments; one that begins with a colon is a place holder.
  path: string;
  view?: View;
  load?: () => Promise<View>;
  areas?: readonly Area[];
}

const view = <P extends object>(component: ComponentType<P>): View =>
  component as unknown as View;

// The pages of /learn wear a sheet of their own.
async function withLearn<P extends object>(component: ComponentType<P>): Promise<View> {
  await (await import("../learn/data")).loadLearnSheet();
  return view(component);
}

const ROUTES: readonly Route[] = [
  { path: "/", load: async () => (await import("../pages/home")).HomePage },
  { path: "/play", load: async () => (await import("../pages/home")).HomePage },
  { path: "/register", load: async () => (await import("../pages/register")).RegisterPage, areas: ["entry", "oidc"] },
  { path: "/login", load: async () => (await import("../pages/login")).LoginPage, areas: ["entry", "oidc"] },
  {
    path: "/account",
    load: async () => view((await import("../pages/account")).AccountPage),
    areas: ["account", "people", "oidc"],
  },
  { path: "/account/vacation", load: async () => (await import("../pages/slow")).VacationPage, areas: ["slow"] },
  { path: "/account/notices", load: async () => (await import("../pages/slow")).NoticesPage, areas: ["slow"] },
  {
    path: "/account/:section",
    load: async () => view((await import("../pages/account")).AccountPage),
    areas: ["account", "people", "oidc"],
  },
  { path: "/notices/off/:token", load: async () => view((await import("../pages/slow")).NoticesOffPage), areas: ["slow"] },
  { path: "/confirm/:token", load: async () => view((await import("../pages/letters")).ConfirmPage), areas: ["entry"] },
  { path: "/recover", load: async () => (await import("../pages/letters")).RecoverPage, areas: ["entry"] },
  { path: "/recover/:token", load: async () => view((await import("../pages/letters")).FinishPage), areas: ["entry"] },
  { path: "/undo/:token", load: async () => view((await import("../pages/letters")).UndoPage), areas: ["entry"] },
  {
    path: "/computer",
    load: async () => (await import("../pages/computer")).ComputerPage,
    areas: ["computer"],
  },
  { path: "/learn", load: async () => withLearn((await import("../learn/index_page")).LearnPage), areas: ["learn"] },
  { path: "/learn/problems", load: async () => withLearn((await import("../learn/problems_page")).ProblemsPage), areas: ["learn"] },
  { path: "/learn/openings", load: async () => withLearn((await import("../learn/openings_page")).OpeningsPage), areas: ["learn"] },
  { path: "/learn/coordinates", load: async () => withLearn((await import("../learn/coordinates_page")).CoordinatesPage), areas: ["learn"] },
  { path: "/learn/:slug", load: async () => withLearn((await import("../learn/lesson_page")).LessonPage), areas: ["learn", "tutor"] },
  {
    path: "/analysis",
    load: async () => {
      const [page] = await Promise.all([import("../pages/analysis"), loadExtras()]);
      return page.AnalysisPage;
    },
    areas: ["analysis", "tutor", "hints", "report"],
  },
  {
    path: "/local",
    load: async () => {
      const [page] = await Promise.all([import("../pages/local"), loadExtras()]);
      return page.LocalPage;
    },
    areas: ["local", "analysis", "computer", "tutor"],
  },
  {
    path: "/clock",
    load: async () => {
      const [page] = await Promise.all([import("../pages/clock"), loadExtras()]);
      return page.ClockPage;
    },
    areas: ["clock"],
  },
  {
    path: "/curiosity",
    load: async () => {
      const [page] = await Promise.all([import("../pages/curiosity"), loadExtras()]);
      return page.CuriosityPage;
    },
    areas: ["clock"],
  },
  {
    path: "/player/:nick",
    load: async () => view((await import("../pages/player")).PlayerPage),
    areas: ["ratings", "people"],
  },
  {
    path: "/games",
    load: async () => (await import("../archive/games_page")).GamesPage,
    areas: ["archive", "ratings"],
  },
  {
    path: "/watch",
    load: async () => (await import("../archive/watch_page")).WatchPage,
    areas: ["archive"],
  },
  { path: "/rules", load: async () => (await import("../rules/page")).RulesPage, areas: ["laws_page"] },
  { path: "/ratings", load: async () => (await import("../ratings/list_page")).RatingsPage, areas: ["ratings"] },
  {
    path: "/ratings/how",
    load: async () => (await import("../ratings/articles")).RatingRulesPage,
    areas: ["ratings"],
  },
  {
    path: "/ratings/rules",
    load: async () => (await import("../ratings/articles")).RatingRulesPage,
    areas: ["ratings"],
  },
  {
    path: "/ratings/table",
    load: async () => (await import("../ratings/articles")).RatingTablePage,
    areas: ["ratings"],
  },
  {
    path: "/ratings/classes",
    load: async () => (await import("../ratings/articles")).RatingClassesPage,
    areas: ["ratings"],
  },
  {
    path: "/ratings/:list",
    load: async () => view((await import("../ratings/list_page")).RatingListPage),
    areas: ["ratings"],
  },
  // The board and its rules are half of the code.
  { path: "/game/:id", load: async () => view((await import("../pages/game")).GamePage) },
  {
    path: "/game/:id/analysis",
    load: async () => view((await import("../pages/replay")).ReplayPage),
  },
];

const segments = (path: string): string[] => path.split("/").filter((part) => part !== "");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign: nothing has such a name, the page will say so
  }
}

function match(route: Route, path: string): Args | null {
  const wanted = segments(route.path);
  const given = segments(path);
  if (wanted.length !== given.length) return null;
  const args: Args = {};
  for (let i = 0; i < wanted.length; i++) {
    const segment = wanted[i]!;
    if (segment.startsWith(":")) args[segment.slice(1)] = decode(given[i]!);
    else if (segment !== given[i]) return null;
  }
  return args;
}

function find(path: string): { route: Route; args: Args } | null {
  for (const route of ROUTES) {
    const args = match(route, path);
    if (args) return { route, args };
  }
  return null;
}

const loaded = new Map<Route, View>();

async function load(route: Route): Promise<View> {
  const [component] = await Promise.all([
    route.load!(),
    ...(route.areas ?? []).map((area) => loadArea(area)),
  ]);
  loaded.set(route, component);
  return component;
}

// Begins loading the script of the page of an address before it is drawn; what an area says has to
// wait until the language is chosen.
export async function warmPage(path: string): Promise<void> {
  const route = find(path)?.route;
  const component = await route?.load?.();
  if (component && !route!.areas) loaded.set(route!, component);
}

export function Page({ path }: { path: string }): JSX.Element {
  const found = find(path);
  if (!found) return <NotFoundPage />;
  const { route, args } = found;
  const key = route.path + JSON.stringify(args);
  const Ready = route.view ?? loaded.get(route);
  return Ready ? <Ready {...args} key={key} /> : <Loading route={route} args={args} key={key} />;
}

function Loading({ route, args }: { route: Route; args: Args }): JSX.Element {
  const [Ready, setReady] = useState<View | null>(null);
  useEffect(() => {
    void load(route).then((component) => setReady(() => component));
  }, [route]);
  return Ready ? <Ready {...args} /> : <p class="loading" aria-busy="true" />;
}
