"""What the requests of a finished run would have cost, with a provider's prompt cache."""
