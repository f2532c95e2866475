"""Between the stages: the clips as latents, in shards, so that train_dit.py can begin with the first ones.

Shard 0 holds mean and std of every latent channel too; the DiT sees (latent - mean) / std. It also holds how much each
channel shows in decoded pictures, which differs by a factor of a hundred: the trainers weigh errors by it. Two processes
share the work with `--part 0 --parts 2` and `--part 1 --parts 2`.
"""
import argparse
import json
import os
import time

import torch

from vae import VAE
from weights import load_safetensors
import scenes as SC

SHARD = 80
SHOWN = .75                                       # channels that show more in pictures count more, by this power


def shard_path(out, name):
    return os.path.join(out, f"latents-{name}.pt")


@torch.no_grad()
def encode(vae, frames, device):
    """uint8 clips -> latents [n,z,N,h,w] (not normalised), f16 on the CPU."""
    size = 2 if device == "cpu" else 16                     # one size: the compiled encoder knows no other
    out = []
    for i in range(0, len(frames), size):
        x = SC.to_float(frames[i:i + size], device)
        with torch.autocast(device.split(":")[0], torch.bfloat16):
            out.append(vae.encode(x.contiguous()).half().cpu())
    return torch.cat(out)


@torch.no_grad()
def shown(vae, z, mean, std):
    """Mean square change of the decoded picture when a channel alone gets noise of .4 std, 1 on average -> [z]

    z [n,z,N,h,w] are latents of a few clips.
    """
    at = lambda v: v.view(1, -1, 1, 1, 1)
    decode = lambda x: vae.decode(x).clamp(-1, 1)
    picture, changes = decode(z), []
    for channel in range(z.shape[1]):
        noise = torch.randn(z.shape, generator=torch.Generator().manual_seed(1)).to(z)
        only = torch.zeros_like(mean)
        only[channel] = .4 * std[channel]
        changes.append((decode(z + at(only) * noise) - picture).square().mean())
    change = torch.stack(changes)
    return change / change.mean()


def channel_weights(shown):
    """How much an error in each channel counts in training, 1 on average: [z] -> [1,z,1,1,1]"""
    weight = shown ** SHOWN
    return (weight / weight.mean()).view(1, -1, 1, 1, 1)


def save(path, value):
    torch.save(value, path + ".tmp")
    os.replace(path + ".tmp", path)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", default="data/train", help="clips made by scenes.py")
    p.add_argument("--val", default="data/val", help="held-out clips")
    p.add_argument("--out", default="out", help="folder with vae.safetensors and vae.json; receives the shards")
    p.add_argument("--clips", type=int, default=6000, help="an even number")
    p.add_argument("--frames", type=int, default=69, help="how many of each clip; 12 b - 3 for b blocks")
    p.add_argument("--part", type=int, default=0)
    p.add_argument("--parts", type=int, default=1)
    p.add_argument("--device", default="cpu")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    with open(os.path.join(a.out, "vae.json")) as file:
        vae = VAE(**json.load(file)["vae"]).to(a.device).eval().channels_last()
    vae.load_state_dict(load_safetensors(os.path.join(a.out, "vae.safetensors")))
    vae.encode = torch.compile(vae.encode, dynamic=False)
    began, video = time.time(), SC.open_video(a.data)
    for shard in range(a.part, -(-min(a.clips, len(video)) // SHARD), a.parts):
        if os.path.exists(shard_path(a.out, shard)):
            continue                                                          # made before: remove it to make it anew
        z = {"z": encode(vae, video[SHARD * shard:min(a.clips, SHARD * (shard + 1)), :a.frames], a.device)}
        if shard == 0:
            flat = z["z"].float()
            z["mean"], z["std"] = flat.mean((0, 2, 3, 4)), flat.std((0, 2, 3, 4))
            z["shown"] = shown(vae, flat[:6, :, :7].to(a.device), z["mean"].to(a.device), z["std"].to(a.device)).cpu()
            save(shard_path(a.out, "val"), {"z": encode(vae, SC.open_video(a.val)[:, :a.frames], a.device)})
        save(shard_path(a.out, shard), z)
        print(f"shard {shard} after {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
