"""The embedded world's blocks in PyTorch eager as JSON milliseconds: what `bench.ts` and the GPU proof compare with.

    python3 pytorch_block.py [DEVICE [half]]      on the CPU with all cores by default; `half` computes in 16 bits
"""
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
def block_times(device="cpu", half=False, seconds=1):
    base, causal = (root / "models" / "corridor-nano" / part for part in ("base", "causal"))
    config = json.loads((base / "config.json").read_text())
    dit_config = json.loads((causal / "config.json").read_text())["dit"]
    vae, dit = VAE(**config["vae"]).eval(), DiT(z_dim=config["vae"]["z_dim"], **dit_config).eval()
    vae.load_state_dict(load_safetensors(str(base / "vae.safetensors")))
    dit.load_state_dict(load_safetensors(str(causal / "model.safetensors")))
    vae.to(device), dit.to(device)
    z, width, height = config["vae"]["z_dim"], config["default_width"], config["default_height"]
    shape = (1, z, 3, height // (8 * vae.patch), width // (8 * vae.patch))
    cuda = device.startswith("cuda")
    wait = torch.cuda.synchronize if cuda else lambda: None
    timed = lambda call: median_ms(call, wait, seconds)
    with torch.autocast(device.split(":")[0], torch.float16 if cuda else torch.bfloat16, enabled=half):
        view = torch.eye(4, device=device).expand(1, 3, 4, 4)
        text = dit.text(torch.zeros(1, dit.text_len, dit_config["text_dim"], device=device))
        level = torch.full((1, 3), 937.5, device=device)
        cache, stream = dit.new_cache(), {}
        for _ in range(3):                                 # a full window, as in the middle of a walk
            latents = M.sample_block(dit, None, view, text, cache, shape)
            vae.decode(latents, stream)

        sample = lambda: M.sample_block(dit, None, view, text, [list(c) for c in cache], shape)
        decode = lambda: vae.decode(latents, dict(stream))
        return {
            "encode": timed(lambda: vae.encode(torch.zeros(1, 3, 1, height, width, device=device))),
            "pass": timed(lambda: dit.step(latents, level, view, text, cache)),
            "sample": timed(sample),
            "decode": timed(decode),
            "block": timed(lambda: (sample(), decode())),
        }


if __name__ == "__main__":
    print(json.dumps(block_times(*sys.argv[1:2], half=sys.argv[2:3] == ["half"])))
