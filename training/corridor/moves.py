"""Walks made of camera moves, for the world whose actions are relative poses; as a command: walks as latents on disk.

  python moves.py --walks 1500 --seed 21 --out data/actions        # walks-<part>.pt

A row of actions is nine numbers: how far the camera moves (in its own axes, one unit is UNIT corridor units) and the
first two columns of how it turns, from one frame to the next. A chunk is 16 rows and 17 frames; the last frame of one
is the first of the next. Every chunk is encoded by itself, because that is how a session continues: from a picture.
"""
import argparse
import json
import math
import os
import time

import numpy as np
import torch

import scenes as SC
from encode import encode, save
from evaluate import paint
from vae import VAE, compile_activation
from weights import load_safetensors

UNIT = .075                                       # corridor units a frame of a step of length 1
ROWS = 16
STEP_LENGTHS = [1.0500536, .831602, 1.2212268, .9720731, .9993465, 1.0762539, 1.122652, 1.0314639,
                1.1905751, 1.0606865, .9353053, .9174763, 1.1210613, 1.0429387, 1.0588595, .97221315]
DIRECTIONS = {"forward": (0, 0, 1), "backward": (0, 0, -1), "strafeLeft": (-1, 0, 0), "strafeRight": (1, 0, 0)}
TURNS = {"yawLeft": (0, -1, 0), "yawRight": (0, 1, 0), "lookUp": (1, 0, 0), "lookDown": (-1, 0, 0)}
MOVES = [*DIRECTIONS, *TURNS]
OPPOSITE = dict(zip(MOVES, ("backward", "forward", "strafeRight", "strafeLeft", "yawRight", "yawLeft", "lookDown", "lookUp")))
SHARES = {"hold": 1.4, "forward": 5, "backward": 2.4, "strafeLeft": 1.8, "strafeRight": 1.8, "yawLeft": 2.8,
          "yawRight": 2.8, "lookUp": 1.2, "lookDown": 1.2, "mixed": 2, "glued": 1.5}
PITCH_MAX, RISE_MAX = 33, .45                     # degrees, corridor units


def rot_z(a):
    c, s, o, l = a.cos(), a.sin(), torch.zeros_like(a), torch.ones_like(a)
    return torch.stack([c, -s, o, s, c, o, o, o, l], -1).reshape(-1, 3, 3)


def rows_of(direction=(0, 0, 0), scale=1., degrees=(0, 0, 0)):
    """One move -> [16,9]: step lengths follow the envelope, the angles are divided evenly."""
    x, y, z = torch.tensor(degrees, dtype=torch.float64)[:, None] / ROWS * math.pi / 180
    turn = (rot_z(z) @ SC.rot_y(y) @ SC.rot_x(x))[0]
    steps = torch.tensor(STEP_LENGTHS, dtype=torch.float64)[:, None] * scale * torch.tensor(direction, dtype=torch.float64)
    return torch.cat([steps, turn[:, :2].T.reshape(6).expand(ROWS, 6)], 1).float()


def move_rows(name, scale=1., angle=15.):
    """A move by its name -> [16,9]"""
    turn = TURNS.get(name, (0, 0, 0))
    return rows_of(DIRECTIONS.get(name, (0, 0, 0)), scale, [angle * t for t in turn])


def random_rows(rng, pitch):
    """The rows of one chunk; `pitch` says (in degrees) how far the camera looks up already."""
    scale = 1. if rng.random() < .6 else 2 ** rng.uniform(-1, 1)
    angle = 15. if rng.random() < .6 else rng.uniform(5, 30)
    name = SC.choose(SHARES, rng)
    if abs(pitch) > 8 and rng.random() < .55:
        name = "lookDown" if pitch > 0 else "lookUp"
    if name in ("lookUp", "lookDown"):
        room = PITCH_MAX - pitch if name == "lookUp" else PITCH_MAX + pitch
        return move_rows(name, angle=min(angle, room)) if room > 3 else move_rows("hold")
    if name == "mixed":
        heading = rng.uniform(0, 2 * math.pi)
        rise = rng.uniform(-.4, .4) if rng.random() < .25 else 0.
        level = math.sqrt(1 - rise ** 2)
        direction = (level * math.sin(heading), rise, level * math.cos(heading)) if rng.random() < .5 else (0, 0, 1)
        return rows_of(direction, scale, (0, rng.uniform(-22, 22), 0))
    if name == "glued":
        at = rng.integers(1, ROWS)
        first, second = (move_rows(SC.choose({k: v for k, v in SHARES.items() if k in MOVES[:6]}, rng), scale, angle)
                         for _ in range(2))
        return torch.cat([first[:at], second[at:]])
    return move_rows(name, scale, angle)


def turn_of(row):
    """Rows [...,9] -> rotations [...,3,3]"""
    a, b = row[..., 3:6], row[..., 6:9]
    return torch.stack([a, b, torch.linalg.cross(a, b)], -1)


def walk(rows, rotation, place):
    """Rows [n,F,9] from poses [n,3,3], [n,3] -> those of F + 1 frames; whoever meets a wall slides along it."""
    rotations, places = [rotation], [place]
    limit = torch.tensor([SC.WIDTH - SC.MARGIN, RISE_MAX, math.inf])
    for row in rows.unbind(1):
        step = (rotation @ row[:, :3, None])[..., 0] * UNIT
        place = place + step * ((place + step).abs() < limit)
        rotation = rotation @ turn_of(row)
        rotations.append(rotation)
        places.append(place)
    return torch.stack(rotations, 1), torch.stack(places, 1)


def random_walks(count, chunks, generator, rng):
    """-> rows [n,16 * chunks,9], rotations and places of all frames"""
    yaw, x, z = SC.random_start(count, generator)
    rotation = SC.rot_y(yaw)
    pitch = torch.from_numpy(np.where(rng.random(count) < .75, 0, rng.uniform(-25, 25, count))).float()
    rise = torch.from_numpy(np.where(rng.random(count) < .85, 0, rng.uniform(-.35, .35, count))).float()
    rotation = rotation @ SC.rot_x(pitch * math.pi / 180)
    place = torch.stack([x, rise, z], -1)
    rows, rotations, places = [], [rotation[:, None]], [place[:, None]]
    for _ in range(chunks):
        looks = torch.rad2deg(torch.asin((-rotations[-1][:, -1, 1, 2]).clamp(-1, 1)))
        rows.append(torch.stack([random_rows(rng, p) for p in looks.tolist()]))
        r, p = walk(rows[-1], rotations[-1][:, -1], places[-1][:, -1])
        rotations.append(r[:, 1:])
        places.append(p[:, 1:])
    return torch.cat(rows, 1), torch.cat(rotations, 1), torch.cat(places, 1)


def load_vae(root):
    """The autoencoder of a packed world -> network, mean and std of its latents as [1,z,1,1,1], frame size"""
    with open(os.path.join(root, "base", "config.json")) as file:
        config = json.load(file)
    vae = VAE(**config["vae"]).eval().channels_last()
    vae.load_state_dict(load_safetensors(os.path.join(root, "base", "vae.safetensors")))
    mean, std = (torch.tensor(config[k]).view(1, -1, 1, 1, 1) for k in ("latents_mean", "latents_std"))
    return vae, mean, std, (config["default_height"], config["default_width"])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--vae", default="../../models/corridor-nano", help="packed world whose autoencoder is used")
    p.add_argument("--walks", type=int, default=1500)
    p.add_argument("--chunks", type=int, default=4, help="of a walk")
    p.add_argument("--seed", type=int, default=21, help="another one for the held-out walks")
    p.add_argument("--pictures", default="plain", choices=["plain", "furnished"], help="what is in the corridors")
    p.add_argument("--out", default="data/actions")
    p.add_argument("--part", type=int, default=0, help="this process's number: seed and file")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    os.makedirs(a.out, exist_ok=True)
    paint(a.pictures)
    SC.render = torch.compile(SC.render, dynamic=False)
    compile_activation()
    vae, mean, std, size = load_vae(a.vae)
    began, pieces = time.time(), []
    for i in range(0, a.walks, 50):
        seed = (a.seed * 100 + a.part) * 10**6 + i
        generator, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
        scenes = SC.sample_scenes(50, generator)
        rows, rotation, place = random_walks(50, a.chunks, generator, rng)
        frames = SC.render_clips(scenes, rotation, place, *size)
        clips = frames.unfold(1, ROWS + 1, ROWS).movedim(-1, 2).flatten(0, 1)          # [n * chunks,17,H,W,3]
        z = (encode(vae, clips, "cpu").float() - mean) / std
        pieces.append({"z": z.half().unflatten(0, (50, a.chunks)), "rows": rows.unflatten(1, (a.chunks, ROWS)),
                       "captions": [SC.caption(scenes, j) for j in range(50)]})
        if i % 250 == 200 or i + 50 >= a.walks:
            whole = {k: torch.cat([q[k] for q in pieces]) for k in ("z", "rows")}
            whole["captions"] = [c for q in pieces for c in q["captions"]]
            save(os.path.join(a.out, f"walks-{a.part}.pt"), whole)
            print(f"{i + 50} walks after {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
