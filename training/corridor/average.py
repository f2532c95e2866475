"""The mean of several states of one training, weight by weight: less error than any of them.

  python average.py out-1 out-2 out-3 --to out               # each has dit.safetensors and t5.safetensors
  python average.py finished init --shares 3 1 --networks vae --to out

States of one training lie in one basin, and what a high learning rate leaves of noise in each cancels out (stochastic
weight averaging, https://arxiv.org/abs/1803.05407).
"""
import argparse
import os

from weights import load_safetensors, save_safetensors


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("states", nargs="+", help="folders")
    p.add_argument("--shares", nargs="+", type=float, help="how much each counts (default: all the same)")
    p.add_argument("--networks", nargs="+", default=["dit", "t5"], help="names of the files in each folder")
    p.add_argument("--to", default="out", help="folder of the mean")
    a = p.parse_args()
    shares = a.shares or [1.] * len(a.states)
    if len(shares) != len(a.states):
        p.error(f"{len(a.states)} folders need as many shares, not {len(shares)}")
    os.makedirs(a.to, exist_ok=True)
    for name in a.networks:
        states = [load_safetensors(os.path.join(folder, name + ".safetensors")) for folder in a.states]
        mean = {k: sum(share * s[k] for share, s in zip(shares, states)) / sum(shares) for k in states[0]}
        save_safetensors(os.path.join(a.to, name + ".safetensors"), mean)


if __name__ == "__main__":
    main()
