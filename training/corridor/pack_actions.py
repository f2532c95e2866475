"""Put a trained world of camera moves into the one folder that the SDK loads: f16 weights, configurations, tokenizer.

    TO/config.json  tokenizer.json  source.png
    TO/transformer  config.json  diffusion_pytorch_model.safetensors.index.json and its two shards
    TO/vae          config.json  diffusion_pytorch_model.safetensors
    TO/scheduler    scheduler_config.json
    TO/vision_encoder  model.safetensors

`svc world serve --backend actionworld --model TO` serves it. Vision encoder, projector and the language half's output
belong to a whole folder of this kind but are never run by a world: here they are small and untrained.
"""
import argparse
import json
import os
import re
import shutil
import tempfile

import torch

from action_transformer import CONFIG
from action_world import ActionWorld
from evaluate import Test, paint, psnr
from evaluate_actions import Truth
from pack import write_json
from weights import load_safetensors, packed, save_safetensors

WEIGHTS = "diffusion_pytorch_model"
# Names of the autoencoder's weights: ours (those of Wan 2.2), then those of Diffusers.
NAMES = [(r"^conv1\.", "quant_conv."), (r"^conv2\.", "post_quant_conv."), (r"^(encoder|decoder)\.conv1\.", r"\1.conv_in."),
         (r"\.head\.0\.", ".norm_out."), (r"\.head\.2\.", ".conv_out."), (r"\.middle\.0\.", ".mid_block.resnets.0."),
         (r"\.middle\.1\.", ".mid_block.attentions.0."), (r"\.middle\.2\.", ".mid_block.resnets.1."),
         (r"\.downsamples\.(\d+)\.downsamples\.\d+\.(resample|time_conv)", r".down_blocks.\1.downsampler.\2"),
         (r"\.upsamples\.(\d+)\.upsamples\.\d+\.(resample|time_conv)", r".up_blocks.\1.upsampler.\2"),
         (r"\.downsamples\.(\d+)\.downsamples\.(\d+)\.", r".down_blocks.\1.resnets.\2."),
         (r"\.upsamples\.(\d+)\.upsamples\.(\d+)\.", r".up_blocks.\1.resnets.\2."),
         (r"\.residual\.0\.", ".norm1."), (r"\.residual\.2\.", ".conv1."), (r"\.residual\.3\.", ".norm2."),
         (r"\.residual\.6\.", ".conv2."), (r"\.shortcut\.", ".conv_shortcut.")]
SEEN = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_channels": 3,
        "num_patches": 256, "patch_size": 16}
PROJECTED = {"input_hidden_size": 16, "merger_intermediate_size": 64, "out_hidden_size": CONFIG["hidden_size"],
             "spatial_merge_size": 2, "use_postshuffle_norm": False}
SCHEDULER = {"_class_name": "UniPCMultistepScheduler", "num_train_timesteps": 1000, "solver_order": 2, "solver_type": "bh2",
             "prediction_type": "flow_prediction", "predict_x0": True, "use_flow_sigmas": True, "flow_shift": 3.0,
             "lower_order_final": True, "final_sigmas_type": "zero"}


def diffusers_name(name):
    for ours, theirs in NAMES:
        name = re.sub(ours, theirs, name)
    return name


def vision_weights():
    """An untrained vision encoder of one layer, and its projector"""
    torch.manual_seed(0)
    out, d, inner = {}, SEEN["hidden_size"], SEEN["intermediate_size"]

    def affine(name, outputs, *inputs):
        out[name + ".weight"] = torch.randn(outputs, *inputs) * inputs[-1] ** -.5 if inputs else torch.ones(outputs)
        out[name + ".bias"] = torch.zeros(outputs)
    visual, layer = "model.visual.", "model.visual.encoder.layers.0."
    affine(visual + "embeddings.patch_embedding", d, SEEN["num_channels"] * SEEN["patch_size"] ** 2)
    out[visual + "embeddings.position_embedding.weight"] = torch.randn(SEEN["num_patches"], d) * .02
    for name in ("layer_norm1", "layer_norm2"):
        affine(layer + name, d)
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        affine(layer + "self_attn." + name, d, d)
    affine(layer + "mlp.fc1", inner, d)
    affine(layer + "mlp.fc2", d, inner)
    affine(visual + "post_layernorm", d)
    merged = d * PROJECTED["spatial_merge_size"] ** 2
    affine("model.projector.norm", d)
    affine("model.projector.linear_fc1", PROJECTED["merger_intermediate_size"], merged)
    affine("model.projector.linear_fc2", PROJECTED["out_hidden_size"], PROJECTED["merger_intermediate_size"])
    return out


def whole_transformer(trained):
    """With what a world never runs: the language half's norm and output, and the output of actions"""
    domains, inputs, width = CONFIG["num_embodiment_domains"], CONFIG["action_dim"], CONFIG["hidden_size"]
    return {**trained, "norm.weight": torch.ones(width), "lm_head.weight": trained["embed_tokens.weight"],
            "action_proj_out.fc.weight": torch.zeros(domains, width * inputs),
            "action_proj_out.bias.weight": torch.zeros(domains, inputs)}


def save_shards(folder, tensors):
    """Two files of about the same size, and the index that says what is where"""
    total, done, parts = sum(t.numel() for t in tensors.values()), 0, ({}, {})
    for name, tensor in tensors.items():
        parts[2 * done >= total][name] = tensor
        done += tensor.numel()
    names, parts = [f"{WEIGHTS}-0000{i}-of-00002.safetensors" for i in (1, 2)], [packed(part) for part in parts]
    for name, part in zip(names, parts):
        save_safetensors(os.path.join(folder, name), part, None)
    where = {key: name for name, part in zip(names, parts) for key in part}
    size = sum(tensor.nbytes for part in parts for tensor in part.values())
    index = {"metadata": {"total_size": size}, "weight_map": where}
    write_json(os.path.join(folder, WEIGHTS + ".safetensors.index.json"), index)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--world", default="out-actions", help="folder of train_actions.py")
    p.add_argument("--vae", default="../../models/corridor-nano",
                   help="packed world that lends its autoencoder and first picture")
    p.add_argument("--to", default="world-actions", help="folder to ship")
    p.add_argument("--steps", type=int, default=2, help="denoising steps where a session does not say how many")
    p.add_argument("--pictures", default="plain", choices=["plain", "furnished"], help="what it was trained on")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    paint(a.pictures)
    for part in ("transformer", "vae", "scheduler", "vision_encoder"):
        os.makedirs(os.path.join(a.to, part), exist_ok=True)
    with open(os.path.join(a.vae, "base", "config.json")) as file:
        base = json.load(file)
    write_json(os.path.join(a.to, "config.json"), {
        "vision_config": SEEN, "projector_config": PROJECTED, "default_steps": a.steps,
        **{key: base[key] for key in ("default_width", "default_height", "default_fps", "default_prompt")}})
    write_json(os.path.join(a.to, "transformer", "config.json"), CONFIG)
    write_json(os.path.join(a.to, "scheduler", "scheduler_config.json"), SCHEDULER)
    vae = base["vae"]
    write_json(os.path.join(a.to, "vae", "config.json"), {
        "base_dim": vae["dim"], "decoder_base_dim": vae["dec_dim"], "z_dim": vae["z_dim"], "dim_mult": vae["dim_mult"],
        "num_res_blocks": vae["num_res_blocks"], "temperal_downsample": vae["temperal_downsample"], "is_residual": True,
        "patch_size": 2, "in_channels": 12, "out_channels": 12, "scale_factor_spatial": 16, "scale_factor_temporal": 4,
        "latents_mean": base["latents_mean"], "latents_std": base["latents_std"]})
    weights = load_safetensors(os.path.join(a.vae, "base", "vae.safetensors"))
    named = {diffusers_name(k): w for k, w in weights.items()}
    save_safetensors(os.path.join(a.to, "vae", WEIGHTS + ".safetensors"), named, "F16")
    save_safetensors(os.path.join(a.to, "vision_encoder", "model.safetensors"), vision_weights(), "F16")
    shutil.copyfile(os.path.join(a.vae, "base", "source.png"), os.path.join(a.to, "source.png"))
    shutil.copyfile(os.path.join(a.world, "tokenizer.json"), os.path.join(a.to, "tokenizer.json"))
    trained = load_safetensors(os.path.join(a.world, "transformer.safetensors"))
    assert all(w.isfinite().all() and w.abs().max() < 65504 for w in trained.values())
    save_shards(os.path.join(a.to, "transformer"), whole_transformer(trained))
    with tempfile.TemporaryDirectory() as rounded:
        save_safetensors(os.path.join(rounded, "transformer.safetensors"), packed(trained), None)
        shutil.copyfile(os.path.join(a.world, "tokenizer.json"), os.path.join(rounded, "tokenizer.json"))
        before, after = ActionWorld(a.world, a.vae, a.steps), ActionWorld(rounded, a.vae, a.steps)
        truth, names = Truth(Test(4, "bright", 777), before.size), ["forward", "yawRight", "strafeLeft"]
        real = truth.frames(names)
        one, two = (w.walk(real[:, 0], truth.rows(names), truth.captions, 0)[0] for w in (before, after))
    print(f"8 bits against f32: {psnr(one, two).mean():.1f} dB; against the truth {psnr(one, real)[:, 1:].mean():.2f} dB (f32) "
          f"and {psnr(two, real)[:, 1:].mean():.2f} dB (8 bits)")


if __name__ == "__main__":
    main()
