"""The autoencoder once more, for another place, in the latents of the first or in new ones.

Encoder and decoder learn the pictures of both places. The encoder is held near the latents that it gave corridors
before, and half of the time the decoder is given those, so that a transformer which knows them goes on untaught. With
--known "" both learn the new place alone, and nothing holds the latents.

Short windows of several clips are worth more than a long one of one clip, and squares of them cost a third. Some begin
a stream, the others lie behind its first nine frames, whose caches they are given. Clips are kept in memory, and one is
rendered anew now and then. No discriminator: that is finish.py's, and comes last.

  python refine_vae.py --world init --out refined --minutes 30 --worker 0 --workers 2
"""
import argparse
import json
import math
import os
import time

import numpy as np
import torch

import places as P
import scenes as SC
from finish import detail, differences, optimisers, picture_loss
from gossip import Gossip
from vae import VAE, compile_activation
from weights import load_safetensors, save_safetensors

HEIGHT, WIDTH = 128, 192
BEGINNING, PAST, LATER = 17, 9, 12                # frames of a window that begins a stream; before and in any other
EVALUATED = 6                                     # held-out clips of a place
CLIP, RENEWED = 45, 8                             # frames of a clip; steps between two new ones


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="init", help="folder with config.json and vae.safetensors: that of before, where it begins")
    p.add_argument("--begin", default="", help="vae.safetensors of an earlier run to begin with")
    p.add_argument("--out", default="refined", help="receives vae.safetensors and a sheet")
    p.add_argument("--minutes", type=float, default=30, help="the learning rate reaches its end with them")
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--known", default="corridor", help="the place whose latents stay what they are; empty: none")
    p.add_argument("--new", default="courtyard", help="the place that it learns")
    p.add_argument("--known-windows", type=int, default=1, help="of the known place a step")
    p.add_argument("--new-windows", type=int, default=3, help="of the new place a step")
    p.add_argument("--crop", type=int, default=96, help="side of the square that is learned of a picture")
    p.add_argument("--bank", type=int, default=160, help="clips of the new place in memory")
    p.add_argument("--anchor", type=float, default=.3, help="weight of the encoder's distance from the latents of before")
    p.add_argument("--noise", type=float, default=.05, help="on the latents, in their standard deviations")
    p.add_argument("--ema", type=float, default=.995)
    p.add_argument("--worker", type=int, default=0)
    p.add_argument("--workers", type=int, default=1)
    return p.parse_args()


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
        if a.begin:
            self.vae.load_state_dict(load_safetensors(a.begin))
        self.before.eval().requires_grad_(False)
        self.render = {name: torch.compile(P.PLACES[name].render, dynamic=False) for name in (a.known, a.new) if name}
        self.learned = dict(self.vae.named_parameters())
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        self.muon, self.adam = optimisers(self.learned, a.lr)
        self.gossip = Gossip(a.out, "vae", self.learned.values(), a.worker, a.workers)
        self.val = {name: SC.to_float(self.clips(name, EVALUATED, 33, 77)) for name in self.render}
        each = a.bank * a.known_windows // a.new_windows
        self.bank = {name: self.clips(name, each if name == a.known else a.bank, CLIP, self.seed()) for name in self.render}
        self.began = time.time()

    def seed(self):
        return int(self.rng.integers(2**31))

    def clips(self, place, n, frames, seed):
        """-> uint8 [n,F,H,W,3]"""
        return P.walks(place, n, frames, seed).pictures(HEIGHT, WIDTH, render=self.render[place])

    def renew(self):
        """One clip of each place in the bank is another one from now on."""
        for name, bank in self.bank.items():
            bank[int(self.rng.integers(len(bank)))] = self.clips(name, 1, CLIP, self.seed())[0]

    def windows(self, place, n, frames):
        """-> squares of so many frames, anywhere in as many clips: [n,3,F,crop,crop]"""
        bank, side = self.bank[place], self.a.crop
        at = lambda room: slice(start := int(self.rng.integers(room + 1)), start + side)
        out = []
        for i in self.rng.choice(len(bank), n, replace=False):
            first = int(self.rng.integers(CLIP - frames + 1))
            out.append(bank[i, first:first + frames, at(HEIGHT - side), at(WIDTH - side)])
        return SC.to_float(torch.stack(out))

    def minutes(self):
        return (time.time() - self.began) / 60

    def forward(self):
        """-> truth, latents, those of before of the known place, what the decoder makes of the ones or the others"""
        a, vae, before = self.a, self.vae, self.before
        begins, n = self.rng.random() < .4, a.known_windows if a.known else 0
        frames = BEGINNING if begins else PAST + LATER
        x = torch.cat([self.windows(place, k, frames) for place, k in ((a.known, n), (a.new, a.new_windows)) if k])
        encoder, decoder, other = ({}, {}, {}) if not begins else (None, None, None)
        amp = lambda: torch.autocast("cpu", torch.bfloat16)
        with torch.no_grad(), amp():                                 # of its own: weights that it casts have no gradient
            if not begins:
                vae.decode(vae.encode(x[:, :, :PAST], encoder), decoder)
                if n:
                    before.encode(x[:n, :, :PAST], other)
                x = x[:, :, PAST:]
            known = before.encode(x[:n], other) if n else None
        with amp():
            z = vae.encode(x, encoder)
            given = torch.cat([known, z[n:]]) if n and self.rng.random() < .5 else z
            return x, z, known, vae.decode(given + a.noise * self.std * torch.randn_like(z), decoder)

    def learn(self):
        a = self.a
        share = min(1, self.minutes() / a.minutes)
        lr = a.lr * min(1, (self.steps + 1) / 50) * (.02 + .98 * .5 * (1 + math.cos(math.pi * share)))
        for group in self.adam.param_groups:
            group["lr"] = lr
        x, z, known, y = self.forward()
        total = picture_loss(y.float(), x, 1 + 3 * detail(x))
        if known is not None:
            total = total + a.anchor * ((z[:len(known)].float() - known.float()) / self.std).square().mean()
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
        now = {k: v.detach().clone() for k, v in self.learned.items()}
        torch._foreach_copy_(list(self.learned.values()), list(self.average.values()))
        psnr, said, rows = lambda x, y: -10 * torch.log10((y.float().clamp(-1, 1) - x).square().mean() / 4), [], []
        for name, x in self.val.items():
            with torch.autocast("cpu", torch.bfloat16):
                z = torch.cat([self.vae.encode(v) for v in x.split(1)])
                y = torch.cat([self.vae.decode(v) for v in z.split(1)]).float().clamp(-1, 1)
                said.append(f"{name} {psnr(x, y):.2f} gradient {differences(y) / differences(x):.3f}")
                if name == self.a.known:
                    known = torch.cat([self.before.encode(v) for v in x.split(1)])
                    old = torch.cat([self.vae.decode(v) for v in known.split(1)])
                    moved = ((z - known).float() / self.std).square().mean()
                    said[-1] += f", of latents of before {psnr(x, old):.2f}, moved {moved:.4f}"
            frames = [SC.to_uint8(v)[:, (0, 16, 32)] for v in (x, y)]
            rows += [torch.cat(row).numpy() for row in zip(*frames)]
        torch._foreach_copy_(list(self.learned.values()), list(now.values()))
        print(f"{time.strftime('%H:%M:%S')} step {self.steps} {'; '.join(said)}", flush=True)
        SC.write_png(os.path.join(self.a.out, "sheet.png"), SC.contact_sheet(rows, scale=1))
        save_safetensors(os.path.join(self.a.out, "vae.safetensors"), {**self.vae.state_dict(), **self.average})

    def run(self):
        said = -9.
        while self.minutes() < self.a.minutes:
            if self.a.worker == 0 and self.minutes() - said > 3:
                said = self.minutes()
                self.report()
            self.learn()
            if self.steps % RENEWED == 0:
                self.renew()
        if self.a.worker == 0:
            self.report()


def main():
    a = arguments()
    torch.set_num_threads(1)
    compile_activation()
    torch._dynamo.config.recompile_limit = 64                        # pictures of several lengths
    os.makedirs(a.out, exist_ok=True)
    Refinery(a).run()


if __name__ == "__main__":
    main()
