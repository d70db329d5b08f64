"""The library with released texts in place of the files'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from graph.errors import SopMistakes
from graph.library import Library
from graph.model.releases import Release
from graph.sop import Sop, Vocabulary, parse_sop
from graph.sources import load

_OWN_FIELD = "type:"


def with_releases(files: Library, releases: Iterable[Release], earlier: Iterable[Release] = ()) -> Library:
    """The files' library with these versions in force. SopMistakes where one of them does not go with today's fields,
    tools, rules and levels; then nothing is replaced. The fields of `earlier` versions stay known: a case that keeps one
    is still to be shown."""
    sops, words = dict(files.sops), files.words
    known = dict(words.fields)
    for release in earlier:
        old = _sop_of(release, sops, words) if _OWN_FIELD in release.text else None
        known |= old.own_fields if old is not None else {}
    words = replace(words, fields={**known, **words.fields})
    mistakes: list[str] = []
    for release in releases:
        found = _sop_of(release, sops, words, mistakes)
        if found is not None:
            sops[release.sop] = found
            words = replace(words, fields={**words.fields, **found.own_fields})
    if mistakes:
        raise SopMistakes(mistakes)
    return replace(files, words=words, sops=sops)


def _sop_of(
    release: Release, sops: Mapping[str, Sop], words: Vocabulary, mistakes: list[str] | None = None
) -> Sop | None:
    source = load(f"{release.sop}@{release.digest}", release.text)
    sop = parse_sop(source, vocabulary_of(release.sop, sops, words))
    if sop is not None and sop.name != release.sop:
        source.wrong(("name",), f"this is a version of {release.sop!r}; a name stays as it is")
        sop = None
    if mistakes is not None:
        mistakes += source.mistakes
    return sop


def vocabulary_of(name: str, sops: Mapping[str, Sop], words: Vocabulary) -> Vocabulary:
    """What another version of a procedure may name: the fields of its own that it has today do not bind it."""
    own = sops[name].own_fields if name in sops else {}
    return replace(words, fields={field: spec for field, spec in words.fields.items() if field not in own})
