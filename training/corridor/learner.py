"""How networks learn here: two optimisers, a moving average of the weights, other trainers, and going on after a stop."""
import contextlib
import math
import os
import time

import torch

from muon import Muon

WARM_UP = 100                                     # steps until the learning rate is at its height
DECAY = .4                                        # share of the steps in which it falls again


class Learner:
    """The parameters `named` in training.

    `matrices` names those that get an orthogonalised momentum, `groups` are AdamW's of the rest. `layer` is the class of
    the repeated layers: its forward is compiled while learning (2.6 times faster steps on a CPU).
    """

    def __init__(self, named, matrices, groups, layer, gossip, lr, ema, device="cpu"):
        self.named, self.layer, self.gossip, self.lr, self.ema, self.device = named, layer, gossip, lr, ema, device
        self.average = {k: v.detach().clone() for k, v in named.items()}
        self.muon = Muon([named[k] for k in matrices]) if matrices else None
        self.adam = torch.optim.AdamW(groups, lr=lr, betas=(.9, .98), fused=True)
        self.eager = layer.forward
        if device != "cpu":
            torch.set_float32_matmul_precision("high")
        torch._dynamo.config.recompile_limit = 64
        self.fast = torch.compile(self.eager, dynamic=False)
        self.steps, self.spent = 0, 0.            # steps and minutes

    def amp(self):
        return torch.autocast(self.device.split(":")[0], torch.bfloat16)

    @contextlib.contextmanager
    def averaged(self):
        """Inside: no gradients, eager layers, the averaged weights."""
        current = {k: v.detach().clone() for k, v in self.named.items()}
        with torch.no_grad():
            torch._foreach_copy_(list(self.named.values()), list(self.average.values()))
            self.layer.forward = self.eager
            with self.amp():
                yield
            self.layer.forward = self.fast
            torch._foreach_copy_(list(self.named.values()), list(current.values()))

    def learn(self, loss_of, share):
        """One step down the loss that loss_of() gives; `share` of the steps is done."""
        lr = self.lr * min(1, (self.steps + 1) / WARM_UP) * min(1, .02 + max(0, 1 - share) / DECAY)
        for group in self.adam.param_groups:
            group["lr"] = lr
        self.layer.forward = self.fast
        loss = loss_of()
        for p in self.named.values():
            p.grad = None
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.named.values(), 1.)
        self.adam.step()
        if self.muon:
            self.muon.step(lr)
        self.gossip.step()
        self.steps += 1
        keep = min(self.ema, self.steps / (self.steps + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.named.values()), 1 - keep)
        return loss.detach()

    def save(self, path):
        state = {"named": self.named, "average": self.average, "adam": self.adam.state_dict(),
                 "muon": self.muon.state() if self.muon else None, "steps": self.steps, "spent": self.spent}
        torch.save(state, path + ".tmp")
        os.replace(path + ".tmp", path)

    def resume(self, path):
        state = torch.load(path, map_location=self.device)
        with torch.no_grad():
            for k, v in self.named.items():
                v.copy_(state["named"][k])
                self.average[k].copy_(state["average"][k])
        self.adam.load_state_dict(state["adam"])
        if self.muon:
            self.muon.load(state["muon"])
        self.steps, self.spent = state["steps"], state["spent"]

    def run(self, a, name, loss_of, evaluate, save, every=lambda: None):
        """Learn for a.updates: loss_of(share), evaluate() -> words for the log, save(); every() after 50 steps each.

        The schedule follows steps, so that other work on the machine costs time and nothing else; on a machine that is
        there for some time only, a.minutes ends it and bends the schedule.

        Only worker 0 evaluates and saves.
        """
        log = open(os.path.join(a.out, f"{name}{a.worker}.log"), "a")
        losses, saved, began = [], self.spent, time.time() - self.spent * 60

        def report(what):
            line = (f"{what} {self.steps} min {self.spent:.1f} "
                    f"loss {torch.stack(losses).mean() if losses else 0:.4f} {evaluate()}")
            losses.clear()
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()
        while self.steps < a.updates and self.spent < a.minutes and not (a.until and time.strftime("%H:%M") >= a.until):
            share = max(self.steps / a.updates, self.spent / a.minutes)
            losses.append(self.learn(lambda: loss_of(share), share))
            self.spent = (time.time() - began) / 60
            if self.steps in (5, 50):
                print(f"step {self.steps} at {self.spent:.2f} min", flush=True)
            if self.steps % 50 == 0:
                every()
            if a.worker == 0 and (self.steps % a.eval_every == 0 or self.steps == 100):
                report("step")
            if a.worker == 0 and self.spent - saved > a.save_every:
                save()
                saved = self.spent
        if a.worker == 0:
            save()
            report("end")


def shared_arguments(p):
    """What every training on cached latents is told"""
    p.add_argument("--updates", type=int, default=3000, help="the learning rate reaches its end with them")
    p.add_argument("--minutes", type=float, default=math.inf, help="or with this time, whichever comes first")
    p.add_argument("--until", default="", metavar="HH:MM", help="stop at this time, to go on later with --resume")
    p.add_argument("--resume", action="store_true", help="go on where the last run in --out stopped")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--worker", type=int, default=0, help="this trainer's number, see gossip.py")
    p.add_argument("--workers", type=int, default=1, help="how many trainers run; number 0 evaluates and saves")
    p.add_argument("--save-every", type=float, default=3, help="minutes between checkpoints")
    p.add_argument("--seed", type=int, default=0)
