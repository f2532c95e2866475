"""Stage 2: text encoder and transformer together, by rectified flow on the latents of start pictures.

  python train_transformer.py --updates 4000 --threads 1            # again with --resume to go on

A third of the batches are edits: the same place in other colours is the reference. Some are crops, down to
squares. Writes out/transformer-state.pt and sheets of samples.
"""
import argparse
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import captions as C
import pictures as P
from autoencoder import Autoencoder
from learner import Learner
from transformer import TextEncoder, Transformer

LENGTH = 32                                                          # tokens of a prompt
SHIFT = 6.7                                                          # of the noise levels, as the schedule of small pictures


class ImageModel(nn.Module):
    def __init__(self, channels, tokenizer):
        super().__init__()
        self.text_encoder = TextEncoder(tokenizer.size)
        self.transformer = Transformer(channels, 3 * self.text_encoder.config["hidden_size"])
        self.reader, self.padding = tokenizer.open(), tokenizer.controls["<|endoftext|>"]

    def encode(self, prompts):
        ids = torch.full((len(prompts), LENGTH), self.padding)
        real = torch.empty(len(prompts), dtype=torch.long)
        for i, prompt in enumerate(prompts):
            row = self.reader.encode(f"<|im_start|>{prompt}<|im_end|>", add_special_tokens=False).ids[:LENGTH]
            ids[i, :len(row)] = torch.tensor(row)
            real[i] = len(row)
        return self.text_encoder(ids, real)

    def velocity(self, latents, level, prompts, references=()):
        return self.transformer(latents, level, self.encode(prompts), references)


def levels(tokens, steps):
    """The schedule of the published pipeline."""
    at200, at10 = 1.6927e-4 * tokens + .45666666, 8.73809524e-5 * tokens + 1.89833333
    shift = np.exp(at200 - 200 * (at200 - at10) / 190 + (at200 - at10) / 190 * steps)
    s = np.linspace(1, 1 / steps, steps)
    return [*(shift / (shift + 1 / s - 1)), 0.]


@torch.no_grad()
def sample(model, prompts, size, steps, seed, references=(), guidance=1.):
    """-> latents [n,C,h,w]"""
    x = torch.randn(len(prompts), model.transformer.config["in_channels"], *size,
                    generator=torch.Generator().manual_seed(seed))
    schedule, text = levels(size[0] * size[1], steps), model.encode(prompts)
    empty = model.encode([""] * len(prompts)) if guidance > 1 else None
    for now, then in zip(schedule, schedule[1:]):
        level = torch.full((len(prompts),), now, dtype=torch.float32)
        v = model.transformer(x, level, text, references)
        if empty is not None:
            other = model.transformer(x, level, empty, references)
            v = other + guidance * (v - other)
        x = x + (then - now) * v
    return x


@torch.no_grad()
def encode_all(autoencoder, data, path):
    if os.path.exists(path):
        return torch.load(path)
    flat = data.reshape(-1, *data.shape[2:])
    z = torch.cat([autoencoder.normalised(P.to_float(flat[i:i + 20])) for i in range(0, len(flat), 20)])
    torch.save(z.view(*data.shape[:2], *z.shape[1:]), path)
    return torch.load(path)


def batch_of(latents, labels, count, rng):
    """-> latents, prompts, references; all of a batch have one shape"""
    edit, shape = rng.random() < .3, rng.random()
    columns = latents.shape[-1]
    kept = columns if shape < .7 else columns * 5 // 6 if shape < .8 else columns * 2 // 3
    first = (columns - kept) // 2
    cut = lambda z: z[:, :, :, first:first + kept]
    poses = [rng.randrange(len(latents)) for _ in range(count)]
    variants = [rng.randrange(latents.shape[1]) for _ in range(count)]
    prompts = ["" if rng.random() < .08 else C.describe(*names(labels[p, v]), rng) for p, v in zip(poses, variants)]
    others = [(v + rng.randrange(1, latents.shape[1])) % latents.shape[1] for v in variants]
    references = [cut(latents[poses, others])] if edit else []
    return cut(latents[poses, variants]), prompts, references


def names(label):
    wall, door, light = label
    return P.NAMES[wall], P.NAMES[door], P.LIGHT_NAMES[light]


def loss_of(model, x, prompts, references, generator, amp):
    noise = torch.randn(x.shape, generator=generator)
    u = torch.rand(len(x), generator=generator).clamp(1e-3, 1)
    plain = torch.rand(len(x), generator=generator) < .2
    level = torch.where(plain, u, SHIFT / (SHIFT + 1 / u - 1))
    t = level[:, None, None, None]
    with torch.autocast("cpu", torch.bfloat16, enabled=amp):
        v = model.velocity((1 - t) * x + t * noise, level, prompts, references)
    return F.mse_loss(v.float(), noise - x)


def sheet(model, autoencoder, path, size):
    """Six prompts, two seeds, and edits of the first row."""
    pairs = [("blue", "red", "dark"), ("yellow", "purple", "bright"), ("white", "green", "bright"), ("red", "teal", "dark"),
             ("teal", "orange", "bright"), ("purple", "yellow", "dark")]
    prompts = [C.usual(*pair) for pair in pairs]
    rows = []
    for seed in (1, 2):
        z = sample(model, prompts, size, 8, seed)
        rows.append(z)
    rows.append(sample(model, prompts[1:] + prompts[:1], size, 8, 3, [rows[0]]))
    with torch.no_grad():
        P.SC.write_png(path, P.SC.contact_sheet([P.to_bytes(autoencoder.picture(z)) for z in rows], scale=2))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="data/train")
    p.add_argument("--out", default="out")
    p.add_argument("--updates", type=int, default=4000)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=2.5e-3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--amp", type=int, default=1)
    p.add_argument("--resume", action="store_true")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    autoencoder = Autoencoder().eval()
    autoencoder.load_state_dict(torch.load(os.path.join(a.out, "autoencoder.pt")))
    data, labels = (np.load(f"{a.data}.{kind}.npy", mmap_mode="r") for kind in ("pictures", "labels"))
    latents = encode_all(autoencoder, data, os.path.join(a.out, "latents.pt"))
    model = ImageModel(latents.shape[2], C.Tokenizer())
    print(sum(q.numel() for q in model.parameters()) / 1e6, "M parameters, latents", list(latents.shape), flush=True)
    learner = Learner(model, a.updates, a.lr)
    state = os.path.join(a.out, "transformer-state.pt")
    if a.resume:
        learner.load(state)
    began, losses = time.time(), []
    while learner.step < a.updates:
        rng, generator = random.Random(learner.step), torch.Generator().manual_seed(learner.step)
        loss = loss_of(model, *batch_of(latents, labels, a.batch, rng), generator, bool(a.amp))
        learner.update(loss)
        losses.append(loss.item())
        if learner.step % 50 == 0 or learner.step == a.updates:
            learner.save(state)
            print(f"{learner.step:5d} loss {np.mean(losses[-50:]):.4f} {time.time() - began:.0f} s", flush=True)
        if learner.step % 400 == 0 or learner.step == a.updates:
            with learner.averaged():
                sheet(model, autoencoder, os.path.join(a.out, "samples.png"), latents.shape[-2:])
    with learner.averaged():
        torch.save(model.state_dict(), os.path.join(a.out, "transformer.pt"))


if __name__ == "__main__":
    main()
