"""Judge the world of camera moves by the ray-caster's truth, on scenes that no training saw.

  python evaluate_actions.py --world out-actions --light bright --report out-actions/eval.txt --sheets out-actions/eval

Only a first picture, rows of actions and the prompt go in; moves are chained as a session chains them. Starts and noise
come from the seed, so two worlds are comparable when the other arguments are the same.
"""
import argparse
import time

import torch

import scenes as SC
from action_world import ActionWorld
from evaluate import Test, colour, motion_match, paint, psnr, sharpness
from moves import MOVES, OPPOSITE, ROWS, move_rows, walk

LONG = ("forward forward yawRight forward yawLeft forward strafeLeft forward strafeRight lookUp lookDown backward "
        "yawLeft forward yawRight forward hold forward backward forward").split()
BACK = {name: OPPOSITE[name] for name in ("yawRight", "forward", "strafeRight", "lookUp")}


def chunk(i):
    """The new frames of move i"""
    return slice(ROWS * i + 1, ROWS * (i + 1) + 1)


class Truth:
    def __init__(self, test, size):
        self.test, self.size = test, size
        yaw, x, z = test.start
        self.captions = test.captions
        self.rotation, self.place = SC.rot_y(yaw), torch.stack([x, torch.zeros_like(x), z], -1)

    def rows(self, names):
        return [move_rows(name).expand(len(self.captions), -1, -1) for name in names]

    def frames(self, names):
        """Names of moves -> frames uint8 [n,16 * moves + 1,H,W,3]"""
        rotation, place = walk(torch.cat(self.rows(names), 1), self.rotation, self.place)
        return SC.render_clips(self.test.scenes, rotation, place, *self.size)


def single_moves(world, truth, say, sheets):
    """Every move three times, from the same starts"""
    real = torch.stack([truth.frames([name] * 3) for name in MOVES])
    made = torch.stack([world.walk(real[i, :, 0], truth.rows([name] * 3), truth.captions, i)[0]
                        for i, name in enumerate(MOVES)])
    again = torch.stack([world.reconstruct(clips[:, :ROWS + 1]) for clips in real])
    quality, bound = psnr(made, real), psnr(again, real[:, :, :ROWS + 1])
    still = psnr(real[:, :, :1], real)
    say("PSNR (dB)     move 1: generated / VAE / first picture kept    generated in moves 2, 3")
    for i, name in enumerate([*MOVES, "all"]):
        part = slice(None) if name == "all" else slice(i, i + 1)
        first, second, third = (quality[part][:, :, chunk(j)].mean() for j in range(3))
        say(f"{name:12s} {first:6.2f} / {bound[part][:, :, 1:].mean():.2f} / {still[part][:, :, chunk(0)].mean():.2f}    "
            f"{second:.2f}, {third:.2f}")
    for label, score in (("PSNR", lambda x, y: psnr(x, y)[:, 1:].mean(1)), ("motion", motion_match)):
        for last in (ROWS + 1, 3 * ROWS + 1):
            count = len(MOVES)
            table = torch.stack([torch.stack([score(made[i][:, :last], real[j][:, :last]) for j in range(count)], -1)
                                 for i in range(count)])                                # made, scene, candidate
            best, own = table.argmax(-1), torch.arange(count)[:, None]
            errors = [f"{MOVES[i]}>{MOVES[j]}" for i, row in enumerate(best.tolist()) for j in row if i != j]
            say(f"adherence by {label}, {last} frames: {(best == own).float().mean():.3f}; "
                f"taken for another: {' '.join(errors) or 'none'}")
    if sheets:
        columns = [0, 4, 8, 12, 16, 24, 32, 40, 48]
        for s in range(2):
            SC.write_png(f"{sheets}-moves-{s}.png",
                         SC.contact_sheet([v[i, s, columns].numpy() for i in range(len(MOVES)) for v in (real, made)]))


def holds(world, truth, say):
    start = truth.frames(["hold"])[:, 0]
    made, _ = world.walk(start, truth.rows(["hold"]), truth.captions, 5)
    again = world.reconstruct(start[:, None].expand(-1, ROWS + 1, -1, -1, -1))
    far = lambda x: (x[:, 1:].float() - start[:, None].float()).abs().mean()
    say(f"hold: mean difference to the first picture {far(made):.2f} of 255, of the VAE alone {far(again):.2f}; "
        f"from frame to frame {(made[:, 2:].float() - made[:, 1:-1].float()).abs().mean():.2f}")


def out_and_back(world, truth, say):
    for name, back in BACK.items():
        real = truth.frames([name, back])
        made, _ = world.walk(real[:, 0], truth.rows([name, back]), truth.captions, 7)
        say(f"{name} and back: last picture to the first {psnr(made[:, -1], made[:, 0]).mean():.1f} dB, "
            f"farthest {psnr(made[:, ROWS], made[:, 0]).mean():.1f}, truth does {psnr(real[:, -1], real[:, 0]).mean():.1f}")


def drift(world, truth, say, sheets):
    real = truth.frames(LONG)
    made, latents = world.walk(real[:, 0], truth.rows(LONG), truth.captions, 9)
    ratio = lambda f, s: f(made[:, s]) / f(real[:, s])
    contrast = lambda x: x.float().std(dim=(2, 3)).mean().item()
    mean = lambda x: x.float().mean((1, 2, 3))
    say(f"{len(LONG)} moves, finite: {bool(latents.isfinite().all())}, largest latent {latents.abs().max():.1f}")
    for i in (0, 4, 9, 14, 19):
        s = chunk(i)
        off = (mean(made[:, s]) - mean(real[:, s])).abs().mean()
        say(f"move {i + 1:2d}: PSNR {psnr(made[:, s], real[:, s]).mean():.1f}, contrast {ratio(contrast, s):.2f}, sharpness "
            f"{ratio(sharpness, s):.2f}, saturation {ratio(colour, s):.2f}, mean colour off by {off:.1f} of 255, "
            f"latent std {latents[:, :, 5 * i:5 * i + 5].std():.2f}")
    if sheets:
        columns = list(range(0, real.shape[1], ROWS))
        rows = [v[i, columns].numpy() for i in range(min(4, len(real))) for v in (real, made)]
        SC.write_png(f"{sheets}-drift.png", SC.contact_sheet(rows, scale=1))


def step_counts(world, truth, say, counts=(1, 2, 3, 4, 6, 8, 12, 20)):
    """How many denoising steps are worth their time: three moves along a corner"""
    names, kept = ["forward", "yawRight", "strafeLeft"], world.steps
    real = truth.frames(names)
    for world.steps in counts:
        made, _ = world.walk(real[:, 0], truth.rows(names), truth.captions, 3)
        quality = psnr(made, real)
        say(f"{world.steps:2d} steps: " + ", ".join(f"{quality[:, chunk(i)].mean():.2f}" for i in range(3))
            + f" dB in moves 1 to 3, sharpness {sharpness(made[:, 1:]) / sharpness(real[:, 1:]):.2f}")
    world.steps = kept


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="out-actions", help="folder of train_actions.py")
    p.add_argument("--vae", default="../../models/corridor-nano", help="packed world whose autoencoder is used")
    p.add_argument("--steps", type=int, default=2)
    p.add_argument("--light", default="bright", choices=list(SC.LIGHTS))
    p.add_argument("--pictures", default="plain", choices=["plain", "furnished"], help="what is in the corridors")
    p.add_argument("--scenes", type=int, default=12)
    p.add_argument("--quick", action="store_true", help="single moves only")
    p.add_argument("--report", default="", help="file that receives the text as well")
    p.add_argument("--sheets", default="", help="prefix of contact sheets (truth above, generated below)")
    p.add_argument("--seed", type=int, default=777)
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    paint(a.pictures)
    lines, began = [], time.time()

    def say(text):
        print(text, flush=True)
        lines.append(text)
        if a.report:
            with open(a.report, "w") as file:
                file.write("\n".join(lines) + "\n")
    world = ActionWorld(a.world, a.vae, a.steps)
    truth = Truth(Test(a.scenes, a.light, a.seed), world.size)
    say(f"{a.scenes} {a.light} scenes, seed {a.seed}, {a.steps} steps")
    single_moves(world, truth, say, a.sheets)
    if not a.quick:
        holds(world, truth, say)
        out_and_back(world, truth, say)
        drift(world, truth, say, a.sheets)
        step_counts(world, truth, say)
    say(f"{time.time() - began:.0f} s")


if __name__ == "__main__":
    main()
