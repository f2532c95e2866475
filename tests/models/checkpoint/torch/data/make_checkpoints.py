"""Writes the checkpoints beside this file with torch: python make_checkpoints.py FOLDER"""
import argparse
import collections
import sys

import torch

out = sys.argv[1]
base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
d = collections.OrderedDict()
d["a.weight"] = base
d["a.t"] = base.t()  # turned, same storage
d["a.part"] = base[1:3, 2:5]
d["half"] = torch.tensor([1.5, -2.0, 65504.0], dtype=torch.float16)
d["bf16"] = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
d["f64"] = torch.tensor([1e300], dtype=torch.float64)
d["i64"] = torch.tensor([2**60, -1])
d["i32"] = torch.tensor([7], dtype=torch.int32)
d["bool"] = torch.tensor([True, False])
d["scalar"] = torch.tensor(3.25)
d["empty"] = torch.zeros(0, 3)
d["param"] = torch.nn.Parameter(torch.ones(2, 2))
torch.save(d, f"{out}/plain.pth")
torch.save(d, f"{out}/legacy.pth", _use_new_zipfile_serialization=False)
torch.save(d, f"{out}/protocol5.pth", pickle_protocol=5)
torch.save(d, f"{out}/legacy5.pth", pickle_protocol=5, _use_new_zipfile_serialization=False)
torch.save(
    {
        "epoch": 3,
        "hparams": {"lr": 1e-3, "name": "x"},
        "state_dict": {"w": torch.ones(2)},
        "optimizer": {"state": {0: {"exp_avg": torch.zeros(2)}}},
    },
    f"{out}/trainer.ckpt",
)
torch.save({"ema": {"w": torch.zeros(2)}, "model": {"w": torch.ones(2)}}, f"{out}/two_parts.pt")
torch.save({"f8": torch.tensor([1.0, 2.0]).to(torch.float8_e4m3fn)}, f"{out}/float8.pt")
torch.save({"args": argparse.Namespace(a=1), "state_dict": {"w": torch.ones(2)}}, f"{out}/foreign.ckpt")
torch.save(torch.nn.Linear(2, 2), f"{out}/module.pt")
torch.save({"z": torch.zeros(1, dtype=torch.complex64)}, f"{out}/complex.pt")
