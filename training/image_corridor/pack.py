"""Puts what was trained into the folder that the SDK loads, in the layout in which FLUX.2 klein is published.

  python pack.py --out out --to ../../models/image-corridor-nano
"""
import argparse
import json
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "corridor"))
import captions as C                                                 # noqa: E402
from train_transformer import LENGTH, ImageModel                     # noqa: E402
from weights import save_safetensors                                 # noqa: E402
from autoencoder import EPS, Autoencoder                             # noqa: E402

STEPS, GUIDANCE = 28, 3.


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", default="out")
    p.add_argument("--to", required=True)
    p.add_argument("--width", type=int, default=192)
    p.add_argument("--height", type=int, default=128)
    a = p.parse_args()
    tokenizer, autoencoder = C.Tokenizer(), Autoencoder()
    autoencoder.load_state_dict(torch.load(os.path.join(a.out, "autoencoder.pt")))
    model = ImageModel(4 * autoencoder.config["latent_channels"], tokenizer)
    model.load_state_dict(torch.load(os.path.join(a.out, "transformer.pt")))

    def write(path, value):
        path = os.path.join(a.to, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(value if isinstance(value, str) else json.dumps(value, indent=2) + "\n")

    write("model_index.json", {
        "_class_name": "Flux2KleinPipeline", "_diffusers_version": "0.42.1",
        "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen3ForCausalLM"], "tokenizer": ["transformers", "Qwen2TokenizerFast"],
        "transformer": ["diffusers", "Flux2Transformer2DModel"], "vae": ["diffusers", "AutoencoderKLFlux2"],
        "is_distilled": False, "max_sequence_length": LENGTH, "default_steps": STEPS, "default_guidance_scale": GUIDANCE,
        "default_width": a.width, "default_height": a.height, "native_width": a.width, "native_height": a.height,
        "knows": {"what": "corridors and courtyards"}})
    write("scheduler/scheduler_config.json", {
        "_class_name": "FlowMatchEulerDiscreteScheduler", "base_image_seq_len": 256, "base_shift": .5,
        "max_image_seq_len": 4096, "max_shift": 1.15, "num_train_timesteps": 1000, "shift": 3.,
        "time_shift_type": "exponential", "use_dynamic_shifting": True})
    write("text_encoder/config.json", {
        "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False, "hidden_act": "silu",
        "num_hidden_layers": 4, "rms_norm_eps": 1e-6, "tie_word_embeddings": True, **model.text_encoder.config})
    write("transformer/config.json", {
        "_class_name": "Flux2Transformer2DModel", "eps": 1e-6, "guidance_embeds": False, "out_channels": None,
        "patch_size": 1, **model.transformer.config})
    write("vae/config.json", {
        "_class_name": "AutoencoderKLFlux2", "act_fn": "silu", "batch_norm_eps": EPS, "in_channels": 3,
        "mid_block_add_attention": True, "out_channels": 3, "patch_size": [2, 2], "use_post_quant_conv": True,
        "use_quant_conv": True, **autoencoder.config})
    write("tokenizer/tokenizer.json", json.dumps(tokenizer.json(), ensure_ascii=False) + "\n")
    write("tokenizer/tokenizer_config.json", {"pad_token": C.CONTROLS[0], "tokenizer_class": "Qwen2Tokenizer"})
    write("tokenizer/chat_template.jinja", C.TEMPLATE)
    weights = {"text_encoder/model": model.text_encoder, "transformer/diffusion_pytorch_model": model.transformer,
               "vae/diffusion_pytorch_model": autoencoder}
    for path, module in weights.items():
        save_safetensors(os.path.join(a.to, f"{path}.safetensors"), module.state_dict(), "F16")
    total = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(a.to) for name in names)
    print(f"{total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
