"""The autoencoder once more, for what a mean error overlooks: signs, and whatever stands out from what is around it.

Clips are rendered as they are needed. Encoder and decoder learn, but latents stay near those of before, so that a
transformer which knows those goes on. A discriminator of patches (finish.py) keeps the edges, from --gan-from on. Half
of the clips are streams: what learns sees frames 9 to 32, with the caches of the past.

  python refine_vae.py --init out/vae.safetensors --out refined --minutes 30 --worker 0 --workers 2
"""
import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import furnished
import scenes as SC
from finish import Patches, detail
from gossip import Gossip
from muon import Muon
from signs import signs
from vae import VAE
from weights import load_safetensors, save_safetensors

HEIGHT, WIDTH, STREAM, SHORT = 128, 192, 33, 9
NOISE = .05                                       # on the latents, in their standard deviations


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="out", help="folder with config.json: the network, mean and std of its latents")
    p.add_argument("--init", default="out/vae.safetensors", help="the weights to go on from")
    p.add_argument("--before", default="out/vae.safetensors", help="those whose latents are kept to")
    p.add_argument("--out", default="refined", help="receives vae.safetensors and a sheet")
    p.add_argument("--minutes", type=float, default=30, help="the learning rate reaches its end with them")
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--anchor", type=float, default=.001, help="weight of the distance from the latents of before")
    p.add_argument("--sign-weight", type=float, default=20, help="how many times more a pixel of a sign counts")
    p.add_argument("--gan", type=float, default=.08, help="weight of the discriminator's word")
    p.add_argument("--gan-from", type=float, default=9, help="minutes until it speaks; it learns two minutes before")
    p.add_argument("--worker", type=int, default=0)
    p.add_argument("--workers", type=int, default=1)
    return p.parse_args()


def pairs(x, at):
    """Neighbouring frames of clips, for the discriminator"""
    return torch.cat([torch.cat([clip[:, at].transpose(0, 1), clip[:, at + 1].transpose(0, 1)], 1) for clip in x])


class Refinery:
    def __init__(self, a):
        self.a, self.steps = a, 0
        torch.manual_seed(a.worker + int(time.time()))
        self.rng = np.random.default_rng(a.worker + int(time.time()))
        with open(os.path.join(a.world, "config.json")) as file:
            config = json.load(file)
        self.std = torch.tensor(config["latents_std"]).view(1, -1, 1, 1, 1)
        self.vae, self.before = (VAE(**config["vae"]).channels_last() for _ in range(2))
        self.vae.load_state_dict(load_safetensors(a.init))
        self.before.load_state_dict(load_safetensors(a.before))
        self.before.eval().requires_grad_(False)
        self.render = torch.compile(furnished.render, dynamic=False)
        self.learned = dict(self.vae.named_parameters())
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        convs = [k for k, v in self.learned.items() if v.ndim >= 4 and min(v.shape[0], v[0].numel()) > 1
                 and not k.endswith((".head.2.weight", "coder.conv1.weight"))]
        self.muon = Muon([self.learned[k] for k in convs], decay=0.)
        rest = [v for k, v in self.learned.items() if k not in set(convs)]
        self.adam = torch.optim.AdamW(rest, lr=a.lr, betas=(.9, .95), weight_decay=0, fused=True)
        self.patches = Patches(3)
        self.patch_adam = torch.optim.AdamW(self.patches.parameters(), lr=8e-4, betas=(.5, .95), weight_decay=0)
        self.gossip = Gossip(a.out, "vae", self.learned.values(), a.worker, a.workers)
        self.val = self.clips(4, STREAM, 77)
        self.began = time.time()

    def clips(self, n, frames, seed):
        """-> pictures [n,3,F,H,W], and where signs are [n,1,F,H,W], with a little around"""
        g, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
        scenes = SC.sample_scenes(n, g)
        rows = [SC.random_row(frames, rng) for _ in range(n)]
        rotation, place, _ = SC.integrate(rows, *SC.random_start(n, g))
        x = torch.cat([self.render(SC.part(scenes, slice(i, i + 1)), rotation[i:i + 1], place[i:i + 1], HEIGHT, WIDTH)
                       for i in range(n)])
        lit = torch.stack([signs(rotation[i], place[i], HEIGHT, WIDTH, self.render) for i in range(n)])
        return SC.to_float(x.numpy()), F.max_pool3d(lit[:, None], (1, 5, 5), 1, (0, 2, 2))

    def minutes(self):
        return (time.time() - self.began) / 60

    def forward(self):
        """-> truth, signs, latents, those of before, reconstruction"""
        vae, before = self.vae, self.before
        stream = self.rng.random() < .5
        x, lit = self.clips(2, STREAM if stream else SHORT, int(self.rng.integers(2**31)))
        noisy = lambda z: z + NOISE * z.detach().std() * torch.randn_like(z)
        with torch.autocast("cpu", torch.bfloat16):
            if not stream:
                with torch.no_grad():
                    kept = before.encode(x)
                z = vae.encode(x)
                return x, lit, z, kept, vae.decode(noisy(z))
            encoder, decoder, other = {}, {}, {}
            with torch.no_grad():
                vae.decode(vae.encode(x[:, :, :9], encoder), decoder)
                before.encode(x[:, :, :9], other)
            x, lit = x[:, :, 9:], lit[:, :, 9:]
            halves = (slice(0, 12), slice(12, 24))
            with torch.no_grad():
                kept = torch.cat([before.encode(x[:, :, half], other) for half in halves], 2)
            zs = [vae.encode(x[:, :, half], encoder) for half in halves]
            return x, lit, torch.cat(zs, 2), kept, torch.cat([vae.decode(noisy(z), decoder) for z in zs], 2)

    def doubts(self, x, y):
        """The discriminator learns; what it says of the reconstruction, weighed"""
        a = self.a
        if self.minutes() < a.gan_from - 2:
            return 0.
        at = torch.from_numpy(self.rng.choice(y.shape[2] - 1, 2, replace=False))
        self.patches.requires_grad_(True)
        with torch.autocast("cpu", torch.bfloat16):
            real, made = self.patches(pairs(x, at)).float(), self.patches(pairs(y.detach(), at)).float()
        self.patch_adam.zero_grad()
        (F.relu(1 - real).mean() + F.relu(1 + made).mean()).backward()
        self.patch_adam.step()
        self.patches.requires_grad_(False)
        with torch.autocast("cpu", torch.bfloat16):
            said = self.patches(pairs(y, at)).float().mean()
        return -a.gan * min(1, max(0, (self.minutes() - a.gan_from) / 2)) * said

    def learn(self):
        a = self.a
        share = min(1, self.minutes() / a.minutes)
        lr = a.lr * min(1, (self.steps + 1) / 50) * (.02 + .98 * .5 * (1 + math.cos(math.pi * share)))
        for group in self.adam.param_groups:
            group["lr"] = lr
        x, lit, z, kept, y = self.forward()
        y = y.float()
        e = y - x
        weight = 1 + a.sign_weight * lit + 3 * detail(x)
        weight = weight / weight.mean()
        edges = (e.diff(dim=-1).abs() * weight[..., 1:]).mean() + (e.diff(dim=-2).abs() * weight[..., 1:, :]).mean()
        moved = ((z.float() - kept.float()) / self.std).square().mean()
        total = ((e.abs() + e.square()) * weight).mean() + 1.2 * edges + .25 * e.diff(dim=2).abs().mean() + a.anchor * moved
        total = total + self.doubts(x, y)
        for p in self.learned.values():
            p.grad = None
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.learned.values(), 1., error_if_nonfinite=True)
        self.adam.step()
        self.muon.step(lr)
        self.gossip.step()
        self.steps += 1
        keep = min(.99, self.steps / (self.steps + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.learned.values()), 1 - keep)

    @torch.no_grad()
    def report(self):
        """Judges the averaged weights, and writes them"""
        x, lit = self.val
        now = {k: v.detach().clone() for k, v in self.learned.items()}
        torch._foreach_copy_(list(self.learned.values()), list(self.average.values()))
        with torch.autocast("cpu", torch.bfloat16):
            y = self.vae.decode(self.vae.encode(x)).float().clamp(-1, 1)
        torch._foreach_copy_(list(self.learned.values()), list(now.values()))
        e = (y - x).square()
        psnr = lambda e: -10 * torch.log10(e.mean() / 4)
        gradient = lambda v: v.diff(dim=-1).abs().mean() + v.diff(dim=-2).abs().mean()
        print(f"step {self.steps} min {self.minutes():.1f} PSNR {psnr(e):.2f} in signs {psnr(e[(lit > .3).expand_as(e)]):.2f} "
              f"gradient {gradient(y) / gradient(x):.3f}", flush=True)
        rows = [SC.to_uint8(v[:, :, f:f + 1])[:, 0] for f in (0, 16, 32) for v in (x, y)]
        SC.write_png(os.path.join(self.a.out, "sheet.png"), SC.contact_sheet(rows, scale=1))
        save_safetensors(os.path.join(self.a.out, "vae.safetensors"), {**self.vae.state_dict(), **self.average})

    def run(self):
        said = 0.
        while self.minutes() < self.a.minutes:
            self.learn()
            if self.a.worker == 0 and self.minutes() - said > 3:
                said = self.minutes()
                self.report()
        if self.a.worker == 0:
            self.report()


def main():
    a = arguments()
    torch.set_num_threads(1)
    os.makedirs(a.out, exist_ok=True)
    Refinery(a).run()


if __name__ == "__main__":
    main()
