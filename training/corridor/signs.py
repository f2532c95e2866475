"""Where the signs of furnished.py are: small things, which a mean error overlooks.

A picture in which only signs are lit: red paint that leaves black everything else, green paint that leaves nothing,
and their difference. Poses are those of the walker, which are drawn from the seeds of the clips.
"""
import torch
import torch.nn.functional as F

import furnished

BARE = {"wall": (-.293, -1.12, 0.), "door": (-.4, -.4, 0.), "floor": (-.5, -.5, 0.), "lamp": (0., 0., 0.), "fog": (0., 0., 0.)}
LIT = .239                                        # what is left of a sign's red


def signs(rotation, place, height, width, render=furnished.render):
    """rotation [F,3,3], place [F,3] -> [F,H,W], 0 to 1: how much of a pixel is a sign, less in the fog."""
    scene = {**{k: torch.tensor([v]) for k, v in BARE.items()}, "ambient": torch.ones(1)}
    picture = render(scene, rotation[None], place[None], height, width)[0].float()
    return ((picture[..., 0] - picture[..., 1]) / (255 * LIT)).clamp(0, 1)


def share_of_latents(rotation, place, height=128, width=192):
    """Poses of all frames of a clip -> [N,height/16,width/16]: the share of signs in what each latent stands for."""
    frames = [0, *(f for first in range(1, len(rotation), 4) for f in (first, first + 3))]
    share = F.avg_pool2d(signs(rotation[frames], place[frames], height // 2, width // 2)[:, None], 8)[:, 0]
    return torch.cat([share[:1], torch.maximum(share[1::2], share[2::2])])
