"""Makes image_resize.safetensors with Pillow itself: python image_resize.py PICTURES OUT

    pip install pillow==12.3.0 safetensors numpy

PICTURES is a safetensors file with pictures in.0 ... [height, width, 3] that are cropped to the sizes below.
"""
import json
import sys

import numpy as np
from PIL import Image
from safetensors.numpy import load_file, save_file

# Enlarged, reduced, one each, unchanged, odd, and a little of everything: [height, width] to [width, height].
CASES = [
    ((60, 100), (128, 96)), ((150, 220), (64, 48)), ((120, 64), (80, 48)),
    ((48, 64), (64, 48)), ((37, 53), (64, 48)), ((45, 80), (128, 80)),
]


def main(pictures, out):
    given = load_file(pictures)
    tensors = {}
    for i, ((height, width), target) in enumerate(CASES):
        picture = np.ascontiguousarray(given[f"in.{i}"][:height, :width])
        assert picture.shape == (height, width, 3)
        tensors[f"in.{i}"] = picture
        tensors[f"out.{i}"] = np.asarray(Image.fromarray(picture).resize(target, Image.Resampling.BILINEAR))
    save_file(tensors, out, {
        "kind": "image_resize",
        "config": json.dumps({"targets": [target for _, target in CASES], "sources": [size for size, _ in CASES]}),
        "source": "Pillow 12.3.0 Image.resize(BILINEAR), the resize used by the released script through torchvision",
        "seed": "synthetic",
        "description": "pictures stretched to (width, height), antialiased: exact bytes",
        "tolerance": "exact bytes",
        "f16_outputs": "[]",
    })


if __name__ == "__main__":
    main(*sys.argv[1:])
