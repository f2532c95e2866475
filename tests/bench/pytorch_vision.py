"""Times the backbone of DINOv2-S in PyTorch eager mode: pytorch_vision.py THREADS TOKENS...; prints milliseconds."""

import sys

import torch
from torch import nn

from stopwatch import median_ms

WIDTH, DEPTH, HEADS = 384, 12, 6


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = (nn.LayerNorm(WIDTH, eps=1e-6) for _ in range(2))
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.fc1, self.fc2 = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.ls1, self.ls2 = (nn.Parameter(torch.ones(WIDTH)) for _ in range(2))

    def forward(self, x):
        n, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).reshape(n, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(*qkv).transpose(1, 2).reshape(n, length, width)
        x = x + self.ls1 * self.proj(mixed)
        return x + self.ls2 * self.fc2(nn.functional.gelu(self.fc1(self.norm2(x))))


def main():
    threads, *tokens = map(int, sys.argv[1:])
    torch.set_num_threads(threads)
    model = nn.Sequential(*(Block() for _ in range(DEPTH))).eval()
    with torch.inference_mode():
        for length in tokens:
            x = torch.randn(1, length, WIDTH)
            print(length, median_ms(lambda: model(x)))


main()
