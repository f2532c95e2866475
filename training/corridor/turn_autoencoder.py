"""A turn of the autoencoder for larger frames: patches of 4x4 pixels, 32 channels of latents, wider in the middle.

  python turn_autoencoder.py --seconds 540                    # on a GPU; again and again, and --last once at the end
  python turn_autoencoder.py --rehearse                       # on a CPU, small, in two minutes

Encoder, decoder and discriminator learn together on short windows of walks through every place, which are rendered as
they are needed. Some windows begin a stream, the others lie behind its first nine frames, whose caches they are given.
The discriminator learns from --gan-from minus 300 on and speaks from --gan-from on. See turn.py for what a turn is; at its
end the means of the weights are written to --world, where turn_world.py takes them up.
"""
import argparse
import json
import os
import tempfile

import numpy as np
import torch

import evaluate as E
import places as P
import scenes as SC
import turn as T
from encode import shown
from finish import Finish, Patches, detail, differences, optimisers, picture_loss
from state import kept, moments_of, read_state, restore, restore_adam, write_state
from vae import VAE
from weights import save_safetensors

STAGE = "autoencoder"
BEGINNING, PAST, LATER = 17, 9, 12                # frames of a window that begins a stream; before and in any other
NOISE = .05                                       # on the latents, in their standard deviations
TABLE_BLOCKS = 4                                  # of a walk in the table at the end
SMALL = ("--device cpu --width 128 --height 64 --batch 2 --scenes 1 --gan-from 8 --seconds 900 --lr 2e-3 --dim 8 --dec-dim 8 "
         "--z 8 --ema .9").split()


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    T.shared_arguments(p, "turns/autoencoder")
    p.add_argument("--batch", type=int, default=8, help="windows an update")
    p.add_argument("--lr", type=float, default=1.5e-3)
    p.add_argument("--ema", type=float, default=.998)
    p.add_argument("--gan", type=float, default=.1, help="weight of the discriminator's word")
    p.add_argument("--gan-from", type=int, default=3000, help="the update at which it may speak")
    p.add_argument("--z", type=int, default=32, help="channels of a latent")
    p.add_argument("--dim", type=int, default=8, help="width of the encoder before its multiples")
    p.add_argument("--dec-dim", type=int, default=12, help="width of the decoder before its multiples")
    p.add_argument("--multiples", default="1,2,8,8", help="widths of the four stages, outermost first")
    return p.parse_args()


def windows(vae, x, noise, begins):
    """x [n,3,F,H,W] -> what of it counts, its latents, and what the decoder makes of them with noise"""
    encoder, decoder = ({}, {}) if not begins else (None, None)
    if not begins:
        # Without a cache: weights that are cast here have no gradient.
        with torch.no_grad(), torch.autocast(x.device.type, torch.bfloat16, cache_enabled=False):
            vae.decode(vae.encode(x[:, :, :PAST], encoder), decoder)
        x = x[:, :, PAST:]
    z = vae.encode(x, encoder)
    spread = z.detach().float().std((0, 2, 3, 4), keepdim=True)
    return x, z, vae.decode(z + NOISE * spread * noise, decoder)


class Autoencoder(Finish):
    """`doubts` and `amp` are those of the decoder's finish."""
    stage = STAGE

    def __init__(self, a):
        self.a, self.doubt, self.folder = a, torch.zeros(()), a.state
        found = read_state(a.state, STAGE)
        self.head, kinds = found or ({"stage": STAGE, "steps": 0}, None)
        config = self.head.setdefault("vae", {
            "z_dim": a.z, "dim": a.dim, "dec_dim": a.dec_dim, "dim_mult": [int(m) for m in a.multiples.split(",")],
            "num_res_blocks": 1, "temperal_downsample": [False, True, True], "patch_size": 4})
        self.steps = self.head["steps"]
        torch.manual_seed(a.seed)
        self.vae = VAE(**config).to(a.device).channels_last()
        self.learned = dict(self.vae.named_parameters())
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        self.muon, self.adam = optimisers(self.learned, a.lr)
        self.patches = Patches(3).to(a.device)
        self.patch_adam = torch.optim.AdamW(self.patches.parameters(), lr=8e-4, betas=(.5, .95), weight_decay=0)
        if kinds:
            restore(kinds, self.learned, self.average, self.muon, self.adam)
            self.patches.load_state_dict(kinds["patches"])
            restore_adam(kinds.get("patch_moments", {}), self.patch_adam)
        T.new_entry(self.head, a, config)
        self.cell = 8 * config["patch_size"]
        self.forward = T.Faster(lambda x, noise, begins: windows(self.vae, x, noise, begins), a.compile)
        begins = self.begins = lambda step: T.number(a.seed, "begins", step) % 10 < 4
        self.feed = T.Feed(a, "windows", a.batch, lambda step: BEGINNING if begins(step) else PAST + LATER)

    def update(self, rate):
        a = self.a
        self.rng = np.random.default_rng(T.number(a.seed, "choices", self.steps))
        lr, begins = a.lr * rate, self.begins(self.steps)
        for group in self.adam.param_groups:
            group["lr"] = lr
        x = SC.to_float(torch.cat([self.feed.pictures(w, 8) for w in self.feed.walks(self.steps)]))
        latents = 1 + (BEGINNING - 1) // 4 if begins else LATER // 4
        noise = torch.randn(len(x), self.vae.z_dim, latents, a.height // self.cell, a.width // self.cell, device=a.device)
        with self.amp():
            x, z, y = self.forward(x, noise, begins)
        y = y.float()
        total = picture_loss(y, x, 1 + 3 * detail(x)) + 1e-5 * z.float().square().mean() + self.doubts(x, y)
        for p in self.learned.values():
            p.grad = None
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.learned.values(), 1., error_if_nonfinite=True)
        self.adam.step()
        self.muon.step(lr)
        self.steps += 1
        keep = min(a.ema, self.steps / (self.steps + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.learned.values()), 1 - keep)
        return total.detach(), (y.detach() - x).square().mean()

    def save(self):
        self.head["steps"] = self.steps
        kinds = {**kept(self.learned, self.average, self.muon, self.adam), "patches": self.patches.state_dict(),
                 "patch_moments": moments_of(self.patch_adam)}
        write_state(self.folder, self.head, kinds)

    @torch.no_grad()
    def evaluate(self, say):
        """Judges the averaged weights, and writes them with the statistics of their latents"""
        a, world = self.a, self.a.world
        now = [v.detach().clone() for v in self.learned.values()]
        torch._foreach_copy_(list(self.learned.values()), list(self.average.values()))
        seen = []
        for name in a.names:
            for light in ("bright", "dark"):
                test = E.Test(a.scenes, light, 777, name, a.device)
                video, _ = test.truth(E.MIXED[:TABLE_BLOCKS], (a.height, a.width))
                with self.amp():
                    E.say_streaming(say, f"{name}, {light}", E.streamed(self.vae, video, a.device), video)
            walk = P.walks(name, 2 * a.scenes, 33, T.number("statistics", name))
            pictures = walk.pictures(a.height, a.width, a.device)     # not compiled for this one time
            with self.amp():
                seen.append(self.vae.encode(SC.to_float(pictures)).float())
        z = torch.cat(seen)
        mean, std = z.mean((0, 2, 3, 4)), z.std((0, 2, 3, 4))
        with self.amp():
            weights = shown(self.vae, z[::2, :, :5], mean, std)
        config = {"vae": self.head["vae"], "width": a.width, "height": a.height, "latents_mean": mean.tolist(),
                  "latents_std": std.tolist(), "shown": weights.tolist()}
        os.makedirs(world, exist_ok=True)
        save_safetensors(os.path.join(world, "vae.safetensors"), self.vae.state_dict(), "F16")
        with open(os.path.join(world, "config.json"), "w") as file:
            json.dump(config, file, indent=1)
        torch._foreach_copy_(list(self.learned.values()), now)


def main():
    a = arguments()
    if a.rehearse:
        with tempfile.TemporaryDirectory() as folder:
            return T.rehearse(__file__, STAGE, 12, SMALL, folder)
    T.prepare(a)
    clock = T.Clock()
    part = Autoencoder(a)
    try:
        T.learn(part, a, clock, a.seconds - T.reserve(part.head, a.seconds))
        T.finish(part, a, clock, part.evaluate)
    finally:
        part.feed.close()


if __name__ == "__main__":
    main()
