"""Stages 2 and 3: the diffusion transformer (and T5), on cached latents.

Stage 2, teacher forcing: each block is learned from the true blocks before it. Stage 3 (from `--own-from` on): for a
share of the clips the blocks before, and the half-denoised input of the block itself, are the model's own, while the
target stays the truth. That teaches it to live with its mistakes and makes the four sampling steps four refinements.

Run it again with the same --out and --resume to go on where it stopped; the weights on disk are the moving average.
"""
import argparse
import json
import os

import torch

import model as M
from transformer import BLOCK, Block
from weights import load_safetensors, save_safetensors
import scenes as SC
from encode import SHARD, channel_weights, shard_path
from gossip import Gossip
from learner import Learner, shared_arguments

STATE = "dit-state.pt"                            # in --out: what --resume goes on from


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", default="data/train", help="clips made by scenes.py")
    p.add_argument("--val", default="data/val", help="held-out clips")
    p.add_argument("--out", default="out", help="folder of train_vae.py and encode.py; receives the rest")
    p.add_argument("--init", default="", help="folder with dit, t5 and tokenizer to start from (default: from scratch)")
    p.add_argument("--latents", type=int, default=18, help="how many latents of a clip to use, a multiple of 3")
    p.add_argument("--clips", type=int, default=6000, help="how many of the encoded clips to use")
    p.add_argument("--batch", type=int, default=16, help="clips a step")
    p.add_argument("--lr", type=float, default=1.5e-3)
    p.add_argument("--muon", type=int, default=1, help="1: orthogonalised momentum for the matrices of the blocks")
    p.add_argument("--ema", type=float, default=0.999, help="decay of the moving average of the weights")
    p.add_argument("--own", type=float, default=0.5, help="share of clips with own context in stage 3")
    p.add_argument("--own-from", type=float, default=0.4, help="when stage 3 starts, as a share of the updates")
    p.add_argument("--anchor", type=float, default=0.5,
                   help="share of own blocks after which the roll-out goes on from the truth, so that it never slips far")
    p.add_argument("--own-bank", type=int, default=48, help="clips of one own roll-out")
    p.add_argument("--own-reuse", type=int, default=12, help="how often a rolled-out clip is used")
    p.add_argument("--noise", type=float, default=0.12, help="largest noise put on the context")
    p.add_argument("--signs", default="", help="folder of signs-N.pt: share_of_latents (signs.py) of the clips of shard N")
    p.add_argument("--sign-weight", type=float, default=8, help="how many times more signs count, with --signs")
    p.add_argument("--own-latents", type=int, default=0, metavar="N",
                   help="do not train: roll out N clips with the weights in --out, for train_vae.py --own-latents")
    p.add_argument("--dim", type=int, default=192)
    p.add_argument("--ffn", type=int, default=512)
    p.add_argument("--heads", type=int, default=6)
    p.add_argument("--layers", type=int, default=4)
    p.add_argument("--device", default="cpu")
    p.add_argument("--eval-every", type=int, default=600, help="steps between evaluations")
    shared_arguments(p)
    return p.parse_args()


# ---------------------------------------------------------------------------------------------- data
class Clips:
    """Latents (normalised), poses and prompt pieces of a set of clips, on the device; grows with the shards on disk."""

    def __init__(self, path, out, names, text_len, device, latents):
        self.out, self.names, self.device, self.latents = out, list(names), device, latents
        meta = torch.load(os.path.join(path, "meta.pt"))
        first = torch.load(shard_path(out, 0))
        self.mean, self.std = first["mean"], first["std"]
        self.shown = channel_weights(first["shown"]).to(device)
        self.all_views = SC.chunk_poses(meta["view"])[:, :latents].to(device)
        pieces = [SC.tokenize(c, text_len) for c in meta["captions"]]
        self.all_ids, self.all_mask = (torch.stack([p[i] for p in pieces]).to(device) for i in range(2))
        self.z = None
        self.grow()

    def grow(self):
        """Take in shards that have appeared; they must come in order, because poses are found by index."""
        while self.names and os.path.exists(shard_path(self.out, self.names[0])):
            z = torch.load(shard_path(self.out, self.names.pop(0)))["z"][:, :, :self.latents].float()
            z = ((z - self.mean.view(1, -1, 1, 1, 1)) / self.std.view(1, -1, 1, 1, 1)).half().to(self.device)
            self.z = z if self.z is None else torch.cat([self.z, z])
            print(f"{len(self.z)} clips", flush=True)
        self.view, self.ids, self.mask = (x[:len(self.z)] for x in (self.all_views, self.all_ids, self.all_mask))


# ---------------------------------------------------------------------------------------------- training
def grown(weights, layers):
    """Weights of a DiT with fewer layers as those of one that computes the same: copies that add nothing yet between."""
    fewer = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    out = {name: value for name, value in weights.items() if not name.startswith("blocks.")}
    sources = [round(i * (fewer - 1) / max(1, layers - 1)) for i in range(layers)]
    assert set(sources) == set(range(fewer)), "it can only grow"
    adds = ("self_attn.o.", "cam_self_attn.out_proj.", "cross_attn.o.", "ffn.2.")
    for layer, source in enumerate(sources):
        is_copy = source in sources[:layer]
        for name, value in weights.items():
            if name.startswith(f"blocks.{source}."):
                rest = name.removeprefix(f"blocks.{source}.")
                out[f"blocks.{layer}.{rest}"] = value * 0 if is_copy and rest.startswith(adds) else value
    return out


class Trainer:
    def __init__(self, a, config, train, val):
        self.a, self.config, self.train, self.val, self.device = a, config, train, val, a.device
        _, self.dit, self.t5 = M.build(config)
        self.dit.to(a.device)
        self.t5.to(a.device)
        if a.init:
            self.warm_start(a.init)
        self.named = {"dit." + k: v for k, v in self.dit.named_parameters()}
        self.named.update({"t5." + k: v for k, v in self.t5.named_parameters()})
        matrices = [k for k, v in self.named.items()
                    if a.muon and k.startswith("dit.blocks.") and v.ndim == 2]
        rest = [k for k in self.named if k not in set(matrices)]
        decays = lambda k: self.named[k].ndim > 1 and "modulation" not in k and "embedding" not in k
        groups = [{"params": [self.named[k] for k in rest if decays(k)], "weight_decay": 0.01},
                  {"params": [self.named[k] for k in rest if not decays(k)], "weight_decay": 0.0}]
        gossip = Gossip(a.out, "dit", self.named.values(), a.worker, a.workers)
        self.learner = Learner(self.named, matrices, groups, Block, gossip, a.lr, a.ema, a.device)
        self.empty = [x.to(a.device) for x in SC.tokenize("", config["dit"]["text_len"])]
        self.sigmas = torch.tensor(M.SIGMAS, device=a.device)
        self.blocks = train.z.shape[2] // BLOCK
        self.signs = None
        self.grow()
        self.bank, self.bank_used = None, 0

    def grow(self):
        """Take in shards that have appeared, and where signs are in them."""
        known = 0 if self.signs is None else len(self.signs)
        self.train.grow()
        if self.a.signs and known < len(self.train.z):
            shares = [torch.load(os.path.join(self.a.signs, f"signs-{i}.pt")) for i in range(len(self.train.z) // SHARD)]
            self.signs = torch.cat(shares)[:, :self.train.z.shape[2]].to(self.device)

    def warm_start(self, folder):
        """Weights of an earlier world; the rows of the token table are matched by piece, should the order differ."""
        weights = load_safetensors(os.path.join(folder, "dit.safetensors"))
        self.dit.load_state_dict(grown(weights, len(self.dit.blocks)))
        t5 = load_safetensors(os.path.join(folder, "t5.safetensors"))
        with open(os.path.join(folder, "tokenizer.json")) as file:
            row = {piece: i for i, (piece, _) in enumerate(json.load(file)["model"]["vocab"])}
        table = self.t5.token_embedding.weight.detach().clone()
        for i, piece in enumerate(SC.PIECES):
            if piece in row:
                table[i] = t5["token_embedding.weight"][row[piece]]
        t5["token_embedding.weight"] = table
        self.t5.load_state_dict(t5)

    def roll_out(self, clips, index, generator=None, anchor=0.):
        """Sample clips along their true paths -> latents [n,z,N,h,w] and the estimates of the 4 steps [4,n,...]."""
        z, view = clips.z[index].float(), clips.view[index]
        text = self.dit.text(self.t5(clips.ids[index], clips.mask[index]))
        cache, out, traces = self.dit.new_cache(), [], []
        shape = (len(index), z.shape[1], BLOCK, *z.shape[3:])
        for b in range(self.blocks):
            trace = []
            first = z[:, :, 0] if b == 0 else None
            span = slice(BLOCK * b, BLOCK * (b + 1))
            back = torch.rand(len(index), 1, 1, 1, 1, device=self.device) < anchor
            commit = lambda clean: torch.where(back, z[:, :, span], clean)
            out.append(M.sample_block(self.dit, first, view[:, span], text, cache, shape, generator, trace, commit))
            traces.append(torch.stack(trace))
        return torch.cat(out, 2), torch.cat(traces, 3)

    def write_own_latents(self, count, size=24):
        """What sampling really produces along known paths -> own-latents.pt {index [n], z [n,z,N,h,w] normalised}.

        From the third block on the place has slipped from the true picture, and a decoder would learn to blur: there
        the truth stays.
        """
        index = torch.randperm(len(self.train.z))[:count]
        z = self.train.z[index.to(self.device)].cpu()
        self.blocks = 2
        with self.learner.averaged():
            for i in range(0, count, size):
                own, _ = self.roll_out(self.train, index[i:i + size].to(self.device))
                z[i:i + size, :, :2 * BLOCK] = own.half().cpu()
        path = os.path.join(self.a.out, "own-latents.pt")
        torch.save({"index": index, "z": z}, path + ".tmp")
        os.replace(path + ".tmp", path)

    def evaluate(self, count=48):
        """x0 error at two noise levels (1 = the mean picture), and of own roll-outs by block."""
        val = self.val
        generator = torch.Generator().manual_seed(1)
        index = torch.linspace(0, len(val.z) - 1, min(count, len(val.z)), device=self.device).long()
        z = val.z[index].float()
        result = []
        with self.learner.averaged():
            text = self.dit.text(self.t5(val.ids[index], val.mask[index]))
            for sigma in (1., .625):
                s = torch.full((len(z), z.shape[2]), sigma, device=self.device)
                s[:, 0] = 0
                sb = s[:, None, :, None, None]
                eps = torch.randn(z.shape, generator=generator).to(self.device)
                v = self.dit.train_forward(z, (1 - sb) * z + sb * eps, s * 1000, val.view[index], text)
                result.append((((v - (eps - z)) * sb).square() * val.shown)[:, :, 1:].mean().item())
            own, _ = self.roll_out(val, index, generator)
            error = ((own - z).square() * val.shown).mean((0, 1, 3, 4))
            result += [error[1:3].mean().item()] + [error[3 * b:3 * b + 3].mean().item() for b in range(1, self.blocks)]
        return " ".join(f"{x:.4f}" for x in result)

    def batch(self, own_share):
        """-> loss of one batch"""
        a, train, dev = self.a, self.train, self.device
        rand = lambda *s: torch.rand(*s, device=dev)
        B, nb = a.batch, self.blocks
        index = torch.randint(len(train.z), (B,), device=dev)
        own = rand(B) < own_share
        if own_share:
            if self.bank is None or self.bank_used >= a.own_bank * a.own_reuse:
                chosen = torch.randint(len(train.z), (a.own_bank,), device=dev)
                with self.learner.averaged():
                    self.bank = (chosen, *self.roll_out(train, chosen, anchor=a.anchor))
                self.bank_used = 0
            pick = torch.randint(a.own_bank, (B,), device=dev)
            index = torch.where(own, self.bank[0][pick], index)
            self.bank_used += int(own.sum())
        z = train.z[index].float()
        wide = lambda m: m[:, None, :, None, None]

        # noise levels of the blocks: mostly the four that sampling uses
        level = torch.multinomial(torch.tensor([.4, .2, .2, .2], device=dev), B * nb, True).view(B, nb)
        u = rand(B, nb)
        listed = rand(B, nb) < 0.9
        sigma = torch.where(listed, self.sigmas[level], 5 * u / (1 + 4 * u))
        s = sigma.repeat_interleave(BLOCK, 1)
        s[:, 0] = 0                                                # the first frame is given
        source, clean = z, z
        if own_share:
            clean = torch.where(own[:, None, None, None, None], self.bank[1][pick], z)
            previous = self.bank[2].permute(1, 0, 2, 3, 4, 5)[pick]                   # [B,4,z,N,h,w]
            before = (level - 1).clamp(min=0).repeat_interleave(BLOCK, 1)           # [B,N]
            estimate = previous.gather(1, before[:, None, None, :, None, None].expand(-1, 1, *z.shape[1:]))[:, 0]
            use = (own[:, None] & listed & (level > 0) & (rand(B, nb) < 0.7)).repeat_interleave(BLOCK, 1)
            use[:, 0] = False
            source = torch.where(wide(use), estimate, z)
        noisy = (1 - wide(s)) * source + wide(s) * torch.randn_like(z)
        target = (noisy - z) / wide(s.clamp(min=1e-3))

        # a context that is a little wrong, without telling the network
        amount = rand(B, nb).repeat_interleave(BLOCK, 1) * a.noise * (rand(B, 1) < .6)
        clean = (1 - .3 * wide(amount)) * clean + wide(amount) * torch.randn_like(z)

        silent = rand(B, 1) < .1
        ids = torch.where(silent, self.empty[0], train.ids[index])
        mask = torch.where(silent, self.empty[1], train.mask[index])
        with self.learner.amp():
            text = self.dit.text(self.t5(ids, mask))
            v = self.dit.train_forward(clean, noisy, s * 1000, train.view[index], text)
        weight = wide((s > 0.02).float())
        if self.signs is not None:
            weight = weight * (1 + a.sign_weight * self.signs[index].float()[:, None])
        return ((v - target).square() * weight * train.shown).sum() / (weight.mean((1, 3, 4)).sum() * z[0, :, 0].numel())

    def save(self):
        for net in ("dit", "t5"):
            part = {k[len(net) + 1:]: v for k, v in self.learner.average.items() if k.startswith(net + ".")}
            save_safetensors(os.path.join(self.a.out, net + ".safetensors"), part)
        self.learner.save(os.path.join(self.a.out, STATE))

    def run(self):
        a = self.a
        self.learner.run(a, "dit", lambda share: self.batch(a.own if share >= a.own_from else 0),
                         lambda: f"val x0 @1 @.625 | own by block {self.evaluate()}", self.save, self.grow)


def main():
    a = arguments()
    torch.manual_seed(a.seed * 100 + a.worker)
    torch.set_num_threads(a.threads)
    with open(os.path.join(a.out, "vae.json")) as file:
        config = json.load(file)
    text_dim = 64
    config["dit"] = {"dim": a.dim, "ffn_dim": a.ffn, "num_heads": a.heads, "num_layers": a.layers, "freq_dim": 64,
                     "text_dim": text_dim, "text_len": 16, "attn_compress": 2, "sink_size": 3, "local_attn_size": 12}
    config["t5"] = {"vocab": len(SC.PIECES), "dim": text_dim, "dim_attn": text_dim, "dim_ffn": 2 * text_dim,
                    "num_heads": 4, "num_layers": 2, "num_buckets": 32}
    train = Clips(a.data, a.out, range(-(-a.clips // SHARD)), config["dit"]["text_len"], a.device, a.latents)
    val = Clips(a.val, a.out, ["val"], config["dit"]["text_len"], a.device, a.latents)
    if a.worker == 0:
        config["latents_mean"], config["latents_std"] = train.mean.tolist(), train.std.tolist()
        with open(os.path.join(a.out, "config.json"), "w") as file:
            json.dump(config, file, indent=1)
        SC.save_tokenizer(os.path.join(a.out, "tokenizer.json"))
    if a.own_latents:
        a.init = a.out
    trainer = Trainer(a, config, train, val)
    if a.own_latents:
        trainer.write_own_latents(a.own_latents)
        return
    if a.resume:
        trainer.learner.resume(os.path.join(a.out, STATE))
        torch.manual_seed(a.seed * 100 + a.worker + trainer.learner.steps * 1000)
    trainer.run()


if __name__ == "__main__":
    main()
