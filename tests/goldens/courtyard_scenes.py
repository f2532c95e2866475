"""Makes courtyard_scenes.json: walks through courtyards as the trainer's renderer shows them.

  python tests/goldens/courtyard_scenes.py OUT && deno run -A tests/goldens/pack.ts OUT

The walks go around the well, along an arcade, into a corner and look up and down; pictures are of their last frame.
"""
import base64
import json
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "training", "corridor"))
import courtyard as CY                                               # noqa: E402
import scenes as SC                                                  # noqa: E402

WIDTH, HEIGHT = 21, 14
CASES = [                                                            # stone, hue, well, light, yaw, x, z, actions
    ("sandstone", "blue", "copper", "day", .1, .4, -3.6, ["w"]),
    ("granite", "orange", "stone", "dusk", -.1, -1.0, -2.6, ["w", "w", "wl"] * 8),
    ("brick", "white", "copper", "day", 2.2, -3.5, 2.0, ["w", "wd"] * 12),
    ("marble", "teal", "stone", "dusk", 4.0, 3.0, 3.1, ["d"] * 14 + ["i"] * 9),
    ("marble", "red", "stone", "day", -1.7, 2.0, .3, ["w"] * 10 + ["k"] * 12),
    ("sandstone", "green", "copper", "dusk", .8, -4.3, -4.1, ["s", "wa"] * 6),
]


def scene_of(stone, hue, well, light):
    colour = lambda table, name: torch.tensor([table[name]])
    return {"stone": colour(CY.STONES, stone), "hue": colour(SC.HUES, hue), "well": colour(CY.WELLS, well),
            "day": torch.tensor([float(light == "day")]), "stone_id": [CY.STONE_NAMES.index(stone)],
            "hue_id": [SC.NAMES.index(hue)], "well_id": [CY.WELL_NAMES.index(well)],
            "light_id": [CY.LIGHT_NAMES.index(light)]}


def main(out):
    cases = []
    for *names, yaw, x, z, actions in CASES:
        scene = scene_of(*names)
        rotation, place, _ = SC.integrate([actions], *(torch.tensor([v]) for v in (yaw, x, z)), CY.slide)
        tensors = {key: scene[key] for key in ("stone", "hue", "well", "day")}
        frame = CY.render(tensors, rotation[:, -1:], place[:, -1:], HEIGHT, WIDTH)[0, 0]
        cases.append({**dict(zip(("stone", "hue", "well", "daytime"), names)), "caption": CY.caption(scene, 0),
                      "yaw": yaw, "x": x, "z": z, "actions": actions,
                      "position": [round(v, 5) for v in place[0, -1].tolist()],
                      "frame": base64.b64encode(frame.numpy().tobytes()).decode()})
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "courtyard_scenes.json"), "w") as file:
        json.dump({"width": WIDTH, "height": HEIGHT, "speed": SC.SPEED, "cases": cases}, file)


if __name__ == "__main__":
    main(sys.argv[1])
