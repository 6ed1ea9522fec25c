#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every article of the Laws, the code that keeps it and the cases that test it.

usage: tools/laws_coverage.py [ROOT] [--write | --missing | --self-test]

Reads tests/data/laws/articles.txt and the cases of tests/data/laws. Without an option it checks, and fails on
an article of class D, C or A without a case or with a code symbol that does not exist, on a case that belongs
to no article, on an article that is marked "not kept yet" although it is, and when one of the files made from
the table is not as it would be made now:

  docs/laws-coverage.md            the table for people
  src/cli/arbitrate_articles.inc   the table of `jadoube arbitrate --explain`

--write makes these two; --missing lists what the table says is not kept yet, and why."""
import fnmatch
import pathlib
import re
import sys

EDITIONS = ["fide-1997", "fide-2005", "fide-2009", "fide-2014", "fide-2023"]
YEARS = [name[5:] for name in EDITIONS]
LANGUAGES = ["English", "Russian", "Romanian"]
FIELDS = ["class", "numbers", "title", "asks", "does", "code", "tests", "state"]
# Tables that name every symbol: being named there keeps no article.
NAMING_FILES = {"articles.c", "names.c", "digest.c", "wire.c", "rules.c"}
NUMBER_IN_NAME = re.compile(r"(?<![\w.])(?:T-)?([A-Z]\.?\d+(?:\.\d+)*[a-z]?|\d+(?:\.\d+)+[a-z]?(?:\(\d\))?)(?=-\d|[\s,:]|$)")
NO_CASES = {"articles.txt", "rules.txt", "controls.txt"}
DOCUMENT = "docs/laws-coverage.md"
INCLUDE = "src/cli/arbitrate_articles.inc"


class Article:
    def __init__(self, key, section, line):
        self.key, self.section, self.line = key, section, line
        self.fields = {}
        self.cases = []  # Case

    def parse(self):
        f = self.fields
        self.letters = f["class"]
        self.numbers = [[] if n == "-" else [p.strip() for p in n.split(",")] for n in split(f["numbers"])]
        self.titles, self.does = split(f["title"]), split(f["does"])
        self.asks = f["asks"]
        self.code = [] if f["code"] == "-" else f["code"].split()
        self.patterns = [] if f["tests"] == "-" else split_tests(f["tests"])
        self.kept = f.get("state", "kept") == "kept"

    def faults_of_form(self):
        out = []
        missing = [name for name in FIELDS[:-1] if name not in self.fields]
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
        return out

    def must_be_tested(self):
        return bool(set(self.letters) & set("DCA"))


class Case:
    def __init__(self, name, place):
        self.name, self.place = name, place
        self.edition = None
        self.articles = set()
        self.used = False

    def id(self):
        return self.name.split()[0]


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


def assign(articles, cases):
    by_number = {}
    for article in articles:
        for edition, numbers in zip(EDITIONS, article.numbers):
            for number in numbers:
                by_number.setdefault((edition, number), []).append(article)
    for case in cases:
        found = []
        for article in articles:
            if any("#" not in p and (fnmatch.fnmatchcase(case.name, p) or fnmatch.fnmatchcase(case.id(), p))
                   for p in article.patterns):
                found.append(article)
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
            found += [a for (edition, n), rows in by_number.items() for a in rows
                      if edition == case.edition and re.match(re.escape(number) + r"[a-z]|" + re.escape(number) + r"\.\d", n)]
            # "9.5b" where the row stands for the whole of 9.5.
            whole = re.sub(r"[a-z]$|\.\d$", "", number)
            if (case.edition, number) not in by_number:
                found += by_number.get((case.edition, whole), [])
        for article in dict.fromkeys(found):
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


def reference_fault(root, reference):
    path, _, text = reference.partition("#")
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
        if not article.cases and not [r for r in references if not reference_fault(root, r)]:
            out.append("no case")
    return out


def number_text(numbers):
    return ", ".join(numbers) if numbers else "–"


def document(root, articles, cases, sources):
    out = ["# Coverage of the Laws", "",
           "<!-- Made by tools/laws_coverage.py from tests/data/laws/articles.txt; do not edit. -->", "",
           "Every article of the five editions of the FIDE Laws of Chess that `jadoube` knows: who decides it, what "
           "it asks in our own words, what the program does, where, and which cases test it. "
           "`jadoube arbitrate --explain 9.5b --edition fide-2005` tells the same of one article in English, "
           "Russian or Romanian.", "",
           "Class: **D** decided by the program alone, **C** when a player claims or offers, **A** by an arbiter "
           "(the program offers the action and records it), **P** conduct at the board (guidance, a record of "
           "incidents, or an optional mode). Cases stand in `tests/data/laws/`; the years say under which editions "
           "they are played.", ""]
    kept = sum(1 for a in articles if a.kept)
    tested = sum(1 for a in articles if a.cases)
    out += [f"{len(articles)} articles, {kept} kept, {len(articles) - kept} not kept yet; {len(cases)} cases, "
            f"{tested} articles with a case of their own.", ""]
    section = None
    for article in articles:
        if article.section != section:
            section = article.section
            out += [f"## {section}", "",
                    "| " + " | ".join(YEARS) + " | class | article | the program | code | cases |",
                    "| " + " | ".join(["---"] * (len(YEARS) + 5)) + " |"]
        ids = list(dict.fromkeys(c.id() for c in article.cases))
        shown = ", ".join(ids[:12]) + (f" and {len(ids) - 12} more" if len(ids) > 12 else "")
        years = [y for y, e in zip(YEARS, EDITIONS) if any(c.edition == e for c in article.cases)]
        references = [p.partition("#")[0] for p in article.patterns if "#" in p]
        # Cases of winnable.txt name no edition: they hold in all.
        bare = [] if any(c.edition is None for c in article.cases) else [
            y for y, numbers in zip(YEARS, article.numbers) if numbers and y not in years]
        tests = "; ".join(filter(None, [
            f"{len(article.cases)}: {shown}" if ids else "",
            f"({', '.join(years)})" if years else "",
            f"none of its own in {', '.join(bare)}" if ids and bare else "",
            ", ".join(f"`{r}`" for r in dict.fromkeys(references))]))
        state = "" if article.kept else "**Not kept yet** (" + "; ".join(wants(root, article, sources)) + "). "
        cells = [number_text(n) for n in article.numbers] + [
            article.letters, f"**{article.titles[0]}.** {article.asks}", state + article.does[0],
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
        tests = ", ".join(dict.fromkeys(p.partition("#")[0].replace("?", " ") for p in a.patterns))
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
    cases = read_cases(root)
    if not articles or not cases:
        print("no articles or no cases found: wrong folder?")
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
    made = {DOCUMENT: document(root, articles, cases, sources), INCLUDE: include(articles)}
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
    faults += [f"{c.place}: case \"{c.name}\" belongs to no article" for c in cases if not c.used]
    for path, text in made.items():
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text:
            faults.append(f"{path} is not as tools/laws_coverage.py --write makes it")
    print("\n".join(faults + [f"{len(articles)} articles, {len(cases)} cases, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
