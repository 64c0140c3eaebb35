"""Models: what is asked, what comes back, and every way in which that can go wrong."""
