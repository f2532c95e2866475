"""Weights that pack.py has packed, as what the two stages begin with: the way back.

  python unpack.py --from ../../models/image-corridor-nano --out out

Writes out/autoencoder.pt, and out/first.pt for `train_transformer.py --init`. Rows of the token table are matched by
token, so captions.py may have got new words since; theirs are drawn anew.
"""
import argparse
import json
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "corridor"))
import captions as C                                                 # noqa: E402
from autoencoder import Autoencoder                                  # noqa: E402
from train_transformer import ImageModel                             # noqa: E402
from weights import load_safetensors                                 # noqa: E402

TABLE = "model.embed_tokens.weight"


def rows_of(folder):
    """Tokens of a packed tokenizer -> their rows"""
    with open(os.path.join(folder, "tokenizer", "tokenizer.json")) as file:
        packed = json.load(file)
    return packed["model"]["vocab"] | {token["content"]: token["id"] for token in packed["added_tokens"]}


def load(folder, tokenizer):
    """-> autoencoder, image model"""
    read = lambda name: load_safetensors(os.path.join(folder, name + ".safetensors"))
    autoencoder = Autoencoder()
    autoencoder.load_state_dict(read("vae/diffusion_pytorch_model"))
    model = ImageModel(4 * autoencoder.config["latent_channels"], tokenizer)
    model.transformer.load_state_dict(read("transformer/diffusion_pytorch_model"))
    text, before = read("text_encoder/model"), rows_of(folder)
    table = model.text_encoder.state_dict()[TABLE].clone()
    for token, row in (tokenizer.row | tokenizer.controls).items():
        if token in before:
            table[row] = text[TABLE][before[token]]
    model.text_encoder.load_state_dict(text | {TABLE: table})
    return autoencoder, model


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--from", dest="folder", required=True)
    p.add_argument("--out", default="out")
    a = p.parse_args()
    torch.manual_seed(1)
    os.makedirs(a.out, exist_ok=True)
    tokenizer = C.Tokenizer()
    autoencoder, model = load(a.folder, tokenizer)
    torch.save(autoencoder.state_dict(), os.path.join(a.out, "autoencoder.pt"))
    torch.save(model.state_dict(), os.path.join(a.out, "first.pt"))
    before = rows_of(a.folder)
    new = [token for token in tokenizer.row if token not in before]
    print(len(tokenizer.row) - len(new), "tokens kept,", len(new), "new")


if __name__ == "__main__":
    main()
