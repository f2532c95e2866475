"""Makes what `tiny_decoder.golden` is packed from: random weights of a narrow tiny decoder, latents, and the frames that
the decoder gives in PyTorch when it sees the whole clip at once.

    cd tests/models/video_vae/data && python tiny_decoder.py OUT && deno run -A ../../../goldens/pack.ts OUT .
"""
import json
import pathlib
import struct
import sys

import torch
import torch.nn.functional as F

Z, WIDTHS, LATENTS, HEIGHT, WIDTH = 4, [8, 6, 4, 4], 4, 2, 3


class Block(torch.nn.Module):
    """Sees a frame and, in the second half of its input, what it saw of the frame before."""

    def __init__(self, width):
        super().__init__()
        conv = lambda i: torch.nn.Conv2d(i, width, 3, padding=1)
        self.conv = torch.nn.Sequential(conv(2 * width), torch.nn.ReLU(), conv(width), torch.nn.ReLU(), conv(width))

    def forward(self, x):
        before = F.pad(x, (0, 0, 0, 0, 0, 0, 1, 0))[:-1]
        return F.relu(self.conv(torch.cat([x, before], 1)) + x)


class Grow(torch.nn.Module):
    def __init__(self, width, times):
        super().__init__()
        self.conv = torch.nn.Conv2d(width, width * times, 1, bias=False)

    def forward(self, x):
        return self.conv(x).reshape(-1, *x.shape[1:])


class Clamp(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x / 3) * 3


class Tiny(torch.nn.Module):
    def __init__(self, z, widths):
        super().__init__()
        layers = [Clamp(), torch.nn.Conv2d(z, widths[0], 3, padding=1), torch.nn.ReLU()]
        for a, b, times in zip(widths, widths[1:], (1, 2, 2)):
            layers += [Block(a), Block(a), Block(a), torch.nn.Upsample(scale_factor=2), Grow(a, times),
                       torch.nn.Conv2d(a, b, 3, padding=1, bias=False)]
        layers += [torch.nn.ReLU(), torch.nn.Conv2d(widths[3], 12, 3, padding=1)]
        self.decoder = torch.nn.Sequential(*layers)

    def forward(self, latents):
        """[n,z,h,w] -> [4n-3,3,16h,16w] in 0..1: the first latent stands for one frame."""
        return F.pixel_shuffle(self.decoder(latents), 2).clamp(0, 1)[3:]


torch.manual_seed(7)
net = Tiny(Z, WIDTHS)
with torch.no_grad():
    for name, p in net.named_parameters():
        p.copy_(torch.randn_like(p) * (0.1 if p.dim() == 1 else 1.4 / p[0].numel() ** 0.5))
    net.decoder[22].bias.zero_()
    latents = 2 * torch.randn(LATENTS, Z, HEIGHT, WIDTH)
    net.decoder[22].weight /= 4 * net.decoder(latents).std()      # most colours are not clamped
    net.decoder[22].bias.fill_(0.5)
    frames = net(latents).permute(0, 2, 3, 1) * 255
print(frames.shape, frames.mean(), frames.std(), (frames % 255 == 0).float().mean())
# Rows of the frames are those of the pictures, with three numbers a pixel.
out = {**net.state_dict(), "latents": latents, "out.frames": frames.flatten(2)}
header, at, parts = {"__metadata__": {"seed": "7", "tolerances": json.dumps({"frames": 0.01})}}, 0, []
for name, t in out.items():
    data = t.contiguous().numpy().tobytes()
    header[name] = {"dtype": "F32", "shape": list(t.shape), "data_offsets": [at, at + len(data)]}
    at += len(data)
    parts.append(data)
head = json.dumps(header).encode()
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "tiny_decoder.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + b"".join(parts))
