"""From the configuration's section `models` and the environment to the settings of models."""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.commands.configuration import Configuration
from compaction_eval.eval.models.settings import ModelSettings, model_settings
from compaction_eval.strategies.errors import ConfigurationError


def settings_of(configuration: Configuration, environ: Mapping[str, str]) -> ModelSettings:
    """The settings that hold. Raises ConfigurationError, with the place of the section's value."""
    given = {name: values[-1] for name, values in configuration.models.items()}
    headers = given.pop("headers", None)
    try:
        return model_settings(
            environ,
            {name: one.text for name, one in given.items()},
            headers.fields if headers is not None else None,
        )
    except ConfigurationError as error:
        place = f"{headers.place}: " if headers is not None else ""
        lines = str(error).splitlines()
        told = [f"{place if line.startswith('header ') else ''}{line}" for line in lines]
        raise ConfigurationError("\n".join(told)) from None
