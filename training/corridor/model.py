"""A world: its three networks at any width, how it is sampled, and its folder.

Weight names and order of operations are those of the Wan 2.2 / DreamX-World family, so a checkpoint made here loads in
every runtime that reads that family; only the widths differ.
"""
import json
import os

import torch

from text_encoder import T5
from transformer import BLOCK, CONTEXT_T, DiT
from vae import VAE
from weights import load_safetensors

SIGMAS = [1.0, 0.9375, 5 / 6, 0.625]      # the four denoising steps; the network is told t = 1000 sigma


@torch.no_grad()
def sample_block(dit, first, view, text, cache, shape, generator=None, trace=None, commit=None):
    """Four denoising steps and the cache pass.

    first [b,z,h,w]: the clean latent of a stream's first frame, else None. view [b,3,4,4]. shape [b,z,3,h,w].
    `trace` (a list) receives the clean estimate after each step; commit(clean) may put something else into the cache.
    A `generator` draws its noise on the CPU, so that a seed gives the same pictures everywhere.
    """
    dev = view.device
    noise = lambda: torch.randn(shape, generator=generator, device="cpu" if generator else dev).to(dev)
    x = start = noise()
    free = torch.ones(1, 1, BLOCK, 1, 1, device=dev)
    if first is not None:
        free[:, :, 0] = 0
        x = start = torch.cat([first[:, :, None], start[:, :, 1:]], 2)
    for i, sigma in enumerate(SIGMAS):
        t = (free.reshape(1, BLOCK) * sigma * 1000).expand(shape[0], BLOCK)
        clean = free * (x - sigma * dit.step(x, t, view, text, cache)) + (1 - free) * start
        if trace is not None:
            trace.append(clean)
        if i + 1 < len(SIGMAS):
            after = SIGMAS[i + 1]
            x = free * ((1 - after) * clean + after * noise()) + (1 - free) * start
    kept = clean if commit is None else commit(clean)
    dit.step(kept, torch.full((shape[0], BLOCK), CONTEXT_T, device=dev), view, text, cache, commit=True)
    return clean


def build(config):
    return VAE(**config["vae"]), DiT(z_dim=config["vae"]["z_dim"], **config["dit"]), T5(**config["t5"])


def load_world(folder, device="cpu"):
    """-> config, vae, dit, t5 in eval mode"""
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    nets = build(config)
    for name, net in zip(("vae", "dit", "t5"), nets):
        net.load_state_dict(load_safetensors(os.path.join(folder, name + ".safetensors")))
        net.to(device).eval()
    return (config, *nets)


def latent_stats(config, device="cpu"):
    """mean and std as [1,z,1,1,1]; the DiT sees (latent - mean) / std"""
    return [torch.tensor(config[k], device=device).view(1, -1, 1, 1, 1) for k in ("latents_mean", "latents_std")]
