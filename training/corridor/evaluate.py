"""Judge a world by the ray-caster's truth, on scenes that no training saw.

  python evaluate.py --world out --light bright --report out/eval.txt --sheets out

Only a first picture, poses and the prompt go in; everything runs block by block, as a runtime would. Two worlds are
comparable when the other arguments are the same: scenes, starts and noise come from the seed.
"""
import argparse
import os
import time

import torch

import model as M
from transformer import BLOCK
import courtyard
import scenes as SC

ACTIONS = "wsadjlik"
OPPOSITE = [ACTIONS.index(SC.OPPOSITE[k]) for k in ACTIONS]
MIXED = "w w wl l w wj j j w s d a w i k w".split()
STREAM_PARTS = {"0": slice(0, 1), "1-8": slice(1, 9), "9-32": slice(9, 33), "33-104": slice(33, 105), "105+": slice(105, None)}
RETURNS = ["l l j j", "i k", "w w s s", "d a"]     # after a block of standing still, which is shorter than the others


def paint(pictures):
    """From now on the ray-caster shows these: `plain` ones of scenes.py or `furnished` ones."""
    if pictures == "furnished":
        import furnished                                  # takes the place of scenes.render
        assert SC.render is furnished.render


def blocks_of(frames):
    return (frames + 3) // 12


def spread(plan):
    """One action a block -> one action a frame."""
    return [plan[(f + 3) // 12] for f in range(12 * len(plan) - 3)]


def span(b):
    """The frames of block b; the given first frame does not count."""
    return slice(12 * b - 3 if b else 1, 12 * b + 9)


def psnr(x, y):
    """uint8 [...,H,W,3] twice -> dB of every frame"""
    return -10 * torch.log10(((x.float() - y.float()) / 255).square().mean((-1, -2, -3)).clamp(min=1e-6))


def sharpness(x):
    x = x.float()
    return ((x[..., 1:, :] - x[..., :-1, :]).abs().mean() + (x[..., 1:, :, :] - x[..., :-1, :, :]).abs().mean()).item()


def colour(x):
    """Mean saturation: distance of the channels from grey."""
    x = x.float()
    return (x - x.mean(-1, keepdim=True)).abs().mean().item()


def motion_match(x, y):
    """Correlation of the changes since the first frame, [n]"""
    dx, dy = ((v[:, 1:].float() - v[:, :1].float()).flatten(1) for v in (x, y))
    return (dx * dy).sum(1) / (dx.norm(dim=1) * dy.norm(dim=1) + 1e-6)


@torch.no_grad()
def streamed(vae, video, device):
    """Through the VAE, block by block: uint8 [n,F,H,W,3] -> the same"""
    enc, dec, out = {}, {}, []
    for b in range(blocks_of(video.shape[1])):
        x = SC.to_float(video[:, max(0, 12 * b - 3):12 * b + 9], device)
        out.append(SC.to_uint8(vae.decode(vae.encode(x, enc), dec).float()).cpu())
    return torch.cat(out, 1)


def say_streaming(say, name, again, frames):
    """PSNR of a streamed clip by frame, and its sharpness"""
    quality = psnr(again, frames)
    parts = {k: s for k, s in STREAM_PARTS.items() if (s.start or 0) < frames.shape[1]}
    say(f"{name}: VAE streaming PSNR by frame  " + "  ".join(f"{k}: {quality[:, s].mean():.2f}" for k, s in parts.items())
        + f"  all: {quality.mean():.2f}; sharpness / true {sharpness(again) / sharpness(frames):.2f}")


class World:
    def __init__(self, folder, device):
        self.config, self.vae, self.dit, self.t5 = M.load_world(folder, device)
        self.mean, self.std = M.latent_stats(self.config, device)
        self.tokenize = SC.Unigram.load(os.path.join(folder, "tokenizer.json"))
        self.device, self.size = device, (self.config["height"], self.config["width"])

    def text(self, captions):
        known = SC.SPACE + "bright" in self.tokenize.row            # an earlier world knows only one light
        captions = [c if known else c.replace("bright", "dark") for c in captions]
        tokens = [self.tokenize(c, self.config["dit"]["text_len"]) for c in captions]
        ids, mask = (torch.stack([t[i] for t in tokens]).to(self.device) for i in range(2))
        return self.dit.text(self.t5(ids, mask))

    @torch.no_grad()
    def generate(self, first, view, captions, seed):
        """first uint8 [n,H,W,3], view [n,N,4,4] chunk-relative -> frames uint8 [n,F,H,W,3], latents [n,z,N,h,w]"""
        generator = torch.Generator().manual_seed(seed)
        text, view = self.text(captions), view.to(self.device)
        x = SC.to_float(first[:, None], self.device)
        z0 = ((self.vae.encode(x) - self.mean) / self.std)[:, :, 0]
        cache, state, frames, latents = self.dit.new_cache(), {}, [], []
        shape = (len(first), z0.shape[1], BLOCK, *z0.shape[2:])
        for b in range(view.shape[1] // BLOCK):
            part = view[:, BLOCK * b:BLOCK * (b + 1)]
            z = M.sample_block(self.dit, z0 if b == 0 else None, part, text, cache, shape, generator)
            latents.append(z.cpu())
            frames.append(SC.to_uint8(self.vae.decode(z * self.std + self.mean, state)).cpu())
        return torch.cat(frames, 1), torch.cat(latents, 2)

    def reconstruct(self, video):
        return streamed(self.vae, video, self.device)


class Test:
    """Held-out scenes of one light, with starts that look along the corridor, or from one side of the courtyard."""

    def __init__(self, count, light, seed, place="corridor", device="cpu"):
        generator = torch.Generator().manual_seed(seed)
        self.device, here = device, courtyard if place == "courtyard" else SC
        self.scenes = here.sample_scenes(count, generator, {"dark": 1., "bright": 0.}[light])
        yaw = torch.randn(count, generator=generator) * .15
        x = (torch.rand(count, generator=generator) - .5) * .6
        self.start = yaw, x, torch.rand(count, generator=generator) * 60
        if place == "courtyard":
            self.start = yaw, x * 4, -3.9 + self.start[2] / 40
        self.slide, self.render = here.slide, None if place == "corridor" else here.render
        self.captions = [here.caption(self.scenes, i) for i in range(count)]

    def truth(self, plan, size, count=None):
        """-> frames uint8 [n,F,H,W,3] and chunk-relative latent poses of a plan of one action a block"""
        rotation, place, view = SC.integrate([spread(plan)] * len(self.captions), *self.start, self.slide)
        pick = slice(0, count)
        frames = SC.render_clips(SC.part(self.scenes, pick), rotation[pick], place[pick], *size, self.device, drawn_by=self.render)
        return frames.cpu(), SC.chunk_poses(view[pick, SC.latent_frames(rotation.shape[1])])


def single_actions(world, test, say, sheets):
    """Each key for three blocks; i and k turn back in the third, so that they stay within the trained pitch."""
    plans = {k: [k] * 3 if k not in "ik" else [k, k, SC.OPPOSITE[k]] for k in ACTIONS}
    truth, made, again = [], [], []
    for i, key in enumerate(ACTIONS):
        frames, view = test.truth(plans[key], world.size)
        truth.append(frames)
        made.append(world.generate(frames[:, 0], view, test.captions, i)[0])
        again.append(world.reconstruct(frames))
    truth, made, again = torch.stack(truth), torch.stack(made), torch.stack(again)
    sources = psnr(made, truth), psnr(again, truth), psnr(truth[:, :, :1], truth)
    say("PSNR (dB)  block 0: generated / VAE / first frame kept;  block 1;  block 2")
    for i, key in enumerate([*ACTIONS, "all"]):
        rows = slice(None) if key == "all" else slice(i, i + 1)
        cells = [" / ".join(f"{s[rows][:, :, span(b)].mean():.2f}" for s in sources) for b in range(3)]
        say(f"{key:4s} " + "   ".join(cells))
    for name, score in (("PSNR", lambda x, y: psnr(x, y)[:, 1:].mean(1)), ("motion", motion_match)):
        for last in (9, 33):
            table = torch.stack([torch.stack([score(made[i][:, :last], truth[j][:, :last]) for j in range(8)], -1)
                                 for i in range(8)])                                   # made, scene, candidate
            best = table.argmax(-1)
            own = torch.arange(8)[:, None]
            errors = [f"{ACTIONS[i]}>{ACTIONS[j]}" for i, row in enumerate(best.tolist()) for j in row if i != j]
            beats = torch.stack([table[i, :, i] > table[i, :, OPPOSITE[i]] for i in range(8)]).float().mean()
            say(f"adherence by {name}, {last} frames: {(best == own).float().mean():.3f}; beats the opposite key: "
                f"{beats:.3f}; taken for another: {' '.join(errors) or 'none'}")
    if sheets:
        columns = [0, 4, 8, 14, 20, 26, 32]
        for s in range(2):
            rows = [v[i, s, columns].numpy() for i in range(8) for v in (truth, made)]
            SC.write_png(f"{sheets}-actions-{s}.png", SC.contact_sheet(rows))
        SC.write_png(f"{sheets}-vae.png", SC.contact_sheet([v[0, s, columns].numpy() for s in range(4) for v in (truth, again)]))


def mixed_path(world, test, say, sheets, count, plan=MIXED):
    frames, view = test.truth(plan, world.size, count)
    made, latents = world.generate(frames[:, 0], view, test.captions[:count], 9)
    say_streaming(say, "mixed path", world.reconstruct(frames), frames)
    quality, n = psnr(made, frames), len(plan)
    say("mixed path       " + " ".join(f"{a:>4s}" for a in plan))
    say("PSNR by block    " + " ".join(f"{quality[:, span(b)].mean():4.1f}" for b in range(n)))
    say("latent std       " + " ".join(f"{latents[:, :, 3 * b:3 * b + 3].std():4.2f}" for b in range(n)))
    ratio = lambda f, s: f(made[:, s]) / f(frames[:, s])
    say("sharpness / true " + " ".join(f"{ratio(sharpness, span(b)):4.2f}" for b in range(n)))
    say("colour / true    " + " ".join(f"{ratio(colour, span(b)):4.2f}" for b in range(n)))
    if n > 10:
        say(f"PSNR after 10 blocks (blocks 10-15): {quality[:, span(10).start:].mean():.2f}")
    if sheets:
        columns = list(range(0, frames.shape[1], 12))
        SC.write_png(f"{sheets}-mixed.png", SC.contact_sheet([v[i, columns].numpy() for i in range(count) for v in (frames, made)][:8]))


def returns(world, test, say, count):
    for name in RETURNS:
        frames, view = test.truth([" ", *name.split()], world.size, count)
        made, _ = world.generate(frames[:, 0], view, test.captions[:count], 11)
        back = psnr(made, made[:, :1])
        say(f"out and back {name}: last frame to first {back[:, -1].mean():.1f} dB, farthest {back[:, 1:].min(1)[0].mean():.1f}; "
            f"truth does {psnr(frames, frames[:, :1])[:, -1].mean():.1f}; generated to truth at the end {psnr(made, frames)[:, -1].mean():.1f}")


def drift(world, test, say, sheets, blocks, count):
    plan = (MIXED * (blocks // len(MIXED) + 1))[:blocks]
    frames, view = test.truth(plan, world.size, count)
    made, latents = world.generate(frames[:, 0], view, test.captions[:count], 13)
    at = [b for b in (0, 5, 20, 40, 60, 83) if b < blocks]
    cells = []
    for b in at:
        s = slice(max(0, 12 * b - 15), 12 * b + 9)
        cells.append(f"block {b}: std {latents[:, :, 3 * b:3 * b + 3].std():.2f} sharp {sharpness(made[:, s]) / sharpness(frames[:, s]):.2f} "
                     f"colour {colour(made[:, s]) / colour(frames[:, s]):.2f} PSNR {psnr(made[:, s], frames[:, s]).mean():.1f}")
    say(f"{3 * blocks} latents, finite: {bool(latents.isfinite().all())}, largest {latents.abs().max():.1f}; " + "; ".join(cells))
    if sheets:
        columns = [min(12 * b, frames.shape[1] - 1) for b in range(0, blocks, max(1, blocks // 14))]
        SC.write_png(f"{sheets}-drift.png", SC.contact_sheet([v[i, columns].numpy() for i in range(count) for v in (frames, made)]))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="out", help="folder with config, tokenizer and weights")
    p.add_argument("--light", default="bright", choices=list(SC.LIGHTS))
    p.add_argument("--pictures", default="plain", choices=["plain", "furnished"], help="what is in the corridors")
    p.add_argument("--places", default="corridor", help="corridor, courtyard or both with a comma between")
    p.add_argument("--scenes", type=int, default=12)
    p.add_argument("--drift", type=int, default=84, help="blocks of the longest roll-out; 0 to leave it out")
    p.add_argument("--quick", action="store_true", help="single actions only")
    p.add_argument("--report", default="", help="file that receives the text as well")
    p.add_argument("--sheets", default="", help="prefix of contact sheets (truth above, generated below)")
    p.add_argument("--seed", type=int, default=777)
    p.add_argument("--device", default="cpu")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    paint(a.pictures)
    lines, began = [], time.time()

    def say(text):
        print(text, flush=True)
        lines.append(text)
        if a.report:
            with open(a.report, "w") as file:
                file.write("\n".join(lines) + "\n")
    world = World(a.world, a.device)
    for place in SC.places_of(a.places):
        test, sheets = Test(a.scenes, a.light, a.seed, place, a.device), a.sheets and f"{a.sheets}-{place}"
        say(f"{a.scenes} {a.light} scenes of the {place}, seed {a.seed}")
        single_actions(world, test, say, sheets)
        if a.quick:
            continue
        mixed_path(world, test, say, sheets, min(6, a.scenes))
        returns(world, test, say, min(6, a.scenes))
        if a.drift:
            drift(world, test, say, sheets, a.drift, 2)
    say(f"{time.time() - began:.0f} s")


if __name__ == "__main__":
    main()
