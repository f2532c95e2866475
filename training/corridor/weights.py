"""Weight files in the safetensors layout, and the weights of an autoencoder for larger patches."""
import json
import math
import os
import struct

import numpy as np
import torch

_DTYPES = {"F32": (torch.float32, np.float32), "F16": (torch.float16, np.float16), "I8": (torch.int8, np.int8)}
_NAMES = {torch_type: name for name, (torch_type, _) in _DTYPES.items()}


def save_safetensors(path, tensors, dtype="F32"):
    """Write a dict of tensors, of their own types without `dtype`; the file appears only when it is complete."""
    header, blobs, offset = {}, [], 0
    for name, tensor in tensors.items():
        kind = dtype or _NAMES[tensor.dtype]
        blob = tensor.detach().cpu().to(_DTYPES[kind][0]).contiguous().numpy().tobytes()
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with open(path + ".tmp", "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        file.writelines(blobs)
    os.replace(path + ".tmp", path)


SCALE = "_scale"                                  # of the integers of a weight, after its name
INTEGERS_FROM = 2048                              # numbers of a weight
COLUMN_LOSS = .1                                  # of the length of a column


def packed(tensors):
    """Weights as a folder to ship has them: 8-bit integers with a scale a row (f16); vectors and small ones as f16

    So are those of which a column would lose much: its numbers may be far smaller than others of their rows and count
    as much, where an input is loud.
    """
    out = {}
    for name, weight in tensors.items():
        out[name] = weight.half()
        if weight.ndim < 2 or weight.numel() < INTEGERS_FROM:
            continue
        rows = weight.float().flatten(1)
        scale = (rows.abs().amax(1) / 127).half()
        factor = scale.float().clamp(min=1e-12)[:, None]
        integers = (rows / factor).round().clamp(-127, 127)
        lost = (integers * factor - rows).norm(dim=0) / rows.norm(dim=0).clamp(min=1e-12)
        if lost.max() < COLUMN_LOSS:
            out[name], out[name + SCALE] = integers.to(torch.int8).view(weight.shape), scale
    return out


def load_safetensors(path):
    """Read a file written above as a dict of f32 tensors, the integers of `packed` times their scales."""
    with open(path, "rb") as file:
        raw = file.read()
    size = struct.unpack("<Q", raw[:8])[0]
    out = {}
    for name, info in json.loads(raw[8:8 + size]).items():
        if name == "__metadata__":
            continue
        first, last = info["data_offsets"]
        kind = _DTYPES[info["dtype"]][1]
        flat = np.frombuffer(raw, kind, (last - first) // np.dtype(kind).itemsize, 8 + size + first) if last > first else np.zeros(0, kind)
        out[name] = torch.from_numpy(flat.astype(np.float32).reshape(info["shape"]))
    for name in [name for name in out if name + SCALE in out]:
        scale = out.pop(name + SCALE)
        out[name] = (out[name].flatten(1) * scale[:, None]).view(out[name].shape)
    return out


def with_larger_patches(weights, config):
    """Weights as those of an autoencoder of larger patches: it sees the mean of the pixels that were one, and enlarges

    Pictures of twice the size, halved, give the latents of before, which give the pictures of before, doubled.
    """
    size, out = config.get("patch_size", 2), dict(weights)

    def enlarged(w):                              # [3 old old, ...] -> [3 size size, ...]
        old = math.isqrt(len(w) // 3)
        w = w.unflatten(0, (3, old, old))
        return w.repeat_interleave(size // old, 1).repeat_interleave(size // old, 2).flatten(0, 2)
    for part in ("weight", "bias"):
        out[f"decoder.head.2.{part}"] = enlarged(weights[f"decoder.head.2.{part}"])
    first = weights["encoder.conv1.weight"]
    larger = enlarged(first.transpose(0, 1))
    out["encoder.conv1.weight"] = larger.transpose(0, 1) * (first.shape[1] / len(larger))
    return out
