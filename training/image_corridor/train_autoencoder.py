"""Stage 1: the autoencoder, on pictures of all places that are on disk, each place as often.

  python train_autoencoder.py --updates 700 --threads 1                     # again with --resume to go on
  python train_autoencoder.py --init out/autoencoder.pt --minutes 20        # from earlier weights
  python train_autoencoder.py --init out/autoencoder.pt --updates 0         # how good those are

Writes out/autoencoder.pt (the mean of the weights, with the statistics of the latents) and out/autoencoder.png.
"""
import argparse
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

import pictures as P
from autoencoder import Autoencoder, patchify
from learner import Learner

NOISE = .1                                                           # what the decoder has to bear; latents are about 1


def choose_pictures(sets, count, generator):
    """Random pictures of every place alike -> float [n,3,H,W]"""
    pick = lambda n: int(torch.randint(n, (), generator=generator))
    chosen = [sets[pick(len(sets))] for _ in range(count)]
    return P.to_float(np.stack([data[pick(len(data)), pick(data.shape[1])] for data in chosen]))


def edges(x):
    return x.diff(dim=-1), x.diff(dim=-2)


def loss_of(model, image, amp):
    with torch.autocast("cpu", torch.bfloat16, enabled=amp):
        mode = model.moments(image)[0].float()
        back = model.decode(mode + NOISE * torch.randn_like(mode)).float()
    sharp = sum((a - b).abs().mean() for a, b in zip(edges(back), edges(image)))
    # Columns and far doors are few pixels of many: without this their colour costs next to nothing.
    coarse = (F.avg_pool2d(back, 8) - F.avg_pool2d(image, 8)).abs().mean()
    return (back - image).abs().mean() + .7 * sharp + coarse + 2e-3 * mode.square().mean()


@torch.no_grad()
def statistics(model, sets, count=400):
    """Mean and variance of the patchified latents of all places, into the batch norm."""
    some = [data[i:i + 20, 0] for data in sets for i in range(0, min(count, len(data)), 20)]
    zs = [patchify(model.moments(P.to_float(pictures))[0]) for pictures in some]
    z = torch.cat(zs)
    model.bn.running_mean.copy_(z.mean((0, 2, 3)))
    model.bn.running_var.copy_(z.var((0, 2, 3)))


def psnr(a, b):
    return -10 * torch.log10((a.clamp(-1, 1) - b).square().mean((1, 2, 3)) / 4).mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="data/train")
    p.add_argument("--val", default="data/val")
    p.add_argument("--out", default="out")
    p.add_argument("--init", default="", help="weights of an earlier run to begin with")
    p.add_argument("--updates", type=int, default=700)
    p.add_argument("--minutes", type=float, default=0, help="instead of updates: the rate falls with the time")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--lr", type=float, default=2.5e-3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--amp", type=int, default=1, help="bfloat16 where the processor multiplies it fast")
    p.add_argument("--resume", action="store_true")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    os.makedirs(a.out, exist_ok=True)
    sets = P.load(a.data)[0]
    val = torch.cat([P.to_float(some[:24, 0]) for some in P.load(a.val)[0]])
    model = Autoencoder().to(memory_format=torch.channels_last)
    if a.init:
        model.load_state_dict(torch.load(a.init))
    print(sum(q.numel() for q in model.parameters()) / 1e6, "M parameters", flush=True)
    learner = Learner(model, a.updates, a.lr, a.minutes)
    state = os.path.join(a.out, "autoencoder-state.pt")
    if a.resume:
        learner.load(state)
    losses = []

    def report():
        with learner.averaged(), torch.no_grad():
            mode = model.moments(val)[0]
            back = model.decode(mode)
        shown = [x[i:i + 6] for i in range(0, len(val), 24) for x in (P.to_bytes(val), P.to_bytes(back))]
        P.SC.write_png(os.path.join(a.out, "autoencoder.png"), P.SC.contact_sheet(shown, scale=1))
        quality = " ".join(f"{psnr(x, y):.2f}" for x, y in zip(back.split(24), val.split(24)))
        print(f"{learner.step:5d} loss {np.mean(losses[-50:] or [0]):.4f} val {quality} dB latents {mode.std():.2f} "
              f"{learner.spent():.1f} min", flush=True)

    report()
    while learner.left() > 0:
        generator = torch.Generator().manual_seed(learner.step)
        batch = choose_pictures(sets, a.batch, generator)
        loss = loss_of(model, batch.to(memory_format=torch.channels_last), bool(a.amp))
        learner.update(loss)
        losses.append(loss.item())
        if learner.step % 50 == 0:
            learner.save(state)
            report()
    if not learner.step:
        return
    learner.save(state)
    report()
    with learner.averaged(), torch.no_grad():
        statistics(model, sets)
        half = len(model.quant_conv.bias) // 2                          # the variance that nobody asks for is that of the noise
        model.quant_conv.weight[half:], model.quant_conv.bias[half:] = 0, 2 * math.log(NOISE)
        torch.save(model.state_dict(), os.path.join(a.out, "autoencoder.pt"))


if __name__ == "__main__":
    main()
