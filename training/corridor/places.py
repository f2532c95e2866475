"""The places that a world can be of, with one interface, and clips of several of them by a seed.

A place draws scenes and says them in words, lets one begin and walk there, and makes pictures. Actions, camera and
commanded poses are the same everywhere (scenes.py).
"""
from dataclasses import dataclass
from typing import Callable

import numpy as np
import torch

import courtyard
import furnished
import scenes as SC


@dataclass(frozen=True)
class Place:
    sample: Callable                              # (n, generator, share of dark ones) -> scenes
    caption: Callable                             # (scenes, i) -> words
    start: Callable                               # (n, generator) -> yaw, x, z
    slide: Callable                               # (place, step) -> place
    render: Callable                              # (scenes, rotation, place, height, width) -> uint8 [n,F,H,W,3]
    dark: float                                   # share of dark scenes among the clips


def _place(scenes, render, dark):
    return Place(scenes.sample_scenes, scenes.caption, scenes.random_start, scenes.slide, render, dark)


PLACES = {"corridor": _place(SC, furnished.render, SC.DARK_SHARE),
          "courtyard": _place(courtyard, courtyard.render, courtyard.DUSK_SHARE)}


@dataclass(frozen=True)
class Walk:
    """Clips of one place that are not yet pictures"""
    place: str
    scenes: dict
    rotation: torch.Tensor                        # [n,F,3,3] and
    at: torch.Tensor                              # [n,F,3] of the walker
    view: torch.Tensor                            # [n,F,4,4] of the commanded motion
    captions: list

    def pictures(self, height, width, device="cpu", render=None, once=1):
        """-> uint8 [n,F,H,W,3] on the device, `once` clips at a time"""
        render, out = render or PLACES[self.place].render, []
        for i in range(0, len(self.rotation), once):
            some = slice(i, i + once)
            scene = {k: v.to(device) for k, v in SC.part(self.scenes, some).items()}
            out.append(render(scene, self.rotation[some].to(device), self.at[some].to(device), height, width))
        return torch.cat(out)


def walks(place, n, frames, seed):
    """The same seed gives the same walks, everywhere."""
    here = PLACES[place]
    generator, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    scenes = here.sample(n, generator, here.dark)
    rows = [SC.random_row(frames, rng) for _ in range(n)]
    rotation, at, view = SC.integrate(rows, *here.start(n, generator), here.slide)
    return Walk(place, scenes, rotation, at, view, [here.caption(scenes, i) for i in range(n)])
