"""A first look: ``python -m usp.demo`` serves a sample site on this machine, crawls it, and says what was found."""
