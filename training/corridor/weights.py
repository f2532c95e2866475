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


def load_safetensors(path):
    """Read a file written above as a dict of f32 tensors."""
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
