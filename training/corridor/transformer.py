"""Predicts the flow velocity of three latent frames (one block) from noise, camera, text and the blocks before.

Shapes in comments: b batch, c channels, t frames, h w height and width, D model width, S tokens of one latent frame, G
independent blocks.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

CONTEXT_T = 0.1                               # t of the pass that writes a finished block into the cache
FX, FY = 969.69697 / 1920, 969.69697 / 1080   # focal lengths in image widths / heights, the same at every size
BLOCK = 3                                     # latent frames a block


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
