"""Makes what `data/full_width.golden` is packed from: what one layer of the causal transformer and the decoder with half of its blocks
give at the widths of the published 5B world, in PyTorch, on few tokens.

    python tests/proof/full_width.py OUT && deno run -A tests/goldens/pack.ts OUT tests/proof/data

Weights and inputs are numbers of a hash of their name and place, so that the file has the results alone; 6 GB of memory.
"""
import json
import pathlib
import struct
import sys

import numpy as np
import torch

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "training" / "corridor"))
from transformer import CONTEXT_T, DiT  # noqa: E402
from vae import VAE  # noqa: E402

SIGMAS = [1.0, 0.9375, 5 / 6, 0.625]
WIDTHS = dict(z_dim=48, dim=3072, ffn_dim=14336, num_heads=24, num_layers=1)
HEIGHT, WIDTH, TEXT = 2, 8, 9


def numbers(name, shape, scale):
    """In (-scale, scale), the same in every language: 32-bit integer arithmetic, then one product in 32-bit floats."""
    seed = 0x811C9DC5
    for byte in name.encode():
        seed = (seed ^ byte) * 0x01000193 & 0xFFFFFFFF
    count = int(np.prod(shape))
    out = np.empty(count, np.float32)
    for at in range(0, count, 1 << 22):
        x = np.arange(at, min(at + (1 << 22), count), dtype=np.uint32) * np.uint32(0x9E3779B9) + np.uint32(seed)
        x ^= x >> 16
        x *= np.uint32(0x7FEB352D)
        x ^= x >> 15
        x *= np.uint32(0x846CA68B)
        x ^= x >> 16
        unit = (x >> 8).astype(np.float32) * np.float32(2 ** -23) - np.float32(1)
        out[at:at + len(x)] = unit * np.float32(scale)
    return torch.from_numpy(out.reshape(shape))


def weight(name, shape):
    """Norms near 1, matrices that keep the size of what they multiply, small biases."""
    if "gamma" in name or ("norm" in name and name.endswith("weight")):
        return 1 + numbers(name, shape, 0.125)
    if len(shape) == 1:
        return numbers(name, shape, 0.0625)
    if name.endswith("modulation"):
        return numbers(name, shape, 0.25)
    return numbers(name, shape, 1.5 / np.sqrt(np.float64(np.prod(shape[1:]))))


def fill(net, prefixes):
    state = {n: weight(n, tuple(p.shape)) for n, p in net.state_dict().items() if n.startswith(prefixes)}
    net.load_state_dict(state, strict=False, assign=True)
    return net.eval()


def view(block):
    """World to camera for the three frames of a block: a small turn and a step each."""
    out = torch.zeros(1, 3, 4, 4)
    for frame in range(3):
        angle = 0.05 * (3 * block + frame)
        out[0, frame] = torch.tensor([[np.cos(angle), 0, np.sin(angle), 0.1 * frame], [0, 1, 0, 0],
                                      [-np.sin(angle), 0, np.cos(angle), 0.2 * frame], [0, 0, 0, 1]])
    return out


def sampled():
    with torch.device("meta"):
        dit = DiT(**WIDTHS)
    fill(dit, ("",))
    rows = torch.zeros(1, 512, 4096)
    rows[0, :TEXT] = numbers("text", (TEXT, 4096), 1.5)
    text, cache, out = dit.text(rows), dit.new_cache(), {}
    shape = (3, 48, HEIGHT, WIDTH)
    noise = lambda block, step: numbers(f"noise {block} {step}", shape, 1.5).transpose(0, 1)[None]
    for block in range(2):
        free = torch.ones(3)
        x = start = noise(block, 0)
        if block == 0:
            first = numbers("first", (48, HEIGHT, WIDTH), 1.5)
            free[0] = 0
            x = start = torch.cat([first[None, :, None], start[:, :, 1:]], 2)
        keep = free.view(1, 1, 3, 1, 1)
        for step, sigma in enumerate(SIGMAS):
            clean = keep * (x - sigma * dit.step(x, free[None] * sigma * 1000, view(block), text, cache)) + (1 - keep) * start
            if step < 3:
                after = SIGMAS[step + 1]
                x = keep * ((1 - after) * clean + after * noise(block, step + 1)) + (1 - keep) * start
        dit.step(clean, torch.full((1, 3), CONTEXT_T), view(block), text, cache, commit=True)
        out[f"latents.{block}"] = clean[0].transpose(0, 1)
        out[f"views.{block}"] = view(block)[0]
        out[f"k.{block}"], out[f"v.{block}"] = (x[0] for x in cache[0][-1])
    return out


def decoded():
    with torch.device("meta"):
        vae = VAE(num_res_blocks=1)
    fill(vae, ("decoder.", "conv2."))
    stream, out = {}, {}
    for call in range(2):
        z = numbers(f"latent {call}", (1, 48, 1, 2, 2), 1.5)
        video = vae.decode(z, stream)[0].permute(1, 2, 3, 0)          # [T,H,W,3]
        out[f"frames.{call}"] = (video * 127.5 + 127.5).clamp(0, 255)
    return out


def write(path, tensors):
    # What is kept may be off by a part of what results may differ by: a thousandth of the standard deviation.
    tolerances = {n: 1e-3 * t.float().std(correction=0).item() for n, t in tensors.items() if not n.startswith("views")}
    header, at, parts = {"__metadata__": {"tolerances": json.dumps(tolerances)}}, 0, []
    for name, t in tensors.items():
        data = t.contiguous().float().numpy().tobytes()
        kept = ("in." if name.startswith("views") else "out.") + name
        header[kept] = {"dtype": "F32", "shape": list(t.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        parts.append(data)
    head = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(head)) + head + b"".join(parts))


with torch.no_grad():
    results = sampled()
    results.update(decoded())
for name, t in results.items():
    print(f"{name:12} {tuple(t.shape)} mean {t.mean():.4f} std {t.std():.4f}")
write(pathlib.Path(sys.argv[1]) / "full_width.safetensors", results)
