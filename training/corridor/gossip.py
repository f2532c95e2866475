"""Several trainers that share what they learn, without ever waiting for each other.

Two threads of one process wait for each other at every layer; on a machine where other work takes a core away that
makes two threads slower than one. So start the same command twice with one thread each and `--worker 0 --workers 2`,
`--worker 1 --workers 2`: from time to time each writes its weights to a file and moves to the mean of all that are
alive. A torn read mixes two neighbouring steps of the other and does no harm.
"""
import os
import time

import numpy as np
import torch


class Gossip:
    def __init__(self, folder, name, params, worker, workers, every=20):
        self.params, self.worker, self.workers, self.every = list(params), worker, workers, every
        size = sum(p.numel() for p in self.params)
        self.paths = [os.path.join(folder, f"gossip-{name}-{i}.bin") for i in range(workers)]
        if workers > 1:
            np.zeros(size, np.float32).tofile(self.paths[worker])
            self.flat = np.memmap(self.paths[worker], np.float32, "r+")
            self.count = 0
            others = self.read_others()
            if others:                                                # they have begun: join them where they are
                self.write(sum(others) / len(others))

    @torch.no_grad()
    def step(self):
        if self.workers < 2:
            return
        self.count += 1
        if self.count % self.every:
            return
        mine = torch.cat([p.detach().reshape(-1) for p in self.params]).cpu()
        self.flat[:] = mine.numpy()
        os.utime(self.paths[self.worker])
        others = self.read_others()
        if others:
            self.write((mine + sum(others)) / (1 + len(others)))

    def read_others(self):
        """Weights of the trainers that wrote within the last minutes."""
        out = []
        for path in self.paths:
            if path == self.paths[self.worker] or not os.path.exists(path):
                continue
            if os.path.getsize(path) == self.flat.nbytes and os.path.getmtime(path) > time.time() - 600:
                flat = torch.from_numpy(np.fromfile(path, np.float32))
                if flat[:1000].any():                                 # zeros: started, not yet written
                    out.append(flat)
        return out

    @torch.no_grad()
    def write(self, flat):
        offset = 0
        for p in self.params:
            p.copy_(flat[offset:offset + p.numel()].view(p.shape))
            offset += p.numel()
