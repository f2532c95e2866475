"""The embedded world of camera moves in PyTorch eager as JSON milliseconds: what `bench.ts` compares with.

    python3 pytorch_clip.py WORLD [DEVICE]      on the CPU with all cores by default
"""
import json
import pathlib
import sys

import torch

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "training" / "corridor"), str(root / "tests" / "bench")]
import messages  # noqa: E402
from action_transformer import ActionTransformer, Text  # noqa: E402
from moves import load_vae  # noqa: E402
from stopwatch import median_ms  # noqa: E402
from uni_pc import sample  # noqa: E402
from weights import load_safetensors  # noqa: E402


@torch.no_grad()
def main():
    world, device = pathlib.Path(sys.argv[1]), (sys.argv[2:] or ["cpu"])[0]
    wait = torch.cuda.synchronize if device.startswith("cuda") else lambda: None
    own, config = (json.loads((world / part).read_text()) for part in ("config.json", "transformer/config.json"))
    stored = {}
    for shard in sorted((world / "transformer").glob("*.safetensors")):
        stored |= load_safetensors(str(shard))
    net = ActionTransformer(config).eval()
    net.load_state_dict({name: stored[name].float() for name in net.state_dict()})
    vae, mean, std, (height, width) = load_vae(str(root / "models" / "corridor-nano"))
    net.to(device), vae.to(device)
    mean, std = mean.to(device), std.to(device)
    fps, steps = own["default_fps"], own["default_steps"]
    tokenize = messages.MessageTokenizer.load(str(world / "tokenizer.json"))
    text = Text([tokenize(messages.message(own["default_prompt"], fps=fps))], [fps], config, (height // 32, width // 32),
                device=device)
    picture, rows = torch.zeros(1, 3, 1, height, width, device=device), torch.zeros(1, 16, 9, device=device)
    noise = torch.randn(1, mean.shape[1], 4, height // 16, width // 16, device=device)
    encode = lambda: (vae.encode(picture) - mean) / std
    first, seen = encode(), net.read(text)
    step = lambda x, t: net.step(torch.cat([first, x], 2), torch.full((1,), float(t), device=device), rows, text, seen)
    whole = lambda: sample(step, noise, steps)
    decode = lambda: vae.decode(torch.cat([first, noise], 2) * std + mean)
    print(json.dumps({
        "encode": median_ms(encode, wait),
        "text": median_ms(lambda: net.read(text), wait),
        "step": median_ms(lambda: step(noise, 999), wait),
        "sample": median_ms(whole, wait),
        "decode": median_ms(decode, wait),
        "clip": median_ms(lambda: (encode(), whole(), decode()), wait),
    }))


main()
