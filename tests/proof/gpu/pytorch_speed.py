"""What PyTorch takes for the same as the parts `speed`, `pass`, `decoder` and `embedded_world` of the GPU proof.

    python3 pytorch_speed.py RESULTS

Writes RESULTS/pytorch.json after every measurement. SVC_PROOF_SECONDS limits the time; SVC_PROOF_SMALL=1 takes tiny
sizes and the CPU. What fails is noted under `problems`, and the rest continues.
"""
import json
import os
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RESULTS = pathlib.Path(sys.argv[1])
SECONDS = float(os.environ.get("SVC_PROOF_SECONDS", "1e9"))
SMALL = os.environ.get("SVC_PROOF_SMALL") == "1"
BEGAN = time.perf_counter()
found = {"operators": {}, "problems": []}


def left():
    return SECONDS - (time.perf_counter() - BEGAN)


def save():
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "pytorch.json").write_text(json.dumps(found, indent=1))


def end(problem):
    found["problems"].append(problem)
    save()
    print(problem, flush=True)
    sys.exit(0)


try:
    import torch
    import torch.nn.functional as F
except Exception as error:
    end(f"Python has no PyTorch: {error}")

CUDA = torch.cuda.is_available()
if not CUDA and not SMALL:
    end("PyTorch sees no CUDA device")
DEVICE = "cuda" if CUDA and not SMALL else "cpu"
found["version"] = torch.__version__
found["card"] = torch.cuda.get_device_name() if DEVICE == "cuda" else "CPU"
torch.backends.cudnn.benchmark = True
torch.backends.cuda.matmul.allow_tf32 = False  # 32 bits mean 32 bits, as on the other side
torch.backends.cudnn.allow_tf32 = False
wait = torch.cuda.synchronize if DEVICE == "cuda" else lambda: None


def median_ms(call, seconds=0.3, runs=None):
    """Median over batches of calls, by a clock of the host around a synchronisation."""
    times = []

    def batch(count):
        start = time.perf_counter()
        for _ in range(count):
            call()
        wait()
        return (time.perf_counter() - start) / count

    batch(1)
    once = max(batch(1), 1e-6)
    runs = 1 if SMALL else runs or max(1, min(500, int(0.04 / once)))
    stop = time.perf_counter() + (0 if SMALL else seconds)
    while len(times) < (1 if SMALL else 5) or time.perf_counter() < stop and len(times) < 40:
        times.append(batch(runs))
    return 1000 * sorted(times)[len(times) // 2]


def length(full, least):
    return max(least, -(-full // 64) * 4) if SMALL else full


def note(key, measure):
    if left() < 5:
        return
    try:
        found["operators"][key] = measure()
        print(f"{key}: {found['operators'][key]:.3f} ms", flush=True)
    except Exception as error:
        found["problems"].append(f"{key}: {error}")
        print(f"{key}: FAILED {error}", flush=True)
    if DEVICE == "cuda":
        torch.cuda.empty_cache()
    save()


@torch.no_grad()
def operators(name, dtype):
    shapes = json.loads((HERE / "shapes.json").read_text())
    rand = lambda *shape: torch.randn(*shape, device=DEVICE).to(dtype)

    def linear(s):
        m, k, n = (s["m"] if s["m"] < 8 else length(s["m"], 16)), length(s["k"], 64), length(s["n"], 64)
        x, weights, turn = rand(m, k), [rand(n, k) * k ** -0.5 for _ in range(2)], [0]

        def call():
            turn[0] ^= 1
            y = F.linear(x, weights[turn[0]])
            return F.gelu(y, approximate="tanh") if s.get("act") else y
        return median_ms(call)

    def attention(s):
        q, k, h, d = length(s["q"], 36), length(s["k"], 36), (2 if SMALL else s["h"]), s["d"]
        a, b, c = (rand(1, h, tokens, d) for tokens in (q, k, k))
        return median_ms(lambda: F.scaled_dot_product_attention(a, b, c))

    def image(s):
        return s["t"], length(s["c"], 16), length(s["o"], 16), length(s["y"], 5), length(s["x"], 8)

    def conv3d(s):
        t, c, o, y, x = image(s)
        past, frames, weight, bias = rand(1, c, 2, y, x), rand(1, c, t, y, x), rand(o, c, 3, 3, 3) * (27 * c) ** -0.5, rand(o)
        return median_ms(lambda: F.conv3d(torch.cat([past, frames], 2), weight, bias, padding=(0, 1, 1)))

    def enlarged(s):
        t, c, o, y, x = image(s)
        frames, weight = rand(t, c, y, x), rand(o, c, 3, 3) * (9 * c) ** -0.5
        return median_ms(lambda: F.conv2d(F.interpolate(frames, scale_factor=2., mode="nearest"), weight, padding=1))

    def memory(s):
        shape = [length(n, 4) for n in s["shape"]] if SMALL else s["shape"]
        x, z, gamma = rand(*shape), rand(*shape), rand(shape[1], *[1] * (len(shape) - 2))
        return median_ms({
            "rmsSilu": lambda: F.silu(F.normalize(x, dim=1) * (shape[1] ** 0.5) * gamma),
            "layerNorm": lambda: F.layer_norm(x, x.shape[-1:]),
            "add": lambda: x + z,
            "transpose": lambda: x.transpose(-1, -2).contiguous(),
        }[s["kind"]])

    groups = {"linear": linear, "attention": attention, "conv3d": conv3d, "enlarged": enlarged, "memory": memory}
    names = {"enlarged": "conv2d, enlarged"}
    for group, measure in groups.items():
        for s in shapes[group]:
            note(f"{name} {names.get(group, group)}: {s['id']}", lambda: measure(s))


def part(name, work):
    if left() < 8:
        return found["problems"].append(f"{name}: no time was left")
    try:
        found[name] = work()
        print(f"{name}: {json.dumps(found[name])}", flush=True)
    except Exception as error:
        found["problems"].append(f"{name}: {error}")
        traceback.print_exc()
    save()
    if DEVICE == "cuda":
        torch.cuda.empty_cache()


def in_half(net):
    """16-bit weights of the large layers: autocast would convert them in every call."""
    for layer in net.modules():
        if isinstance(layer, (torch.nn.Linear, torch.nn.Conv2d, torch.nn.Conv3d)):
            layer.to(torch.bfloat16)
    return net


@torch.no_grad()
def transformer_pass():
    """One pass of 30 layers with a full window, weights drawn on the card; eager, and as a CUDA graph."""
    from transformer import DiT
    torch.nn.init.orthogonal_ = lambda w: torch.nn.init.normal_(w, std=0.02)  # slow, and no figure depends on it
    size = dict(z_dim=48)
    if SMALL:
        size |= dict(dim=192, ffn_dim=384, num_heads=6, num_layers=2, text_dim=64, text_len=16)
    height, width = (2, 4) if SMALL else (20, 32)
    with torch.device(DEVICE):
        dit = in_half(DiT(**size).eval())
    tokens = 3 * (height // 2) * (width // 2)
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        view = torch.eye(4, device=DEVICE).expand(1, 3, 4, 4)
        text = dit.text(torch.randn(1, dit.text_len, size.get("text_dim", 4096), device=DEVICE))
        kv = lambda: torch.randn(1, tokens, dit.heads, dit.dim // dit.heads, device=DEVICE)
        cache = [[(kv(), kv().bfloat16()) for _ in range(3)] for _ in dit.blocks]
        latents, level = torch.randn(1, 48, 3, height, width, device=DEVICE), torch.full((1, 3), 937.5, device=DEVICE)
        step = lambda: dit.step(latents, level, view, text, cache)
        out = {"ms": median_ms(step, seconds=2, runs=1), "finite": bool(torch.isfinite(step()).all())}
        if DEVICE == "cuda":
            try:
                out["graphMs"] = median_ms(cuda_graph(step).replay, seconds=1, runs=1)
            except Exception as error:
                out["graphProblem"] = str(error)[:200]
    return out


def cuda_graph(call):
    """The call without the time to launch its kernels."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph


@torch.no_grad()
def decoder():
    """Three latents at 512x320 after others, weights drawn on the card."""
    from vae import VAE
    height, width = (2, 4) if SMALL else (20, 32)
    with torch.device(DEVICE):
        vae = in_half(VAE(**(dict(dim=16, dec_dim=16, num_res_blocks=1) if SMALL else {})).eval()).channels_last()
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        latents, stream = torch.randn(1, 48, 3, height, width, device=DEVICE), {}
        vae.decode(latents, stream)
        return {"ms": median_ms(lambda: vae.decode(latents, dict(stream)), seconds=1, runs=1)}


def embedded_world():
    from pytorch_block import block_times
    seconds = 0 if SMALL else 0.5
    halves = {} if SMALL else {"f16": block_times(DEVICE, True, seconds)}
    return {**halves, "f32": block_times(DEVICE, False, seconds)}


sys.path[:0] = [str(ROOT / "training" / "corridor"), str(ROOT / "tests" / "bench")]
operators("bf16", torch.bfloat16)
part("pass", transformer_pass)
part("decoder", decoder)
operators("f16", torch.float16)
part("embedded_world", embedded_world)
operators("f32", torch.float32)
found["ended"] = True
save()
