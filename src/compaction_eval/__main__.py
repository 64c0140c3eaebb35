"""The entry point of `compaction-eval`, `python -m compaction_eval` and `run_eval.py`."""


def main() -> None:
    """Run the command line; ends the process with the command's exit code."""
    from compaction_eval.cli import cli
    from compaction_eval.output import lasting_output

    with lasting_output():
        cli()


if __name__ == "__main__":
    main()
