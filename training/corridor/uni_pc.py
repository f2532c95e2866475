"""UniPC of order 2 over the noise levels of flow matching: predicts clean samples, with B(h) = e^h - 1."""
import math

import torch


def schedule(steps, shift=3.):
    """-> noise levels with 0 at the end, and the whole timesteps that the network is told"""
    base = [.999 * (1 - i / steps) for i in range(steps)]
    sigmas = [shift * b / (1 + (shift - 1) * b) for b in base]
    return sigmas + [0.], [int(1000 * s) for s in sigmas]


@torch.no_grad()
def sample(velocity, noise, steps, shift=3.):
    """velocity(x, timestep) -> noise - clean"""
    sigmas, timesteps = schedule(steps, shift)
    level = lambda i: math.log((1 - sigmas[i]) / sigmas[i])
    order = lambda i: min(2, i + 1, steps - i)
    x = before = noise
    clean = []                                    # the newest first
    for i in range(steps):
        now = x - sigmas[i] * velocity(x, timesteps[i])
        if i:                                     # correct x with what is known now
            h = level(i) - level(i - 1)
            phi = math.expm1(-h)
            change = .5 * (now - clean[0])
            if order(i - 1) == 2:
                r = (level(i - 2) - level(i - 1)) / h
                first = phi / -h - 1
                b0, b1 = first / phi, 2 * (first / -h - .5) / phi
                rho = (b1 - b0) / (r - 1)
                change = rho * (clean[1] - clean[0]) / r + (b0 - rho) * (now - clean[0])
            x = sigmas[i] / sigmas[i - 1] * before - (1 - sigmas[i]) * phi * (clean[0] + change)
        clean, before = [now, *clean[:1]], x
        if i + 1 == steps:
            return now
        h = level(i + 1) - level(i)
        phi = math.expm1(-h)
        change = 0
        if order(i) == 2:
            change = .5 * (clean[1] - clean[0]) * h / (level(i - 1) - level(i))
        x = sigmas[i + 1] / sigmas[i] * x - (1 - sigmas[i + 1]) * phi * (clean[0] + change)
