"""Corridors without end: scenes, camera, collisions, a ray-caster, prompts and their tokenizer.

  python scenes.py --clips 7200 --seed 11 --out data/train       # video.npy (uint8 [n,F,H,W,3]) and meta.pt

Camera: x right, y down, z forward; a pose is [R^T | -R^T p], world to camera. The poses that the network is given
are the commanded ones, the pictures show the walker who slid along the wall: so nobody has to test for collisions when
the world is played.
"""
import argparse
import json
import math
import os
import re
import struct
import time
import zlib

import numpy as np
import torch

FX, FY = 969.69697 / 1920, 969.69697 / 1080       # focal lengths in image widths / heights
SPEED, TURN, MOVE = 1.5, math.radians(1.0), 0.05   # per frame: SPEED * TURN radians, SPEED * MOVE units
HUES = {"red": (.80, .26, .22), "orange": (.88, .52, .20), "yellow": (.88, .78, .32), "green": (.30, .62, .32),
        "teal": (.20, .62, .62), "blue": (.26, .42, .82), "purple": (.56, .34, .74), "white": (.86, .85, .80)}
LIGHTS = {"dark": (.05, .05, .07), "bright": (.62, .63, .64)}      # name and colour of the fog
DARK_SHARE = 0.12                                                  # of the clips
LAMP = (1., .86, .62)
NAMES, LIGHT_NAMES = list(HUES), list(LIGHTS)
PLACE_NAMES = ("corridor", "courtyard")                            # of places.py


def places_of(text):
    """The value of --places: names with commas between"""
    names = text.split(",")
    for name in names:
        if name not in PLACE_NAMES:
            raise SystemExit(f"Cannot make clips of {name!r}: expected some of {', '.join(PLACE_NAMES)}, with commas between")
    return names


# ---------------------------------------------------------------------------------------------- scenes
# One geometry for all: half width, half height, distance of doors along z, door height and half width, phase of the
# doors on the left and on the right, panel width, fog density. A small network learns it as one place in many colours.
WIDTH, HEIGHT, PERIOD, DOOR_H, DOOR_W, PHASE_L, PHASE_R, PANEL, FOG = 1.5, 1.0, 3.0, 1.5, .55, 0., 1.5, .75, .13
MARGIN = .4                                                         # how near to a wall one can walk


def sample_scenes(n, generator, dark=DARK_SHARE):
    """-> dict of [n] or [n,3] tensors; `dark` is the share of dark ones"""
    wall = torch.randint(len(NAMES), (n,), generator=generator)
    door = (wall + torch.randint(1, len(NAMES), (n,), generator=generator)) % len(NAMES)
    light = (torch.rand(n, generator=generator) > dark).long()
    hue = torch.tensor(list(HUES.values()))
    tint = .94 + .12 * torch.rand(n, 3, generator=generator)
    colour = (hue[wall] * tint).clamp(0, 1)
    bright = light.float()[:, None]
    return {"wall_id": wall, "door_id": door, "light_id": light,
            "wall": colour * (1 + .12 * bright), "door": hue[door] * (.75 + .2 * bright),
            "floor": torch.tensor([.50, .44, .38]).expand(n, 3) * (1 + .4 * bright),
            "lamp": torch.tensor(LAMP).expand(n, 3), "ambient": .5 + .2 * bright[:, 0],
            "fog": torch.tensor(list(LIGHTS.values()))[light] * (1 - .4 * bright) + .4 * bright * colour}


def caption(scenes, i):
    name = lambda key, names: names[scenes[key][i]]
    return (f"a {name('wall_id', NAMES)} corridor with {name('door_id', NAMES)} doors and warm lamps, "
            f"{name('light_id', LIGHT_NAMES)}")


def part(scenes, index):
    return {k: v[index] for k, v in scenes.items()}


# ---------------------------------------------------------------------------------------------- camera
def rot_y(a):
    c, s, o, l = a.cos(), a.sin(), torch.zeros_like(a), torch.ones_like(a)
    return torch.stack([c, o, s, o, l, o, -s, o, c], -1).reshape(-1, 3, 3)


def rot_x(a):
    c, s, o, l = a.cos(), a.sin(), torch.zeros_like(a), torch.ones_like(a)
    return torch.stack([l, o, o, o, c, -s, o, s, c], -1).reshape(-1, 3, 3)


def slide(place, step):
    """Where a step [n,3] from a place [n,3] ends: along the wall, whoever meets one."""
    free = (place[:, 0] + step[:, 0]).abs() < WIDTH - MARGIN
    return place + step * torch.stack([free, torch.zeros_like(free), torch.ones_like(free)], -1)


def integrate(actions, yaw, x, z, slide=slide):
    """Walk: actions [n][F] of strings of w s a d l j i k, start yaw and place [n]; `slide` knows what is in the way.

    -> R [n,F,3,3] and p [n,F,3] of the walker, view [n,F,4,4] of the commanded motion. Turns come before the step and
    are in the camera's own frame; the first frame has moved already.
    """
    n, frames = len(actions), len(actions[0])
    held = torch.tensor([[[key in action for key in "wsadljik"] for action in row] for row in actions]).float()
    forward, left, yaws, pitches = held.unflatten(-1, (4, 2)).diff(dim=-1).neg()[..., 0].unbind(-1)
    rotation = rot_y(yaw)
    place = torch.stack([x, torch.zeros(n), z], -1)
    commanded = place.clone()
    out_r, out_p, out_v = [], [], []
    for f in range(frames):
        rotation = rotation @ rot_y(yaws[:, f] * SPEED * TURN) @ rot_x(pitches[:, f] * SPEED * TURN)
        step = torch.stack([-left[:, f], torch.zeros(n), forward[:, f]], -1)
        step = (rotation @ step[..., None])[..., 0] * SPEED * MOVE
        commanded = commanded + step
        place = slide(place, step)
        view = torch.eye(4).repeat(n, 1, 1)
        view[:, :3, :3] = rotation.mT
        view[:, :3, 3] = -(rotation.mT @ commanded[..., None])[..., 0]
        out_r.append(rotation)
        out_p.append(place)
        out_v.append(view)
    return torch.stack(out_r, 1), torch.stack(out_p, 1), torch.stack(out_v, 1)


def latent_frames(frames):
    """The pixel frame whose pose a latent has: 0, 1, 5, 9, ..."""
    return [0, *range(1, frames, 4)]


def chunk_poses(view):
    """Poses of latents [n,N,4,4] -> relative to the last latent of the block before (in block 0: to latent 0)."""
    count = view.shape[1]
    reference = torch.tensor([0 if k < 3 else 3 * (k // 3) - 1 for k in range(count)])
    return view @ torch.linalg.inv(view[:, reference].double()).to(view)


# ---------------------------------------------------------------------------------------------- actions
LEVEL = {"w": 6, "s": 3, "j": 3, "l": 3, "a": 2.5, "d": 2.5, "wj": 1.7, "wl": 1.7, "wa": .6, "wd": .6, " ": 1.5,
         "i": 2.2, "k": 2.2}
PITCHED = {"back": 5, "more": 2, "w": 2, "s": 1, " ": 1, "j": .8, "l": .8, "a": .4, "d": .4}
PITCH_MAX = 22                                     # frames of i or k away from level: 33 degrees
OPPOSITE = dict(zip("wsadjlik", "swdaljki"))


def opposite(action):
    return "".join(OPPOSITE.get(key, key) for key in action)


def choose(table, rng):
    weights = np.array(list(table.values()))
    return list(table)[rng.choice(len(weights), p=weights / weights.sum())]


def random_row(frames, rng):
    """One clip's actions, one string a frame.

    An action is held for whole blocks (block 0 is frames 0..8, block c is 12c-3..12c+8), because the camera attention
    cannot see the step from one block to the next; a few change at a latent within a block. Looking up or down is
    bounded and mostly returned from. Three clips in ten go one or two blocks out and the same way back.
    """
    row, pitch, action, plan = [], 0, None, []
    returning = rng.random() < .3
    for f in range(frames):
        edge = f == 0 or (f >= 9 and (f + 3) % 12 == 0)
        inner = f > 0 and f % 4 == 1 and not edge and rng.random() < .05
        if edge and plan:
            action = plan.pop()
        elif edge or inner:
            hold = edge and action is not None and rng.random() < .35 and not set("ik") & set(action)
            if not hold and abs(pitch) >= 3:
                up, down = ("i", "k") if pitch > 0 else ("k", "i")
                action = choose(PITCHED, rng)
                action = {"back": down, "more": up}.get(action, action)
            elif not hold:
                action = choose(LEVEL, rng)
            if returning and edge and action != " " and rng.random() < .5:
                second = choose(LEVEL, rng) if rng.random() < .4 else action
                if second in "ik" and action in "ik":
                    second = action
                # popped from the end: the second block out, then both ways back
                plan = [opposite(action), opposite(second), second] if rng.random() < .6 else [opposite(action)]
                returning = rng.random() < .4
        change = ("i" in action) - ("k" in action)
        if abs(pitch + change) > PITCH_MAX:
            action, change = " ", 0
        pitch += change
        row.append(action)
    return row


def random_start(n, generator):
    """Mostly looking along the corridor, at any place of it."""
    rand = lambda: torch.rand(n, generator=generator)
    along = torch.randn(n, generator=generator) * .3 + math.pi * torch.randint(2, (n,), generator=generator)
    yaw = torch.where(rand() < .7, along, rand() * 2 * math.pi)
    return yaw, (rand() * 2 - 1) * (WIDTH - MARGIN - .05), rand() * 60


# ---------------------------------------------------------------------------------------------- pictures
def wrap(z, period):
    """Distance to the nearest multiple of the period, with its sign."""
    return z - period * torch.round(z / period)


def render(scene, rotation, place, height, width):
    """Ray-cast frames: scene tensors [n,...], rotation [n,F,3,3], place [n,F,3] -> uint8 [n,F,H,W,3].

    One analytic intersection with the box, and features averaged over the size of a pixel, so that nothing flickers.
    """
    dev = rotation.device
    u = (((torch.arange(width, device=dev) + .5) / width - .5) / FX)[None, None, None, :]
    v = (((torch.arange(height, device=dev) + .5) / height - .5) / FY)[None, None, :, None]
    r = lambda i, j: rotation[..., i, j][..., None, None]
    dx, dy, dz = (r(i, 0) * u + r(i, 1) * v + r(i, 2) for i in range(3))
    safe = lambda x: torch.where(x.abs() < 1e-5, torch.full_like(x, 1e-5), x)
    ix, iy = 1 / safe(dx), 1 / safe(dy)
    px, py, pz = (place[..., i][..., None, None] for i in range(3))
    to_wall = torch.maximum((WIDTH - px) * ix, (-WIDTH - px) * ix)
    to_floor = torch.maximum((HEIGHT - py) * iy, (-HEIGHT - py) * iy)
    is_wall = to_wall <= to_floor
    t = torch.minimum(to_wall, to_floor)
    x, y, z = px + dx * t, py + dy * t, pz + dz * t
    distance = t * torch.sqrt(dx * dx + dy * dy + dz * dz)

    pixel = t / (width * FX)
    size_z = pixel * (1 + torch.where(is_wall, dz * ix, dz * iy).abs().clamp(max=20)) + .02
    size = pixel * 1.5 + .02
    step = lambda d, s: (d / s + .5).clamp(0, 1)                     # an edge at d = 0, as wide as a pixel

    def stripes(at, half, period):
        """1 within `half` of every multiple of the period; fades to the mean where stripes are finer than pixels."""
        far = (size_z / period * 2 - .5).clamp(0, 1)
        return step(half - wrap(at, period).abs(), size_z) * (1 - far) + 2 * half / period * far
    at_door = z - torch.where(x > 0, PHASE_R, PHASE_L)
    door = stripes(at_door, DOOR_W, PERIOD) * step(y - (HEIGHT - DOOR_H), size)
    frame = stripes(at_door, DOOR_W + .12, PERIOD) * step(y - (HEIGHT - DOOR_H - .12), size) - door
    panel = stripes(z, PANEL * .25, PANEL)
    low = step(y - .35 * HEIGHT, size)
    lamp = stripes(z - .25 * PERIOD, .32, PERIOD * .5) * step(.34 - x.abs(), size)
    tile = stripes(z, .375, 1.5)
    rug = step(.45 - x.abs(), size)
    ambient = scene["ambient"].to(dev)[:, None, None, None]
    light = ambient + (1 - ambient) * (.5 + .5 * torch.cos((z - .25 * PERIOD) * (4 * math.pi / PERIOD)))
    clear = torch.exp(-distance * FOG)
    out = []
    for c in range(3):
        colour = lambda name: scene[name].to(dev)[:, c][:, None, None, None]
        wall = colour("wall") * (.82 + .18 * panel) * (1 - .45 * low)
        wall = wall + (colour("door") * .8 - wall) * door + (.12 - wall) * frame
        floor = colour("floor") * (.75 + .35 * tile)
        floor = floor + (colour("door") * (.55 + .25 * tile) - floor) * rug
        ceiling = colour("floor") * .55 + colour("wall") * .2
        lit = torch.where(is_wall, wall, torch.where(dy > 0, floor, ceiling)) * light * (colour("lamp") * .35 + .65)
        lit = torch.where(is_wall | (dy > 0), lit, lit + (colour("lamp") - lit) * lamp)
        out.append(lit * clear + colour("fog") * (1 - clear))
    return (torch.stack(out, -1).clamp(0, 1) * 255 + .5).to(torch.uint8)


def render_clips(scenes, rotation, place, height, width, device="cpu", chunk=1, drawn_by=None):
    """`render` a few clips at a time, which stay on the device: one fits in the CPU's caches, 64 fill a GPU."""
    pieces, drawn_by = [], drawn_by or render
    for i in range(0, len(rotation), chunk):
        span = slice(i, i + chunk)
        scene = {k: v.to(device) for k, v in part(scenes, span).items()}
        pieces.append(drawn_by(scene, rotation[span].to(device), place[span].to(device), height, width))
    return torch.cat(pieces)


# ---------------------------------------------------------------------------------------------- clips on disk
def open_video(path):
    return np.load(os.path.join(path, "video.npy"), mmap_mode="r")


def to_float(frames, device=None):
    """uint8 [n,F,H,W,3], an array or a tensor -> float [n,3,F,H,W] in -1..1, on `device` or where they are"""
    x = frames if torch.is_tensor(frames) else torch.from_numpy(np.array(frames))
    return x.to(device or x.device).permute(0, 4, 1, 2, 3).float().div_(127.5).sub_(1)


def to_uint8(video):
    """float [n,3,F,H,W] in -1..1 -> uint8 [n,F,H,W,3]"""
    return ((video.clamp(-1, 1) * .5 + .5) * 255 + .5).to(torch.uint8).permute(0, 2, 3, 4, 1)


def write_png(path, image):
    """uint8 [H,W,3] -> a PNG file, without a library"""
    image = np.asarray(image)
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    size = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def contact_sheet(rows, gap=2, scale=2):
    """rows of frames (uint8 [T,H,W,3]) -> one picture"""
    height, width = rows[0].shape[1:3]
    out = np.zeros((len(rows) * (height + gap), max(map(len, rows)) * (width + gap), 3), np.uint8)
    for i, row in enumerate(rows):
        for j, frame in enumerate(row):
            top, left = i * (height + gap), j * (width + gap)
            out[top:top + height, left:left + width] = np.asarray(frame)
    return out.repeat(scale, 0).repeat(scale, 1)


# ---------------------------------------------------------------------------------------------- tokenizer
# A Unigram model over the words of the captions, with all of ASCII behind them, in the layout of tokenizer.json.
SPACE = "\u2581"
WORDS = sorted({"a", "corridor", "with", "doors", "rooms", "and", "lamps", "warm", "cold", "neutral", *NAMES, *LIGHTS,
                "courtyard", "arcades", "well", "sandstone", "marble", "brick", "granite", "stone", "copper", "day", "dusk"})
PIECES = ["<pad>", "</s>", "<s>", "<unk>", *[SPACE + word for word in WORDS], SPACE, *map(chr, range(33, 127))]
SCORES = [0.] * 4 + [-2. - .01 * i for i in range(len(WORDS))] + [-6.] + [-8. - .01 * i for i in range(94)]


class Unigram:
    def __init__(self, pieces, scores):
        self.row, self.scores = {piece: i for i, piece in enumerate(pieces)}, scores

    @classmethod
    def load(cls, path):
        with open(path) as file:
            return cls(*zip(*json.load(file)["model"]["vocab"]))

    def __call__(self, text, length):
        """-> ids [length] and mask [length]; the best split (Viterbi), then the end mark, then padding"""
        text = re.sub(r"\s+", " ", text).strip()
        ids = []
        if text:
            s = SPACE + text.replace(" ", SPACE)
            best = [(0., -1, -1)] + [(-1e9, -1, -1)] * len(s)          # score, where the piece began, its row
            for end in range(1, len(s) + 1):
                for begin in range(max(0, end - 12), end):
                    row = self.row.get(s[begin:end], 3)
                    if row <= 3 and end - begin > 1:
                        continue
                    score = best[begin][0] + (self.scores[row] if row > 3 else -20.)
                    if score > best[end][0]:
                        best[end] = score, begin, row
            end = len(s)
            while end > 0:
                ids.append(best[end][2])
                end = best[end][1]
            ids.reverse()
        ids = ids[:length - 1] + [1]
        fill = [0] * (length - len(ids))
        return torch.tensor(ids + fill), torch.tensor([1] * len(ids) + fill)


tokenize = Unigram(PIECES, SCORES)


def save_tokenizer(path):
    special = [{"id": i, "content": PIECES[i], "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True} for i in range(4)]
    space = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always"}
    with open(path, "w") as file:
        json.dump({"version": "1.0", "added_tokens": special, "normalizer": None,
                   "pre_tokenizer": {**space, "split": False}, "decoder": space,
                   "model": {"type": "Unigram", "unk_id": 3, "vocab": list(map(list, zip(PIECES, SCORES)))}}, file)


# ---------------------------------------------------------------------------------------------- command
def main():
    p = argparse.ArgumentParser(description="Make clips of corridors.")
    p.add_argument("--clips", type=int, default=7200)
    p.add_argument("--frames", type=int, default=69, help="12 b - 3 for b blocks")
    p.add_argument("--width", type=int, default=96, help="a multiple of 32")
    p.add_argument("--height", type=int, default=64, help="a multiple of 32")
    p.add_argument("--seed", type=int, default=11, help="another one for the held-out clips")
    p.add_argument("--out", default="data/train")
    p.add_argument("--device", default="cpu")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--compile", type=int, default=1, help="0: start at once, but render six times slower on a CPU")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    if a.compile:
        global render
        render = torch.compile(render, dynamic=False)
    os.makedirs(a.out, exist_ok=True)
    began = time.time()
    shape = (a.clips, a.frames, a.height, a.width, 3)
    video = np.lib.format.open_memmap(os.path.join(a.out, "video.npy"), mode="w+", dtype=np.uint8, shape=shape)
    views, captions, actions = [], [], []
    for i in range(0, a.clips, 64):
        count = min(64, a.clips - i)
        generator = torch.Generator().manual_seed(a.seed * 10**6 + i)
        scenes = sample_scenes(count, generator)
        rng = np.random.default_rng(a.seed * 10**6 + i)
        rows = [random_row(a.frames, rng) for _ in range(count)]
        rotation, place, view = integrate(rows, *random_start(count, generator))
        chunk = 1 if a.device == "cpu" else 64
        video[i:i + count] = render_clips(scenes, rotation, place, a.height, a.width, a.device, chunk).cpu().numpy()
        views.append(view[:, latent_frames(a.frames)])
        captions += [caption(scenes, j) for j in range(count)]
        actions += rows
    video.flush()
    torch.save({"view": torch.cat(views), "captions": captions, "actions": actions}, os.path.join(a.out, "meta.pt"))
    spent = time.time() - began
    print(f"{a.clips} clips x {a.frames} frames in {spent:.0f} s = {spent / a.clips / a.frames * 1e3:.2f} ms a frame")


if __name__ == "__main__":
    main()
