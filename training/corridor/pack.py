"""Put a trained world into the two folders that the SDK loads: weights in 8 bits, configurations, tokenizer.

    TO/base    config.json  tokenizer.json  vae.safetensors  t5_encoder.safetensors
    TO/causal  config.json  model.safetensors

`svc world serve --model TO` serves it. With --place both are folders of that name below `base` and `causal`: a world
beside the one in TO, which is taken when `tests/eval/measure_knows.ts` has written statistics of both kinds.

Says what the rounding costs: the video of a short walk with rounded weights against the one with f32 weights.
"""
import argparse
import json
import os
import shutil
import tempfile

import torch

from weights import load_safetensors, packed, save_safetensors
from evaluate import Test, World, paint, psnr

FILES = {"vae": ("base", "vae"), "t5": ("base", "t5_encoder"), "dit": ("causal", "model")}


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file, indent=2)
        file.write("\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="out", help="folder of the training")
    p.add_argument("--to", default="world", help="folder to ship")
    p.add_argument("--prompt", default="a green corridor with orange doors and warm lamps, bright",
                   help="caption of base/source.png, the picture that a walk starts from by default")
    p.add_argument("--place", default="", choices=["", "courtyard"], help="of a world beside the one in --to")
    p.add_argument("--pictures", default="plain", choices=["plain", "furnished"], help="what it was trained on")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    paint(a.pictures)
    into = lambda part, name="": os.path.join(a.to, part, a.place, name)
    for part in ("base", "causal"):
        os.makedirs(into(part), exist_ok=True)
    with open(os.path.join(a.world, "config.json")) as file:
        config = json.load(file)
    with tempfile.TemporaryDirectory() as rounded:
        for name, (part, packed_name) in FILES.items():
            weights = load_safetensors(os.path.join(a.world, name + ".safetensors"))
            assert all(w.isfinite().all() and w.abs().max() < 65504 for w in weights.values()), name
            save_safetensors(os.path.join(rounded, name + ".safetensors"), packed(weights), None)
            shutil.copyfile(os.path.join(rounded, name + ".safetensors"), into(part, packed_name + ".safetensors"))
        for name in ("config.json", "tokenizer.json"):
            shutil.copyfile(os.path.join(a.world, name), os.path.join(rounded, name))
        shutil.copyfile(os.path.join(a.world, "tokenizer.json"), into("base", "tokenizer.json"))
        base = {key: config[key] for key in ("vae", "t5", "latents_mean", "latents_std")}
        base.update(default_width=config["width"], default_height=config["height"], default_fps=16,
                    default_prompt=a.prompt)
        write_json(into("base", "config.json"), base)
        # Colours do not run away from block to block in this world, so nothing pulls them back.
        write_json(into("causal", "config.json"), {"dit": config["dit"], "color_strength": 0})
        test = Test(4, "bright", 777, a.place or "corridor")
        before, after = World(a.world, "cpu"), World(rounded, "cpu")
        frames, view = test.truth(["w", "l", "d"], before.size)
        one, two = (w.generate(frames[:, 0], view, test.captions, 0)[0] for w in (before, after))
    print(f"8 bits against f32: {psnr(one, two).mean():.1f} dB; against the truth {psnr(one, frames)[:, 1:].mean():.2f} dB (f32) "
          f"and {psnr(two, frames)[:, 1:].mean():.2f} dB (8 bits)")


if __name__ == "__main__":
    main()
