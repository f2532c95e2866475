"""The decoder's finish: the encoder stays, the decoder learns on latents, with a discriminator of patches.

  python render_latents.py --clips 640 --keep 640            # clips with their latents; the held-out ones likewise:
  python render_latents.py --data data/val --clips 80 --keep 80 --seed 900 --name val
  python train_dit.py --own-latents 480 --clips 640 --latents 12
  python finish.py --worker 0 --workers 2

L1 and gradient losses hold the blur; the discriminator makes edges, but only on a reconstruction that is good. Its
weight is fixed: an adaptive one sinks as the discriminator wins, and the picture falls back. Latents are true ones and,
as soon as train_dit.py --own-latents has written them, those that sampling really produces, with the truth as the
target. A window begins a stream or lies in the middle of one; there its first latents only fill the decoder's memory.
Short windows of several clips are worth more than a long one of one clip. Checkpoints resume; the schedule follows
steps, or --minutes on a machine that is there for some time only.
"""
import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm

from encode import SHARD, shard_path
from gossip import Gossip
from muon import Muon
from render_latents import clips_path
from vae import VAE, Upsample
from weights import load_safetensors, save_safetensors, with_larger_patches
import scenes as SC

LATENTS, FILL = 5, 2                              # of a window; of these only for the memory, in the middle of a stream
EVALUATED = 8                                     # held-out clips
STATE = "finish-state.pt"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="init", help="folder with config.json and vae.safetensors: where it begins")
    p.add_argument("--data", default="out", help="folder of render_latents.py, and of own-latents.pt")
    p.add_argument("--out", default="finished", help="receives vae.safetensors and a sheet")
    p.add_argument("--updates", type=int, default=2600, help="the learning rate reaches its end with them")
    p.add_argument("--lr", type=float, default=7e-4)
    p.add_argument("--decay", type=float, default=.6, help="share of the updates in which the learning rate falls")
    p.add_argument("--batch", type=int, default=2, help="windows a step")
    p.add_argument("--own", type=float, default=.4, help="share of the transformer's own latents, once they are there")
    p.add_argument("--sign-weight", type=float, default=6, help="how many times more an edge of a sign counts")
    p.add_argument("--gan", type=float, default=.1, help="weight of the discriminator's word")
    p.add_argument("--gan-from", type=int, default=200, help="the step at which it may speak")
    p.add_argument("--ema", type=float, default=.995)
    p.add_argument("--eval-every", type=int, default=300)
    p.add_argument("--device", default="cpu")
    p.add_argument("--minutes", type=float, default=math.inf, help="or with this time, whichever comes first")
    p.add_argument("--resume", action="store_true")
    p.add_argument("--worker", type=int, default=0, help="this trainer's number, see gossip.py")
    p.add_argument("--workers", type=int, default=1, help="how many trainers run; number 0 evaluates and saves")
    return p.parse_args()


class Patches(nn.Module):
    """Two neighbouring frames (6 channels) -> how real each patch looks"""

    def __init__(self, halvings, width=32):
        super().__init__()
        widths = [6, *(width << i for i in range(halvings))]
        layers = []
        for a, b in zip(widths, widths[1:]):
            layers += [spectral_norm(nn.Conv2d(a, b, 4, 2, 1)), nn.LeakyReLU(.2)]
        self.net = nn.Sequential(*layers, spectral_norm(nn.Conv2d(widths[-1], 1, 3, 1, 1)))

    def forward(self, x):
        return self.net(x.contiguous(memory_format=torch.channels_last))


def differences(e):
    return e.diff(dim=-1).abs().mean() + e.diff(dim=-2).abs().mean()


def detail(x):
    """[n,3,F,H,W] -> [n,1,F,H,W], 0 to 1: how far a pixel is from the mean of the 9x9 around it"""
    grey = x.mean(1).contiguous()
    return ((grey - F.avg_pool2d(grey, 9, 1, 4, count_include_pad=False)).abs()[:, None] / .1).clamp(0, 1)


def optimisers(learned, lr):
    """Of the parameters `learned` of an autoencoder: an orthogonalised momentum for its inner kernels, AdamW for the rest"""
    kernels = [k for k, v in learned.items() if v.ndim >= 4 and min(v.shape[0], v[0].numel()) > 1
               and not k.endswith((".head.2.weight", "coder.conv1.weight"))]
    rest = [v for k, v in learned.items() if k not in set(kernels)]
    adam = torch.optim.AdamW(rest, lr=lr, betas=(.9, .95), weight_decay=0, fused=True)
    return Muon([learned[k] for k in kernels], decay=0.), adam


def picture_loss(y, x, weight):
    """How far pictures y are from x, pixel by pixel and edge by edge, and how much more they move [n,3,F,H,W]

    `weight` [n,1,F,H,W] says how much a pixel counts beside the others; its mean does not matter.
    """
    e, weight = y - x, weight / weight.mean()
    edges = (e.diff(dim=-1).abs() * weight[..., 1:]).mean() + (e.diff(dim=-2).abs() * weight[..., 1:, :]).mean()
    return ((e.abs() + e.square()) * weight).mean() + 1.2 * edges + .25 * e.diff(dim=2).abs().mean()


class Finish:
    def __init__(self, a):
        self.a, self.steps, self.log, self.doubt, self.began = a, 0, [], torch.zeros(()), 0.
        torch.manual_seed(a.worker)
        self.rng = np.random.default_rng(a.worker)
        with open(os.path.join(a.world, "config.json")) as file:
            config = json.load(file)
        self.mean, self.std = (torch.tensor(config[k], device=a.device).view(-1, 1, 1, 1)
                               for k in ("latents_mean", "latents_std"))
        vae = self.vae = VAE(**config["vae"]).to(a.device).channels_last()
        vae.load_state_dict(with_larger_patches(load_safetensors(os.path.join(a.world, "vae.safetensors")), config["vae"]))
        vae.requires_grad_(False)
        self.learned = {k: v.requires_grad_() for k, v in vae.named_parameters() if k.startswith(("decoder.", "conv2."))}
        streaming = [vae.decoder, *(m for m in vae.decoder.modules() if isinstance(m, Upsample) and m.time_conv)]
        self.begin = torch.compile(vae.decode, dynamic=False)
        self.go_on = torch.compile(lambda z: vae.decode(z, {layer: True for layer in streaming}), dynamic=False)
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        self.muon, self.adam = optimisers(self.learned, a.lr)
        self.patches = Patches(2 if vae.patch < 4 else 3).to(a.device)
        self.patch_adam = torch.optim.AdamW(self.patches.parameters(), lr=8e-4, betas=(.5, .95), weight_decay=0)
        self.gossip = Gossip(a.out, "finish", self.learned.values(), a.worker, a.workers)
        self.shards, self.own = [], None
        self.grow()
        z, clips = torch.load(shard_path(a.data, "val"))["z"], np.load(clips_path(a.data, "val"), mmap_mode="r")
        some = slice(None, None, len(clips) // EVALUATED)                   # of every place
        self.val = z[some, :, :9].float().to(a.device), SC.to_float(clips[some, :33], a.device)

    def grow(self):
        """Take in what has appeared on disk; shards in order, because own latents name clips by index"""
        data, device = self.a.data, self.a.device
        while all(os.path.exists(path(data, len(self.shards))) for path in (clips_path, shard_path)):
            shard = len(self.shards)
            lit = torch.load(os.path.join(data, "signs", f"signs-{shard}.pt")).to(device)
            clips = np.load(clips_path(data, shard), mmap_mode="r")
            if device != "cpu":                                            # on a CPU they stay on disk
                clips = torch.from_numpy(np.array(clips)).to(device)
            self.shards.append((clips, torch.load(shard_path(data, shard))["z"].to(device), lit))
        path = os.path.join(data, "own-latents.pt")
        if self.own is None and os.path.exists(path):
            self.own = torch.load(path, map_location=device)
            print(f"{len(self.own['index'])} own clips from step {self.steps}", flush=True)

    def amp(self):
        return torch.autocast(self.a.device, torch.bfloat16)

    def share(self):
        """How much is done"""
        return max(self.steps / self.a.updates, (time.time() - self.began) / 60 / self.a.minutes)

    def noise(self):
        """As much as a transformer errs, for a share of the windows"""
        u = self.rng.random()
        return 0. if u < .3 else .05 if u < .75 else .2 * self.rng.random()

    def window(self, begins):
        """-> truth [3,F,H,W], how much of a pixel's cell are signs [1,F,H,W], latents [z,n,h,w]"""
        own = self.own is not None and self.rng.random() < self.a.own
        if own:
            pick = int(self.rng.integers(len(self.own["index"])))
            index, at = int(self.own["index"][pick]), 0 if begins else 1
            clips, _, signs = self.shards[index // SHARD]
            i = index % SHARD
            z = self.own["z"][pick, :, at:at + LATENTS].float() * self.std + self.mean
        else:
            clips, known, signs = self.shards[int(self.rng.integers(len(self.shards)))]
            i = int(self.rng.integers(len(clips)))
            at = 0 if begins else int(self.rng.integers(1, known.shape[2] - LATENTS + 1))
            z = known[i, :, at:at + LATENTS].float()
            z = z + self.noise() * self.std * torch.randn_like(z)
        skipped = 3 if begins else 4 * FILL                                # of four frames a latent
        first = 4 * at - 3 + skipped
        x = SC.to_float(clips[i:i + 1, first:4 * (at + LATENTS) - 3])[0]
        lit = signs[i, at:at + LATENTS].float().repeat_interleave(4, 0)[skipped:]
        cell = 8 * self.vae.patch
        return x, lit.repeat_interleave(cell, 1).repeat_interleave(cell, 2)[None], z

    def doubts(self, x, y):
        """The discriminator learns; what it says of the reconstruction, weighed"""
        a = self.a
        if self.steps < a.gan_from - 80:                                   # it learns alone for a while, then it speaks
            return 0.
        at = self.rng.choice(x.shape[2] - 1, 3, replace=False).tolist()
        pairs = lambda v: torch.cat([torch.cat([v[:, :, t], v[:, :, t + 1]], 1) for t in at])
        self.patches.requires_grad_(True)
        with self.amp():
            real, made = self.patches(pairs(x)).float(), self.patches(pairs(y.detach())).float()
        loss = F.relu(1 - real).mean() + F.relu(1 + made).mean()
        self.patch_adam.zero_grad()
        loss.backward()
        self.patch_adam.step()
        self.doubt = loss.detach()
        self.patches.requires_grad_(False)
        with self.amp():
            said = self.patches(pairs(y)).float().mean()
        return -a.gan * min(1, max(0, self.steps - a.gan_from) / 100) * said

    def learn(self):
        a = self.a
        lr = a.lr * min(1, (self.steps + 1) / 50) * min(1, .02 + max(0, 1 - self.share()) / a.decay)
        for group in self.adam.param_groups:
            group["lr"] = lr
        begins = self.rng.random() < .4
        x, lit, z = (torch.stack(v) for v in zip(*(self.window(begins) for _ in range(a.batch))))
        with self.amp():
            y = (self.begin(z) if begins else self.go_on(z)[:, :, 4 * FILL:]).float()
        total = picture_loss(y, x, 1 + (3 + a.sign_weight * (lit * 4).clamp(0, 1)) * detail(x)) + self.doubts(x, y)
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
        self.log.append((y.detach() - x).square().mean())

    @torch.no_grad()
    def evaluate(self):
        """Judges the averaged weights on held-out clips, and shows truth beside reconstruction in a sheet"""
        now = {k: v.detach().clone() for k, v in self.learned.items()}
        torch._foreach_copy_(list(self.learned.values()), list(self.average.values()))
        z, x = self.val
        with self.amp():
            y = torch.cat([self.vae.decode(v) for v in z.split(1)]).float().clamp(-1, 1)
        torch._foreach_copy_(list(self.learned.values()), list(now.values()))
        psnr = -10 * torch.log10((y - x).square().mean((1, 3, 4)) / 4)
        frames = [SC.to_uint8(v)[:, (0, 12, 32)].cpu() for v in (x, y)]
        sheet = SC.contact_sheet([torch.cat(row).numpy() for row in zip(*frames)], scale=1)
        SC.write_png(os.path.join(self.a.out, "sheet.png"), sheet)
        return f"PSNR {psnr.mean():.2f} first {psnr[:, 0].mean():.2f} gradient {differences(y) / differences(x):.3f}"

    def save(self):
        out = self.a.out
        save_safetensors(os.path.join(out, "vae.safetensors"), {**self.vae.state_dict(), **self.average})
        state = {"steps": self.steps, "learned": self.learned, "average": self.average, "adam": self.adam.state_dict(),
                 "muon": self.muon.state(), "patches": self.patches.state_dict(), "patch_adam": self.patch_adam.state_dict()}
        torch.save(state, os.path.join(out, STATE + ".tmp"))
        os.replace(os.path.join(out, STATE + ".tmp"), os.path.join(out, STATE))

    @torch.no_grad()
    def resume(self):
        state = torch.load(os.path.join(self.a.out, STATE), map_location=self.a.device)
        for k, v in self.learned.items():
            v.copy_(state["learned"][k])
            self.average[k].copy_(state["average"][k])
        self.adam.load_state_dict(state["adam"])
        self.muon.load(state["muon"])
        self.patches.load_state_dict(state["patches"])
        self.patch_adam.load_state_dict(state["patch_adam"])
        self.steps = state["steps"]

    def run(self):
        a, self.began = self.a, time.time()
        began = self.began
        while self.share() < 1:
            self.learn()
            if self.steps % 100 == 0:
                print(f"{time.strftime('%H:%M:%S')} step {self.steps} {(time.time() - began) / len(self.log):.2f} s a step, "
                      f"train {-10 * torch.log10(torch.stack(self.log).mean() / 4):.2f} patches {self.doubt:.2f}", flush=True)
                self.log.clear()
                self.grow()
                if a.worker == 0 and self.steps % a.eval_every == 0:
                    print(f"step {self.steps} {self.evaluate()}", flush=True)
                    self.save()
                began = time.time()
        if a.worker == 0:
            self.save()
            print(f"end {self.evaluate()}", flush=True)


def main():
    a = arguments()
    torch.set_num_threads(1)
    os.makedirs(a.out, exist_ok=True)
    finish = Finish(a)
    if a.resume:
        finish.resume()
    finish.run()


if __name__ == "__main__":
    main()
