"""The two-stream transformer of the actionworld family, with the weight names of its published snapshots.

Text looks back at text; frames and actions look at all text and at each other. The streams have weights of their own and
meet in attention only. Shapes in comments: P prompts, B clips (the same number for every prompt, prompt by prompt), L
text tokens, G generated tokens (frames, then actions), D width, d width of a head.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

DOMAIN = 2                                        # moves of a camera
TIME_CHANNELS, MARGIN, THETA, BASE_FPS, EPS = 256, 15000, 1e8, 24, 1e-5
CONFIG = {"hidden_size": 160, "intermediate_size": 640, "num_hidden_layers": 6, "num_attention_heads": 4,
          "num_key_value_heads": 2, "head_dim": 40, "rope_axes_dim": [8, 6, 6], "vocab_size": 528, "latent_channel": 16,
          "latent_patch_size": 2, "patch_latent_dim": 64, "action_dim": 16, "num_embodiment_domains": 4,
          "hidden_act": "relu2", "attention_bias": False, "qk_norm_for_text": False, "use_und_k_norm_for_gen": True,
          "rms_norm_eps": EPS, "rope_theta": THETA, "timestep_scale": .001, "base_fps": BASE_FPS,
          "enable_fps_modulation": True, "temporal_compression_factor": 4, "unified_3d_mrope_reset_spatial_ids": True,
          "unified_3d_mrope_temporal_modality_margin": MARGIN, "action_gen": True, "sound_gen": False}


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        y = x.float()
        return y * torch.rsqrt(y.square().mean(-1, keepdim=True) + EPS) * self.weight


class Mlp(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.up_proj = nn.Linear(width, inner, bias=False)
        self.down_proj = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        return self.down_proj(F.relu(self.up_proj(x)).square())


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, q, kv = c["hidden_size"], *(c[k] * c["head_dim"] for k in ("num_attention_heads", "num_key_value_heads"))
        for name, inputs, outputs in (("to_q", d, q), ("to_k", d, kv), ("to_v", d, kv), ("to_out", q, d),
                                      ("add_q_proj", d, q), ("add_k_proj", d, kv), ("add_v_proj", d, kv), ("to_add_out", q, d)):
            setattr(self, name, nn.Linear(inputs, outputs, bias=False))
        for name in ("norm_added_q", "norm_added_k", "k_norm_und_for_gen"):
            setattr(self, name, Norm(c["head_dim"]))


def rotate(x, tables):
    """x [..,heads,N,d], tables two of [..,N,d/2]: halves of a head turn against each other."""
    cos, sin = tables
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def attend(q, k, v, mask):
    """q [n,heads,N,d], k and v [n,key heads,M,d], mask added to the logits"""
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    logits = (q.to(v.dtype) @ k.to(v.dtype).mT).float() / math.sqrt(q.shape[-1]) + mask
    return (logits.softmax(-1).to(v.dtype) @ v).transpose(1, 2).flatten(2)


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.head_dim = c["head_dim"]
        self.self_attn = Attention(c)
        for stream in ("", "_moe_gen"):
            setattr(self, "mlp" + stream, Mlp(c["hidden_size"], c["intermediate_size"]))
            for norm in ("input_layernorm", "post_attention_layernorm"):
                setattr(self, norm + stream, Norm(c["hidden_size"]))

    def heads(self, x):
        return x.unflatten(-1, (-1, self.head_dim)).transpose(1, 2)

    def text(self, u, tables, mask):
        """u [P,L,D] -> u, and the keys and values [P,key heads,L,d] that the other stream sees"""
        a, x = self.self_attn, self.input_layernorm(u)
        q, k, v = (self.heads(f(x)) for f in (a.to_q, a.to_k, a.to_v))
        u = u + a.to_out(attend(rotate(q, tables), rotate(k, tables), v, mask))
        return u + self.mlp(self.post_attention_layernorm(u)), (rotate(a.k_norm_und_for_gen(k), tables), v)

    def clip(self, g, text, tables, mask):
        """g [B,G,D] behind the text's keys and values [P,..]"""
        a, x = self.self_attn, self.input_layernorm_moe_gen(g)
        q, k, v = (self.heads(f(x)) for f in (a.add_q_proj, a.add_k_proj, a.add_v_proj))
        seen, said = (t.repeat_interleave(len(g) // len(t), 0) for t in text)
        k = torch.cat([seen, rotate(a.norm_added_k(k), tables)], 2)
        g = g + a.to_add_out(attend(rotate(a.norm_added_q(q), tables), k, torch.cat([said, v], 2), mask))
        return g + self.mlp_moe_gen(self.post_attention_layernorm_moe_gen(g))

    def forward(self, u, g, text_tables, tables, causal, mask):
        u, text = self.text(u, text_tables, causal)
        return u, self.clip(g, text, tables, mask)


class ByDomain(nn.Module):
    """A dense layer with weights of its own for every domain; in a row of `fc` stands a matrix, input by input."""

    def __init__(self, domains, inputs, outputs):
        super().__init__()
        self.fc = nn.Embedding(domains, inputs * outputs)
        self.bias = nn.Embedding(domains, outputs)
        nn.init.normal_(self.fc.weight, std=inputs ** -.5)
        nn.init.zeros_(self.bias.weight)

    def forward(self, x, domain):
        weight, bias = self.fc.weight[domain].view(x.shape[-1], -1), self.bias.weight[domain]
        return x @ weight + bias


class ActionTransformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c["hidden_size"]
        self.config = c
        self.embed_tokens = nn.Embedding(c["vocab_size"], d)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c["num_hidden_layers"]))
        self.norm_moe_gen = Norm(d)
        self.proj_in, self.proj_out = nn.Linear(c["patch_latent_dim"], d), nn.Linear(d, c["patch_latent_dim"])
        self.time_embedder = nn.ModuleDict({"linear_1": nn.Linear(TIME_CHANNELS, d), "linear_2": nn.Linear(d, d)})
        self.action_modality_embed = nn.Parameter(torch.zeros(d))
        self.action_proj_in = ByDomain(c["num_embodiment_domains"], c["action_dim"], d)
        nn.init.normal_(self.embed_tokens.weight, std=.5)
        nn.init.zeros_(self.proj_out.weight)
        for layer in self.layers:
            for part in (layer.self_attn.to_out, layer.self_attn.to_add_out, layer.mlp.down_proj, layer.mlp_moe_gen.down_proj):
                nn.init.normal_(part.weight, std=.2 * part.weight.shape[1] ** -.5)

    def pack(self, z):
        """[B,C,F,h,w] -> [B,F * h/2 * w/2,4C], channels fastest; h and w even"""
        b, c, f, h, w = z.shape
        return z.reshape(b, c, f, h // 2, 2, w // 2, 2).permute(0, 2, 3, 5, 4, 6, 1).reshape(b, f * h * w // 4, 4 * c)

    def unpack(self, x, like):
        b, c, _, h, w = like.shape
        return x.reshape(b, -1, h // 2, w // 2, 2, 2, c).permute(0, 6, 1, 2, 4, 3, 5).reshape(b, c, -1, h, w)

    def tokens(self, z, timestep, rows):
        """Latents [B,C,F,h,w], the first frame clean; whole timesteps [B]; rows [B,A,9] -> [B,G,D]"""
        patches = self.proj_in(self.pack(z))
        time = self.time_embedder["linear_2"](F.silu(self.time_embedder["linear_1"](sinusoid(timestep * .001))))
        noisy = torch.ones(z.shape[2], device=z.device)
        noisy[0] = 0
        noisy = noisy.repeat_interleave(patches.shape[1] // z.shape[2])[:, None]
        rows = F.pad(rows, (0, self.config["action_dim"] - rows.shape[-1]))
        actions = self.action_proj_in(rows, DOMAIN) + self.action_modality_embed
        return torch.cat([patches + noisy * time[:, None], actions], 1)

    def velocity_of(self, g, like):
        """The stream [B,G,D] after the last layer -> noise - clean [B,C,F-1,h,w]"""
        per = like.shape[3] * like.shape[4] // 4
        return self.unpack(self.proj_out(self.norm_moe_gen(g[:, per:per * like.shape[2]])), like)

    def forward(self, z, timestep, rows, text):
        u, g = self.embed_tokens(text.ids).float(), self.tokens(z, timestep, rows)
        tables = text.clip_tables(len(g))
        for layer in self.layers:
            u, g = layer(u, g, text.tables, tables, text.causal, text.mask(len(g)))
        return self.velocity_of(g, z).float()

    def read(self, text):
        """Keys and values of all layers; what a session computes once a prompt"""
        u, out = self.embed_tokens(text.ids).float(), []
        for layer in self.layers:
            u, seen = layer.text(u, text.tables, text.causal)
            out.append(seen)
        return out

    def step(self, z, timestep, rows, text, seen):
        """`forward` behind a text that was read before"""
        g, tables = self.tokens(z, timestep, rows), text.clip_tables(len(z))
        for layer, one in zip(self.layers, seen):
            g = layer.clip(g, one, tables, text.mask(len(z)))
        return self.velocity_of(g, z).float()


def sinusoid(t):
    """[cos | sin] of t [B] -> [B,256]"""
    half = TIME_CHANNELS // 2
    angle = t[:, None].double() * 10000. ** (-torch.arange(half, dtype=torch.float64, device=t.device) / half)
    return torch.cat([angle.cos(), angle.sin()], 1).float()


def rotary(positions, c):
    """Places [3,N] (time, row, column) -> cos and sin [N,d/2]; products are rounded to f32, angles are not."""
    pairs, axes = c["head_dim"] // 2, c["rope_axes_dim"]
    frequency = 1 / THETA ** (torch.arange(pairs).float() * 2 / c["head_dim"])
    axis = torch.tensor([j % 3 if j < 3 * axes[j % 3] else 0 for j in range(pairs)])
    angle = (positions[axis].T * frequency).double()
    return angle.cos().float(), angle.sin().float()


def clip_positions(text, fps, grid, frames=5):
    """Places of frames of `grid` (rows, columns) tokens, then actions, behind `text` tokens: [3,G]"""
    start, rate = text + MARGIN, BASE_FPS / 4
    time = (start + torch.arange(frames, dtype=torch.float64) * rate / (fps / 4)).float()
    places = torch.stack(torch.meshgrid(time, *(torch.arange(side).float() for side in grid), indexing="ij"))
    actions = torch.zeros(3, 4 * (frames - 1))
    actions[0] = (start + torch.arange(1, 4 * frames - 3, dtype=torch.float64) / fps * rate).float()
    return torch.cat([places.flatten(1), actions], 1)


class Text:
    """Prompts as the network takes them: token ids, rotary tables and masks, for clips of a rate [P].

    `grid`: (rows, columns) of a frame's tokens, one for 32 pixels of a side.
    """

    def __init__(self, ids, fps, config, grid, length=None, device="cpu"):
        longest = length or max(map(len, ids))
        self.ids = torch.tensor([row + [0] * (longest - len(row)) for row in ids]).to(device)
        self.tables = [t.to(device) for t in rotary(torch.arange(longest).float().expand(3, -1), config)]
        self.causal = torch.full((longest, longest), -30000., device=device).triu(1)
        clips = [rotary(clip_positions(len(row), f, grid), config) for row, f in zip(ids, fps)]
        self._tables = [torch.stack(t)[:, None].to(device) for t in zip(*clips)]
        unseen = torch.tensor([[-30000. * (i >= len(row)) for i in range(longest)] for row in ids]).to(device)
        self._mask = F.pad(unseen, (0, self._tables[0].shape[2]))[:, None, None]

    def clip_tables(self, clips):
        return [t.repeat_interleave(clips // len(t), 0) for t in self._tables]

    def mask(self, clips):
        return self._mask.repeat_interleave(clips // len(self._mask), 0)
