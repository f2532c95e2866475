"""Stage 1: the causal VAE.

Half of the steps see whole short clips, the others two blocks from the middle of a stream, with the caches of the past
filled first. Without the second kind every temporal convolution knows only the zeros of a stream's start, and the
picture falls off by 4 to 6 dB after some 20 frames.

The schedule follows steps; run it again with the same --out and --resume to go on where it stopped. The weights on disk
are the moving average.

`--decoder-only` is the finish: encoder and latents stay, the decoder learns on long streams, and with
`--own-latents` (made by `train_dit.py --own-latents N`) also on the latents that the DiT really produces.
"""
import argparse
import json
import math
import os
import time

import numpy as np
import torch

from vae import VAE, compile_activation
from weights import load_safetensors, save_safetensors
import scenes as SC
from encode import shard_path
from gossip import Gossip
from muon import Muon

STATE = "vae-state.pt"                            # in --out: what --resume goes on from
PARTS = {"0": slice(0, 1), "1-8": slice(1, 9), "9-20": slice(9, 21), "21-32": slice(21, 33), "33+": slice(33, None)}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", default="data/train", help="clips made by scenes.py")
    p.add_argument("--val", default="data/val", help="held-out clips")
    p.add_argument("--out", default="out", help="folder that receives vae.safetensors and vae.json")
    p.add_argument("--init", default="", help="vae.safetensors to start from")
    p.add_argument("--updates", type=int, default=1500, help="the learning rate reaches its end with them")
    p.add_argument("--until", default="", metavar="HH:MM", help="stop at this time, to go on later with --resume")
    p.add_argument("--resume", action="store_true", help="go on where the last run in --out stopped")
    p.add_argument("--batch", type=int, default=4, help="clips of 9 frames a step (one less of 13 frames)")
    p.add_argument("--stream-batch", type=int, default=2, help="clips a step in the middle of a stream")
    p.add_argument("--crop", type=int, default=0, help="learn on squares of so many pixels, a multiple of 32 (0: whole pictures)")
    p.add_argument("--stream", type=float, default=0.45, help="share of such steps")
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--muon", type=int, default=1, help="1: orthogonalised momentum for the convolutions")
    p.add_argument("--ema", type=float, default=0.997, help="decay of the moving average of the weights")
    p.add_argument("--noise", type=float, default=0.05, help="noise on the latents, in their standard deviations")
    p.add_argument("--decoder-only", action="store_true", help="keep the encoder; needs the shards of encode.py")
    p.add_argument("--own-latents", type=float, default=0., help="share of the DiT's own latents, with --decoder-only")
    p.add_argument("--z", type=int, default=16, help="latent channels; the DiT needs a width of at least 12 times that")
    p.add_argument("--dim", type=int, default=16, help="encoder width")
    p.add_argument("--dec-dim", type=int, default=12, help="decoder width")
    p.add_argument("--device", default="cpu")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--worker", type=int, default=0, help="this trainer's number, see gossip.py")
    p.add_argument("--workers", type=int, default=1, help="how many trainers run; number 0 evaluates and saves")
    p.add_argument("--eval-every", type=int, default=400, help="steps between evaluations")
    p.add_argument("--save-every", type=float, default=3, help="minutes between checkpoints")
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class Trainer:
    def __init__(self, a):
        self.a, self.rng = a, np.random.default_rng(a.seed * 100 + a.worker)
        self.steps, self.spent = 0, 0.                            # steps and minutes
        self.video, val = SC.open_video(a.data), SC.open_video(a.val)
        self.val = SC.to_float(val[:48:4], a.device)            # whole streams: late frames matter
        self.config = {"z_dim": a.z, "dim": a.dim, "dec_dim": a.dec_dim, "dim_mult": [1, 2, 4, 4],
                       "num_res_blocks": 1, "temperal_downsample": [False, True, True]}
        self.vae = VAE(**self.config).to(a.device)
        if a.init:
            self.vae.load_state_dict(load_safetensors(a.init))
        self.vae.channels_last()
        learned = dict(self.vae.named_parameters())
        if a.decoder_only:
            learned = {k: v for k, v in learned.items() if k.startswith(("decoder.", "conv2."))}
            self.load_latents()
        self.learned = learned
        self.gossip = Gossip(a.out, "vae", learned.values(), a.worker, a.workers)
        self.average = {k: v.detach().clone() for k, v in learned.items()}
        # first and last layers stay with Adam: their gradients are few and large
        convs = [k for k, v in learned.items() if a.muon and v.ndim >= 4 and min(v.shape[0], v[0].numel()) > 1
                 and not k.endswith((".head.2.weight", "coder.conv1.weight"))]
        self.muon = Muon([learned[k] for k in convs], decay=0.) if convs else None
        rest = [v for k, v in learned.items() if k not in set(convs)]
        self.adam = torch.optim.AdamW(rest, lr=a.lr, betas=(.9, .95), weight_decay=1e-4, fused=True)

    def load_latents(self):
        shards = [torch.load(shard_path(self.a.out, 0))]
        while os.path.exists(shard_path(self.a.out, len(shards))):
            shards.append(torch.load(shard_path(self.a.out, len(shards))))
        z = shards[0]
        self.mean, self.std = (z[k].view(1, -1, 1, 1, 1) for k in ("mean", "std"))
        self.true, self.own = torch.cat([s["z"] for s in shards]), None

    def load_own_latents(self):
        """{index [n], z [n,z,N,h,w] normalised}; the file may come while this training runs."""
        path = os.path.join(self.a.out, "own-latents.pt")
        if os.path.exists(path):
            own = torch.load(path)
            self.own = own["index"], own["z"].float() * self.std + self.mean
            print(f"{len(self.own[0])} own clips from step {self.steps}", flush=True)

    def amp(self):
        return torch.autocast(self.a.device.split(":")[0], torch.bfloat16)

    def corners(self, count):
        """Where each clip's square begins: another one every time, also between the cells of the latents."""
        height, width = self.video.shape[2:4]
        room = lambda size: self.rng.integers(size - self.a.crop + 1, size=count)
        return list(zip(room(height), room(width))) if self.a.crop else [(0, 0)] * count

    def clips(self, index, first, count, corners=None):
        """Frames of clips; without corners whole ones"""
        size = self.a.crop if corners and self.a.crop else None
        span = lambda at: slice(at, at + size if size else None)
        return SC.to_float(np.stack([self.video[i, first:first + count, span(top), span(left)]
                                     for i, (top, left) in zip(index, corners or [(0, 0)] * len(index))]), self.a.device)

    def noisy(self, z, factor=1.):
        """Relative to the latents' own scale; an absolute amount blinds the first steps."""
        return z + self.a.noise * factor * z.detach().std() * torch.randn_like(z)

    def short_clips(self):
        """-> truth, latents, reconstruction, weight of the frames"""
        # Not 5 frames: oneDNN's 16-bit gradient of the last stage's weights is memory that was never written then.
        count, batch = (9, self.a.batch) if self.rng.random() < .5 else (13, max(1, self.a.batch - 1))
        index = self.rng.integers(len(self.video), size=batch)
        x = self.clips(index, int(self.rng.integers(self.video.shape[1] - count + 1)), count, self.corners(batch))
        with self.amp():
            z = self.vae.encode(x)
            y = self.vae.decode(self.noisy(z))
        weight = torch.ones(count, device=x.device)
        weight[0] = 2.                                        # the first frame has a path of its own
        return x, z, y, weight / weight.mean()

    def stream(self):
        """Two blocks (24 frames, 21 at the start) after 0..3 blocks of past."""
        a, state_e, state_d = self.a, {}, {}
        index = self.rng.integers(len(self.video), size=a.stream_batch)
        corners = self.corners(a.stream_batch)
        past = min(int(self.rng.choice(4, p=[.3, .3, .3, .1])), (self.video.shape[1] - 21) // 12)
        offset = int(self.rng.integers(self.video.shape[1] - (12 * past + 21) + 1))

        def block(n):
            first = max(0, 12 * n - 3)
            return self.clips(index, offset + first, 12 * n + 9 - first, corners)
        with torch.no_grad(), self.amp():                            # of its own: weights that it casts have no gradient
            for n in range(past):
                self.vae.decode(self.vae.encode(block(n), state_e), state_d)
        with self.amp():
            xs = [block(past), block(past + 1)]
            zs = [self.vae.encode(x, state_e) for x in xs]
            ys = [self.vae.decode(self.noisy(z), state_d) for z in zs]
        return torch.cat(xs, 2), torch.cat(zs, 2), torch.cat(ys, 2), 1.

    def decoder_stream(self):
        """The same for the decoder alone, from cached latents."""
        a, state = self.a, {}
        if a.own_latents and self.own is None and self.steps % 50 == 0:
            self.load_own_latents()
        own = self.own is not None and self.rng.random() < a.own_latents
        count = len(self.own[0]) if own else len(self.true)
        pick = torch.from_numpy(self.rng.integers(count, size=a.stream_batch))
        index, z = (self.own[0][pick], self.own[1][pick]) if own else (pick, self.true[pick].float())
        z = z.to(a.device)
        past = int(self.rng.choice(4, p=[.35, .3, .25, .1]))
        with torch.no_grad(), self.amp():                            # of its own, as above
            for n in range(past):
                self.vae.decode(z[:, :, 3 * n:3 * n + 3], state)
        with self.amp():
            z = z[:, :, 3 * past:3 * past + 6]
            noisy = z if own else z + 2 * a.noise * self.std.to(z.device) * torch.randn_like(z)
            y = torch.cat([self.vae.decode(noisy[:, :, :3], state), self.vae.decode(noisy[:, :, 3:], state)], 2)
        first = max(0, 12 * past - 3)
        return self.clips(index.tolist(), first, y.shape[2]), z, y, 1.

    def loss(self):
        if self.a.decoder_only:
            x, z, y, weight = self.decoder_stream()
        else:
            x, z, y, weight = self.stream() if self.rng.random() < self.a.stream else self.short_clips()
        e = y.float() - x
        weight = weight[:, None, None] if torch.is_tensor(weight) else weight
        edges = (e[..., 1:] - e[..., :-1]).abs().mean() + (e[..., 1:, :] - e[..., :-1, :]).abs().mean()
        motion = (e[:, :, 1:] - e[:, :, :-1]).abs().mean()
        total = (e.abs() * weight).mean() + .5 * edges + .25 * motion + e.square().mean() + 1e-5 * z.float().square().mean()
        return total, e.detach().square().mean()

    def learn(self, share):
        a = self.a
        lr = a.lr * min(1, (self.steps + 1) / 100) * (.02 + .98 * .5 * (1 + math.cos(math.pi * min(share, 1))))
        for group in self.adam.param_groups:
            group["lr"] = lr
        total, error = self.loss()
        for p in self.vae.parameters():
            p.grad = None
        total.backward()
        if not torch.nn.utils.clip_grad_norm_(self.learned.values(), 1.).isfinite():
            raise SystemExit(f"Step {self.steps}: the gradient is not finite")
        self.adam.step()
        if self.muon:
            self.muon.step(lr)
        self.gossip.step()
        self.steps += 1
        keep = min(a.ema, self.steps / (self.steps + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.learned.values()), 1 - keep)
        return error

    @torch.no_grad()
    def evaluate(self):
        """PSNR of the averaged weights by part of the stream"""
        current = {k: v.detach().clone() for k, v in self.learned.items()}
        torch._foreach_copy_(list(self.learned.values()), list(self.average.values()))
        with self.amp():
            y = torch.cat([self.vae.decode(self.vae.encode(x)) for x in self.val.split(2)]).float().clamp(-1, 1)
        torch._foreach_copy_(list(self.learned.values()), list(current.values()))
        error = (y - self.val).square().mean((1, 3, 4)) / 4
        psnr = -10 * torch.log10(error)
        return " ".join(f"{name}: {psnr[:, part].mean():.2f}" for name, part in PARTS.items())

    def save(self):
        weights = dict(self.vae.state_dict())
        weights.update(self.average)
        save_safetensors(os.path.join(self.a.out, "vae.safetensors"), weights)
        size = {"width": self.video.shape[3], "height": self.video.shape[2]}
        with open(os.path.join(self.a.out, "vae.json"), "w") as file:
            json.dump({"vae": self.config, **size}, file)
        state = {"learned": self.learned, "average": self.average, "adam": self.adam.state_dict(),
                 "muon": self.muon.state() if self.muon else None, "steps": self.steps, "spent": self.spent}
        path = os.path.join(self.a.out, STATE)
        torch.save(state, path + ".tmp")
        os.replace(path + ".tmp", path)

    @torch.no_grad()
    def resume(self):
        state = torch.load(os.path.join(self.a.out, STATE), map_location=self.a.device)
        for k, v in self.learned.items():
            v.copy_(state["learned"][k])
            self.average[k].copy_(state["average"][k])
        self.adam.load_state_dict(state["adam"])
        if self.muon:
            self.muon.load(state["muon"])
        self.steps, self.spent = state["steps"], state["spent"]
        self.rng = np.random.default_rng(self.a.seed * 100 + self.a.worker + self.steps * 1000)
        torch.manual_seed(self.a.seed * 100 + self.a.worker + self.steps * 1000)

    def run(self):
        a, errors, saved = self.a, [], self.spent
        began = time.time() - self.spent * 60
        with open(os.path.join(a.out, f"vae{a.worker}.log"), "a") as log:
            def report():
                mse = torch.stack(errors).mean().item() if errors else 4
                line = (f"step {self.steps} min {self.spent:.1f} train {10 * math.log10(4 / mse):.2f} "
                        f"val PSNR by frame {self.evaluate()}")
                errors.clear()
                print(line, flush=True)
                log.write(line + "\n")
                log.flush()
            while self.steps < a.updates and not (a.until and time.strftime("%H:%M") >= a.until):
                errors.append(self.learn(self.steps / a.updates))
                self.spent = (time.time() - began) / 60
                if a.worker == 0 and (self.steps % a.eval_every == 0 or self.steps == 100):
                    report()
                if a.worker == 0 and self.spent - saved > a.save_every:
                    self.save()
                    saved = self.spent
            if a.worker == 0:
                self.save()
                report()


def main():
    a = arguments()
    torch.manual_seed(a.seed * 100 + a.worker)
    torch.set_num_threads(a.threads)
    os.makedirs(a.out, exist_ok=True)
    if a.device == "cpu":
        compile_activation()
    trainer = Trainer(a)
    if a.resume:
        trainer.resume()
    trainer.run()


if __name__ == "__main__":
    main()
