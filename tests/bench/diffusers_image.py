"""The tiny image model in diffusers with all cores, as JSON milliseconds: what `bench.ts` compares with."""
import json
import pathlib
import sys

import torch
from diffusers import Flux2KleinPipeline

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from stopwatch import median_ms  # noqa: E402


@torch.no_grad()
def main():
    folder, prompt, width, height, steps = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    pipe = Flux2KleinPipeline.from_pretrained(folder, torch_dtype=torch.float32, local_files_only=True)
    pipe.set_progress_bar_config(disable=True)
    count = 0

    def image():
        nonlocal count
        count += 1
        return pipe(
            prompt=f"{prompt} {count}", width=width, height=height, num_inference_steps=steps, guidance_scale=1.0,
            generator=torch.Generator().manual_seed(count), text_encoder_out_layers=(1, 2, 3), output_type="np",
        ).images

    print(json.dumps({"image": median_ms(image)}))


main()
