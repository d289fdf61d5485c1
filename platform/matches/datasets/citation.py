"""How a data set is cited: as CFF and in BibTeX."""

import json

from matches.datasets.event import DatasetEvent


def citation(event: DatasetEvent) -> str:
    """Return how the data set is cited, as CFF; every text is written in quotes."""
    said = {
        "cff-version": "1.2.0",
        "type": "dataset",
        "message": "If you use this data set, please cite it.",
        "title": f"{event.name}: games and decisions",
        "authors": [{"name": event.by}],
        "license": event.licence,
        "url": event.page,
    }
    if event.finished_at is not None:
        said["date-released"] = event.finished_at.date().isoformat()
    return "".join(f"{name}: {yaml_text(value)}\n" for name, value in said.items())


def yaml_text(value: object) -> str:
    r"""Return a value as JSON that YAML reads alike: it takes a pair of surrogates for two letters, and refuses control
    characters.

    >>> print(yaml_text("a\x7f \N{ROOSTER}"))
    "a\U0000007f \U0001f413"
    """
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if one.isprintable() and one < "\U00010000" else f"\\U{ord(one):08x}" for one in text)


def bibtex(event: DatasetEvent) -> str:
    """Return how the data set is cited in BibTeX."""
    year = event.finished_at.year if event.finished_at else ""
    return (
        f"@misc{{{event.slug},\n"
        f"  title = {{{bibtex_text(event.name)}: games and decisions}},\n"
        f"  author = {{{{{bibtex_text(event.by)}}}}},\n"
        f"  year = {{{year}}},\n"
        f"  url = {{{event.page}}},\n"
        f"  note = {{Data set, {event.licence}}}\n}}\n"
    )


def bibtex_text(text: str) -> str:
    r"""Return text in which no letter means anything to LaTeX.

    >>> print(bibtex_text("50 % {of} a_b"))
    50 \% of a\_b
    """
    plain = text.translate(str.maketrans("", "", "\\{}~^"))
    return "".join(f"\\{letter}" if letter in "&%$#_" else letter for letter in plain)
