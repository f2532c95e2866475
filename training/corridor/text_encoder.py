"""Prompt -> text rows (UMT5)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class T5Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * (x.float() * torch.rsqrt(x.float().square().mean(-1, keepdim=True) + 1e-6))


def _bare(i, o):
    return nn.Linear(i, o, bias=False)


class T5Block(nn.Module):
    """Pre-norm block with its own relative-position bias; attention is not scaled by the head width."""

    def __init__(self, dim, dim_attn, dim_ffn, heads, buckets):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = T5Norm(dim), T5Norm(dim)
        self.attn = nn.ModuleDict({"q": _bare(dim, dim_attn), "k": _bare(dim, dim_attn),
                                   "v": _bare(dim, dim_attn), "o": _bare(dim_attn, dim)})
        self.ffn = nn.ModuleDict({"gate": nn.ModuleList([_bare(dim, dim_ffn)]),
                                  "fc1": _bare(dim, dim_ffn), "fc2": _bare(dim_ffn, dim)})
        self.pos_embedding = nn.ModuleDict({"embedding": nn.Embedding(buckets, heads)})
        nn.init.normal_(self.attn["q"].weight, std=(dim * dim_attn / heads) ** -0.5)
        nn.init.normal_(self.pos_embedding["embedding"].weight, std=0.05)

    def forward(self, x, bucket, mask):
        n = self.norm1(x)
        q, k, v = (self.attn[name](n).unflatten(-1, (self.heads, -1)).transpose(1, 2) for name in "qkv")
        score = (q @ k.mT).float() + self.pos_embedding["embedding"](bucket).permute(2, 0, 1) + mask
        x = x + self.attn["o"]((score.softmax(-1).to(v) @ v).transpose(1, 2).flatten(2))
        n = self.norm2(x)
        gate = F.gelu(self.ffn["gate"][0](n), approximate="tanh")
        return x + self.ffn["fc2"](self.ffn["fc1"](n) * gate)


class T5(nn.Module):
    def __init__(self, vocab=512, dim=64, dim_attn=64, dim_ffn=128, num_heads=4, num_layers=2, num_buckets=32):
        super().__init__()
        self.buckets = num_buckets
        self.token_embedding = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList([T5Block(dim, dim_attn, dim_ffn, num_heads, num_buckets)
                                     for _ in range(num_layers)])
        self.norm = T5Norm(dim)

    def _bucket(self, length, device):
        """Bucket of every (query, key) pair: exact up to 8 pieces apart, then logarithmic up to 128."""
        at = torch.arange(length, device=device)
        delta = at[None] - at[:, None]
        half, exact = self.buckets // 2, self.buckets // 4
        far = torch.log(delta.abs().clamp(min=1).float() / exact) / math.log(128 / exact) * (half - exact)
        size = torch.where(delta.abs() < exact, delta.abs(), (exact + far.long()).clamp(max=half - 1))
        return (delta > 0).long() * half + size

    def forward(self, ids, mask):
        """ids, mask [b,L] -> rows [b,L,dim], zero after the text."""
        bucket = self._bucket(ids.shape[1], ids.device)
        bias = (1 - mask[:, None, None].float()) * -1e9
        x = self.token_embedding(ids)
        for block in self.blocks:
            x = block(x, bucket, bias)
        return self.norm(x) * mask[..., None]
