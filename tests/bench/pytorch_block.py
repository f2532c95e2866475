"""The embedded world's blocks in PyTorch eager with all cores, as JSON milliseconds: what `bench.ts` compares with."""
import json
import pathlib
import sys

import torch

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "training" / "corridor"), str(root / "tests" / "bench")]
import model as M  # noqa: E402
from stopwatch import median_ms  # noqa: E402
from transformer import DiT  # noqa: E402
from vae import VAE  # noqa: E402
from weights import load_safetensors  # noqa: E402


@torch.no_grad()
def main():
    base, causal = (root / "models" / "corridor-nano" / part for part in ("base", "causal"))
    config = json.loads((base / "config.json").read_text())
    dit_config = json.loads((causal / "config.json").read_text())["dit"]
    vae, dit = VAE(**config["vae"]).eval(), DiT(z_dim=config["vae"]["z_dim"], **dit_config).eval()
    vae.load_state_dict(load_safetensors(str(base / "vae.safetensors")))
    dit.load_state_dict(load_safetensors(str(causal / "model.safetensors")))
    z, width, height = config["vae"]["z_dim"], config["default_width"], config["default_height"]
    shape = (1, z, 3, height // 16, width // 16)
    view, text = torch.eye(4).expand(1, 3, 4, 4), dit.text(torch.zeros(1, dit.text_len, dit_config["text_dim"]))
    cache, stream = dit.new_cache(), {}
    for _ in range(3):                                     # a full window, as in the middle of a walk
        latents = M.sample_block(dit, None, view, text, cache, shape)
        vae.decode(latents, stream)

    sample = lambda: M.sample_block(dit, None, view, text, [list(c) for c in cache], shape)
    decode = lambda: vae.decode(latents, dict(stream))
    print(json.dumps({
        "encode": median_ms(lambda: vae.encode(torch.zeros(1, 3, 1, height, width))),
        "pass": median_ms(lambda: dit.step(latents, torch.full((1, 3), 937.5), view, text, cache)),
        "sample": median_ms(sample),
        "decode": median_ms(decode),
        "block": median_ms(lambda: (sample(), decode())),
    }))


main()
