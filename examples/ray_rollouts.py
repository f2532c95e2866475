"""Makes a dataset of walks on a fleet from Ray Data, over HTTP alone.

    pip install "ray[data]"
    svc gateway serve --join nats://127.0.0.1:4222 &   # and workers, see docs/fleet.md
    python examples/ray_rollouts.py walks out

Ray makes the specs and reads the results; the fleet makes the walks. Run it again and it resumes where it stopped.
"""

import hashlib
import json
import os
import sys
import time
import urllib.request
from pathlib import Path

GATEWAY = os.environ.get("SVC_URL", "http://127.0.0.1:8790")


def ask(path: str, data: bytes | None = None) -> bytes:
    headers = {"content-type": "application/x-ndjson"}
    if key := os.environ.get("SVC_API_KEY"):
        headers["authorization"] = f"Bearer {key}"
    with urllib.request.urlopen(urllib.request.Request(GATEWAY + path, data, headers)) as answer:
        return answer.read()


def spec(row: dict) -> dict:
    n = int(row["id"])
    keys = ["w", "wl", "l", "wj", "j", "s"][n % 6]
    body = {"id": f"walk-{n:06}", "prompt": "a corridor", "action_seq": [keys], "num_output_frames": 6, "seed": n}
    return {"spec": json.dumps(body)}


def submit(batch: dict, dataset: str) -> dict:
    ask(f"/v1/rollouts/{dataset}", "\n".join(batch["spec"]).encode())
    return batch


def fetch(row: dict, dataset: str, folder: str) -> dict:
    path = Path(folder) / f"{row['item']}.mp4"
    if not path.exists():
        video = ask(f"/v1/rollouts/{dataset}/items/{row['item']}/video")
        if hashlib.sha256(video).hexdigest() != row["video"]["sha256"]:
            raise ValueError(f"{row['item']} came with another hash")
        part = path.with_suffix(".part")
        part.write_bytes(video)
        part.replace(path)
    return {"item": row["item"], "path": str(path), "pixels_sha256": row["pixels_sha256"]}


def main(dataset: str, folder: str, count: int = 1000) -> None:
    import ray

    Path(folder).mkdir(parents=True, exist_ok=True)
    specs = ray.data.range(count).map(spec)
    specs.map_batches(submit, batch_size=500, concurrency=1, fn_args=(dataset,)).materialize()
    while True:
        status = json.loads(ask(f"/v1/rollouts/{dataset}"))
        print(f"{status['done']} of {status['rollouts']} are done, {status['failed']} have failed")
        if status["waiting"] + status["running"] == 0:
            break
        time.sleep(5)
    lines = ask(f"/v1/rollouts/{dataset}/results").decode().splitlines()
    done = [result for result in map(json.loads, lines) if result["phase"] == "done"]
    videos = ray.data.from_items(done).map(fetch, fn_args=(dataset, folder))
    videos.write_json(f"local://{Path(folder).resolve()}/index")


if __name__ == "__main__":
    main(*sys.argv[1:3])
