"""Transcribes as the package moonshine-voice does: each line of input is the path of a WAV file; prints the milliseconds
that it takes and the text. A line of `ready` comes first."""

import json
import sys
import time

from moonshine_voice import ModelArch, Transcriber
from moonshine_voice.utils import get_model_path, load_wav_file

transcriber = Transcriber(str(get_model_path("tiny-en")), ModelArch.TINY)
print("ready", flush=True)
for line in sys.stdin:
    started = time.perf_counter()
    samples, rate = load_wav_file(json.loads(line))
    transcript = transcriber.transcribe_without_streaming(samples, rate)
    text = " ".join(one.text for one in transcript.lines)
    print(json.dumps([1000 * (time.perf_counter() - started), text]), flush=True)
