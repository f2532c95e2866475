"""The decoder's finish: the encoder stays, the decoder learns on latents, with a discriminator of patches.

L1 and gradient losses hold the blur; the discriminator makes edges, but only on a reconstruction that is good. Its
weight is fixed: an adaptive one sinks as the discriminator wins, and the picture falls back. Latents are true ones
(encode.py) and, as soon as train_dit.py --own-latents has written them, those that sampling really produces, with the
truth as the target. Checkpoints resume; the schedule follows steps.
"""
import argparse
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm

from encode import shard_path
from gossip import Gossip
from muon import Muon
from vae import VAE, compile_activation
from weights import load_safetensors, save_safetensors
import scenes as SC

LATENTS, FRAMES = 6, 21                           # the first two blocks of a clip, in one pass
EVALUATED = 6                                     # held-out clips


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", default="data/train", help="clips")
    p.add_argument("--val", default="data/val", help="held-out clips")
    p.add_argument("--out", default="out", help="folder with vae.safetensors and shards; receives finished.safetensors")
    p.add_argument("--updates", type=int, default=2500, help="the learning rate reaches its end with them")
    p.add_argument("--lr", type=float, default=6e-4)
    p.add_argument("--lr-patches", type=float, default=8e-4)
    p.add_argument("--gan", type=float, default=.08, help="weight of the discriminator's word")
    p.add_argument("--gan-from", type=int, default=200, help="the step at which it may speak")
    p.add_argument("--edges", type=float, default=1.5, help="weight of differences between neighbouring pixels")
    p.add_argument("--own", type=float, default=.4, help="share of the transformer's own latents, once they are there")
    p.add_argument("--before", type=float, default=0.,
                   help="share of the decoder as it was before, in what is written: half of it gives back the lost PSNR")
    p.add_argument("--ema", type=float, default=.99)
    p.add_argument("--eval-every", type=int, default=150)
    p.add_argument("--until", default="", metavar="HH:MM", help="stop at this time, to go on later with --resume")
    p.add_argument("--resume", action="store_true")
    p.add_argument("--compile", type=int, default=1,
                   help="0: start within seconds, but learn at half the speed; 1 takes some minutes of a core first")
    p.add_argument("--patch-layers", type=int, default=3, help="3: patches of 46 pixels, 2: of 22 pixels")
    p.add_argument("--worker", type=int, default=0, help="this trainer's number, see gossip.py")
    p.add_argument("--workers", type=int, default=1, help="how many trainers run; number 0 evaluates and saves")
    p.add_argument("--threads", type=int, default=1)
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


def pairs(x, at):
    return torch.cat([x[0, :, at].transpose(0, 1), x[0, :, at + 1].transpose(0, 1)], 1)


class Finish:
    def __init__(self, a):
        self.a, self.rng, self.steps = a, np.random.default_rng(), 0
        self.vae = VAE(16, 16, 12, (1, 2, 4, 4), 1)
        self.vae.load_state_dict(load_safetensors(os.path.join(a.out, "vae.safetensors")))
        self.vae.channels_last().requires_grad_(False)
        self.learned = {k: v.requires_grad_() for k, v in self.vae.named_parameters() if k.startswith(("decoder.", "conv2."))}
        self.gossip = Gossip(a.out, "finish", self.learned.values(), a.worker, a.workers, every=20)
        self.before = {k: v.detach().clone() for k, v in self.learned.items()}
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        convs = [k for k, v in self.learned.items() if v.ndim >= 4 and min(v.shape[0], v[0].numel()) > 1
                 and not k.endswith((".head.2.weight", "coder.conv1.weight"))]
        self.muon = Muon([self.learned[k] for k in convs], decay=0.)
        rest = [v for k, v in self.learned.items() if k not in set(convs)]
        self.adam = torch.optim.AdamW(rest, lr=a.lr, betas=(.8, .95), weight_decay=0, fused=True)
        self.patches = Patches(a.patch_layers)
        self.patch_adam = torch.optim.AdamW(self.patches.parameters(), lr=a.lr_patches, betas=(.5, .95), weight_decay=0)
        self.decode = torch.compile(self.vae.decode, dynamic=False) if a.compile else self.vae.decode
        if not a.compile:
            compile_activation()
        self.video, self.truth = SC.open_video(a.data), SC.to_float(SC.open_video(a.val)[:EVALUATED, :33])
        self.val = torch.load(shard_path(a.out, "val"))["z"][:EVALUATED, :, :9].float()
        self.shards, self.own, self.log = [], None, []
        self.grow()

    def grow(self):
        """Take in what has appeared on disk"""
        while os.path.exists(shard_path(self.a.out, len(self.shards))):
            self.shards.append(torch.load(shard_path(self.a.out, len(self.shards))))
            self.true = torch.cat([s["z"][:, :, :LATENTS] for s in self.shards])
            self.mean, self.std = (self.shards[0][k].view(1, -1, 1, 1, 1) for k in ("mean", "std"))
        path = os.path.join(self.a.out, "own-latents.pt")
        if os.path.exists(path) and (self.own is None or os.path.getmtime(path) != self.own[2]):
            own = torch.load(path)
            self.own = own["index"], own["z"][:, :, :LATENTS].float() * self.std + self.mean, os.path.getmtime(path)
            print(f"{len(own['index'])} own clips from step {self.steps}", flush=True)

    def batch(self):
        own = self.own is not None and self.rng.random() < self.a.own
        pick = int(self.rng.integers(len(self.own[0]) if own else len(self.true)))
        index, z = (int(self.own[0][pick]), self.own[1][pick:pick + 1]) if own else (pick, self.true[pick:pick + 1].float())
        x = SC.to_float(self.video[index:index + 1, :FRAMES])
        return x, z if own else z + .05 * self.std * torch.randn_like(z)

    def learn(self):
        a, share = self.a, self.steps / self.a.updates
        lr = a.lr * min(1, (self.steps + 1) / 30) * min(1, .02 + max(0, 1 - share) / .4)
        for group in self.adam.param_groups:
            group["lr"] = lr
        x, z = self.batch()
        with torch.autocast("cpu", torch.bfloat16):
            y = self.decode(z).float()
        e = y - x
        total = e.abs().mean() + a.edges * differences(e) + .25 * e.diff(dim=2).abs().mean() + e.square().mean()
        doubt = torch.zeros(())
        if self.steps >= a.gan_from - 60:                              # it learns alone for a while, then it speaks
            at = torch.from_numpy(self.rng.choice(FRAMES - 1, 4, replace=False))
            self.patches.requires_grad_(True)
            with torch.autocast("cpu", torch.bfloat16):
                real, made = self.patches(pairs(x, at)).float(), self.patches(pairs(y.detach(), at)).float()
            doubt = F.relu(1 - real).mean() + F.relu(1 + made).mean()
            self.patch_adam.zero_grad()
            doubt.backward()
            self.patch_adam.step()
            self.patches.requires_grad_(False)
            weight = a.gan * min(1, max(0, self.steps - a.gan_from) / 100)
            if weight:
                with torch.autocast("cpu", torch.bfloat16):
                    total = total - weight * self.patches(pairs(y, at)).float().mean()
        for p in self.learned.values():
            p.grad = None
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.learned.values(), 1.)
        self.adam.step()
        self.muon.step(lr)
        self.gossip.step()
        self.steps += 1
        keep = min(a.ema, self.steps / (self.steps + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.learned.values()), 1 - keep)
        self.log.append((e.detach().square().mean().item(), doubt.item()))

    def result(self):
        return {k: v.lerp(self.before[k], self.a.before) for k, v in self.average.items()}

    @torch.no_grad()
    def evaluate(self):
        now = {k: v.detach().clone() for k, v in self.learned.items()}
        torch._foreach_copy_(list(self.learned.values()), list(self.result().values()))
        with torch.autocast("cpu", torch.bfloat16):
            y = torch.cat([self.vae.decode(z) for z in self.val.split(1)]).float().clamp(-1, 1)
        torch._foreach_copy_(list(self.learned.values()), list(now.values()))
        psnr = -10 * torch.log10((y - self.truth).square().mean((1, 3, 4)) / 4)
        frames = [SC.to_uint8(v)[:, (0, 12, 32)] for v in (self.truth, y)]
        SC.write_png(os.path.join(self.a.out, "finish.png"), SC.contact_sheet([torch.cat(r).numpy() for r in zip(*frames)]))
        parts = " ".join(f"{psnr[:, s].mean():.2f}" for s in (slice(0, 1), slice(1, 9), slice(9, 21), slice(21, 33)))
        return f"PSNR {psnr.mean():.2f} ({parts}) gradient {differences(y) / differences(self.truth):.3f}"

    def save(self):
        a = self.a
        save_safetensors(os.path.join(a.out, "finished.safetensors"), {**self.vae.state_dict(), **self.result()})
        state = {"steps": self.steps, "learned": self.learned, "average": self.average, "adam": self.adam.state_dict(),
                 "muon": self.muon.state(), "patches": self.patches.state_dict(), "patch_adam": self.patch_adam.state_dict()}
        torch.save(state, os.path.join(a.out, "finish-state.pt.tmp"))
        os.replace(os.path.join(a.out, "finish-state.pt.tmp"), os.path.join(a.out, "finish-state.pt"))

    @torch.no_grad()
    def resume(self):
        state = torch.load(os.path.join(self.a.out, "finish-state.pt"))
        for k, v in self.learned.items():
            v.copy_(state["learned"][k])
            self.average[k].copy_(state["average"][k])
        self.adam.load_state_dict(state["adam"])
        self.muon.load(state["muon"])
        self.patches.load_state_dict(state["patches"])
        self.patch_adam.load_state_dict(state["patch_adam"])
        self.steps = state["steps"]

    def run(self):
        a, began = self.a, time.time()
        print(f"before {self.evaluate()}", flush=True)
        while self.steps < a.updates and not (a.until and time.strftime("%H:%M") >= a.until):
            self.learn()
            if self.steps % 25 == 0:
                error, doubt = np.mean(self.log, 0)
                print(f"{time.strftime('%H:%M:%S')} step {self.steps} {(time.time() - began) / len(self.log):.2f} s a step, "
                      f"train {-10 * np.log10(error / 4):.2f} patches {doubt:.3f}", flush=True)
                self.log.clear()
                self.grow()
                if a.worker == 0 and self.steps % a.eval_every == 0:
                    print(f"step {self.steps} {self.evaluate()}", flush=True)
                    self.save()
                began = time.time()
        if a.worker:
            return
        self.save()
        print(f"end {self.steps} {self.evaluate()}", flush=True)


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    finish = Finish(a)
    if a.resume:
        finish.resume()
    finish.run()


if __name__ == "__main__":
    main()
