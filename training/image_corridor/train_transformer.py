"""Stage 2: text encoder and transformer together, by rectified flow on the latents of start pictures.

  python train_transformer.py --updates 4000 --threads 1            # again with --resume to go on
  python train_transformer.py --init out/first.pt --minutes 60      # from weights that unpack.py unpacked

Every batch is of all places that are on disk, each as often. A third of the batches are edits: the same place in other
colours is the reference. Some are crops, down to squares. Writes out/transformer-state.pt and sheets of samples.

The text encoder learns beside it, and in --read updates before it, to answer which walls, doors and light (or stone,
arcades, well and light) a prompt names: from pictures alone it takes many thousands of updates to learn which part has
which colour. What answers is not kept.
"""
import argparse
import os
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import captions as C
import pictures as P
from autoencoder import Autoencoder
from learner import Learner
from transformer import DoubleBlock, SingleBlock, TextEncoder, TextLayer, Transformer

LENGTH = 32                                                          # tokens of a prompt
ANSWERS = [len(names) for _, _, names in P.PARTS]
SHIFT = 6.7                                                          # of the noise levels, as the schedule of small pictures


class ImageModel(nn.Module):
    def __init__(self, channels, tokenizer):
        super().__init__()
        self.text_encoder = TextEncoder(tokenizer.size)
        self.transformer = Transformer(channels, 3 * self.text_encoder.config["hidden_size"])
        self.answers = nn.Linear(3 * self.text_encoder.config["hidden_size"], sum(ANSWERS))
        self.reader, self.padding = tokenizer.open(), tokenizer.controls["<|endoftext|>"]

    def encode(self, prompts):
        ids = torch.full((len(prompts), LENGTH), self.padding)
        real = torch.empty(len(prompts), dtype=torch.long)
        for i, prompt in enumerate(prompts):
            row = self.reader.encode(f"<|im_start|>{prompt}<|im_end|>", add_special_tokens=False).ids[:LENGTH]
            ids[i, :len(row)] = torch.tensor(row)
            real[i] = len(row)
        return self.text_encoder(ids, real)

    def answer_loss(self, text, labels, said):
        """How badly the rows of the text [n,L,D], padding too, answer what the prompts say of labels [n,parts]."""
        parts = self.answers(text.float().mean(1)).split(ANSWERS, -1)
        losses = [F.cross_entropy(part, label.clamp(min=0), reduction="none") for part, label in zip(parts, labels.unbind(-1))]
        return (torch.stack(losses, -1) * said).sum() / said.sum().clamp(min=1)


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
def encode_all(autoencoder, sets, path):
    """Latents [poses,variants,C,h,w] of all pictures, kept in a file"""
    if not os.path.exists(path):
        zs = []
        for data in sets:
            flat = data.reshape(-1, *data.shape[2:])
            z = torch.cat([autoencoder.normalised(P.to_float(flat[i:i + 20])) for i in range(0, len(flat), 20)])
            zs.append(z.view(*data.shape[:2], *z.shape[1:]))
        torch.save(torch.cat(zs), path)
    return torch.load(path)


def captions_of(chosen, rng):
    """-> prompts, labels [n,parts], and which of them each prompt says"""
    said = [("", ()) if rng.random() < .08 else C.describe(*C.names_of(label), rng) for label in chosen]
    labels = torch.as_tensor(np.array(chosen), dtype=torch.long)
    mentioned = torch.tensor([[part in parts for _, part, _ in P.PARTS] for _, parts in said])
    return [text for text, _ in said], labels, mentioned & (labels >= 0)


def batch_of(latents, labels, count, rng):
    """-> latents, what `captions_of` gives, references; all of a batch have one shape"""
    edit, shape = rng.random() < .3, rng.random()
    columns = latents.shape[-1]
    kept = columns if shape < .7 else columns * 5 // 6 if shape < .8 else columns * 2 // 3
    first = (columns - kept) // 2
    cut = lambda z: z[:, :, :, first:first + kept]
    poses = [rng.randrange(len(latents)) for _ in range(count)]
    variants = [rng.randrange(latents.shape[1]) for _ in range(count)]
    captions = captions_of([labels[p, v] for p, v in zip(poses, variants)], rng)
    others = [(v + rng.randrange(1, latents.shape[1])) % latents.shape[1] for v in variants]
    references = [cut(latents[poses, others])] if edit else []
    return cut(latents[poses, variants]), captions, references


def loss_of(model, x, captions, references, generator, amp):
    prompts, labels, said = captions
    noise = torch.randn(x.shape, generator=generator)
    u = torch.rand(len(x), generator=generator).clamp(1e-3, 1)
    plain = torch.rand(len(x), generator=generator) < .2
    level = torch.where(plain, u, SHIFT / (SHIFT + 1 / u - 1))
    t = level[:, None, None, None]
    with torch.autocast("cpu", torch.bfloat16, enabled=amp):
        text = model.encode(prompts)
        v = model.transformer((1 - t) * x + t * noise, level, text, references)
    return F.mse_loss(v.float(), noise - x), model.answer_loss(text, labels, said)


def read(model, labels, updates, batch, lr):
    """The text encoder alone learns to answer."""
    params = [*model.text_encoder.parameters(), *model.answers.parameters()]
    adam, all_labels = torch.optim.AdamW(params, lr=lr), labels.reshape(-1, labels.shape[-1])
    for step in range(updates):
        rng = random.Random(-1 - step)
        prompts, chosen, said = captions_of([all_labels[rng.randrange(len(all_labels))] for _ in range(batch)], rng)
        for group in adam.param_groups:
            group["lr"] = lr * min(1, (step + 1) / 40, 1.05 - step / updates)
        loss = model.answer_loss(model.encode(prompts), chosen, said)
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.)
        adam.step()
        if (step + 1) % 50 == 0:
            print(f"reading {step + 1:5d} loss {loss.item():.4f}", flush=True)


def sheet(model, autoencoder, path, size):
    """Six prompts of every place, two seeds, and edits of the first row."""
    corridors = [("blue", "red", "dark"), ("yellow", "purple", "bright"), ("white", "green", "bright"),
                 ("red", "teal", "dark"), ("teal", "orange", "bright"), ("purple", "yellow", "dark")]
    courts = [("sandstone", "blue", "stone", "dusk"), ("marble", "green", "copper", "day"),
              ("brick", "yellow", "stone", "day"), ("granite", "red", "copper", "dusk"),
              ("sandstone", "purple", "copper", "day"), ("brick", "white", "stone", "dusk")]
    rows = []
    for prompts in ([C.usual("corridor", wall=w, door=d, light=l) for w, d, l in corridors],
                    [C.usual("courtyard", stone=s, hue=h, well=w, light=l) for s, h, w, l in courts]):
        made = [sample(model, prompts, size, 8, seed, guidance=3.) for seed in (1, 2)]
        rows += [*made, sample(model, prompts[1:] + prompts[:1], size, 8, 3, [made[0]], 3.)]
    with torch.no_grad():
        P.SC.write_png(path, P.SC.contact_sheet([P.to_bytes(autoencoder.picture(z)) for z in rows], scale=1))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="data/train")
    p.add_argument("--out", default="out")
    p.add_argument("--updates", type=int, default=4000)
    p.add_argument("--minutes", type=float, default=0, help="instead of updates: the rate falls with the time")
    p.add_argument("--fall", type=float, default=.35, help="the share of the training in which the rate falls")
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=2.5e-3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--amp", type=int, default=0, help="1: bfloat16, slower on CPUs at these widths")
    p.add_argument("--compile", type=int, default=1)
    p.add_argument("--read", type=int, default=600, help="updates of the text encoder alone before")
    p.add_argument("--init", default="", help="weights of an earlier run to begin with")
    p.add_argument("--resume", action="store_true")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    autoencoder = Autoencoder().eval()
    autoencoder.load_state_dict(torch.load(os.path.join(a.out, "autoencoder.pt")))
    sets, labels = P.load(a.data)
    latents, labels = encode_all(autoencoder, sets, os.path.join(a.out, "latents.pt")), np.concatenate(labels)
    model = ImageModel(latents.shape[2], C.Tokenizer())
    print(sum(q.numel() for q in model.parameters()) / 1e6, "M parameters, latents", list(latents.shape), flush=True)
    if a.init:
        model.load_state_dict(torch.load(a.init), strict=False)
    if not a.resume:
        read(model, labels, a.read, 64, 2e-3)
    if a.compile:
        for layer in (TextLayer, DoubleBlock, SingleBlock):
            layer.forward = torch.compile(layer.forward, dynamic=False)
        torch._dynamo.config.recompile_limit = 64
    learner = Learner(model, a.updates, a.lr, a.minutes, fall=a.fall)
    state = os.path.join(a.out, "transformer-state.pt")
    if a.resume:
        learner.load(state)
    losses = []
    while learner.left() > 0:
        rng, generator = random.Random(learner.step), torch.Generator().manual_seed(learner.step)
        loss, reading = loss_of(model, *batch_of(latents, labels, a.batch, rng), generator, bool(a.amp))
        learner.update(loss + .1 * reading)
        losses.append((loss.item(), reading.item()))
        if learner.step % 50 == 0:
            learner.save(state)
            print(f"{learner.step:5d} loss {np.mean(losses[-50:], 0).round(4)} {learner.spent():.1f} min", flush=True)
        if learner.step % 400 == 0:
            with learner.averaged():
                sheet(model, autoencoder, os.path.join(a.out, "samples.png"), latents.shape[-2:])
    learner.save(state)
    with learner.averaged():
        sheet(model, autoencoder, os.path.join(a.out, "samples.png"), latents.shape[-2:])
        torch.save(model.state_dict(), os.path.join(a.out, "transformer.pt"))


if __name__ == "__main__":
    main()
