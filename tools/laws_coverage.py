#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every article of the Laws, the code that keeps it and the cases that test it.

usage: tools/laws_coverage.py [ROOT] [--write | --missing | --self-test]

Reads tests/data/laws/articles.txt and the cases of tests/data/laws. Without an option it checks, and fails on
an article of class D, C or A without a case of its own in an edition that has it or with a code symbol that
does not exist, on a case that belongs to no article, on an article that is marked "not kept yet" although it
is, on a vector of vectors.txt that nothing shows, and when one of the files made from the table is not as it
would be made now:

  docs/laws-coverage.md            the table for people
  src/cli/arbitrate_articles.inc   the table of `jadoube arbitrate --explain`

A case is an article's own when the article's patterns name it or when it expects the article's number in its
own edition; what follows from a case's name alone is listed with the article, but covers nothing. Where an
edition has the rule, a row of rules.txt or controls.txt with a value for it, and a test marked "every:" because
no edition differs there, count as well.

--write makes these two; --missing lists what the table says is not kept yet, and why, and each gap."""
import fnmatch
import pathlib
import re
import sys

EDITIONS = ["fide-1997", "fide-2005", "fide-2009", "fide-2014", "fide-2023"]
YEARS = [name[5:] for name in EDITIONS]
LANGUAGES = ["English", "Russian", "Romanian"]
FIELDS = ["class", "numbers", "title", "asks", "does", "code", "tests", "state", "form"]
OPTIONAL = {"state", "form"}
# How conduct at the board (class P) is honoured where nobody sees the board.
FORMS = {"guidance", "incident", "mode", "display", "record"}
# Tables that name every symbol: being named there keeps no article.
NAMING_FILES = {"articles.c", "names.c", "digest.c", "wire.c", "rules.c"}
NUMBER_IN_NAME = re.compile(r"(?<![\w.])(?:T-)?([A-Z]\.?\d+(?:\.\d+)*[a-z]?|\d+(?:\.\d+)+[a-z]?(?:\(\d\))?)(?=-\d|[\s,:]|$)")
NO_CASES = {"articles.txt", "rules.txt", "controls.txt", "vectors.txt"}
# Tables whose rows end in one value for each edition.
EDITION_TABLES = {"tests/data/laws/rules.txt", "tests/data/laws/controls.txt"}
DOCUMENT = "docs/laws-coverage.md"
INCLUDE = "src/cli/arbitrate_articles.inc"


class Article:
    def __init__(self, key, section, line):
        self.key, self.section, self.line = key, section, line
        self.fields = {}
        self.cases = []  # Case
        self.own = {edition: [] for edition in EDITIONS}  # those that cover it there

    def parse(self):
        f = self.fields
        self.letters = f["class"]
        self.numbers = [[] if n == "-" else [p.strip() for p in n.split(",")] for n in split(f["numbers"])]
        self.titles, self.does = split(f["title"]), split(f["does"])
        self.asks = f["asks"]
        self.code = [] if f["code"] == "-" else f["code"].split()
        self.patterns = [] if f["tests"] == "-" else split_tests(f["tests"])
        # One expression for all patterns of names, one for the numbers of an edition.
        names = [fnmatch.translate(p) for p in self.patterns if "#" not in p]
        self.names_cases = re.compile("|".join(names)).match if names else None
        self.matchers = [re.compile(f"(?:{'|'.join(map(re.escape, n))})(?:[a-z]|\\.\\d|\\(\\d\\))*").fullmatch if n else None
                         for n in self.numbers]
        self.kept = f.get("state", "kept") == "kept"
        self.form = f.get("form")

    def faults_of_form(self):
        out = []
        missing = [name for name in FIELDS if name not in self.fields and name not in OPTIONAL]
        if missing:
            return [f"{self.key}: no {', '.join(missing)}"]
        self.parse()
        if not self.letters or set(self.letters) - set("DCAP"):
            out.append(f"{self.key}: class {self.letters!r} is none of D C A P")
        if len(self.numbers) != len(EDITIONS):
            out.append(f"{self.key}: {len(self.numbers)} numbers, expected {len(EDITIONS)}")
        for name, texts in (("title", self.titles), ("does", self.does)):
            if len(texts) != len(LANGUAGES) or not all(texts):
                out.append(f"{self.key}: {name} in {len(texts)} languages, expected {', '.join(LANGUAGES)}")
        if self.fields.get("state", "kept") not in ("kept", "not kept yet"):
            out.append(f"{self.key}: state is \"kept\" or \"not kept yet\"")
        if "P" in self.letters and self.form not in FORMS:
            out.append(f"{self.key}: form says how it is honoured: {', '.join(sorted(FORMS))}")
        if "P" not in self.letters and self.form is not None:
            out.append(f"{self.key}: form belongs to class P")
        return out

    def named(self, case):
        return self.names_cases is not None and any(map(self.names_cases, case.names))

    def expected_by(self, case, edition):
        """The case expects the number of this article, or a part of it ("9.5b" where the row is 9.5)."""
        matcher = self.matchers[EDITIONS.index(edition)]
        return matcher is not None and any(map(matcher, case.articles))

    def editions(self):
        return [e for e, numbers in zip(EDITIONS, self.numbers) if numbers]

    def must_be_tested(self):
        return bool(set(self.letters) & set("DCA"))


class Case:
    def __init__(self, name, place):
        self.name, self.place = name, place
        # "T-6.12-2, T-6.12-3 both down": each of the ids counts.
        self.names = [name, name.split()[0], *re.split(r", (?=[A-Z]-|[A-Z]?\d)", name)]
        self.edition = None
        self.articles = set()
        self.used = False

    def id(self):
        """What a name begins with: "T-9.1-1", "V-40", "6.3"; None for one in words."""
        word = self.name.split()[0].rstrip(",:")
        return word if re.search(r"\d", word) else None


def split(text):
    return [part.strip() for part in text.split(" | ")]


def split_tests(text):
    """Patterns of case names, and path#text references, whose text reaches to the next pattern or path."""
    out = []
    for word in text.split():
        if out and "#" in out[-1] and not re.match(r"[A-Z]-?[\w.]*\*|\*|\S+/\S+#|T-|V-|U-", word):
            out[-1] += " " + word
        else:
            out.append(word)
    return out


def read_articles(root):
    articles, faults, section, current = [], [], "", None
    path = root / "tests/data/laws/articles.txt"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        heading = re.match(r"# ---- (.+)$", line)
        if heading:
            section = heading.group(1)
        if not line.strip() or line.startswith("#"):
            continue
        name, _, value = line.partition(" ")
        if name == "article":
            current = Article(value.strip(), section, number)
            articles.append(current)
        elif name in FIELDS and current is not None and name not in current.fields:
            current.fields[name] = value.strip()
        else:
            faults.append(f"{path.name}:{number}: expected one of article, {', '.join(FIELDS)}: {line}")
    keys = [a.key for a in articles]
    faults += [f"{key} stands there twice" for key in sorted(set(keys)) if keys.count(key) > 1]
    faults += [f"{key}: not a name" for key in keys if not re.fullmatch(r"[a-z][a-z0-9_]*", key)]
    for article in articles:
        faults += article.faults_of_form()
    return articles, faults


def read_cases(root):
    cases = []
    for path in sorted((root / "tests/data/laws").glob("*.txt")):
        if path.name in NO_CASES:
            continue
        current = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            place = f"{path.name}:{number}"
            if path.name == "winnable.txt":
                row = re.match(r"([^#|]+)\|", line)
                if row:
                    cases.append(Case(row.group(1).strip(), place))
                continue
            if line.startswith("case "):
                current = Case(line[5:].strip(), place)
                cases.append(current)
            elif current is not None and line.startswith("rules "):
                current.edition = line.split()[1]
            elif current is not None and not line.startswith("#"):
                # An expectation says "article 9.5.3"; a document or a text may hold the same words elsewhere.
                current.articles |= set(re.findall(r"\barticle ([A-Z0-9][A-Za-z0-9.()]*)", line))
    return cases


def parts_of(by_number, known, edition, number):
    """The articles whose number begins with this one and a letter or digit more."""
    key = (edition, number)
    if key not in known:
        begins = re.compile(re.escape(number) + r"(?:[a-z]|\.\d)")
        known[key] = [a for (e, n), rows in by_number.items() if e == edition and begins.match(n) for a in rows]
    return known[key]


def assign(articles, cases):
    by_number, known = {}, {}
    for article in articles:
        for edition, numbers in zip(EDITIONS, article.numbers):
            for number in numbers:
                by_number.setdefault((edition, number), []).append(article)
    for case in cases:
        named = [article for article in articles if article.named(case)]
        found = list(named)
        # A case of the lemmas and mates of winnable.txt is about dead positions like its neighbours.
        if case.place.startswith("winnable.txt"):
            found += [a for a in articles if a.key == "dead_position"]
        # Names such as "6.3 delay without main time", "T-A2-1, A3 the envelope": numbers of 2005 or of their own.
        numbers = set(case.articles)
        for number in re.findall(NUMBER_IN_NAME, case.name):
            numbers.add(number)
            found += by_number.get(("fide-2005", number), [])
        for number in numbers:
            found += by_number.get((case.edition, number), [])
            # "6.2" stands for 6.2a and 6.2b.
            found += parts_of(by_number, known, case.edition, number)
            # "9.5b" where the row stands for the whole of 9.5.
            whole = re.sub(r"[a-z]$|\.\d$", "", number)
            if (case.edition, number) not in by_number:
                found += by_number.get((case.edition, whole), [])
        for article in dict.fromkeys(found):
            article.cases.append(case)
            case.used = True
        for article in articles:
            for edition in [case.edition] if case.edition else EDITIONS:
                if article in named or article.expected_by(case, edition):
                    article.own[edition].append(case)
                    if case not in article.cases:
                        article.cases.append(case)
                    case.used = True


class Sources:
    def __init__(self, root):
        self.root = root
        self.words = {}

    def words_of(self, folder):
        if folder not in self.words:
            found = set()
            for path in (self.root / folder).glob("**/*.[ch]"):
                if folder == "src/laws" and path.name in NAMING_FILES | {"inner.h"}:
                    continue
                text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
                text = re.sub(r"\bROW\(.*\)", "", text)  # rows of tables of names
                found |= set(re.findall(r"\b[A-Za-z_]\w*\b", text))
            self.words[folder] = found
        return self.words[folder]

    def has(self, symbol):
        if ":" in symbol:
            folder, _, name = symbol.partition(":")
            return (self.root / folder).is_dir() and name in self.words_of(folder)
        return symbol in self.words_of("src/laws") or symbol in self.words_of("src/chess")


def reference_path(reference):
    return reference.partition("#")[0].removeprefix("every:")


def reference_editions(root, reference):
    """The editions a reference covers: by the values of a row, or all where none differs."""
    path, text = reference_path(reference), reference.partition("#")[2]
    if reference_fault(root, reference):
        return []
    if reference.startswith("every:"):
        return EDITIONS
    if path not in EDITION_TABLES:
        return []
    rows = [line for line in (root / path).read_text(encoding="utf-8").splitlines() if line.split(" ")[0] == text]
    values = [line.split("|")[-1].split() for line in rows]
    return [e for i, e in enumerate(EDITIONS) if any(len(v) == len(EDITIONS) and v[i] != "?" for v in values)]


def gaps(root, article):
    """The editions that have this article and no case of it."""
    if not article.must_be_tested():
        return []
    covered = {e for p in article.patterns if "#" in p for e in reference_editions(root, p)}
    return [e for e in article.editions() if not article.own[e] and e not in covered]


def read_vectors(root):
    """Lines "ID" (a case of that name shows it) or "ID path#text"."""
    vectors = []
    for line in (root / "tests/data/laws/vectors.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reference = line.partition(" ")
            vectors.append((name, reference.strip()))
    return vectors


def vector_faults(root, vectors, cases):
    names = {word for case in cases for word in re.findall(r"[A-Za-z0-9.-]*[A-Za-z0-9]", case.name)}
    out = [f"vectors.txt: {name} stands there twice" for name in sorted({n for n, _ in vectors})
           if [n for n, _ in vectors].count(name) > 1]
    for name, reference in vectors:
        if reference == "" and name not in names:
            out.append(f"vectors.txt: no case is named {name}")
        elif reference and reference_fault(root, reference):
            out.append(f"vectors.txt: {name}: {reference_fault(root, reference)}")
    return out


def reference_fault(root, reference):
    path, text = reference_path(reference), reference.partition("#")[2]
    file = root / path
    if not file.is_file():
        return f"there is no {path}"
    if text and text not in file.read_text(encoding="utf-8"):
        return f"{path} does not hold \"{text}\""
    return None


def wants(root, article, sources):
    """What keeps this article from being kept."""
    out = [f"no symbol {s} in the code" for s in article.code if not sources.has(s)]
    references = [p for p in article.patterns if "#" in p]
    for reference in references:
        fault = reference_fault(root, reference)
        if fault:
            out.append(fault)
    if article.must_be_tested():
        if not article.code:
            out.append("no code named")
        out += [f"no case in {edition}" for edition in gaps(root, article)]
    return out


def number_text(numbers):
    return ", ".join(numbers) if numbers else "–"


def summary(root, articles):
    """One row for each edition: what must be decided and is tested, what is honoured otherwise."""
    out = ["| edition | D, C, A | with code and a case | P, by its form |", "| --- | --- | --- | --- |"]
    for edition, year in zip(EDITIONS, YEARS):
        there = [a for a in articles if edition in a.editions()]
        decided = [a for a in there if a.must_be_tested()]
        shown = [a for a in decided if a.code and edition not in gaps(root, a)]
        forms = [a.form for a in there if "P" in a.letters]
        out.append(f"| {year} | {len(decided)} | {len(shown)} ({100 * len(shown) // len(decided)} %) | "
                   + ", ".join(f"{f} {forms.count(f)}" for f in sorted(set(forms))) + " |")
    return out


def document(root, articles, cases, vectors, sources):
    out = ["# Coverage of the Laws", "",
           "<!-- Made by tools/laws_coverage.py from tests/data/laws/articles.txt; do not edit. -->", "",
           "Every article of the five editions of the FIDE Laws of Chess that `jadoube` knows: who decides it, what "
           "it asks in our own words, what the program does, where, and which cases test it. "
           "`jadoube arbitrate --explain 9.5b --edition fide-2005` tells the same of one article in English, "
           "Russian or Romanian.", "",
           "Class: **D** decided by the program alone, **C** when a player claims or offers, **A** by an arbiter "
           "(the program offers the action and records it), **P** conduct at the board (guidance, a record of "
           "incidents, or an optional mode). Cases stand in `tests/data/laws/`; the years say under which editions "
           "they are played.", "",
           "How conduct (P) is honoured: **guidance** in the help and the arbiter's console, an **incident** on "
           "record, an optional **mode** of the game, what is shown (**display**) or kept (**record**).", ""]
    out += summary(root, articles) + [""]
    kept = sum(1 for a in articles if a.kept)
    tested = sum(1 for a in articles if a.cases)
    out += [f"{len(articles)} articles, {kept} kept, {len(articles) - kept} not kept yet; {len(cases)} cases, "
            f"{tested} articles with a case of their own; {len(vectors)} vectors of the rules specification, each "
            "named by a case or by the test that `tests/data/laws/vectors.txt` says.", ""]
    section = None
    for article in articles:
        if article.section != section:
            section = article.section
            out += [f"## {section}", "",
                    "| " + " | ".join(YEARS) + " | class | article | the program | code | cases |",
                    "| " + " | ".join(["---"] * (len(YEARS) + 5)) + " |"]
        ids = list(dict.fromkeys(c.id() for c in article.cases if c.id()))
        shown = ", ".join(ids[:12]) + (f" and {len(ids) - 12} more" if len(ids) > 12 else "")
        if any(c.id() is None for c in article.cases):
            shown += " and others" if shown else "named in words"
        years = [y for y, e in zip(YEARS, EDITIONS) if article.own[e]]
        references = [reference_path(p) for p in article.patterns if "#" in p]
        tests = "; ".join(filter(None, [
            f"{len(article.cases)}: {shown}" if article.cases else "",
            f"({', '.join(years)})" if years else "",
            ", ".join(f"`{r}`" for r in dict.fromkeys(references))]))
        state = "" if article.kept else "**Not kept yet** (" + "; ".join(wants(root, article, sources)) + "). "
        cells = [number_text(n) for n in article.numbers] + [
            article.letters + (f" ({article.form})" if article.form else ""), f"**{article.titles[0]}.** {article.asks}", state + article.does[0],
            " ".join(f"`{s}`" for s in article.code), tests or "–"]
        out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        following = articles.index(article) + 1
        if following == len(articles) or articles[following].section != section:
            out.append("")
    return "\n".join(out).rstrip() + "\n"


def c_text(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def include(articles):
    out = ["// SPDX-License-Identifier: GPL-3.0-or-later", "//",
           "// Made by tools/laws_coverage.py from tests/data/laws/articles.txt; do not edit.", ""]
    for a in articles:
        # The names of cases that are tested by name; the document lists what they match.
        tests = ", ".join(dict.fromkeys(reference_path(p).replace("?", " ") for p in a.patterns))
        rows = [f"ARTICLE({a.key}, {c_text(a.letters)}, {'true' if a.kept else 'false'},",
                "        " + ", ".join(c_text(", ".join(n)) for n in a.numbers) + ",",
                f"        {c_text(a.asks)},",
                *[f"        {c_text(t)}," for t in a.titles],
                *[f"        {c_text(t)}," for t in a.does],
                f"        {c_text(' '.join(a.code))},",
                f"        {c_text(tests)})"]
        out += rows
    return "\n".join(out) + "\n"


def self_test():
    assert split_tests("T-7.4-9* tests/a.txt#one two V-40*") == ["T-7.4-9*", "tests/a.txt#one two", "V-40*"]
    assert split("a | b | c") == ["a", "b", "c"]
    articles = []
    for key, numbers in (("whole", ["9.5"] * 5), ("letter", ["9.2a"] * 4 + ["9.2.1"])):
        article = Article(key, "", 1)
        article.fields = {"class": "C", "numbers": " | ".join(numbers), "title": "a | b | c", "asks": "x",
                          "does": "a | b | c", "code": "f", "tests": "V-40*"}
        assert article.faults_of_form() == []
        articles.append(article)
    case, other, lost = Case("free words", "x:1"), Case("T-9.2a-1 words", "x:2"), Case("V-99 words", "x:3")
    case.edition, case.articles = "fide-2005", {"9.5b"}
    other.edition = lost.edition = "fide-2023"
    assign(articles, [case, other, lost])
    assert articles[0].cases == [case] and articles[1].cases == [other]
    assert case.used and other.used and not lost.used
    article = Article("bad", "", 1)
    article.fields = {"class": "X", "numbers": "1", "title": "a", "asks": "x", "does": "a | b | c", "code": "f",
                      "tests": "-", "state": "perhaps"}
    assert len(article.faults_of_form()) == 4
    # A gap is an edition, and neither a name alone nor another edition's case fills it.
    assert gaps(pathlib.Path("."), articles[1]) == ["fide-1997", "fide-2005", "fide-2009", "fide-2014", "fide-2023"]
    assert gaps(pathlib.Path("."), articles[0]) == ["fide-1997", "fide-2009", "fide-2014", "fide-2023"]
    articles[1].fields["tests"] = "T-9.2a-*"
    articles[1].parse()
    other.articles = set()
    assign([articles[1]], [other])
    assert gaps(pathlib.Path("."), articles[1]) == ["fide-1997", "fide-2005", "fide-2009", "fide-2014"]


def main(arguments):
    options = [a for a in arguments if a.startswith("--")]
    paths = [a for a in arguments if not a.startswith("--")]
    if set(options) - {"--write", "--missing", "--self-test"} or len(paths) > 1 or len(options) > 1:
        sys.exit(__doc__)
    self_test()
    if options == ["--self-test"]:
        return 0
    root = pathlib.Path(paths[0] if paths else pathlib.Path(__file__).resolve().parent.parent)
    articles, faults = read_articles(root)
    if faults:
        print("\n".join(faults))
        return 1
    cases, vectors = read_cases(root), read_vectors(root)
    if not articles or not cases or not vectors:
        print("no articles, no cases or no vectors found: wrong folder?")
        return 1
    assign(articles, cases)
    sources = Sources(root)
    if options == ["--missing"]:
        for article in articles:
            found = wants(root, article, sources)
            if found or not article.kept:
                print(f"{article.key}{'' if article.kept else ' (not kept yet)'}: {'; '.join(found) or 'nothing is missing'}")
        for case in cases:
            if not case.used:
                print(f"{case.place}: case \"{case.name}\" belongs to no article")
        return 0
    made = {DOCUMENT: document(root, articles, cases, vectors, sources), INCLUDE: include(articles)}
    if options == ["--write"]:
        for path, text in made.items():
            if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text:
                (root / path).write_text(text, encoding="utf-8")
        return 0
    for article in articles:
        found = wants(root, article, sources)
        if article.kept:
            faults += [f"{article.key}: {text}" for text in found]
        elif not found:
            faults.append(f"{article.key}: marked as not kept yet, but nothing is missing")
    faults += vector_faults(root, vectors, cases)
    faults += [f"{c.place}: case \"{c.name}\" belongs to no article" for c in cases if not c.used]
    for path, text in made.items():
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text:
            faults.append(f"{path} is not as tools/laws_coverage.py --write makes it")
    print("\n".join(faults + [f"{len(articles)} articles, {len(cases)} cases, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
