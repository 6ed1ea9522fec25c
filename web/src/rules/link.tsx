// SPDX-License-Identifier: GPL-3.0-or-later
//
// The name of an article, as a link to it. Opens beside the game, which is not left for it.
import type { JSX } from "preact";
import { t } from "../i18n";

export function ArticleLink({ article, edition }: { article: string; edition: string }): JSX.Element {
  return (
    <a href={`/rules?edition=${edition}#${encodeURIComponent(article)}`} target="_blank" rel="noopener" data-testid="article-link">
      {t("game.article", { article, year: edition.replace(/^\D+/, "") })}
    </a>
  );
}
