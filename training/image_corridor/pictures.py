"""Start pictures of both places: the scenes of training/corridor, seen from where a walk begins.

  python pictures.py --place courtyard --poses 5000 --seed 21 --out data/train --threads 1

Every pose is drawn twice in different colours, so that an edit can be learned: the same place, other words. Writes
data/train.courtyard.pictures.npy and .labels.npy; a label has a number for every part of `PARTS`, -1 for a part that
this place does not have.
"""
import argparse
import math
import os
import sys
import time

import numpy as np
import torch

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "corridor"))
import courtyard as CY                                               # noqa: E402
import furnished                                                     # noqa: E402  (its import replaces SC.render)
import scenes as SC                                                  # noqa: E402
from scenes import LIGHT_NAMES, LIGHTS, MARGIN, NAMES, WIDTH         # noqa: E402,F401
import importlib.util                                                # noqa: E402

_spec = importlib.util.spec_from_file_location("plain_scenes", SC.__file__)
plain = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)
RENDER = {"plain": plain.render, "furnished": furnished.render}

# What words can say: place, part, names. A label has one number of each.
PARTS = [("corridor", "wall", NAMES), ("corridor", "door", NAMES), ("corridor", "light", LIGHT_NAMES),
         ("courtyard", "stone", CY.STONE_NAMES), ("courtyard", "hue", NAMES), ("courtyard", "well", CY.WELL_NAMES),
         ("courtyard", "light", CY.LIGHT_NAMES)]
PLACES = ["corridor", "courtyard"]
TOGETHER = 16                                                        # pictures that are drawn in one go

# Pairs of wall and door, and of stone and arcades, that no picture of the training has; the evaluation asks for them.
UNSEEN = {("red", "teal"), ("orange", "blue"), ("yellow", "purple"), ("green", "white"),
          ("teal", "orange"), ("blue", "red"), ("purple", "yellow"), ("white", "green")}
UNSEEN_COURTS = {("sandstone", "purple"), ("marble", "red"), ("brick", "teal"), ("granite", "yellow")}


def choose_scenes(n, generator, unseen=False, place="corridor"):
    """As many dark ones as bright; colours in pairs that are unseen, or never unseen."""
    return (choose_corridors if place == "corridor" else choose_courtyards)(n, generator, unseen)


def choose_courtyards(n, generator, unseen):
    """As CY.sample_scenes"""
    kept, found = [], 0
    while found < n:
        some = CY.sample_scenes(4 * n, generator, .5)
        pairs = zip(some["stone_id"].tolist(), some["hue_id"].tolist())
        fits = torch.tensor([((CY.STONE_NAMES[s], NAMES[h]) in UNSEEN_COURTS) == unseen for s, h in pairs])
        kept.append(SC.part(some, fits))
        found += int(fits.sum())
    return {key: torch.cat([some[key] for some in kept])[:n] for key in kept[0]}


def choose_corridors(n, generator, unseen):
    """As SC.sample_scenes"""
    out = SC.sample_scenes(n, generator)
    wall, door = out["wall_id"], out["door_id"]
    for i in range(n):
        while ((NAMES[wall[i]], NAMES[door[i]]) in UNSEEN) != unseen:
            wall[i], door[i] = torch.randint(len(NAMES), (2,), generator=generator)
    light = torch.randint(2, (n,), generator=generator)
    tint = .94 + .12 * torch.rand(n, 3, generator=generator)
    return paint(wall, door, light, tint)


def paint(wall, door, light, tint):
    """The tensors that SC.render takes, from numbers of colours [n] and a tint [n,3]."""
    hue = torch.tensor(list(SC.HUES.values()))
    colour, bright, n = (hue[wall] * tint).clamp(0, 1), light.float()[:, None], len(wall)
    return {"wall_id": wall, "door_id": door, "light_id": light,
            "wall": colour * (1 + .12 * bright), "door": hue[door] * (.75 + .2 * bright),
            "floor": torch.tensor([.50, .44, .38]).expand(n, 3) * (1 + .4 * bright),
            "lamp": torch.tensor(SC.LAMP).expand(n, 3), "ambient": .5 + .2 * bright[:, 0],
            "fog": torch.tensor(list(LIGHTS.values()))[light] * (1 - .4 * bright) + .4 * bright * colour}


def choose_poses(n, generator, place="corridor"):
    """Where a walk begins: near the middle, looking along the corridor, or at one side of the courtyard, looking across.

    -> rotation [n,1,3,3], place [n,1,3]
    """
    rand = lambda: torch.rand(n, generator=generator)
    yaw = (torch.randn(n, generator=generator) * .14).clamp(-.35, .35)
    x, z = (rand() * 2 - 1) * .6, rand()
    at = (x, 60 * z) if place == "corridor" else (2 * x, -3.9 + 1.5 * z)
    return SC.rot_y(yaw)[:, None], torch.stack([at[0], torch.zeros(n), at[1]], -1)[:, None]


def draw(scenes, poses, height, width, kind="plain"):
    """-> uint8 [n,H,W,3]; `kind` is of corridors"""
    rotation, at = poses
    render = CY.render if "stone" in scenes else RENDER[kind]
    pieces = []
    for i in range(0, len(rotation), TOGETHER):
        span = slice(i, i + TOGETHER)
        pieces.append(render(SC.part(scenes, span), rotation[span], at[span], height, width)[:, 0])
    return torch.cat(pieces)


def labels_of(scenes):
    """-> int8 [n,parts]"""
    place = "courtyard" if "stone" in scenes else "corridor"
    missing = torch.full((len(scenes["light_id"]),), -1)
    return torch.stack([scenes[f"{part}_id"] if of == place else missing for of, part, _ in PARTS], -1).to(torch.int8)


def load(path, places=PLACES):
    """Pictures [poses,variants,H,W,3] and labels of the places that are on disk, as lists"""
    there = [place for place in places if os.path.exists(f"{path}.{place}.labels.npy")]
    return [[np.load(f"{path}.{place}.{kind}.npy", mmap_mode="r") for place in there] for kind in ("pictures", "labels")]


def to_float(pictures):
    """uint8 [n,H,W,3] -> float [n,3,H,W] in -1..1"""
    return torch.as_tensor(np.array(pictures)).permute(0, 3, 1, 2).float().div_(127.5).sub_(1)


def to_bytes(pictures):
    """The way back of `to_float`"""
    return ((pictures.clamp(-1, 1) * .5 + .5) * 255 + .5).to(torch.uint8).permute(0, 2, 3, 1)


def main():
    p = argparse.ArgumentParser(description="Draw start pictures.")
    p.add_argument("--place", choices=PLACES, default="corridor")
    p.add_argument("--poses", type=int, default=5000)
    p.add_argument("--variants", type=int, default=2, help="colours a pose")
    p.add_argument("--width", type=int, default=192)
    p.add_argument("--height", type=int, default=128)
    p.add_argument("--kind", choices=list(RENDER), default="plain", help="of corridors")
    p.add_argument("--unseen", type=int, default=0, help="1: the pairs that the training leaves out")
    p.add_argument("--seed", type=int, default=21)
    p.add_argument("--out", required=True)
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    os.makedirs(os.path.dirname(a.out) or ".", exist_ok=True)
    began, generator = time.time(), torch.Generator().manual_seed(a.seed)
    shape = (a.poses, a.variants, a.height, a.width, 3)
    pictures, labels = np.empty(shape, np.uint8), np.empty((a.poses, a.variants, len(PARTS)), np.int8)
    for i in range(0, a.poses, 50):
        count = min(50, a.poses - i)
        poses = choose_poses(count, generator, a.place)
        for j in range(a.variants):
            scenes = choose_scenes(count, generator, bool(a.unseen), a.place)
            pictures[i:i + count, j] = draw(scenes, poses, a.height, a.width, a.kind).numpy()
            labels[i:i + count, j] = labels_of(scenes)
    np.save(f"{a.out}.{a.place}.pictures.npy", pictures)
    np.save(f"{a.out}.{a.place}.labels.npy", labels)
    spent = time.time() - began
    print(f"{a.poses} poses x {a.variants} in {spent:.0f} s = {spent / a.poses / a.variants * 1e3:.1f} ms a picture")


if __name__ == "__main__":
    main()
