"""The three networks of a world, at any width, in PyTorch.

* `VAE`  video <-> latents. Causal in time, 16x smaller in space, 4x in time (the first frame stands alone).
* `T5`   prompt -> text rows.
* `DiT`  predicts the flow velocity of three latent frames (one block) from noise, camera, text and the blocks before.

Weight names and order of operations are those of the Wan 2.2 / DreamX-World family, so a checkpoint made here loads in
every runtime that reads that family; only the widths differ. Shapes in comments: b batch, c channels, t frames,
h w height and width, D model width, S tokens of one latent frame, G independent blocks.
"""
import json
import math
import os
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SIGMAS = [1.0, 0.9375, 5 / 6, 0.625]      # the four denoising steps; the network is told t = 1000 sigma
CONTEXT_T = 0.1                           # t of the pass that writes a finished block into the cache
FX, FY = 969.69697 / 1920, 969.69697 / 1080   # focal lengths in image widths / heights, the same at every size
BLOCK = 3                                 # latent frames a block


# ---------------------------------------------------------------------------------------------- weight files
_DTYPES = {"F32": (torch.float32, np.float32), "F16": (torch.float16, np.float16)}


def save_safetensors(path, tensors, dtype="F32"):
    """Write a dict of tensors; the file appears under its name only when it is complete."""
    header, blobs, offset = {}, [], 0
    for name, tensor in tensors.items():
        blob = tensor.detach().cpu().to(_DTYPES[dtype][0]).contiguous().numpy().tobytes()
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with open(path + ".tmp", "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        file.writelines(blobs)
    os.replace(path + ".tmp", path)


def load_safetensors(path):
    """Read a file written above (f32 or f16) as a dict of f32 tensors."""
    with open(path, "rb") as file:
        raw = file.read()
    size = struct.unpack("<Q", raw[:8])[0]
    out = {}
    for name, info in json.loads(raw[8:8 + size]).items():
        if name == "__metadata__":
            continue
        first, last = info["data_offsets"]
        kind = _DTYPES[info["dtype"]][1]
        flat = np.frombuffer(raw, kind, (last - first) // np.dtype(kind).itemsize, 8 + size + first)
        out[name] = torch.from_numpy(flat.astype(np.float32).reshape(info["shape"]))
    return out


# ---------------------------------------------------------------------------------------------- VAE
def _rms_silu_rows(x, gamma):
    """SiLU(RMS norm) of rows [M, c], in f32 inside."""
    y = x.float()
    y = y * torch.rsqrt(y.square().mean(1, keepdim=True) + 1e-12) * gamma
    return (y * torch.sigmoid(y)).to(x.dtype)


_rows = _rms_silu_rows


def compile_activation():
    """Fuse norm and SiLU: eager PyTorch walks over the frames eight times. Rows keep the compiled variants few."""
    global _rows
    compiled = torch.compile(_rms_silu_rows)

    def rows(x, gamma):
        torch._dynamo.mark_dynamic(x, 0)
        return compiled(x, gamma)
    _rows = rows


def rms_silu(x, gamma):
    """x [b,c,t,h,w]; channels-last memory makes the reshape free."""
    b, c, t, h, w = x.shape
    y = _rows(x.permute(0, 2, 3, 4, 1).reshape(-1, c), gamma.view(c))
    return y.view(b, t, h, w, c).permute(0, 4, 1, 2, 3)


class RMSNorm(nn.Module):
    """x / |x| * sqrt(c) * gamma over the channel axis."""

    def __init__(self, channels, spatial_dims=3):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels, *[1] * spatial_dims))

    def forward(self, x):
        y = x.float()
        return (y * torch.rsqrt(y.square().mean(1, keepdim=True) + 1e-12) * self.gamma).to(x.dtype)


class CausalConv3d(nn.Conv3d):
    """A convolution that sees only the present and the past.

    `state` is None (whole clip at once) or a dict kept by the caller, in which every layer leaves the last frames of
    its input; then chunks of any length give the same result as the whole.
    """

    def forward(self, x, state=None):
        past = self.kernel_size[0] - 1
        if past and state is None:
            x = F.pad(x, (0, 0, 0, 0, past, 0))
        elif past:
            before = state.get(self)
            if before is None:
                before = x.new_zeros(*x.shape[:2], past, *x.shape[3:])
            x = torch.cat([before, x], 2)
            state[self] = x[:, :, -past:]
        padding = (0, self.kernel_size[1] // 2, self.kernel_size[2] // 2)
        return F.conv3d(x, self.weight, self.bias, self.stride, padding)


class ResBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.residual = nn.ModuleDict({"0": RMSNorm(cin), "2": CausalConv3d(cin, cout, 3),
                                       "3": RMSNorm(cout), "6": CausalConv3d(cout, cout, 3)})
        self.shortcut = CausalConv3d(cin, cout, 1) if cin != cout else None

    def forward(self, x, state=None):
        r = self.residual
        y = r["2"](rms_silu(x, r["0"].gamma), state)
        y = r["6"](rms_silu(y, r["3"].gamma), state)
        return y + (x if self.shortcut is None else self.shortcut(x))


def to_frames(x):
    """[b,c,t,h,w] -> [b*t,c,h,w]"""
    return x.transpose(1, 2).flatten(0, 1)


def to_video(x, b):
    """[b*t,c,h,w] -> [b,c,t,h,w]"""
    return x.unflatten(0, (b, -1)).transpose(1, 2)


class FrameAttention(nn.Module):
    """One-head attention over the pixels of each frame, in the middle of encoder and decoder."""

    def __init__(self, channels):
        super().__init__()
        self.norm = RMSNorm(channels, 2)
        self.to_qkv = nn.Conv2d(channels, 3 * channels, 1)
        self.proj = nn.Conv2d(channels, channels, 1)
        nn.init.zeros_(self.proj.weight)

    def forward(self, x, state=None):
        y = to_frames(x)
        n, c, h, w = y.shape
        q, k, v = self.to_qkv(self.norm(y)).flatten(2).transpose(1, 2)[:, None].chunk(3, -1)
        y = F.scaled_dot_product_attention(q, k, v)[:, 0].transpose(1, 2).reshape(n, c, h, w)
        return x + to_video(self.proj(y), x.shape[0])


class Downsample(nn.Module):
    """Half the size, and with `time` half the frame rate (the stream's first frame is kept alone)."""

    def __init__(self, channels, time):
        super().__init__()
        self.resample = nn.ModuleDict({"1": nn.Conv2d(channels, channels, 3, 2)})
        self.time_conv = CausalConv3d(channels, channels, (3, 1, 1), (2, 1, 1)) if time else None

    def forward(self, x, state=None):
        x = to_video(self.resample["1"](F.pad(to_frames(x), (0, 1, 0, 1))), x.shape[0])
        if self.time_conv is None:
            return x
        first = state is None or self not in state
        full = x if first else torch.cat([state[self], x], 2)
        if state is not None:
            state[self] = x[:, :, -1:]
        conv = self.time_conv
        y = F.conv3d(full, conv.weight, conv.bias, conv.stride) if full.shape[2] > 2 else full[:, :, :0]
        return torch.cat([x[:, :, :1], y], 2) if first else y


class Upsample(nn.Module):
    """Twice the size, and with `time` twice the frame rate (the stream's first latent stays one frame)."""

    def __init__(self, channels, time):
        super().__init__()
        self.resample = nn.ModuleDict({"1": nn.Conv2d(channels, channels, 3, 1, 1)})
        self.time_conv = CausalConv3d(channels, 2 * channels, (3, 1, 1)) if time else None

    def forward(self, x, state=None):
        b, c = x.shape[:2]
        if self.time_conv is not None:
            first = state is None or self not in state
            head, rest = (x[:, :, :1], x[:, :, 1:]) if first else (x[:, :, :0], x)
            if rest.shape[2]:
                pair = self.time_conv(rest, state).unflatten(1, (2, c))        # b, which of two frames, c, t, h, w
                rest = pair.permute(0, 2, 3, 1, 4, 5).flatten(2, 3)
            x = torch.cat([head, rest], 2) if first else rest
            if state is not None:
                state[self] = True
        return to_video(self.resample["1"](F.interpolate(to_frames(x), scale_factor=2., mode="nearest-exact")), b)


def average_down(x, cout, ft, fs):
    """Parameter-free shortcut of a down stage: fold ft x fs x fs cells into channels, then average groups of them."""
    b, c, t, h, w = x.shape
    if ft * fs == 1 and c == cout:
        return x
    if t % ft:
        x = F.pad(x, (0, 0, 0, 0, ft - t % ft, 0))
    x = x.reshape(b, c, -1, ft, h // fs, fs, w // fs, fs).permute(0, 1, 3, 5, 7, 2, 4, 6)
    return x.reshape(b, cout, c * ft * fs * fs // cout, *x.shape[5:]).mean(2)


def duplicate_up(x, cout, ft, fs, first):
    """Parameter-free shortcut of an up stage: spread (repeated) channels over ft x fs x fs cells."""
    b, c, t, h, w = x.shape
    n = cout * ft * fs * fs
    source = torch.arange(n, device=x.device) // (n // c)
    x = x[:, source].reshape(b, cout, ft, fs, fs, t, h, w).permute(0, 1, 5, 2, 6, 3, 7, 4)
    x = x.reshape(b, cout, t * ft, h * fs, w * fs)
    return x[:, :, ft - 1:] if first else x


class DownStage(nn.Module):
    def __init__(self, cin, cout, blocks, scale, time):
        super().__init__()
        self.shape = (cout, 2 if time else 1, 2 if scale else 1)
        layers = [ResBlock(cin if i == 0 else cout, cout) for i in range(blocks)]
        self.downsamples = nn.ModuleList(layers + ([Downsample(cout, time)] if scale else []))

    def forward(self, x, state=None):
        y = x
        for layer in self.downsamples:
            y = layer(y, state)
        return y + average_down(x, *self.shape)


class UpStage(nn.Module):
    def __init__(self, cin, cout, blocks, scale, time):
        super().__init__()
        self.shape = (cout, 2 if time else 1, 2) if scale else None
        layers = [ResBlock(cin if i == 0 else cout, cout) for i in range(blocks)]
        self.upsamples = nn.ModuleList(layers + ([Upsample(cout, time)] if scale else []))

    def forward(self, x, state=None, first=True):
        y = x
        for layer in self.upsamples:
            y = layer(y, state)
        return y if self.shape is None else y + duplicate_up(x, *self.shape, first)


def _middle(channels):
    return nn.ModuleList([ResBlock(channels, channels), FrameAttention(channels), ResBlock(channels, channels)])


class Encoder(nn.Module):
    def __init__(self, cin, cout, dims, blocks, times):
        super().__init__()
        last = len(dims) - 2
        self.conv1 = CausalConv3d(cin, dims[0], 3)
        self.downsamples = nn.ModuleList([DownStage(a, b, blocks, i < last, i < len(times) and times[i])
                                          for i, (a, b) in enumerate(zip(dims, dims[1:]))])
        self.middle = _middle(dims[-1])
        self.head = nn.ModuleDict({"0": RMSNorm(dims[-1]), "2": CausalConv3d(dims[-1], cout, 3)})

    def forward(self, x, state=None):
        x = self.conv1(x, state)
        for layer in [*self.downsamples, *self.middle]:
            x = layer(x, state)
        return self.head["2"](rms_silu(x, self.head["0"].gamma), state)


class Decoder(nn.Module):
    def __init__(self, cin, cout, dims, blocks, times):
        super().__init__()
        last = len(dims) - 2
        self.conv1 = CausalConv3d(cin, dims[0], 3)
        self.middle = _middle(dims[0])
        self.upsamples = nn.ModuleList([UpStage(a, b, blocks, i < last, i < len(times) and times[i])
                                        for i, (a, b) in enumerate(zip(dims, dims[1:]))])
        self.head = nn.ModuleDict({"0": RMSNorm(dims[-1]), "2": CausalConv3d(dims[-1], cout, 3)})

    def forward(self, x, state=None):
        first = state is None or self not in state
        if state is not None:
            state[self] = True
        x = self.conv1(x, state)
        for layer in self.middle:
            x = layer(x, state)
        for stage in self.upsamples:
            x = stage(x, state, first)
        return self.head["2"](rms_silu(x, self.head["0"].gamma), state)


class VAE(nn.Module):
    def __init__(self, z_dim=48, dim=160, dec_dim=256, dim_mult=(1, 2, 4, 4), num_res_blocks=2,
                 temperal_downsample=(False, True, True)):
        super().__init__()
        self.z_dim = z_dim
        mult, times = list(dim_mult), list(temperal_downsample)
        self.encoder = Encoder(12, 2 * z_dim, [dim * k for k in [1] + mult], num_res_blocks, times)
        self.conv1 = CausalConv3d(2 * z_dim, 2 * z_dim, 1)
        self.conv2 = CausalConv3d(z_dim, z_dim, 1)
        self.decoder = Decoder(z_dim, 12, [dec_dim * k for k in mult[-1:] + mult[::-1]], num_res_blocks + 1, times[::-1])

    def channels_last(self):
        """Weights in the layout that the CPU's and GPU's convolutions want; twice as fast on a CPU."""
        for layer in self.modules():
            if isinstance(layer, nn.Conv3d):
                layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last_3d)
            elif isinstance(layer, nn.Conv2d):
                layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last)
        return self

    def encode(self, video, state=None):
        """video [b,3,t,H,W] in -1..1 -> mean latents [b,z,n,H/16,W/16], n = 1 + (t-1)/4 at a stream's start."""
        b, _, t, h, w = video.shape
        x = video.reshape(b, 3, t, h // 2, 2, w // 2, 2).permute(0, 1, 6, 4, 2, 3, 5)
        x = x.reshape(b, 12, t, h // 2, w // 2).contiguous(memory_format=torch.channels_last_3d)
        return self.conv1(self.encoder(x, state))[:, :self.z_dim]

    def decode(self, z, state=None):
        """latents (not normalised) [b,z,n,h,w] -> video [b,3,t,16h,16w]"""
        y = self.decoder(self.conv2(z), state)
        b, _, t, h, w = y.shape
        return y.reshape(b, 3, 2, 2, t, h, w).permute(0, 1, 4, 5, 3, 6, 2).reshape(b, 3, t, 2 * h, 2 * w)


# ---------------------------------------------------------------------------------------------- T5
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


# ---------------------------------------------------------------------------------------------- DiT
class FullRMS(nn.Module):
    """RMS norm over all heads together."""

    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return F.rms_norm(x.float(), x.shape[-1:], self.weight, 1e-6)


_rope_cache = {}


def rope_table(first, frames, gh, gw, head_dim, device):
    """cos, sin [frames*gh*gw, 1, head_dim/2] for frame indices first .. first+frames-1 of a gh x gw token grid."""
    key = (first, frames, gh, gw, head_dim, str(device))
    if key not in _rope_cache:
        pairs = head_dim // 2
        space = pairs // 3
        time = pairs - 2 * space
        freq = lambda n: 10000. ** (-torch.arange(n, dtype=torch.float64) / n)
        t = (first + torch.arange(frames).double())[:, None] * freq(time)
        y = torch.arange(gh).double()[:, None] * freq(space)
        x = torch.arange(gw).double()[:, None] * freq(space)
        grid = (frames, gh, gw)
        angle = torch.cat([t[:, None, None].expand(*grid, time), y[None, :, None].expand(*grid, space),
                           x[None, None].expand(*grid, space)], -1).flatten(0, 2)[:, None]
        _rope_cache[key] = angle.cos().float().to(device), angle.sin().float().to(device)
    return _rope_cache[key]


def rotate(x, table):
    """Rotate interleaved pairs of x [..., L, heads, head_dim]."""
    cos, sin = table
    a, b = x.float().unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


def camera_matrices(view):
    """view [...,4,4] world -> camera; gives P^T, P^-1, P of the projection P = diag(fx, fy, 1, 1) view."""
    focal = torch.tensor([FX, FY, 1., 1.], device=view.device)
    rot = view[..., :3, :3].mT
    inverse = torch.zeros_like(view)
    inverse[..., :3, :3] = rot
    inverse[..., :3, 3] = -(rot @ view[..., :3, 3:])[..., 0]
    inverse[..., 3, 3] = 1
    proj = focal[:, None] * view
    return proj.mT, inverse / focal, proj


def per_frame(matrix, u, tokens):
    """Apply matrix [G,frames,4,4] to every 4-vector of u [G,frames*tokens,heads,ch]."""
    return (u.float().reshape(*matrix.shape[:2], -1, 4) @ matrix.mT).reshape(u.shape)


def attend(q, k, v):
    """[G,L,heads,d] -> [G,L,heads*d]"""
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    if q.is_cuda:
        return F.scaled_dot_product_attention(q, k.to(q), v.to(q)).transpose(1, 2).flatten(2)
    score = (q * q.shape[-1] ** -0.5) @ k.to(q).mT          # spelled out: the CPU's fused kernel has a slow backward
    return (score.softmax(-1).to(q) @ v.to(q)).transpose(1, 2).flatten(2)


class TwoStreams:
    """The window of `train_forward`: blocks of a clean and a noisy stream, which share the clean past.

    Both streams' queries meet the past in one product, and only the own block separately; the two parts of the softmax
    are joined by their sums.
    """

    def __init__(self, batch, blocks, own, tables, slots, unseen):
        self.shape, self.own, self.tables, self.slots, self.unseen = (batch, 2, blocks), own, tables, slots, unseen

    def __call__(self, q, k, v):
        B, _, nb = self.shape
        past_k, past_v = (x.unflatten(0, self.shape)[:, 0] for x in (k, v))                  # [B,nb,L,heads,d]
        q = (rotate(q, self.own) * q.shape[-1] ** -0.5).to(v)
        k = rotate(k, self.own).to(v)
        # heads before rows: [..., heads, rows, d]
        q, k, v = (x.unflatten(0, self.shape).transpose(3, 4) for x in (q, k, v))
        L, d = q.shape[-2:]
        keys = [rotate(past_k, self.tables[i]).to(v)[:, at] for i, at in enumerate(self.slots)]
        keys = torch.cat(keys, 2).transpose(2, 3)                                            # [B,nb,heads,3L,d]
        values = torch.cat([past_v[:, at] for at in self.slots], 2).transpose(2, 3)
        both = q.permute(0, 2, 3, 1, 4, 5).flatten(3, 4)                                     # [B,nb,heads,2L,d]
        near = (q @ k.mT).float()                                                            # [B,2,nb,heads,L,L]
        top = near.detach().amax(-1, keepdim=True)                                           # keeps exp in range
        far = (both @ keys.mT).float() + self.unseen                                         # [B,nb,heads,2L,3L]
        near = (near - top).exp()
        far = (far - top.permute(0, 2, 3, 1, 4, 5).flatten(3, 4)).exp()
        split = lambda x: x.unflatten(3, (2, L)).permute(0, 3, 1, 2, 4, 5)
        total = near.sum(-1, keepdim=True) + split(far.sum(-1, keepdim=True))
        y = ((near.to(v) @ v).float() + split((far.to(v) @ values).float())) / total
        return y.transpose(3, 4).flatten(0, 2).flatten(2)                                    # [G,L,heads*d]


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.norm_q, self.norm_k = FullRMS(dim), FullRMS(dim)


class CameraAttention(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(dim, width) for _ in range(3))
        self.out_proj = nn.Linear(width, dim)
        self.norm_q, self.norm_k = FullRMS(width), FullRMS(width)


class Block(nn.Module):
    def __init__(self, dim, ffn, heads, compress):
        super().__init__()
        self.heads = heads
        self.modulation = nn.Parameter(torch.randn(1, 6, dim) / dim ** 0.5)
        self.self_attn, self.cross_attn = Attention(dim), Attention(dim)
        self.cam_self_attn = CameraAttention(dim, dim // compress)
        self.norm3 = nn.LayerNorm(dim, 1e-6)
        self.ffn = nn.ModuleDict({"0": nn.Linear(dim, ffn), "2": nn.Linear(ffn, dim)})

    def _heads(self, x):
        return x.unflatten(-1, (self.heads, -1))

    def forward(self, x, e0, text, cams, window):
        """One layer on G independent blocks.

        x [G,L,D]; e0 [G,frames,6,D] from the time step; text [b,rows,D], G a multiple of b; cams from
        `camera_matrices`; window(q, k, v) rotates them, attends to all that a block may look at -> [G,L,D].
        """
        G, L, D = x.shape
        tokens = L // e0.shape[1]
        parts = (self.modulation[:, None] + e0).unbind(2)
        shift1, scale1, gate1, shift2, scale2, gate2 = (p.repeat_interleave(tokens, 1) for p in parts)
        norm = lambda y: F.layer_norm(y, (D,), None, None, 1e-6)

        a = norm(x) * (1 + scale1) + shift1
        s = self.self_attn
        y = s.o(window(self._heads(s.norm_q(s.q(a))), self._heads(s.norm_k(s.k(a))), self._heads(s.v(a))))

        c = self.cam_self_attn
        pt, inverse, p = cams
        q = per_frame(pt, self._heads(c.norm_q(c.q_proj(a))), tokens)
        k = per_frame(inverse, self._heads(c.norm_k(c.k_proj(a))), tokens)
        v = per_frame(inverse, self._heads(c.v_proj(a)), tokens)
        y = y + c.out_proj(per_frame(p, self._heads(attend(q, k, v)), tokens).flatten(2))
        x = x + y * gate1

        t = self.cross_attn
        h = self.norm3(x).reshape(text.shape[0], -1, D)
        q, k, v = self._heads(t.norm_q(t.q(h))), self._heads(t.norm_k(t.k(text))), self._heads(t.v(text))
        x = x + t.o(attend(q, k, v)).reshape(G, L, D)

        h = F.gelu(self.ffn["0"](norm(x) * (1 + scale2) + shift2), approximate="tanh")
        return x + self.ffn["2"](h) * gate2


class Head(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.head = nn.Linear(dim, out)
        self.modulation = nn.Parameter(torch.randn(1, 2, dim) / dim ** 0.5)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)


class DiT(nn.Module):
    def __init__(self, z_dim=48, dim=3072, ffn_dim=14336, num_heads=24, num_layers=30, freq_dim=256, text_dim=4096,
                 text_len=512, attn_compress=4, sink_size=3, local_attn_size=12):
        super().__init__()
        assert (sink_size, local_attn_size) == (3, 12), "the window of first, last two and own block is built in"
        self.dim, self.z_dim, self.heads, self.freq_dim, self.text_len = dim, z_dim, num_heads, freq_dim, text_len
        self.patch_embedding = nn.Conv3d(z_dim, dim, (1, 2, 2), (1, 2, 2))
        self.text_embedding = nn.ModuleDict({"0": nn.Linear(text_dim, dim), "2": nn.Linear(dim, dim)})
        self.time_embedding = nn.ModuleDict({"0": nn.Linear(freq_dim, dim), "2": nn.Linear(dim, dim)})
        self.time_projection = nn.ModuleDict({"1": nn.Linear(dim, 6 * dim)})
        self.blocks = nn.ModuleList([Block(dim, ffn_dim, num_heads, attn_compress) for _ in range(num_layers)])
        self.head = Head(dim, 4 * z_dim)
        for name, layer in self.named_modules():
            if isinstance(layer, nn.Linear) and not name.startswith("head"):
                nn.init.xavier_uniform_(layer.weight)
                nn.init.zeros_(layer.bias)
            if name.endswith("cam_self_attn.out_proj"):
                nn.init.normal_(layer.weight, std=0.05)
        # The velocity contains the noise itself, so the noise must get through the narrow trunk from the start.
        weight = torch.empty(dim, 4 * z_dim)
        nn.init.orthogonal_(weight)
        self.patch_embedding.weight.data = 0.7 * weight.view_as(self.patch_embedding.weight)

    def text(self, rows):
        """T5 rows [b,L,text_dim] -> keys' source [b,L,D]; the zero rows after the text count, as upstream."""
        return self.text_embedding["2"](F.gelu(self.text_embedding["0"](rows), approximate="tanh"))

    def _trunk(self, latents, t, view, text, windows):
        """latents [G,z,3,h,w], t and view of each frame -> velocity [G,z,3,h,w]; windows[i] serves layer i."""
        G, z, frames, height, width = latents.shape
        gh, gw = height // 2, width // 2
        x = latents.reshape(G, z, frames, gh, 2, gw, 2).permute(0, 2, 3, 5, 1, 4, 6)
        x = x.reshape(G, frames * gh * gw, 4 * z)
        x = F.linear(x, self.patch_embedding.weight.flatten(1), self.patch_embedding.bias).float()
        half = self.freq_dim // 2
        angle = t.double()[..., None] * 10000. ** (-torch.arange(half, device=t.device, dtype=torch.float64) / half)
        wave = torch.cat([angle.cos(), angle.sin()], -1).float()
        e = self.time_embedding["2"](F.silu(self.time_embedding["0"](wave))).float()
        e0 = self.time_projection["1"](F.silu(e)).float().unflatten(-1, (6, self.dim))
        cams = camera_matrices(view)
        for block, window in zip(self.blocks, windows):
            x = block(x, e0, text, cams, window)
        shift, scale = (m.repeat_interleave(gh * gw, 1) for m in (self.head.modulation[:, None] + e[:, :, None]).unbind(2))
        x = self.head.head(F.layer_norm(x, (self.dim,), None, None, 1e-6) * (1 + scale) + shift).float()
        x = x.reshape(G, frames, gh, gw, 2, 2, z).permute(0, 6, 1, 2, 4, 3, 5)
        return x.reshape(G, z, frames, height, width)

    def train_forward(self, clean, noisy, t, view, text):
        """Velocity of every block of a clip in one pass.

        Two streams run side by side: the clean one (t = 0.1) plays the cache, the noisy one is what is learned; block
        n of either looks at the clean blocks 0, n-2, n-1 and at itself. Equal to `step` block by block.
        clean, noisy [b,z,N,h,w]; t [b,N]; view [b,N,4,4] chunk-relative; text [b,L,D].
        """
        B, z, N, height, width = clean.shape
        nb, gh, gw, dev = N // BLOCK, height // 2, width // 2, clean.device
        S, head_dim = gh * gw, self.dim // self.heads
        blocks = lambda x: x.reshape(B, z, nb, BLOCK, height, width).transpose(1, 2)
        latents = torch.stack([blocks(clean), blocks(noisy)], 1).flatten(0, 2)              # (b, stream, block) first
        t2 = torch.stack([torch.full_like(t, CONTEXT_T), t], 1).reshape(-1, BLOCK)
        view2 = view.reshape(B, 1, nb, BLOCK, 4, 4).expand(B, 2, nb, BLOCK, 4, 4).reshape(-1, BLOCK, 4, 4)
        tables = [rope_table(BLOCK * i, BLOCK, gh, gw, head_dim, dev) for i in range(4)]
        # every block's own place in its window: 0, 1, 2 and then always 3
        own = [torch.stack([tables[min(n, 3)][i] for n in range(nb)]).repeat(2 * B, 1, 1, 1) for i in range(2)]
        # slots 0, 1, 2 of the window: the sink, then the last two (for n = 2 slot 1 is block 1 and slot 2 is unseen)
        n = torch.arange(nb, device=dev)
        slots = [torch.zeros_like(n), (n - 2).clamp(min=min(1, nb - 1)), (n - 1).clamp(min=0)]
        seen = torch.stack([n >= 1, n >= 2, n >= 3], 1).repeat_interleave(BLOCK * S, 1)[:, None, None]
        unseen = torch.where(seen, 0., -1e9)                                                # [nb,1,1,3L]
        out = self._trunk(latents, t2, view2, text, [TwoStreams(B, nb, own, tables, slots, unseen)] * len(self.blocks))
        return out.unflatten(0, (B, 2, nb))[:, 1].transpose(1, 2).reshape(B, z, N, height, width)

    def step(self, latents, t, view, text, cache, commit=False):
        """One pass over one block against the cache: per layer a list of at most three (unrotated keys, values)."""
        gh, gw, n = latents.shape[-2] // 2, latents.shape[-1] // 2, len(cache[0])
        table = lambda i: rope_table(BLOCK * i, BLOCK, gh, gw, self.dim // self.heads, latents.device)
        fresh = []

        def make(past):
            def window(q, k, v):
                fresh.append((k, v))
                keys = [rotate(pk, table(i)) for i, (pk, _) in enumerate(past)] + [rotate(k, table(n))]
                return attend(rotate(q, table(n)), torch.cat(keys, 1), torch.cat([pv for _, pv in past] + [v], 1))
            return window
        out = self._trunk(latents, t, view, text, [make(past) for past in cache])
        if commit:
            for past, kv in zip(cache, fresh):
                past.append(kv)
                if len(past) > 3:
                    del past[1]                                     # block 0, the sink, stays
        return out

    def new_cache(self):
        return [[] for _ in self.blocks]


# ---------------------------------------------------------------------------------------------- sampling
@torch.no_grad()
def sample_block(dit, first, view, text, cache, shape, generator=None, trace=None, commit=None):
    """Four denoising steps and the cache pass.

    first [b,z,h,w]: the clean latent of a stream's first frame, else None. view [b,3,4,4]. shape [b,z,3,h,w].
    `trace` (a list) receives the clean estimate after each step; commit(clean) may put something else into the cache.
    Noise is drawn on the CPU.
    """
    dev = view.device
    noise = lambda: torch.randn(shape, generator=generator).to(dev)
    x = start = noise()
    free = torch.ones(1, 1, BLOCK, 1, 1, device=dev)
    if first is not None:
        free[:, :, 0] = 0
        x = start = torch.cat([first[:, :, None], start[:, :, 1:]], 2)
    for i, sigma in enumerate(SIGMAS):
        t = (free.reshape(1, BLOCK) * sigma * 1000).expand(shape[0], BLOCK)
        clean = free * (x - sigma * dit.step(x, t, view, text, cache)) + (1 - free) * start
        if trace is not None:
            trace.append(clean)
        if i + 1 < len(SIGMAS):
            after = SIGMAS[i + 1]
            x = free * ((1 - after) * clean + after * noise()) + (1 - free) * start
    kept = clean if commit is None else commit(clean)
    dit.step(kept, torch.full((shape[0], BLOCK), CONTEXT_T, device=dev), view, text, cache, commit=True)
    return clean


# ---------------------------------------------------------------------------------------------- a world's folder
def build(config):
    return VAE(**config["vae"]), DiT(z_dim=config["vae"]["z_dim"], **config["dit"]), T5(**config["t5"])


def load_world(folder, device="cpu"):
    """-> config, vae, dit, t5 in eval mode"""
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    nets = build(config)
    for name, net in zip(("vae", "dit", "t5"), nets):
        net.load_state_dict(load_safetensors(os.path.join(folder, name + ".safetensors")))
        net.to(device).eval()
    return (config, *nets)


def latent_stats(config, device="cpu"):
    """mean and std as [1,z,1,1,1]; the DiT sees (latent - mean) / std"""
    return [torch.tensor(config[k], device=device).view(1, -1, 1, 1, 1) for k in ("latents_mean", "latents_std")]
