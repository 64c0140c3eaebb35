"""Resamples and sign flips of many samples at once, in the same bits on every machine.

Each row of an array is a sample: one number per scenario. Samples of the same size share the drawn
resamples, so that a thousand intervals cost one drawing and one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

_AT_ONCE = 64
"""Samples whose resampled means are held at a time: 5 MB."""
_EXACT_BITS = 52


def resampled_means(
    samples: NDArray[float64], resamples: int, seed: int
) -> Iterator[NDArray[float64]]:
    """For each sample (a row) the means of its resamples with replacement, in order.

    The stream of random numbers is the same in every version of numpy, and for every sample.
    """
    import numpy as np

    size = samples.shape[1]
    weights = _weights(size, resamples, seed)
    for start in range(0, len(samples), _AT_ONCE):
        block = samples[start : start + _AT_ONCE]
        scale = _grid(block)
        # Sums of whole numbers below 2 ** 53 are exact in whatever order a machine adds them.
        sums = np.rint(block / scale) @ weights
        yield from sums * scale / size


@lru_cache(maxsize=3)
def _weights(size: int, resamples: int, seed: int) -> NDArray[float64]:
    """How often each scenario (a row) is drawn for each resample (a column).

    Kept (3 MB for 40 scenarios), since one gate after the other asks for the same, and so do the
    intervals of a table and the differences between its rows.
    """
    import numpy as np

    # `RandomState` is frozen; the newer generators may change their streams between releases.
    drawn = np.random.RandomState(seed).randint(0, size, (resamples, size))
    drawn *= resamples
    drawn += np.arange(resamples)[:, None]
    times = np.bincount(drawn.ravel(), minlength=size * resamples)
    weights: NDArray[float64] = times.reshape(size, resamples).astype(float)
    return weights


def _grid(samples: NDArray[float64]) -> NDArray[float64]:
    """For each sample the power of two in multiples of which its sums fit into a float exactly.

    Its own numbers alone decide, so that it comes out the same whatever it is computed with.
    """
    import numpy as np

    bound = np.abs(samples).max(axis=1, keepdims=True) * samples.shape[1]
    grid: NDArray[float64] = np.ldexp(1.0, np.frexp(bound)[1] - _EXACT_BITS)
    return grid


def flipped_means(samples: NDArray[float64]) -> Iterator[NDArray[float64]]:
    """For each sample the means of all its subsets but the empty one, ascending."""
    import numpy as np

    size = samples.shape[1]
    members = (np.arange(1, 2**size)[:, None] >> np.arange(size)) & 1
    counts = members.sum(axis=1)
    columns = members.T.astype(float)
    for start in range(0, len(samples), _AT_ONCE):
        block = samples[start : start + _AT_ONCE]
        scale = _grid(block)
        sums = np.rint(block / scale) @ columns
        yield from np.sort(sums * scale / counts, axis=1)
