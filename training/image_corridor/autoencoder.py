"""The autoencoder of FLUX.2 (AutoencoderKLFlux2): weight names and order of operations as published, widths of ours."""
import torch
import torch.nn.functional as F
from torch import nn

EPS = 1e-4                                                           # added to the variance of the latents


class ResBlock(nn.Module):
    def __init__(self, inputs, outputs, groups):
        super().__init__()
        self.norm1, self.norm2 = (nn.GroupNorm(groups, width, 1e-6) for width in (inputs, outputs))
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        nn.init.zeros_(self.conv2.weight)
        if inputs != outputs:
            self.conv_shortcut = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x):
        y = self.conv2(F.silu(self.norm2(self.conv1(F.silu(self.norm1(x))))))
        return y + (self.conv_shortcut(x) if hasattr(self, "conv_shortcut") else x)


class Attention(nn.Module):
    def __init__(self, width, groups):
        super().__init__()
        self.group_norm = nn.GroupNorm(groups, width, 1e-6)
        self.to_q, self.to_k, self.to_v = (nn.Linear(width, width) for _ in range(3))
        self.to_out = nn.ModuleList([nn.Linear(width, width)])

    def forward(self, x):
        pixels = self.group_norm(x).flatten(2).mT
        mixed = F.scaled_dot_product_attention(*(f(pixels)[:, None] for f in (self.to_q, self.to_k, self.to_v)))
        return x + self.to_out[0](mixed[:, 0]).mT.reshape(x.shape)


class Middle(nn.Module):
    def __init__(self, width, groups):
        super().__init__()
        self.resnets = nn.ModuleList([ResBlock(width, width, groups) for _ in range(2)])
        self.attentions = nn.ModuleList([Attention(width, groups)])

    def forward(self, x):
        return self.resnets[1](self.attentions[0](self.resnets[0](x)))


class Sampler(nn.Module):
    def __init__(self, width, stride):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, stride, padding=0 if stride == 2 else 1)

    def forward(self, x):
        if self.conv.stride[0] == 2:
            return self.conv(F.pad(x, (0, 1, 0, 1)))
        return self.conv(F.interpolate(x, scale_factor=2, mode="nearest"))


class Stage(nn.Module):
    def __init__(self, inputs, outputs, layers, groups, sampler):
        super().__init__()
        self.resnets = nn.ModuleList([ResBlock(inputs if j == 0 else outputs, outputs, groups) for j in range(layers)])
        kind, stride = sampler
        if kind:
            setattr(self, kind, nn.ModuleList([Sampler(outputs, stride)]))

    def forward(self, x):
        for block in self.resnets:
            x = block(x)
        for kind in ("downsamplers", "upsamplers"):
            if hasattr(self, kind):
                x = getattr(self, kind)[0](x)
        return x


class Encoder(nn.Module):
    def __init__(self, widths, layers, latent, groups):
        super().__init__()
        self.conv_in = nn.Conv2d(3, widths[0], 3, padding=1)
        last = len(widths) - 1
        self.down_blocks = nn.ModuleList([
            Stage(widths[max(i - 1, 0)], width, layers, groups, ("downsamplers", 2) if i < last else (None, 0))
            for i, width in enumerate(widths)])
        self.mid_block = Middle(widths[-1], groups)
        self.conv_norm_out = nn.GroupNorm(groups, widths[-1], 1e-6)
        self.conv_out = nn.Conv2d(widths[-1], 2 * latent, 3, padding=1)

    def forward(self, x):
        x = self.conv_in(x)
        for block in self.down_blocks:
            x = block(x)
        return self.conv_out(F.silu(self.conv_norm_out(self.mid_block(x))))


class Decoder(nn.Module):
    def __init__(self, widths, layers, latent, groups):
        super().__init__()
        widths = widths[::-1]
        self.conv_in = nn.Conv2d(latent, widths[0], 3, padding=1)
        self.mid_block = Middle(widths[0], groups)
        last = len(widths) - 1
        self.up_blocks = nn.ModuleList([
            Stage(widths[max(i - 1, 0)], width, layers + 1, groups, ("upsamplers", 1) if i < last else (None, 0))
            for i, width in enumerate(widths)])
        self.conv_norm_out = nn.GroupNorm(groups, widths[-1], 1e-6)
        self.conv_out = nn.Conv2d(widths[-1], 3, 3, padding=1)

    def forward(self, z):
        x = self.mid_block(self.conv_in(z))
        for block in self.up_blocks:
            x = block(x)
        return self.conv_out(F.silu(self.conv_norm_out(x)))


def patchify(z):
    """[n,C,2h,2w] -> [n,4C,h,w]"""
    return F.pixel_unshuffle(z, 2)


class Statistics(nn.Module):
    """Of the patchified latents, under the names of a batch norm as published"""

    def __init__(self, width):
        super().__init__()
        self.register_buffer("running_mean", torch.zeros(width))
        self.register_buffer("running_var", torch.ones(width))


class Autoencoder(nn.Module):
    def __init__(self, encoder=(8, 16, 32, 48), decoder=(12, 20, 40, 64), layers=1, latent=6, groups=4):
        super().__init__()
        self.config = {"block_out_channels": list(encoder), "decoder_block_out_channels": list(decoder),
                       "layers_per_block": layers, "latent_channels": latent, "norm_num_groups": groups}
        self.encoder = Encoder(list(encoder), layers, latent, groups)
        self.decoder = Decoder(list(decoder), layers, latent, groups)
        self.quant_conv = nn.Conv2d(2 * latent, 2 * latent, 1)
        self.post_quant_conv = nn.Conv2d(latent, latent, 1)
        self.bn = Statistics(4 * latent)

    def moments(self, image):
        """[n,3,H,W] in -1..1 -> mode and log variance [n,C,H/8,W/8]"""
        return self.quant_conv(self.encoder(image)).chunk(2, 1)

    def decode(self, z):
        return self.decoder(self.post_quant_conv(z))

    def normalised(self, image):
        """[n,3,H,W] -> latents [n,4C,H/16,W/16] as the transformer sees them"""
        z = patchify(self.moments(image)[0])
        return (z - self.bn.running_mean[:, None, None]) / self.deviation()

    def picture(self, latents):
        """The way back of `normalised`"""
        return self.decode(F.pixel_shuffle(latents * self.deviation() + self.bn.running_mean[:, None, None], 2))

    def deviation(self):
        return (self.bn.running_var + EPS).sqrt()[:, None, None]
