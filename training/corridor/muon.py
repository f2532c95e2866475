"""An optimiser for matrices (and for convolutions seen as matrices): momentum, made orthogonal."""
import torch


def orthogonalise(g, steps=5):
    """Newton-Schulz: the nearest matrix with all singular values about 1; g [n, rows <= cols]."""
    x = g.bfloat16()
    x = x / (x.float().norm(dim=(1, 2), keepdim=True) + 1e-7).to(x)
    for _ in range(steps):
        s = x @ x.mT
        x = 3.4445 * x + torch.baddbmm(s, s, s, beta=-4.7750, alpha=2.0315) @ x
    return x.float()


class Muon:
    """Momentum whose update is made orthogonal; matrices of one shape are handled together.

    The factor .2 sqrt(larger side) gives updates of AdamW's size, so both share one learning rate.
    """

    def __init__(self, params, momentum=0.95, decay=0.01):
        self.momentum, self.decay, self.groups = momentum, decay, []
        shapes = {}
        for p in params:
            shapes.setdefault(tuple(sorted((p.shape[0], p[0].numel()))), []).append(p)
        for shape, members in shapes.items():
            self.groups.append((shape, members, torch.zeros(len(members), *shape, device=members[0].device)))

    @torch.no_grad()
    def step(self, lr):
        for (rows, cols), members, buffer in self.groups:
            wide = [p.shape[0] <= p[0].numel() for p in members]
            flat = [p.grad.flatten(1) for p in members]
            grad = torch.stack([g if w else g.mT for g, w in zip(flat, wide)])
            buffer.lerp_(grad, 1 - self.momentum)
            update = orthogonalise(grad.lerp(buffer, self.momentum)) * (0.2 * cols ** 0.5)
            torch._foreach_mul_(members, 1 - lr * self.decay)
            update = [(u if w else u.mT).reshape(p.shape) for u, p, w in zip(update, members, wide)]
            torch._foreach_add_(members, update, alpha=-lr)

    def state(self):
        return [buffer for _, _, buffer in self.groups]

    def load(self, state):
        for (_, _, buffer), saved in zip(self.groups, state):
            buffer.copy_(saved)
