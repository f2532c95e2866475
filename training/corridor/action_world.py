"""A trained world of camera moves, run as a session runs it: every move begins with the last picture of the one before."""
import os

import torch

import messages
import scenes as SC
from action_transformer import CONFIG, ActionTransformer, Text
from moves import load_vae
from uni_pc import sample
from weights import load_safetensors


class ActionWorld:
    """folder: transformer.safetensors and tokenizer.json of train_actions.py; vae_root: the world that lent its VAE"""

    def __init__(self, folder, vae_root, steps):
        self.vae, self.mean, self.std, self.size = load_vae(vae_root)
        self.net, self.steps = ActionTransformer(CONFIG).eval(), steps
        self.net.load_state_dict(load_safetensors(os.path.join(folder, "transformer.safetensors")))
        self.tokenize = messages.MessageTokenizer.load(os.path.join(folder, "tokenizer.json"))

    def text(self, captions, fps=16):
        return Text([self.tokenize(messages.message(c, fps=fps)) for c in captions], [fps] * len(captions), CONFIG, [side // 32 for side in self.size])

    @torch.no_grad()
    def make(self, picture, rows, captions, noise):
        """One move: pictures uint8 [n,H,W,3], rows [n,16,9], noise [n,z,4,h,w] -> frames uint8 [n,17,H,W,3], latents"""
        text = self.text(captions)
        first = (self.vae.encode(SC.to_float(picture[:, None])) - self.mean) / self.std
        seen = self.net.read(text)
        tell = lambda x, t: self.net.step(torch.cat([first, x], 2), torch.full((len(x),), float(t)), rows, text, seen)
        z = torch.cat([first, sample(tell, noise, self.steps)], 2)
        frames = torch.cat([SC.to_uint8(self.vae.decode(part * self.std + self.mean)) for part in z.split(8)])
        frames[:, 0] = picture
        return frames, z

    def walk(self, picture, moves, captions, seed):
        """Moves one after the other, each [n,16,9] -> frames [n,16 * moves + 1,H,W,3], latents [n,z,5 * moves,h,w]"""
        generator, frames, latents = torch.Generator().manual_seed(seed), [picture[:, None]], []
        h, w = (side // 16 for side in self.size)
        for rows in moves:
            noise = torch.randn(len(picture), self.mean.shape[1], 4, h, w, generator=generator)
            clip, z = self.make(frames[-1][:, -1], rows, captions, noise)
            frames.append(clip[:, 1:])
            latents.append(z)
        return torch.cat(frames, 1), torch.cat(latents, 2)

    @torch.no_grad()
    def reconstruct(self, clips):
        """Clips through the autoencoder and back"""
        out = [SC.to_uint8(self.vae.decode(self.vae.encode(SC.to_float(part)))) for part in clips.split(8)]
        return torch.cat(out)
