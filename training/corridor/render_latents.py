"""Clips of every place as latents: renders and encodes 80 at a time, and keeps what train_dit.py reads.

  python render_latents.py --data data/train --out out --clips 2400 --frames 93 --seed 171
  python render_latents.py --data data/val --out out --clips 80 --frames 93 --seed 900 --name val

Writes meta.pt (poses and captions of all clips) into --data at once, then shard after shard into --out, each with where
signs are in it (signs/); `train_dit.py` takes them in as they come. A shard has as many clips of every place. A clip of
93 frames at 192x128 takes .6 s of a core, or .9 of the courtyard.

The first `--keep` clips are kept too, as clips-N.npy, which finish.py learns from. Two processes share the work with
`--part 0 --parts 2` and `--part 1 --parts 2`.
"""
import argparse
import json
import os
import time

import numpy as np
import torch

import places as P
import scenes as SC
from encode import SHARD, encode, save, shard_path, shown
from signs import share_of_latents
from vae import VAE
from weights import load_safetensors, with_larger_patches

ONCE = {"cpu": 2, "cuda": 16}                     # clips rendered and encoded at a time


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="init", help="folder with config.json and vae.safetensors: whose latents")
    p.add_argument("--data", default="data/train", help="receives meta.pt")
    p.add_argument("--out", default="out", help="receives the shards")
    p.add_argument("--clips", type=int, default=2400, help="a multiple of 80")
    p.add_argument("--keep", type=int, default=0, metavar="N", help="keep the first N clips as well; 7 MB each of 93 frames")
    p.add_argument("--frames", type=int, default=93, help="12 b - 3 for b blocks")
    p.add_argument("--seed", type=int, default=11, help="another one for the held-out clips")
    p.add_argument("--name", default="", help="of the only shard, instead of its number")
    p.add_argument("--places", default="corridor", help="corridor, courtyard or both with a comma between")
    p.add_argument("--part", type=int, default=0)
    p.add_argument("--parts", type=int, default=1)
    p.add_argument("--device", default="cpu", choices=ONCE)
    p.add_argument("--threads", type=int, default=1)
    return p.parse_args()


def clips_path(folder, name):
    return os.path.join(folder, f"clips-{name}.npy")


def drawn(shard, a):
    """-> the walks of a shard, place by place"""
    names = SC.places_of(a.places)
    return [P.walks(name, SHARD // len(names), a.frames, a.seed * 10**6 + shard) for name in names]


def write_meta(a, shards):
    walks = [walk for shard in range(shards) for walk in drawn(shard, a)]
    views = torch.cat([walk.view[:, SC.latent_frames(a.frames)] for walk in walks])
    captions = [caption for walk in walks for caption in walk.captions]
    save(os.path.join(a.data, "meta.pt"), {"view": views, "captions": captions})


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    for folder in (a.data, os.path.join(a.out, "signs")):
        os.makedirs(folder, exist_ok=True)
    shards = a.clips // SHARD
    if a.part == 0:
        write_meta(a, shards)
    with open(os.path.join(a.world, "config.json")) as file:
        config = json.load(file)
    mean, std = (torch.tensor(config[key]) for key in ("latents_mean", "latents_std"))
    vae = VAE(**config["vae"]).to(a.device).eval().channels_last()
    vae.load_state_dict(with_larger_patches(load_safetensors(os.path.join(a.world, "vae.safetensors")), config["vae"]))
    vae.encode = torch.compile(vae.encode, dynamic=False)
    render = {name: torch.compile(P.PLACES[name].render, dynamic=False) for name in SC.places_of(a.places)}
    began, once = time.time(), ONCE[a.device]
    for shard in range(a.part, shards, a.parts):
        name = a.name or shard
        if os.path.exists(shard_path(a.out, name)):
            continue                                                          # made before: remove it to make it anew
        kept, z, lit = [], [], []
        for walk in drawn(shard, a):
            clips = walk.pictures(config["height"], config["width"], a.device, render[walk.place], once)
            z += [encode(vae, some, a.device) for some in clips.split(once)]
            if shard * SHARD < a.keep:
                kept.append(clips.cpu().numpy())
            lit += [share_of_latents(*(v.to(a.device) for v in pose)).cpu() * (walk.place == "corridor")
                    for pose in zip(walk.rotation, walk.at)]
        value = {"z": torch.cat(z), "mean": mean, "std": std}
        if shard == 0:
            some = value["z"][::SHARD // 6][:6, :, :7].float()
            value["shown"] = shown(vae, *(v.to(a.device) for v in (some, mean, std))).cpu()
        if kept:
            np.save(clips_path(a.out, name), np.concatenate(kept))
        save(os.path.join(a.out, "signs", f"signs-{name}.pt"), torch.stack(lit).half())
        save(shard_path(a.out, name), value)
        print(f"shard {name} after {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
