"""One step of learning: Muon for matrices, AdamW for the rest, a mean of the weights, checkpoints to go on from."""
import os
import sys
import time

import torch

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "corridor"))
from muon import Muon                                                # noqa: E402


class Learner:
    """`updates` in all or, where `minutes` is not 0, as many as those allow: the rate falls in the last `fall` of them."""

    def __init__(self, model, updates, lr, minutes=0, ema=.98, warmup=40, fall=.35):
        matrix = lambda name, p: p.ndim >= 2 and min(p.shape[0], p[0].numel()) >= 12 and "embed_tokens" not in name
        named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        self.model, self.updates, self.lr, self.warmup, self.fall = model, updates, lr, warmup, fall
        self.muon = Muon([p for name, p in named if matrix(name, p)])
        self.adam = torch.optim.AdamW([p for name, p in named if not matrix(name, p)], lr=lr, betas=(.9, .98),
                                      weight_decay=0)
        self.params = [p for _, p in named]
        self.minutes, self.began = minutes, time.time()
        self.mean, self.ema, self.step = [p.detach().clone() for p in self.params], ema, 0

    def spent(self):
        """Minutes, those before a stop too"""
        return (time.time() - self.began) / 60

    def left(self):
        """Which part of the training, 1 to 0"""
        return 1 - (self.spent() / self.minutes if self.minutes else self.step / self.updates if self.updates else 1)

    def rate(self):
        return self.lr * min(1, (self.step + 1) / self.warmup, max(self.left() / self.fall, .02))

    def update(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.params, 1.)
        rate = self.rate()
        for group in self.adam.param_groups:
            group["lr"] = rate
        self.adam.step()
        self.muon.step(rate)
        for p in self.params:
            p.grad = None
        self.step += 1
        torch._foreach_lerp_(self.mean, [p.detach() for p in self.params],
                             max(1 - self.ema, 1 / (self.step + 1)))

    def averaged(self):
        """A context in which the model has the mean of its weights."""
        return _Averaged(self)

    def save(self, path):
        state = {"model": self.model.state_dict(), "mean": self.mean, "adam": self.adam.state_dict(),
                 "muon": self.muon.state(), "step": self.step, "spent": self.spent(),
                 "random": torch.get_rng_state()}
        torch.save(state, path + ".tmp")
        os.replace(path + ".tmp", path)

    def load(self, path):
        state = torch.load(path, weights_only=False)
        self.model.load_state_dict(state["model"])
        self.adam.load_state_dict(state["adam"])
        self.muon.load(state["muon"])
        for mean, saved in zip(self.mean, state["mean"]):
            mean.copy_(saved)
        self.step, self.began = state["step"], time.time() - 60 * state["spent"]
        torch.set_rng_state(state["random"])


class _Averaged:
    def __init__(self, learner):
        self.learner = learner

    @torch.no_grad()
    def swap(self):
        for p, mean in zip(self.learner.params, self.learner.mean):
            kept = p.detach().clone()
            p.copy_(mean)
            mean.copy_(kept)

    def __enter__(self):
        self.swap()

    def __exit__(self, *_):
        self.swap()
