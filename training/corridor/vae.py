"""Video <-> latents: causal in time, 4x smaller in it (the first frame stands alone), 8 patches of pixels in space.

Shapes in comments: b batch, c channels, t frames, h w height and width, D model width, S tokens of one latent frame, G
independent blocks.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


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
                 temperal_downsample=(False, True, True), patch_size=2):
        super().__init__()
        self.z_dim, self.patch = z_dim, patch_size
        pixels = 3 * patch_size ** 2
        mult, times = list(dim_mult), list(temperal_downsample)
        self.encoder = Encoder(pixels, 2 * z_dim, [dim * k for k in [1] + mult], num_res_blocks, times)
        self.conv1 = CausalConv3d(2 * z_dim, 2 * z_dim, 1)
        self.conv2 = CausalConv3d(z_dim, z_dim, 1)
        self.decoder = Decoder(z_dim, pixels, [dec_dim * k for k in mult[-1:] + mult[::-1]], num_res_blocks + 1, times[::-1])

    def channels_last(self):
        """Weights in the layout that the CPU's and GPU's convolutions want; twice as fast on a CPU."""
        for layer in self.modules():
            if isinstance(layer, nn.Conv3d):
                layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last_3d)
            elif isinstance(layer, nn.Conv2d):
                layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last)
        return self

    def encode(self, video, state=None):
        """video [b,3,t,H,W] in -1..1 -> mean latents [b,z,n,h,w], n = 1 + (t-1)/4 at a stream's start."""
        b, _, t, h, w = video.shape
        p = self.patch
        x = video.reshape(b, 3, t, h // p, p, w // p, p).permute(0, 1, 6, 4, 2, 3, 5)
        x = x.reshape(b, 3 * p * p, t, h // p, w // p).contiguous(memory_format=torch.channels_last_3d)
        return self.conv1(self.encoder(x, state))[:, :self.z_dim]

    def decode(self, z, state=None):
        """latents (not normalised) [b,z,n,h,w] -> video [b,3,t,8ph,8pw], p the pixels along a patch"""
        y = self.decoder(self.conv2(z), state)
        b, _, t, h, w = y.shape
        p = self.patch
        return y.reshape(b, 3, p, p, t, h, w).permute(0, 1, 4, 5, 3, 6, 2).reshape(b, 3, t, p * h, p * w)
