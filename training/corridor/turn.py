"""A turn: what some minutes of a machine allow, from a state in files to the next one.

Data, noise and every choice follow from the seed and the number of the update, so nothing but counters has to be kept for
a training to go on as if it had not stopped. A turn ends in time for its evaluation and its state, also at a signal, and
writes its state now and then meanwhile.
"""
import concurrent.futures
import hashlib
import math
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time

import torch

import places as P
import scenes as SC
from state import read_state

WARM_UP, DECAY = 100, .5                          # updates of rising learning rate; share of a last turn in which it falls


def shared_arguments(p, state):
    p.add_argument("--state", default=state, help="folder of the state: where it goes on, and what it writes")
    p.add_argument("--world", default="turns/world", help="folder of the networks for evaluate.py and pack.py, as f16")
    p.add_argument("--places", default="corridor,courtyard", help="names with commas between")
    p.add_argument("--seconds", type=float, default=540, help="of the whole command")
    p.add_argument("--updates", type=int, default=10**9, help="or so many in this turn, whichever comes first")
    p.add_argument("--last", action="store_true", help="let the learning rate fall in this turn")
    p.add_argument("--width", type=int, default=384, help="a multiple of 64")
    p.add_argument("--height", type=int, default=256, help="a multiple of 64")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", choices=["cpu", "cuda"])
    p.add_argument("--compile", type=int, default=-1, help="0: eager (default: compiled on a GPU, else eager)")
    p.add_argument("--ahead", type=int, default=-1, help="processes that draw walks ahead (default: 4 on a GPU, else none)")
    p.add_argument("--threads", type=int, default=1, help="two wait for each other where other work has the cores")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--save-every", type=float, default=120, help="seconds between states within the turn")
    p.add_argument("--scenes", type=int, default=4, help="held-out scenes of each place and light in the table at the end")
    p.add_argument("--rehearse", action="store_true", help="two small turns from file to file against one that is twice as long")


def prepare(a):
    """Settings of the machine"""
    a.compile = a.device == "cuda" if a.compile < 0 else bool(a.compile)
    a.ahead = (4 if a.device == "cuda" else 0) if a.ahead < 0 else a.ahead
    a.names = SC.places_of(a.places)
    torch.set_num_threads(a.threads)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    torch._dynamo.config.recompile_limit = 64


def device_name(device):
    return torch.cuda.get_device_name() if device == "cuda" else f"{torch.get_num_threads()} threads of a CPU"


def number(*words):
    """A seed from words; the same everywhere"""
    return int.from_bytes(hashlib.sha256(":".join(map(str, words)).encode()).digest()[:6], "big")


class Faster:
    """A function compiled, or as it is where that is not wanted or fails"""

    def __init__(self, function, wanted):
        self.plain, self.fast = function, torch.compile(function, dynamic=False) if wanted else None

    def __call__(self, *given):
        if self.fast:
            try:
                return self.fast(*given)
            except Exception as error:                               # of the compiler, which has many kinds
                print(f"{getattr(self.plain, '__name__', 'A function')} stays as it is: {str(error).splitlines()[0]}", flush=True)
                self.fast = None
        return self.plain(*given)


# ---------------------------------------------------------------------------------------------- data
def _drawn(place, count, frames, seed):
    torch.set_num_threads(1)
    walk = P.walks(place, count, frames, seed)
    numpy = lambda v: v.numpy() if torch.is_tensor(v) else v
    return {k: {n: numpy(t) for n, t in v.items()} if k == "scenes" else numpy(v) for k, v in vars(walk).items()}


class Feed:
    """Walks of the updates, drawn ahead; their pictures are rendered where the networks learn.

    One core renders some 110 frames of 384x256 a second (of both places), so 16 cores could not feed a GPU.
    """

    def __init__(self, a, what, count, frames_of):
        self.a, self.what, self.count, self.frames_of, self.coming = a, what, count, frames_of, {}
        self.render = {name: Faster(P.PLACES[name].render, a.compile) for name in a.names}
        spawn = multiprocessing.get_context("spawn")
        self.pool = concurrent.futures.ProcessPoolExecutor(a.ahead, spawn) if a.ahead else None

    def wanted(self, step):
        """-> place, count, frames, seed for each place of an update"""
        names = self.a.names
        some = names if self.count >= len(names) else [names[step % len(names)]]
        return [(name, max(1, self.count // len(some)), self.frames_of(step), number(self.a.seed, self.what, step, name))
                for name in some]

    def walks(self, step):
        if not self.pool:
            return [P.walks(*one) for one in self.wanted(step)]
        for ahead in range(step, step + 3 * self.a.ahead):
            if ahead not in self.coming:
                self.coming[ahead] = [self.pool.submit(_drawn, *one) for one in self.wanted(ahead)]
        tensor = lambda v: torch.from_numpy(v) if hasattr(v, "dtype") else v
        return [P.Walk(**{k: {n: tensor(t) for n, t in v.items()} if k == "scenes" else tensor(v)
                          for k, v in one.result().items()}) for one in self.coming.pop(step)]

    def pictures(self, walk, once=2):
        """-> uint8 [n,F,H,W,3] on the device"""
        a = self.a
        return walk.pictures(a.height, a.width, a.device, self.render[walk.place], min(once, len(walk.captions)))

    def close(self):
        if self.pool:
            self.pool.shutdown(wait=False, cancel_futures=True)


# ---------------------------------------------------------------------------------------------- time
def process_age():
    """Seconds since this process began, its imports included; 0 where the system does not say"""
    try:
        with open("/proc/self/stat") as own, open("/proc/uptime") as up:
            began = int(own.read().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
            return float(up.read().split()[0]) - began
    except (OSError, ValueError, IndexError):
        return 0.


class Clock:
    def __init__(self):
        self.began, self.stopped = time.time() - process_age(), False

        def stop(*_):
            self.stopped = True
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, stop)

    def spent(self):
        return time.time() - self.began


def learn(part, a, clock, until):
    """Updates of `part` for this turn, as long as less than `until` seconds of it have passed."""
    first, began, saved, slowest, losses = part.steps, clock.spent(), clock.spent(), 0., []
    entry = part.head["log"][-1]
    while not clock.stopped and part.steps - first < a.updates and clock.spent() + 2 * slowest < until:
        share = max((part.steps - first) / a.updates, (clock.spent() - began) / max(1e-3, until - began))
        fall = min(1, .02 + max(0, 1 - share) / DECAY) if a.last else 1
        torch.manual_seed(number(a.seed, part.stage, part.steps))
        at = clock.spent()
        losses.append(part.update(min(1, (part.steps + 1) / WARM_UP) * fall))
        done = part.steps - first
        if done in (1, 5) or done % 25 == 0 or part.steps - first == a.updates:
            if a.device == "cuda":
                torch.cuda.synchronize()
            mean = torch.stack([torch.stack(pair) for pair in losses]).mean(0).tolist()
            losses.clear()
            entry["curve"].append([part.steps, round(clock.spent(), 1), round(mean[0], 5), round(-10 * math.log10(mean[1] / 4), 3)])
            print(f"update {part.steps} at {clock.spent():.1f} s: loss {mean[0]:.4f}, {entry['curve'][-1][3]:.2f} dB", flush=True)
        if done > 5:
            slowest = max(.9 * slowest, clock.spent() - at)
        if clock.spent() - saved > a.save_every:
            part.save()
            saved = clock.spent()
    entry.update(updates=part.steps - first, learning_s=round(clock.spent() - began, 1), steps=part.steps)


def new_entry(head, a, config):
    """One more turn in the log of a state"""
    head["turns"] = head.get("turns", 0) + 1
    head.setdefault("log", []).append({"turn": head["turns"], "device": device_name(a.device), "places": a.places,
                                       "size": [a.width, a.height], "seed": a.seed, "config": config, "curve": [], "table": []})


def reserve(head, seconds):
    """Seconds that the end of a turn takes: as many as the last time and a third, or a share"""
    known = [e["end_s"] for e in head["log"] if "end_s" in e]
    return max(4., 1.35 * known[-1]) if known else max(4., .1 * seconds)


def finish(part, a, clock, evaluate):
    """State first, then the table, then the state with it"""
    began = clock.spent()
    part.save()
    entry, lines = part.head["log"][-1], []

    def say(line):
        print(line, flush=True)
        lines.append(line)
    evaluate(say)
    entry.update(table=lines, end_s=round(clock.spent() - began, 1), seconds=round(clock.spent(), 1))
    part.save()
    size = [os.path.getsize(os.path.join(part.folder, name)) for name in os.listdir(part.folder)]
    print(f"turn {part.head['turns']}: {entry['updates']} updates, {entry['seconds']} s; state of {sum(size) / 2**20:.1f} MiB "
          f"in {len(size)} files, the largest {max(size) / 2**20:.1f} MiB", flush=True)


# ---------------------------------------------------------------------------------------------- rehearsal
def rehearse(script, stage, updates, options, folder, below=""):
    """Two turns from file to file, each its own process, against one that is twice as long"""
    world, copy = (os.path.join(folder, name) for name in ("world", f"world-{stage}"))
    if os.path.exists(world):
        shutil.copytree(world, copy)

    def turn(state, count, world):
        command = [sys.executable, script, "--state", state, "--updates", str(count), "--world", world, *options]
        subprocess.run(command, check=True)
        return read_state(os.path.join(state, below), stage)
    two, one = (os.path.join(folder, f"{stage}-{name}") for name in ("two", "one"))
    _, halfway = turn(two, updates, world)
    head, after = turn(two, updates, world)
    straight, other = turn(one, 2 * updates, copy)
    norm = lambda x, y: math.sqrt(sum((x[k] - y[k]).square().sum().item() for k in x))
    moved, apart = norm(after["weights"], halfway["weights"]), norm(after["weights"], other["weights"])
    first, last = head["log"][0]["curve"][1][2], head["log"][-1]["curve"][-1][2]       # of updates 2 to 5; of the last ones
    parts = os.path.join(two, below)
    largest = max(os.path.getsize(os.path.join(parts, name)) for name in os.listdir(parts))
    print(f"rehearsal of the {stage}: loss {first:.4f}, then {last:.4f} after {head['steps']} updates; two turns and one of twice "
          f"the length are {apart / moved:.5f} of the second turn's way apart; largest file {largest / 2**20:.2f} MiB", flush=True)
    assert head["steps"] == straight["steps"] == 2 * updates and head["turns"] == 2
    assert apart < .05 * moved, "a training that stopped and went on has gone elsewhere"
    assert last < first and largest <= 16 * 2 ** 20
