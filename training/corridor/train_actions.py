"""The transformer of the world whose actions are relative poses, on the latents of moves.py.

A clip is its first latent frame, known and clean, and four to be made. From `--own-from` on a share of the first frames
is the model's own: the last picture of what it made of the move before, encoded again, as a session continues. The
target stays the truth, so that it learns to mend what it breaks.

Run it again with the same --out and --resume to go on where it stopped; the weights on disk are the moving average.
"""
import argparse
import glob
import os
import shutil

import torch

import messages
import scenes as SC
from action_transformer import CONFIG, DOMAIN, ActionTransformer, Layer, Text
from encode import channel_weights, shown
from gossip import Gossip
from learner import Learner, shared_arguments
from moves import load_vae
from uni_pc import sample, schedule
from weights import load_safetensors, save_safetensors

STATE = "state.pt"                                # in --out: what --resume goes on from
RATES = [16] * 12 + [8, 12, 24, 30]                # frames per second that a clip is said to have
PROMPTS, TOKENS = 8, 32                           # of a batch; of a text, padded
MERGES = 250
BANK = 72                                         # prompts whose own first frames are kept, each with 24 of them
LEVELS = 4, (.55, .1, .25, .1)                    # most noise levels are those of a run of 4 steps, first those of 2 steps
# While training, rows are scaled so that a turn of a degree is as loud as a step; the weights on disk are for true rows.
LOUDNESS = torch.tensor([1, 1, 1, .1, 30, 30, 30, .1, 30])


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--vae", default="../../models/corridor-nano", help="packed world whose autoencoder is used")
    p.add_argument("--data", default="data/actions", help="walks made by moves.py")
    p.add_argument("--val", default="data/actions-val", help="held-out walks")
    p.add_argument("--init", default="", help="packed world of camera moves whose transformer and tokenizer to start from")
    p.add_argument("--out", default="out-actions")
    p.add_argument("--batch", type=int, default=64, help="clips a step, a multiple of 8")
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--ema", type=float, default=.998, help="decay of the moving average of the weights")
    p.add_argument("--own", type=float, default=.375, help="share of clips with an own first frame")
    p.add_argument("--own-from", type=float, default=.35, help="when these begin, as a share of the updates")
    p.add_argument("--anchor", type=float, default=.4,
                   help="share of own moves after which a walk goes on from the truth, so that it never slips far")
    p.add_argument("--first-noise", type=float, default=.15,
                   help="most noise in the known first frames while training, so that small faults of own ones are mended")
    p.add_argument("--own-steps", type=int, default=2, help="denoising steps of the own clips")
    p.add_argument("--steps", type=int, default=2, help="denoising steps that a session will use")
    p.add_argument("--device", default="cpu")
    p.add_argument("--eval-every", type=int, default=300, help="steps between evaluations")
    shared_arguments(p)
    return p.parse_args()


def loud_rows(table):
    """The part of `action_proj_in.fc.weight` that reads our rows, as a view [9,width]"""
    return table.view(len(table), CONFIG["action_dim"], -1)[DOMAIN, :len(LOUDNESS)]


class Walks:
    """Latents [n,chunks,z,5,h,w] and loud rows [n,chunks,16,9] of walks, and which of them have the same prompt."""

    def __init__(self, folder, device):
        parts = [torch.load(path) for path in sorted(glob.glob(os.path.join(folder, "walks-*.pt")))]
        self.z, self.rows = (torch.cat([part[k] for part in parts]) for k in ("z", "rows"))
        self.z, self.rows = self.z.to(device), (self.rows * LOUDNESS).to(device)
        self.captions = [c for part in parts for c in part["captions"]]
        self.alike = {}
        for i, caption in enumerate(self.captions):
            self.alike.setdefault(caption, []).append(i)
        self.alike = {caption: torch.tensor(same) for caption, same in self.alike.items()}

    def pick(self, prompts, each):
        """-> captions [prompts], walks [prompts * each], prompt by prompt"""
        captions = [self.captions[i] for i in torch.randint(len(self.captions), (prompts,)).tolist()]
        return captions, torch.cat([self.alike[c][torch.randint(len(self.alike[c]), (each,))] for c in captions])


class Trainer:
    def __init__(self, a):
        self.a, self.device, self.walks, self.val = a, a.device, Walks(a.data, a.device), Walks(a.val, a.device)
        path = os.path.join(a.out, "tokenizer.json")
        if a.init and not a.resume:
            shutil.copyfile(os.path.join(a.init, "tokenizer.json"), path)
        if not os.path.exists(path):
            messages.MessageTokenizer(messages.learn_merges(messages.corpus(), MERGES)).save(path)
        self.tokenize, self.known = messages.MessageTokenizer.load(path), {}
        vae, mean, std, size = load_vae(a.vae)
        self.vae, self.mean, self.std = vae.to(a.device), mean.to(a.device), std.to(a.device)
        self.grid = [side // 32 for side in size]
        z = self.val.z[:6, 0].float() * self.std + self.mean
        self.shown = channel_weights(shown(self.vae, z, self.mean.flatten(), self.std.flatten()))
        self.net = ActionTransformer(CONFIG).to(a.device)
        if a.init and not a.resume:
            self.warm_start(a.init)
        named = dict(self.net.named_parameters())
        matrices = [k for k, v in named.items() if k.startswith("layers.") and v.ndim == 2]
        groups = [{"params": [v for k, v in named.items() if k not in set(matrices)], "weight_decay": 0.}]
        gossip = Gossip(a.out, "actions", named.values(), a.worker, a.workers)
        self.learner = Learner(named, matrices, groups, Layer, gossip, a.lr, a.ema, a.device)
        self.sigmas = torch.tensor(schedule(LEVELS[0])[0], device=a.device)
        self.bank, self.bank_left = [], 0

    def warm_start(self, root):
        packed = {}
        for path in glob.glob(os.path.join(root, "transformer", "*.safetensors")):
            packed.update(load_safetensors(path))
        own = {k: packed[k].float() for k in self.net.state_dict()}
        loud_rows(own["action_proj_in.fc.weight"]).div_(LOUDNESS[:, None])
        self.net.load_state_dict(own)

    def ids(self, caption, fps):
        text = "" if caption is None else messages.message(caption, fps=fps)
        if text not in self.known:
            self.known[text] = self.tokenize(text)
        return self.known[text]

    def text(self, captions, rates):
        return Text([self.ids(c, r) for c, r in zip(captions, rates)], rates, CONFIG, self.grid, TOKENS, self.device)

    def make(self, first, rows, text, steps, generator=None):
        """One clip each behind clean first frames [n,z,1,h,w] -> latents [n,z,5,h,w]"""
        seen = self.net.read(text)
        shape = (len(first), first.shape[1], 4, *first.shape[3:])
        at = lambda t: torch.full((len(first),), t, device=self.device)
        tell = lambda x, t: self.net.step(torch.cat([first, x], 2), at(t), rows, text, seen)
        noise = torch.randn(shape, generator=generator, device="cpu" if generator else self.device)
        return torch.cat([first, sample(tell, noise.to(self.device), steps)], 2)

    def again(self, z):
        """The last picture of clips, rounded to bytes and encoded as the first of the next ones: [n,z,1,h,w]

        It is decoded from two latents, a quarter of the work: 34 dB from the picture that all five give.
        """
        out = []
        for piece in z.split(16 if self.device == "cpu" else 192):
            last = self.vae.decode(piece[:, :, -2:] * self.std + self.mean)[:, :, -1:].float()
            picture = SC.to_float(SC.to_uint8(last))
            out.append((self.vae.encode(picture).float() - self.mean) / self.std)
        return torch.cat(out)

    def fill_bank(self, prompts=6, each=8):
        """Own first frames of the second and later chunks of some more walks, prompt by prompt; the oldest leave"""
        captions, index = self.walks.pick(prompts, each)
        with self.learner.averaged():
            text = self.text(captions, [16] * prompts)
            first, firsts = self.walks.z[index, 0, :, :1].float(), []
            for chunk in range(self.walks.z.shape[1] - 1):
                z = self.make(first, self.walks.rows[index, chunk], text, self.a.own_steps)
                firsts.append(self.again(z))
                back = torch.rand(len(index), 1, 1, 1, 1, device=self.device) < self.a.anchor
                first = torch.where(back, self.walks.z[index, chunk + 1, :, :1].float(), firsts[-1])
        own = torch.stack(firsts, 1).unflatten(0, (prompts, each))
        self.bank = [*self.bank, *zip(captions, index.view(prompts, each), own)][-BANK:]
        self.bank_left = 80

    def clips(self, own):
        """-> captions [8], latents [B,z,5,h,w], first frames [B,z,1,h,w], rows [B,16,9]"""
        each, chunks = self.a.batch // PROMPTS, self.walks.z.shape[1]
        true = PROMPTS - round(PROMPTS * own)
        captions, index = self.walks.pick(true, each)
        chunk = torch.randint(chunks, (true * each,))
        z = self.walks.z[index, chunk].float()
        first, rows = z[:, :, :1], self.walks.rows[index, chunk]
        if own:
            while len(self.bank) < BANK / 3 or not self.bank_left:
                self.fill_bank()
            self.bank_left -= 1
            for group in torch.randint(len(self.bank), (PROMPTS - true,)).tolist():
                caption, index, firsts = self.bank[group]
                at, later = torch.randint(len(index), (each,)), torch.randint(chunks - 1, (each,))
                walks = index[at]
                captions.append(caption)
                z = torch.cat([z, self.walks.z[walks, later + 1].float()])
                first = torch.cat([first, firsts[at, later]])
                rows = torch.cat([rows, self.walks.rows[walks, later + 1]])
        return captions, z, first, rows

    def loss(self, own):
        captions, z, first, rows = self.clips(own)
        count = len(z)
        captions = [None if torch.rand(()) < .1 else c for c in captions]
        rates = [RATES[i] for i in torch.randint(len(RATES), (PROMPTS,)).tolist()]
        rand = lambda *shape: torch.rand(*shape, device=self.device)
        listed, u = torch.multinomial(torch.tensor(LEVELS[1], device=self.device), count, True), rand(count)
        sigma = torch.where(rand(count) < .75, self.sigmas[listed], 3 * u / (1 + 2 * u)).clamp(min=.002)
        s = sigma[:, None, None, None, None]
        noise = torch.randn_like(z[:, :, 1:])
        noisy = (1 - s) * z[:, :, 1:] + s * noise
        first = first + self.a.first_noise * rand(count, 1, 1, 1, 1).square() * torch.randn_like(first)
        with self.learner.amp():
            v = self.net(torch.cat([first, noisy], 2), (1000 * sigma).floor(), rows, self.text(captions, rates))
        return ((v - (noise - z[:, :, 1:])).square() * self.shown).mean()

    def evaluate(self, count=24):
        """Error of clips made along held-out walks, chunk by chunk from own pictures, and of kept first frames"""
        generator = torch.Generator().manual_seed(1)
        z, rows = self.val.z[:count].float(), self.val.rows[:count]
        errors = []
        with self.learner.averaged():
            text, first = self.text(self.val.captions[:count], [16] * count), z[:, 0, :, :1]
            for chunk in range(z.shape[1]):
                made = self.make(first, rows[:, chunk], text, self.a.steps, generator)
                errors.append(((made - z[:, chunk]).square() * self.shown)[:, :, 1:].mean().item())
                first = self.again(made)
        every = z.flatten(0, 1)
        still = ((every[:, :, :1] - every[:, :, 1:]).square() * self.shown).mean().item()
        return " ".join(f"{e:.4f}" for e in errors) + f" (still {still:.3f})"

    def save(self):
        average = self.learner.average
        table = average["action_proj_in.fc.weight"].clone()
        loud_rows(table).mul_(LOUDNESS[:, None].to(table))
        save_safetensors(os.path.join(self.a.out, "transformer.safetensors"), {**average, "action_proj_in.fc.weight": table})
        self.learner.save(os.path.join(self.a.out, STATE))

    def run(self):
        a = self.a
        self.learner.run(a, "train", lambda share: self.loss(a.own if share >= a.own_from else 0),
                         lambda: f"val by chunk {self.evaluate()}", self.save)


def main():
    a = arguments()
    os.makedirs(a.out, exist_ok=True)
    torch.manual_seed(a.seed * 100 + a.worker)
    torch.set_num_threads(a.threads)
    trainer = Trainer(a)
    if a.resume:
        trainer.learner.resume(os.path.join(a.out, STATE))
        torch.manual_seed(a.seed * 100 + a.worker + trainer.learner.steps * 1000)
    trainer.run()


if __name__ == "__main__":
    main()
