"""Put a trained world into the folder that is shipped: weights as f16, config.json, tokenizer.json.

Says what the rounding costs: the video of a short walk with f16 weights against the one with f32 weights.
"""
import argparse
import os
import shutil

import torch

import model as M
from evaluate import Test, World, psnr


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="out", help="folder of the training")
    p.add_argument("--to", default="world", help="folder to ship")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    os.makedirs(a.to, exist_ok=True)
    for name in ("vae", "dit", "t5"):
        weights = M.load_safetensors(os.path.join(a.world, name + ".safetensors"))
        assert all(w.isfinite().all() and w.abs().max() < 65504 for w in weights.values()), name
        M.save_safetensors(os.path.join(a.to, name + ".safetensors"), weights, "F16")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(os.path.join(a.world, name), os.path.join(a.to, name))
    test = Test(4, "bright", 777)
    before, after = World(a.world, "cpu"), World(a.to, "cpu")
    frames, view = test.truth(["w", "l", "d"], before.size)
    one, two = (w.generate(frames[:, 0], view, test.captions, 0)[0] for w in (before, after))
    print(f"f16 against f32: {psnr(one, two).mean():.1f} dB; against the truth {psnr(one, frames)[:, 1:].mean():.2f} dB (f32) "
          f"and {psnr(two, frames)[:, 1:].mean():.2f} dB (f16)")


if __name__ == "__main__":
    main()
