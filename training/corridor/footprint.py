"""Features averaged over the footprint of a pixel: nothing flickers, and one ray a pixel is enough.

A feature is a product of intervals, and what is finer than a pixel fades to its mean.
"""
import scenes as SC

SOFT = 1.5                                        # widths of a pixel over which an edge goes


def between(at, low, high, size):
    """How much of a box of width `size` about `at` lies in low..high; exact, also for slits finer than the box."""
    return ((at - low) / size + .5).clamp(0, 1) - ((at - high) / size + .5).clamp(0, 1)


def above(at, edge, size):
    return ((at - edge) / size + .5).clamp(0, 1)


def repeat(at, half, period, size):
    """`between` -half and half around every multiple of the period; the mean where periods are finer than pixels."""
    far = (size / period * 2 - .5).clamp(0, 1)
    return between(SC.wrap(at, period), -half, half, size) * (1 - far) + 2 * half / period * far
