"""Charts of a finished run: what each shows as a table, and how it is drawn."""
