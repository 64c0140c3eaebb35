"""What happens: replay, probes, scoring, validity, ledger and cost, storage and gates."""
