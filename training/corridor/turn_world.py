"""A turn of the transformer on the latents of turn_autoencoder.py, then of its decoder on what the transformer makes.

  python turn_world.py --seconds 540                          # on a GPU; again and again, and --last once at the end
  python turn_world.py --seconds 540 --decoder 1              # the decoder alone
  python turn_world.py --rehearse                             # on a CPU, small, in two minutes

The transformer: clips of every place are rendered and encoded into a bank, of which some are replaced all the time; it
learns as in train_dit.py, from --own-from on also behind its own past. The decoder: with the discriminator of finish.py,
on true latents with noise and on those that the transformer in --world makes of known walks.

Each part has a state of its own below --state and goes on alone. The encoder must be the one that a state began with:
another turn of turn_autoencoder.py gives latents of another meaning. See turn.py for what a turn is.
"""
import argparse
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

import evaluate as E
import model as M
import places as P
import scenes as SC
import turn as T
import turn_autoencoder
from encode import channel_weights
from finish import FILL, LATENTS, Finish, Patches, optimisers
from gossip import Gossip
from state import kept, moments_of, read_state, restore, restore_adam, write_state
from train_dit import Trainer
from transformer import BLOCK, Block
from vae import VAE, Upsample
from weights import load_safetensors, save_safetensors

TABLE_BLOCKS = 6                                  # of the mixed walk in the table at the end, if clips have as many
SHORT = 33                                        # frames of a walk that the decoder learns from
SMALL = ("--device cpu --width 128 --height 128 --batch 4 --scenes 1 --seconds 900 --lr 2e-2 --dim 96 --ffn 96 --heads 4 "
         "--layers 2 --blocks 3 --bank 8 --group 2 --refresh 4 --own-from 20 --own .25 --own-every 4 --own-bank 2 --ema .9 --held-out 2 "
         "--round 4 --round-clips 2").split()


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    T.shared_arguments(p, "turns")
    p.add_argument("--decoder", type=float, default=.3, help="share of the turn for the decoder, at its end; 0 or 1: one part alone")
    p.add_argument("--batch", type=int, default=32, help="clips an update of the transformer")
    p.add_argument("--lr", type=float, default=1.5e-3)
    p.add_argument("--ema", type=float, default=.998)
    p.add_argument("--dim", type=int, default=256)
    p.add_argument("--ffn", type=int, default=512)
    p.add_argument("--heads", type=int, default=8)
    p.add_argument("--layers", type=int, default=5)
    p.add_argument("--blocks", type=int, default=12, help="of a clip")
    p.add_argument("--bank", type=int, default=640, help="clips in memory, as latents")
    p.add_argument("--group", type=int, default=16, help="clips of one place that come at once")
    p.add_argument("--refresh", type=int, default=25, help="updates between two groups")
    p.add_argument("--held-out", type=int, default=32, help="clips that the transformer is judged on, of all places")
    p.add_argument("--own", type=float, default=.5, help="share of clips with own past")
    p.add_argument("--own-from", type=int, default=1500, help="the update of the transformer at which they begin")
    p.add_argument("--own-every", type=int, default=150, help="updates between two own roll-outs")
    p.add_argument("--own-bank", type=int, default=192, help="clips of one")
    p.add_argument("--anchor", type=float, default=.25)
    p.add_argument("--noise", type=float, default=.12, help="largest noise put on the past")
    p.add_argument("--decoder-batch", type=int, default=6, help="windows an update of the decoder")
    p.add_argument("--decoder-lr", type=float, default=8e-4)
    p.add_argument("--gan", type=float, default=.2, help="weight of the discriminator's word")
    p.add_argument("--gan-from", type=int, default=200, help="the update of the decoder at which it may speak")
    p.add_argument("--round", type=int, default=100, help="updates of the decoder with the same walks")
    p.add_argument("--round-clips", type=int, default=24, help="walks of one place in a round")
    a = p.parse_args()
    # What Trainer and Finish ask for and these turns do not vary.
    a.muon, a.init, a.out, a.worker, a.workers, a.signs, a.sign_weight, a.own_reuse = 1, "", a.state, 0, 1, "", 0, 10**9
    return a


def encoder_digest(weights):
    """What a transformer's latents mean: the encoder's weights"""
    digest = hashlib.sha256()
    for name in sorted(weights):
        if name.startswith(("encoder.", "conv1.")):
            digest.update(weights[name].half().numpy().tobytes())
    return digest.hexdigest()


def open_world(a):
    """-> the configuration in --world and the weights of its autoencoder"""
    path = os.path.join(a.world, "config.json")
    if not os.path.exists(path):
        raise SystemExit(f"Cannot begin: {path} is missing, expected a world of turn_autoencoder.py")
    with open(path) as file:
        config = json.load(file)
    return config, load_safetensors(os.path.join(a.world, "vae.safetensors"))


def begin(a, stage, folder, weights, head):
    """-> head and kinds of a state, or of a new one"""
    found = read_state(folder, stage)
    if not found:
        return {"stage": stage, "steps": 0, "encoder": encoder_digest(weights), **head}, None
    if found[0]["encoder"] != encoder_digest(weights):
        raise SystemExit(f"Cannot go on from {folder}: the encoder in {a.world} is another one, expected that of its beginning")
    return found


class Latents:
    """Clips as normalised latents: those of groups `first` to `first + count` of a feed; what `Trainer` learns from"""

    def __init__(self, a, config, vae, feed, frames, count, first=0):
        self.a, self.vae, self.feed, self.frames, self.count = a, vae, feed, frames, count
        self.mean, self.std = (torch.tensor(config[k], device=a.device) for k in ("latents_mean", "latents_std"))
        self.shown = channel_weights(torch.tensor(config["shown"], device=a.device))
        self.encode = T.Faster(vae.encode, a.compile)
        self.z = None
        for group in range(first, first + count):
            self.take(group)

    @torch.no_grad()
    def encoded(self, walk):
        """-> latents [n,z,N,h,w] as the transformer sees them, f16, and the pictures"""
        pictures, at = self.feed.pictures(walk), lambda v: v.view(1, -1, 1, 1, 1)
        size = min(4, len(pictures))
        with torch.autocast(self.a.device, torch.bfloat16):
            z = torch.cat([self.encode(SC.to_float(x)).float() for x in pictures.split(size)])
        return ((z - at(self.mean)) / at(self.std)).half(), pictures

    def take(self, group):
        """The next group, in the place of the oldest one"""
        a = self.a
        walk, = self.feed.walks(group)
        z, _ = self.encoded(walk)
        view = SC.chunk_poses(walk.view[:, SC.latent_frames(self.frames)])
        tokens = [SC.tokenize(c, 16) for c in walk.captions]
        new = {"z": z, "view": view, **{k: torch.stack([t[i] for t in tokens]) for i, k in enumerate(("ids", "mask"))}}
        if self.z is None:
            size = self.count * len(z)
            for k, v in new.items():
                setattr(self, k, torch.zeros(size, *v.shape[1:], dtype=v.dtype, device=a.device))
        at = group % self.count * len(z)
        for k, v in new.items():
            getattr(self, k)[at:at + len(z)] = v.to(a.device)

    def grow(self):
        pass


class Transformer(Trainer):
    stage = "transformer"

    def __init__(self, a):
        world, weights = open_world(a)
        self.folder = os.path.join(a.state, self.stage)
        dit = {"dim": a.dim, "ffn_dim": a.ffn, "num_heads": a.heads, "num_layers": a.layers, "freq_dim": 64, "text_dim": 64,
               "text_len": 16, "attn_compress": 2, "sink_size": 3, "local_attn_size": 12}
        t5 = {"vocab": len(SC.PIECES), "dim": 64, "dim_attn": 64, "dim_ffn": 128, "num_heads": 4, "num_layers": 2,
              "num_buckets": 32}
        self.head, kinds = begin(a, self.stage, self.folder, weights, {"dit": dit, "t5": t5})
        config = {**world, "dit": self.head["dit"], "t5": self.head["t5"]}
        vae = VAE(**config["vae"]).to(a.device).eval().requires_grad_(False).channels_last()
        vae.load_state_dict(weights)
        frames = 12 * a.blocks - 3
        one = lambda what, count: T.Feed(argparse.Namespace(**{**vars(a), "ahead": a.ahead if what == "clips" else 0}), what, count,
                                         lambda step: frames)
        self.feed, held_out = one("clips", a.group), one("held out", a.held_out // len(a.names))
        # A group is of one place.
        self.feed.wanted = lambda step: [(a.names[step % len(a.names)], a.group, frames,
                                          T.number(a.seed, "clips", step))]
        held_out.wanted = lambda step: [(a.names[step], a.held_out // len(a.names), frames, T.number("held out", step))]
        groups, first = a.bank // a.group, self.head["steps"] // a.refresh
        train = Latents(a, config, vae, self.feed, frames, groups, first)
        val = Latents(a, config, vae, held_out, frames, len(a.names))
        torch.manual_seed(a.seed)
        super().__init__(a, config, train, val)
        if not a.compile:
            self.learner.fast = self.learner.eager
        self.learner.lr, self.learner.steps = a.lr, self.head["steps"]
        if kinds:
            restore(kinds, self.named, self.learner.average, self.learner.muon, self.learner.adam)
        T.new_entry(self.head, a, self.head["dit"])

    @property
    def steps(self):
        return self.learner.steps

    def update(self, rate):
        a, step = self.a, self.steps
        if step and step % a.refresh == 0:
            self.train.take(a.bank // a.group + step // a.refresh - 1)
        if step % a.own_every == 0:
            self.bank = None                                        # Trainer rolls out anew
        self.learner.lr, loss = a.lr * rate / min(1, (step + 1) / T.WARM_UP), None      # Learner warms up by itself

        def loss_of():
            nonlocal loss
            loss = self.batch(a.own if step >= a.own_from else 0)
            return loss
        self.learner.learn(loss_of, 0.)
        return loss.detach(), 4 * loss.detach().clamp(min=1e-9)    # as dB: of the latents' error, in their own scale

    def save(self):
        self.head["steps"] = self.steps
        learner = self.learner
        write_state(self.folder, self.head, kept(self.named, learner.average, learner.muon, learner.adam))

    @torch.no_grad()
    def evaluate_turn(self, say):
        say(f"latents: error at noise 1 and .625 | own past by block: {self.evaluate(self.a.held_out)}")
        world = self.a.world
        for net in ("dit", "t5"):
            part = {k[len(net) + 1:]: v for k, v in self.learner.average.items() if k.startswith(net + ".")}
            save_safetensors(os.path.join(world, net + ".safetensors"), part, "F16")
        with open(os.path.join(world, "config.json"), "w") as file:
            json.dump(self.config, file, indent=1)
        SC.save_tokenizer(os.path.join(world, "tokenizer.json"))
        tables(self.a, say)


def tables(a, say):
    """The networks in --world by the tables of evaluate.py, on held-out scenes of every place by day"""
    world = E.World(a.world, a.device)
    with torch.autocast(a.device, torch.bfloat16) if a.device == "cuda" else contextlib.nullcontext():
        for name in a.names:
            test = E.Test(a.scenes, "bright", 777, name, a.device)
            say(f"{a.scenes} bright scenes of the {name}, seed 777")
            E.mixed_path(world, test, say, "", a.scenes, E.MIXED[:min(TABLE_BLOCKS, a.blocks)])


class Decoder(Finish):
    """`window`, `learn` and `doubts` of the decoder's finish, on walks that are made for it in rounds"""
    stage = "decoder"

    def __init__(self, a):
        own = argparse.Namespace(**{**vars(a), "batch": a.decoder_batch, "lr": a.decoder_lr, "sign_weight": 0, "own": .5, "decay": 1})
        self.a, self.doubt, self.log, self.gossip = own, torch.zeros(()), [], Gossip("", "", [], 0, 1)
        self.world, weights = open_world(a)
        if "dit" not in self.world:
            raise SystemExit(f"Cannot begin with the decoder: {a.world} has no transformer, expected that of an earlier turn")
        self.folder = os.path.join(a.state, self.stage)
        self.head, kinds = begin(a, self.stage, self.folder, weights, {})
        self.steps = self.head["steps"]
        torch.manual_seed(a.seed)
        vae, self.dit, self.t5 = (net.to(a.device).requires_grad_(False) for net in M.build(self.world))
        self.vae = vae.channels_last()
        vae.load_state_dict(weights)
        for name, net in (("dit", self.dit), ("t5", self.t5)):
            net.load_state_dict(load_safetensors(os.path.join(a.world, name + ".safetensors")))
        self.learned = {k: v.requires_grad_() for k, v in vae.named_parameters() if k.startswith(("decoder.", "conv2."))}
        streaming = [vae.decoder, *(m for m in vae.decoder.modules() if isinstance(m, Upsample) and m.time_conv)]
        self.begin = T.Faster(vae.decode, a.compile)
        self.go_on = T.Faster(lambda z: vae.decode(z, {layer: True for layer in streaming}), a.compile)
        self.average = {k: v.detach().clone() for k, v in self.learned.items()}
        self.muon, self.adam = optimisers(self.learned, a.decoder_lr)
        self.patches = Patches(3).to(a.device)
        self.patch_adam = torch.optim.AdamW(self.patches.parameters(), lr=8e-4, betas=(.5, .95), weight_decay=0)
        if kinds:
            restore(kinds, self.learned, self.average, self.muon, self.adam)
            self.patches.load_state_dict(kinds["patches"])
            restore_adam(kinds.get("patch_moments", {}), self.patch_adam)
        self.mean, self.std = (torch.tensor(self.world[k], device=a.device).view(-1, 1, 1, 1)
                               for k in ("latents_mean", "latents_std"))
        self.feed = T.Feed(argparse.Namespace(**{**vars(a), "ahead": 0}), "decoder", a.round_clips * len(a.names), lambda step: SHORT)
        self.latents = Latents(a, self.world, vae, self.feed, SHORT, 0)
        self.round = None
        T.new_entry(self.head, a, self.world["vae"])

    @torch.no_grad()
    def make_round(self, number):
        """Walks with their latents, the true ones and those that the transformer makes of their first two blocks"""
        torch.manual_seed(T.number(self.a.seed, "round", number))
        self.round, at = [], lambda v: v[None]
        for walk in self.feed.walks(number):
            z, pictures = self.latents.encoded(walk)
            z = z.float()
            view = SC.chunk_poses(walk.view[:, SC.latent_frames(SHORT)]).to(z)
            tokens = [SC.tokenize(c, 16) for c in walk.captions]
            ids, mask = (torch.stack([t[i] for t in tokens]).to(z.device) for i in range(2))
            cache, own = self.dit.new_cache(), z.clone()
            with torch.autocast(self.a.device, torch.bfloat16):
                text = self.dit.text(self.t5(ids, mask))
                for b in range(2):
                    span = slice(BLOCK * b, BLOCK * (b + 1))
                    own[:, :, span] = M.sample_block(self.dit, z[:, :, 0] if b == 0 else None, view[:, span], text, cache,
                                                     (len(z), z.shape[1], BLOCK, *z.shape[3:])).float()
            self.round.append((pictures, *(v * at(self.std) + at(self.mean) for v in (z, own))))

    def window(self, begins):
        """-> truth, where signs are (not told), latents"""
        pictures, true, own = self.round[int(self.rng.integers(len(self.round)))]
        i, is_own = int(self.rng.integers(len(pictures))), self.rng.random() < self.a.own
        at = 0 if begins else 1 if is_own else int(self.rng.integers(1, true.shape[2] - LATENTS + 1))
        z = (own if is_own else true)[i, :, at:at + LATENTS]
        if not is_own:
            z = z + self.noise() * self.std * torch.randn_like(z)
        x = SC.to_float(pictures[i:i + 1, 4 * at - 3 + (3 if begins else 4 * FILL):4 * (at + LATENTS) - 3])[0]
        return x, torch.zeros_like(x[:1]), z

    def share(self):
        return 0.                                                    # the rate is given

    def update(self, rate):
        number = self.steps // self.a.round
        if self.round is None or self.steps % self.a.round == 0:
            self.make_round(number)
        torch.manual_seed(T.number(self.a.seed, "decoder update", self.steps))
        self.rng = np.random.default_rng(T.number(self.a.seed, "decoder choices", self.steps))
        self.a.lr = self.a.decoder_lr * rate / min(1, (self.steps + 1) / 50)       # Finish warms up by itself
        self.learn()
        error = self.log.pop()
        return error, error

    def save(self):
        self.head["steps"] = self.steps
        kinds = {**kept(self.learned, self.average, self.muon, self.adam), "patches": self.patches.state_dict(),
                 "patch_moments": moments_of(self.patch_adam)}
        write_state(self.folder, self.head, kinds)

    @torch.no_grad()
    def evaluate_turn(self, say):
        save_safetensors(os.path.join(self.a.world, "vae.safetensors"), {**self.vae.state_dict(), **self.average}, "F16")
        tables(self.a, say)


def rehearse():
    with tempfile.TemporaryDirectory() as folder:
        world = os.path.join(folder, "world")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "turn_autoencoder.py")
        subprocess.run([sys.executable, script, "--state", os.path.join(folder, "autoencoder"), "--world", world, "--updates", "6",
                        *turn_autoencoder.SMALL, "--height", "128"], check=True)
        T.rehearse(__file__, "transformer", 20, [*SMALL, "--decoder", "0"], folder, "transformer")
        T.rehearse(__file__, "decoder", 8, [*SMALL, "--decoder", "1", "--gan-from", "4"], folder, "decoder")


def main():
    a = arguments()
    if a.rehearse:
        return rehearse()
    T.prepare(a)
    clock = T.Clock()
    for part_of, until in ((Transformer, a.seconds * (1 - a.decoder)), (Decoder, a.seconds)):
        if a.decoder == {Transformer: 1, Decoder: 0}[part_of] or clock.stopped:
            continue
        part = part_of(a)
        try:
            T.learn(part, a, clock, until - T.reserve(part.head, a.seconds))
            T.finish(part, a, clock, part.evaluate_turn)
        finally:
            part.feed.close()


if __name__ == "__main__":
    main()
