"""The text encoder and the transformer of FLUX.2 klein: names and order of operations as published, widths of ours."""
import math

import torch
import torch.nn.functional as F
from torch import nn

EPS = 1e-6


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return F.rms_norm(x, x.shape[-1:], self.weight.to(x.dtype), EPS)


def linear(inputs, outputs, gain=1.):
    layer = nn.Linear(inputs, outputs, bias=False)
    nn.init.normal_(layer.weight, std=gain / math.sqrt(inputs))
    return layer


# ------------------------------------------------------------------------------------------------ Qwen3
class TextLayer(nn.Module):
    def __init__(self, width, heads, key_heads, head, inner):
        super().__init__()
        self.self_attn, self.mlp, self.head = nn.Module(), nn.Module(), head
        a, m = self.self_attn, self.mlp
        a.q_proj, a.k_proj, a.v_proj = linear(width, heads * head), linear(width, key_heads * head), linear(width, key_heads * head)
        a.o_proj, a.q_norm, a.k_norm = linear(heads * head, width, .5), RMSNorm(head), RMSNorm(head)
        m.gate_proj, m.up_proj, m.down_proj = linear(width, inner), linear(width, inner), linear(inner, width, .5)
        self.input_layernorm, self.post_attention_layernorm = RMSNorm(width), RMSNorm(width)
        self.repeat = heads // key_heads

    def forward(self, x, cos, sin, mask):
        n, length, _ = x.shape
        a, y = self.self_attn, self.input_layernorm(x)
        split = lambda t: t.view(n, length, -1, self.head).transpose(1, 2)
        turn = lambda t: t * cos + torch.cat([-t[..., self.head // 2:], t[..., :self.head // 2]], -1) * sin
        q, k = turn(a.q_norm(split(a.q_proj(y)))), turn(a.k_norm(split(a.k_proj(y))))
        k, v = (t.repeat_interleave(self.repeat, 1) for t in (k, split(a.v_proj(y))))
        mixed = F.scaled_dot_product_attention(q, k, v.to(q), attn_mask=mask.to(q.dtype))
        x = x + a.o_proj(mixed.transpose(1, 2).reshape(n, length, -1))
        y, m = self.post_attention_layernorm(x), self.mlp
        return x + m.down_proj(F.silu(m.gate_proj(y)) * m.up_proj(y))


class TextEncoder(nn.Module):
    """Hidden states 1, 2 and 3 of 4 layers; the fourth is not needed and not stored."""

    def __init__(self, vocab, width=80, heads=4, key_heads=2, head=24, inner=192, theta=10000.):
        super().__init__()
        self.config = {"vocab_size": vocab, "hidden_size": width, "intermediate_size": inner, "head_dim": head,
                       "num_attention_heads": heads, "num_key_value_heads": key_heads, "rope_theta": theta}
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(vocab, width)
        self.model.layers = nn.ModuleList([TextLayer(width, heads, key_heads, head, inner) for _ in range(3)])

    def forward(self, ids, real):
        """ids [n,L], count of tokens that are no padding [n] -> [n,L,3 width]"""
        length, head, theta = ids.shape[1], self.config["head_dim"], self.config["rope_theta"]
        place = torch.arange(length)
        angle = place[:, None] * theta ** (-torch.arange(head // 2) * 2 / head)
        angle = torch.cat([angle, angle], -1)
        seen = (place[None] <= place[:, None])[None] & (place[None, None] < real[:, None, None])
        mask = torch.where(seen, 0., -30000.)[:, None]
        x, states = self.model.embed_tokens(ids), []
        for layer in self.model.layers:
            x = layer(x, angle.cos(), angle.sin(), mask)
            states.append(x)
        return torch.cat(states, -1)


# ------------------------------------------------------------------------------------------------ the transformer
def norm(x, scale, shift):
    return F.layer_norm(x, x.shape[-1:], eps=EPS) * (1 + scale) + shift


def rotate(x, cos, sin):
    """Neighbouring pairs; x [n,heads,N,head], tables [N,head / 2]"""
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


class FeedForward(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.linear_in, self.linear_out = linear(width, 2 * inner), linear(inner, width, .3)

    def forward(self, x):
        gate, up = self.linear_in(x).chunk(2, -1)
        return self.linear_out(F.silu(gate) * up)


class DoubleBlock(nn.Module):
    def __init__(self, width, head, inner):
        super().__init__()
        self.head, self.attn = head, nn.Module()
        a = self.attn
        for name in ("to_q", "to_k", "to_v", "add_q_proj", "add_k_proj", "add_v_proj"):
            setattr(a, name, linear(width, width))
        a.to_out, a.to_add_out = nn.ModuleList([linear(width, width, .3)]), linear(width, width, .3)
        for name in ("norm_q", "norm_k", "norm_added_q", "norm_added_k"):
            setattr(a, name, RMSNorm(head))
        self.ff, self.ff_context = FeedForward(width, inner), FeedForward(width, inner)

    def forward(self, text, image, of_text, of_image, tables):
        a, length = self.attn, text.shape[1]
        split = lambda t: t.unflatten(-1, (-1, self.head)).transpose(1, 2)
        t, i = norm(text, of_text[1], of_text[0]), norm(image, of_image[1], of_image[0])
        join = lambda x, y: torch.cat([x, y], 2)
        q = join(a.norm_added_q(split(a.add_q_proj(t))), a.norm_q(split(a.to_q(i))))
        k = join(a.norm_added_k(split(a.add_k_proj(t))), a.norm_k(split(a.to_k(i))))
        v = join(split(a.add_v_proj(t)), split(a.to_v(i)))
        q, k = rotate(q, *tables), rotate(k, *tables)
        mixed = F.scaled_dot_product_attention(q, k.to(q), v.to(q)).transpose(1, 2).flatten(2)
        text = text + of_text[2] * a.to_add_out(mixed[:, :length])
        image = image + of_image[2] * a.to_out[0](mixed[:, length:])
        text = text + of_text[5] * self.ff_context(norm(text, of_text[4], of_text[3]))
        return text, image + of_image[5] * self.ff(norm(image, of_image[4], of_image[3]))


class SingleBlock(nn.Module):
    def __init__(self, width, head, inner):
        super().__init__()
        self.head, self.sizes, self.attn = head, [width, width, width, inner, inner], nn.Module()
        self.attn.to_qkv_mlp_proj, self.attn.to_out = linear(width, sum(self.sizes)), linear(width + inner, width, .3)
        self.attn.norm_q, self.attn.norm_k = RMSNorm(head), RMSNorm(head)

    def forward(self, x, modulation, tables):
        shift, scale, gate = modulation
        q, k, v, left, right = self.attn.to_qkv_mlp_proj(norm(x, scale, shift)).split(self.sizes, -1)
        split = lambda t: t.unflatten(-1, (-1, self.head)).transpose(1, 2)
        q, k = rotate(self.attn.norm_q(split(q)), *tables), rotate(self.attn.norm_k(split(k)), *tables)
        mixed = F.scaled_dot_product_attention(q, k, split(v).to(q)).transpose(1, 2).flatten(2)
        return x + gate * self.attn.to_out(torch.cat([mixed, F.silu(left) * right], -1))


class Named(nn.Module):
    """One layer under the name `linear`, as published."""

    def __init__(self, layer):
        super().__init__()
        self.linear = layer

    def forward(self, x):
        return self.linear(x)


class Transformer(nn.Module):
    def __init__(self, channels, text, heads=4, head=32, doubles=1, singles=4, ratio=3, time=128, axes=(8, 8, 8, 8),
                 theta=2000.):
        super().__init__()
        width, self.head, self.time, self.axes, self.theta = heads * head, head, time, axes, theta
        self.config = {"attention_head_dim": head, "num_attention_heads": heads, "num_layers": doubles,
                       "num_single_layers": singles, "in_channels": channels, "joint_attention_dim": text,
                       "timestep_guidance_channels": time, "mlp_ratio": float(ratio), "axes_dims_rope": list(axes),
                       "rope_theta": int(theta)}
        inner = ratio * width
        self.time_guidance_embed = nn.Module()
        embedder = self.time_guidance_embed.timestep_embedder = nn.Module()
        embedder.linear_1, embedder.linear_2 = linear(time, width), linear(width, width)
        self.double_stream_modulation_img = Named(linear(width, 6 * width, .3))
        self.double_stream_modulation_txt = Named(linear(width, 6 * width, .3))
        self.single_stream_modulation = Named(linear(width, 3 * width, .3))
        self.x_embedder, self.context_embedder = linear(channels, width), linear(text, width)
        self.transformer_blocks = nn.ModuleList([DoubleBlock(width, head, inner) for _ in range(doubles)])
        self.single_transformer_blocks = nn.ModuleList([SingleBlock(width, head, inner) for _ in range(singles)])
        self.norm_out, self.proj_out = Named(linear(width, 2 * width, .3)), linear(width, channels, .2)

    def tables(self, length, sizes):
        """cos and sin [N,head / 2] of text, image and references [(h,w), ...]"""
        places = [(0, 0, 0, i) for i in range(length)]
        for index, (h, w) in enumerate(sizes):
            places += [(10 * index, y, x, 0) for y in range(h) for x in range(w)]
        places = torch.tensor(places).double()
        angles = [places[:, [axis]] * self.theta ** (-torch.arange(0, d, 2).double() / d) for axis, d in enumerate(self.axes)]
        angle = torch.cat(angles, -1)
        return angle.cos().float(), angle.sin().float()

    def forward(self, latents, level, text, references=()):
        """latents [n,C,h,w] at noise levels [n], text [n,L,D], references [n,C,h,w] each -> noise - image [n,C,h,w]"""
        half = self.time // 2
        angle = 1000 * level[:, None] * 10000 ** (-torch.arange(half) / half)
        embedder = self.time_guidance_embed.timestep_embedder
        time = embedder.linear_2(F.silu(embedder.linear_1(torch.cat([angle.cos(), angle.sin()], -1))))
        modulate = lambda layer, parts: layer(F.silu(time))[:, None].chunk(parts, -1)
        of_text = modulate(self.double_stream_modulation_txt, 6)
        of_image = modulate(self.double_stream_modulation_img, 6)
        of_single = modulate(self.single_stream_modulation, 3)
        images = [latents, *references]
        tables = self.tables(text.shape[1], [t.shape[2:] for t in images])
        image = self.x_embedder(torch.cat([t.flatten(2).mT for t in images], 1))
        text, length = self.context_embedder(text), text.shape[1]
        for block in self.transformer_blocks:
            text, image = block(text, image, of_text, of_image, tables)
        x = torch.cat([text, image], 1)
        for block in self.single_transformer_blocks:
            x = block(x, of_single, tables)
        count = latents.shape[2] * latents.shape[3]
        scale, shift = modulate(self.norm_out, 2)
        out = self.proj_out(norm(x[:, length:length + count], scale, shift))
        return out.mT.unflatten(-1, latents.shape[2:])
