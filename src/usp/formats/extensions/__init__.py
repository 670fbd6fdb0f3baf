"""What may hang on a page: one XML namespace a file, registered here."""

from usp.formats.extensions.hreflang import HREFLANG
from usp.formats.extensions.image import IMAGE
from usp.formats.extensions.news import NEWS
from usp.formats.extensions.video import VIDEO

EXTENSIONS = (NEWS, IMAGE, VIDEO, HREFLANG)
