"""The font that pictures are set in: Noto Sans CJK, under the SIL Open Font License, out of a wheel of fonts."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from PIL import ImageFont

_PACKAGE, _FILE = "manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc"
_SIMPLIFIED_CHINESE = 2
"""Which face of the collection: the same sign is written otherwise in Japan, Korea and Taiwan."""


@lru_cache(maxsize=8)
def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The face at this size, in pixels."""
    face = ImageFont.truetype(str(files(_PACKAGE) / _FILE), size, index=_SIMPLIFIED_CHINESE)
    face.set_variation_by_axes([700 if bold else 400])
    return face
