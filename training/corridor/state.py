"""The state of a training as a folder of small files, which the next turn continues.

    state.json      what it is: stage, version, counters, seed, log, and the name, size and SHA-256 of every part
    KIND-N-HASH     tensors in the safetensors layout, at most 16 MiB a file

The parts are written first, under names that no older state has, and state.json takes the place of the one of before in
one step; only then are parts removed that nothing names any more. So a state is whole at any time.

Weights and AdamW's moments (few numbers here) are kept in f32; a moving average as its difference from the weights and
momentum in three bytes a number, because what makes it orthogonal asks for its small numbers too.
"""
import hashlib
import json
import os

import torch

from weights import load_safetensors, save_safetensors

VERSION = 1
PART_BYTES = 16 * 2 ** 20 - 2 ** 18               # of tensors; the rest is for the header


def _sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _groups(tensors):
    """Names in groups whose tensors fit in a part"""
    group, size = [], 0
    for name, tensor in tensors.items():
        count = tensor.numel() * tensor.element_size()
        if group and size + count > PART_BYTES:
            yield group
            group, size = [], 0
        group.append(name)
        size += count
    if group:
        yield group


def write_state(folder, head, kinds):
    """`head` is what state.json says besides; `kinds` has tensors by kind: {"weights": {name: tensor}, ...}"""
    os.makedirs(folder, exist_ok=True)
    parts = []
    for kind, tensors in kinds.items():
        for number, names in enumerate(_groups(tensors)):
            path = os.path.join(folder, f"{kind}-{number}.new")
            save_safetensors(path, {name: tensors[name] for name in names}, None)
            digest = _sha256(path)
            part = f"{kind}-{number}-{digest[:12]}.safetensors"
            os.replace(path, os.path.join(folder, part))
            parts.append({"kind": kind, "name": part, "bytes": os.path.getsize(os.path.join(folder, part)), "sha256": digest})
    path = os.path.join(folder, "state.json")
    with open(path + ".new", "w") as file:
        json.dump({"version": VERSION, "torch": torch.__version__, **head, "parts": parts}, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
    named = {part["name"] for part in parts}
    for name in os.listdir(folder):
        if name.endswith((".safetensors", ".new")) and name not in named:
            os.unlink(os.path.join(folder, name))


def read_state(folder, stage):
    """-> head and kinds as they were written, or None where no state is; every part is checked"""
    path = os.path.join(folder, "state.json")
    if not os.path.exists(path):
        return None
    with open(path) as file:
        head = json.load(file)
    for key, expected in (("version", VERSION), ("stage", stage)):
        if head.get(key) != expected:
            raise SystemExit(f"Cannot go on from {path}: its {key} is {head.get(key)!r}, expected {expected!r}")
    kinds = {}
    for part in head.pop("parts"):
        at = os.path.join(folder, part["name"])
        if not os.path.exists(at) or _sha256(at) != part["sha256"]:
            raise SystemExit(f"Cannot go on from {path}: {part['name']} is missing or damaged, "
                             f"expected {part['bytes']} bytes with SHA-256 {part['sha256']}")
        kinds.setdefault(part["kind"], {}).update(load_safetensors(at))
    return head, kinds


# ---------------------------------------------------------------------------------------------- what a trainer has
MOMENTUM = ("high", "low", "scale")


def _short(matrices):
    """[n,rows,columns] in three bytes a number: f16 of each matrix by its largest number, 8 bits of the rest, that number"""
    scale = matrices.abs().amax((1, 2), keepdim=True).clamp(min=1e-30)
    high = (matrices / scale).half()
    return high, ((matrices / scale - high.float()) / _step(high)).round().clamp(-127, 127).to(torch.int8), scale


def _long(high, low, scale):
    return (high + low * _step(high)) * scale


def _step(high):
    return high.float().abs().clamp(min=2. ** -14) * (2. ** -11 / 127)


def kept(learned, average, muon, adam):
    """Parameters in training, their moving average and the moments of both optimisers -> kinds of `write_state`"""
    momentum = {f"{i}": _short(buffer) for i, buffer in enumerate(muon.state())}
    return {"weights": {k: v.detach() for k, v in learned.items()},
            "average": {k: (average[k] - v.detach()).half() for k, v in learned.items()},
            **{f"momentum_{part}": {i: three[k] for i, three in momentum.items()} for k, part in enumerate(MOMENTUM)},
            "moments": moments_of(adam)}


def moments_of(adam):
    return {f"{i}.{key}": value.float().reshape(value.shape or (1,))
            for i, entry in adam.state_dict()["state"].items() for key, value in entry.items()}


@torch.no_grad()
def restore(kinds, learned, average, muon, adam):
    for k, v in learned.items():
        v.copy_(kinds["weights"][k])
        average[k].copy_(v + kinds["average"][k].to(v))
    muon.load([_long(*(kinds[f"momentum_{part}"][f"{i}"] for part in MOMENTUM)) for i in range(len(muon.state()))])
    restore_adam(kinds.get("moments", {}), adam)


def restore_adam(moments, adam):
    """Moments get the memory layout of their parameters: fused AdamW reads both as they lie there."""
    whole, params = adam.state_dict(), [p for group in adam.param_groups for p in group["params"]]
    for name, value in moments.items():
        index, key = name.split(".")
        laid = value[0] if key == "step" else torch.empty_like(params[int(index)]).copy_(value)
        whole["state"].setdefault(int(index), {})[key] = laid
    adam.load_state_dict(whole)
