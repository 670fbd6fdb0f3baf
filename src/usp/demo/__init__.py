"""A first look: ``python -m usp.demo`` reads the bundled sample documents, or one file, and says what was found."""
