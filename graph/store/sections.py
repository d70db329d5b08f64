"""The handbooks' sections in RediSearch: a question finds its candidates in an index, not by a scan.

RediSearch's own Chinese reader cuts words by a dictionary, and one field has one language. So the sections are indexed by
the terms that the handbook itself counts, in both languages, each written in hexadecimal, which no reader cuts or stems.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from typing import Final

from redis.asyncio import Redis
from redis.commands.search.field import TextField
from redis.commands.search.index_definition import IndexDefinition, IndexType
from redis.commands.search.query import Query
from redis.exceptions import ResponseError

from graph.store.keys import Keys

_UNUSED: Final = 7 * 86400.0
"""Seconds after which the sections of handbooks that no process opens any more are dropped."""


class SectionIndex:
    """The index of one state of the handbooks, shared by all processes that have the same. `sections` are their terms."""

    def __init__(self, redis: Redis, keys: Keys, sections: Sequence[Sequence[str]]) -> None:
        self._redis = redis
        self._keys = keys
        self._sections = sections
        self._digest = hashlib.sha256(json.dumps([list(each) for each in sections]).encode()).hexdigest()[:16]
        self._ready = False

    async def near(self, terms: Sequence[str], most: int = 24) -> list[int]:
        """The places of the sections that hold any of the terms, the nearest first (BM25)."""
        if not terms:
            return []
        if not self._ready:
            await self._prepare()
        try:
            return await self._search(terms, most)
        except ResponseError:  # a flushed or restored Redis has no index
            await self._prepare()
            return await self._search(terms, most)

    async def _search(self, terms: Sequence[str], most: int) -> list[int]:
        wanted = "|".join(_word(term) for term in terms)
        query = Query(f"@terms:({wanted})").no_content().paging(0, most).scorer("BM25STD").dialect(2)
        found = await self._redis.ft(self._name(self._digest)).search(query)
        return [int(str(each.id).rpartition(":")[2]) for each in found.docs]

    async def _prepare(self) -> None:
        """The index first, so that each section is in it as soon as it is written. Safe to do twice and by many."""
        new = True
        try:
            await self._redis.ft(self._name(self._digest)).create_index(
                [TextField("terms", no_stem=True)],
                definition=IndexDefinition(  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
                    [self._keys.section(self._digest, "")], index_type=IndexType.HASH
                ),
                stopwords=[],
            )
        except ResponseError as error:
            if "already exists" not in str(error).lower():
                raise
            new = await self._redis.zscore(self._keys.handbooks(), self._digest) is None
        async with self._redis.pipeline(transaction=False) as pipe:
            for place, terms in enumerate(self._sections if new else ()):
                words = " ".join(_word(term) for term in terms)
                pipe.hset(self._keys.section(self._digest, str(place)), mapping={"terms": words})
            pipe.zadd(self._keys.handbooks(), {self._digest: time.time()})
            await pipe.execute()
        await self._drop_unused()
        self._ready = True

    async def _drop_unused(self) -> None:
        for digest in await self._redis.zrangebyscore(self._keys.handbooks(), "-inf", time.time() - _UNUSED):
            try:
                await self._redis.ft(self._name(str(digest))).dropindex(delete_documents=True)
            except ResponseError as error:
                if "index" not in str(error).lower():
                    raise
            await self._redis.zrem(self._keys.handbooks(), str(digest))

    def _name(self, digest: str) -> str:
        return f"{self._keys.handbooks()}:{digest}"


def _word(term: str) -> str:
    return f"t{term.encode().hex()}"
