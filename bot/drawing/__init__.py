"""Pictures of flows: labelled boxes and arrows in, a PNG out. Slack shows about 800 pixels of width; text stays readable.

`draw` is all that other rooms need. The font is installed with the project, so Chinese reads the same everywhere.
"""

from bot.drawing.flow import Arrow, Box, Tone
from bot.drawing.paint import draw

__all__ = ["Arrow", "Box", "Tone", "draw"]
