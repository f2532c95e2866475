"""Where the signs of furnished.py are: small things, which a mean error overlooks.

Where a black corridor with lit signs differs from one without. Poses are those of the walker, which are drawn from the
seeds of the clips.
"""
import torch
import torch.nn.functional as F

import furnished

LIT = .72                                         # what is left of the glow of a sign at arm's length
BARE = {name: torch.tensor([[value] * 3]) for name, value in
        {"wall": 0., "door": 1., "floor": 0., "lamp": 1., "fog": 0.}.items()}


def signs(rotation, place, height, width, render=furnished.render):
    """rotation [F,3,3], place [F,3] -> [F,H,W], 0 to 1: how much of a pixel is a sign, less in the fog."""
    scene = {**BARE, "ambient": torch.ones(1)}
    there, bare = (render(scene, rotation[None], place[None], height, width, shown)[0, ..., 0].float() for shown in (True, False))
    return ((there - bare) / (255 * LIT)).clamp(0, 1)


def share_of_latents(rotation, place, height=128, width=192):
    """Poses of all frames of a clip -> [N,height/16,width/16]: the share of signs in what each latent stands for."""
    frames = [0, *(f for first in range(1, len(rotation), 4) for f in (first, first + 3))]
    share = F.avg_pool2d(signs(rotation[frames], place[frames], height // 2, width // 2)[:, None], 8)[:, 0]
    return torch.cat([share[:1], torch.maximum(share[1::2], share[2::2])])
