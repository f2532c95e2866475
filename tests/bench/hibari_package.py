"""Speaks as the package hibari-tts does: each line of input is a text; prints milliseconds to its first and last sound,
and seconds of sound. A line of `ready` comes first."""

import json
import sys
import time

from hibari import SAMPLE_RATE, Hibari

voice = Hibari()
voice("Warm up.")
print("ready", flush=True)
for line in sys.stdin:
    started, first, samples = time.perf_counter(), None, 0
    for part in voice.stream(json.loads(line)):
        first = first or time.perf_counter() - started
        samples += len(part)
    times = [1000 * first, 1000 * (time.perf_counter() - started), samples / SAMPLE_RATE]
    print(json.dumps(times), flush=True)
