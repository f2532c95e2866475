"""The autoencoder once more, for a corridor that has been given trim, in the latents of the corridor without.

Where trim is follows from where walls and doors are, which the latents say already. So the encoder learns to give
pictures with trim about the latents that the one of before gives the same pictures without, the decoder learns to add
the trim to both, and a transformer that knows those goes on untaught.

Windows of several clips, rendered as they are needed, are worth more than a long one of one clip. Some begin a stream,
the others lie behind its first nine frames, whose caches they are given. No discriminator: that is finish.py's, and
comes last.

  python refine_vae.py --world init --out refined --minutes 30 --worker 0 --workers 2
"""
import argparse
import json
import math
import os
import time

import numpy as np
import torch

import furnished
import scenes as SC
from finish import detail, differences, optimisers, picture_loss
from gossip import Gossip
from vae import VAE
from weights import load_safetensors, save_safetensors

HEIGHT, WIDTH = 128, 192
BEGINNING, PAST, LATER = 17, 9, 12                # frames of a window that begins a stream; before and in any other
NOISE = .05                                       # on the latents, in their standard deviations


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="init", help="folder with config.json and vae.safetensors: that of before, where it begins")
    p.add_argument("--out", default="refined", help="receives vae.safetensors and a sheet")
    p.add_argument("--minutes", type=float, default=30, help="the learning rate reaches its end with them")
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--batch", type=int, default=2, help="windows a step")
    p.add_argument("--anchor", type=float, default=.3, help="weight of the encoder's distance from the latents of before")
    p.add_argument("--trim-weight", type=float, default=3, help="how many times more a pixel of the trim counts")
    p.add_argument("--ema", type=float, default=.995)
    p.add_argument("--worker", type=int, default=0)
    p.add_argument("--workers", type=int, default=1)
    return p.parse_args()


def trim(x, bare):
    """[n,3,F,H,W] each -> [n,1,F,H,W], 0 to 1: where a picture is another one without its trim"""
    return ((x - bare).abs().amax(1, keepdim=True) / .2).clamp(0, 1)


class Refinery:
    def __init__(self, a):
        self.a, self.steps = a, 0
        torch.manual_seed(a.worker + int(time.time()))
        self.rng = np.random.default_rng(a.worker + int(time.time()))
        with open(os.path.join(a.world, "config.json")) as file:
            config = json.load(file)
        self.std = torch.tensor(config["latents_std"]).view(1, -1, 1, 1, 1)
        weights = load_safetensors(os.path.join(a.world, "vae.safetensors"))
        self.vae, self.before = (VAE(**config["vae"]).channels_last() for _ in range(2))
        for vae in (self.vae, self.before):
            vae.load_state_dict(weights)
        self.before.eval().requires_grad_(False)
        self.render = torch.compile(furnished.render, dynamic=False)
        self.learned = dict(self.vae.named_parameters())
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        self.muon, self.adam = optimisers(self.learned, a.lr)
        self.gossip = Gossip(a.out, "vae", self.learned.values(), a.worker, a.workers)
        self.val = self.clips(8, 33, 77)
        self.began = time.time()

    def clips(self, n, frames, seed):
        """-> pictures with trim and without, each [n,3,F,H,W]"""
        g, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
        scenes = SC.sample_scenes(n, g)
        rows = [SC.random_row(frames, rng) for _ in range(n)]
        rotation, place, _ = SC.integrate(rows, *SC.random_start(n, g))
        one = lambda i, trim: self.render(SC.part(scenes, slice(i, i + 1)), rotation[i:i + 1], place[i:i + 1],
                                          HEIGHT, WIDTH, True, trim)
        return tuple(SC.to_float(torch.cat([one(i, trim) for i in range(n)])) for trim in (True, False))

    def minutes(self):
        return (time.time() - self.began) / 60

    def forward(self):
        """-> truth, truth without trim, latents, those of before, what the decoder makes of the ones or the others"""
        vae, before = self.vae, self.before
        begins = self.rng.random() < .4
        x, bare = self.clips(self.a.batch, BEGINNING if begins else PAST + LATER, int(self.rng.integers(2**31)))
        encoder, decoder, other = ({}, {}, {}) if not begins else (None, None, None)
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                if not begins:
                    vae.encode(x[:, :, :PAST], encoder)
                    vae.decode(before.encode(bare[:, :, :PAST], other), decoder)
                    x, bare = x[:, :, PAST:], bare[:, :, PAST:]
                known = before.encode(bare, other)
            z = vae.encode(x, encoder)
            given = z if self.rng.random() < .5 else known
            return x, bare, z, known, vae.decode(given + NOISE * self.std * torch.randn_like(known), decoder)

    def learn(self):
        a = self.a
        share = min(1, self.minutes() / a.minutes)
        lr = a.lr * min(1, (self.steps + 1) / 50) * (.02 + .98 * .5 * (1 + math.cos(math.pi * share)))
        for group in self.adam.param_groups:
            group["lr"] = lr
        x, bare, z, known, y = self.forward()
        moved = ((z.float() - known.float()) / self.std).square().mean()
        total = picture_loss(y.float(), x, 1 + a.trim_weight * trim(x, bare) + 3 * detail(x)) + a.anchor * moved
        for p in self.learned.values():
            p.grad = None
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.learned.values(), 1., error_if_nonfinite=True)
        self.adam.step()
        self.muon.step(lr)
        self.gossip.step()
        self.steps += 1
        keep = min(a.ema, self.steps / (self.steps + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.learned.values()), 1 - keep)

    @torch.no_grad()
    def report(self):
        """Judges the averaged weights, and writes them"""
        x, bare = self.val
        now = {k: v.detach().clone() for k, v in self.learned.items()}
        torch._foreach_copy_(list(self.learned.values()), list(self.average.values()))
        with torch.autocast("cpu", torch.bfloat16):
            z = torch.cat([self.vae.encode(v) for v in x.split(1)])
            y = torch.cat([self.vae.decode(v) for v in z.split(1)]).float().clamp(-1, 1)
            known = torch.cat([self.before.encode(v) for v in bare.split(1)])
            added = torch.cat([self.vae.decode(v) for v in known.split(1)]).float().clamp(-1, 1)
            moved = ((z - known).float() / self.std).square().mean()
        torch._foreach_copy_(list(self.learned.values()), list(now.values()))
        e = (y - x).square()
        psnr = lambda e: -10 * torch.log10(e.mean() / 4)
        print(f"{time.strftime('%H:%M:%S')} step {self.steps} PSNR {psnr(e):.2f}, on latents of before "
              f"{psnr((added - x).square()):.2f}, of trim {psnr(e[(trim(x, bare) > .3).expand_as(e)]):.2f} "
              f"gradient {differences(y) / differences(x):.3f} moved {moved:.4f}", flush=True)
        frames = [SC.to_uint8(v)[:, (0, 16, 32)] for v in (x, y)]
        sheet = SC.contact_sheet([torch.cat(row).numpy() for row in zip(*frames)], scale=1)
        SC.write_png(os.path.join(self.a.out, "sheet.png"), sheet)
        save_safetensors(os.path.join(self.a.out, "vae.safetensors"), {**self.vae.state_dict(), **self.average})

    def run(self):
        said = -9.
        while self.minutes() < self.a.minutes:
            if self.a.worker == 0 and self.minutes() - said > 3:
                said = self.minutes()
                self.report()
            self.learn()
        if self.a.worker == 0:
            self.report()


def main():
    a = arguments()
    torch.set_num_threads(1)
    torch._dynamo.config.recompile_limit = 64                        # pictures of three lengths, with trim and without
    os.makedirs(a.out, exist_ok=True)
    Refinery(a).run()


if __name__ == "__main__":
    main()
