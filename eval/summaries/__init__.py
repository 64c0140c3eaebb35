"""Models that summarise: asked from within the replay, several conversations at once."""
