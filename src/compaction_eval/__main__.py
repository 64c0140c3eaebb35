"""The entry point of `compaction-eval`, `python -m compaction_eval` and `run_eval.py`."""


def main() -> None:
    """Run the command line; ends the process with the command's exit code."""
    from compaction_eval.cli import cli

    cli()


if __name__ == "__main__":
    main()
