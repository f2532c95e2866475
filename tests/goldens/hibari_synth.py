"""Makes hibari_synth.safetensors with the package hibari-tts itself: python hibari_synth.py OUT

    pip install hibari-tts==0.2.1 safetensors numpy
"""
import hashlib
import json
import sys

import numpy as np
from hibari import Hibari, dsp
from safetensors.numpy import save_file

SEED = 7100
CASES = [("Go.", 2.0)]
SPECTRA = ("lh", "theta", "ln", "lr", "phi")


def waveform(spectra, f0, noise):
    """dsp.synth of the package with given noise."""
    lh, theta, ln, lr, phi = spectra
    z = np.ascontiguousarray(noise).view(np.complex64)[..., 0]
    spec = dsp.stft(dsp.pulses(f0), len(f0))
    spec = spec * (np.exp(1j * np.pi * np.tanh(theta)).astype(np.complex64) * dsp.ex(lh))
    spec = spec + dsp.ex(ln) * z + dsp.ex(lr) * np.exp(1j * phi).astype(np.complex64)
    return dsp.ola(spec.astype(np.complex64))


def main(out, cases=CASES):
    tts = Hibari()
    tensors, described = {}, []
    for i, (text, speed) in enumerate(cases):
        (phonemes,) = tts.phonemize(text)
        ids = tts.ids(phonemes)
        given = {"ids": np.asarray([ids], np.int64), "speed": np.asarray([speed], np.float32)}
        *spectra, f0 = (part[0] for part in tts.sess.run(None, given))
        spectra = [part.astype(np.float16) for part in spectra]
        noise = np.random.default_rng(SEED + i).standard_normal((*spectra[0].shape, 2)).astype(np.float16)
        wide = [part.astype(np.float32) for part in spectra]
        tensors[f"in.{i}.ids"] = np.asarray(ids, np.int32)
        tensors[f"in.{i}.noise"] = noise
        for name, part in zip(SPECTRA, spectra):
            tensors[f"out.{i}.{name}"] = part
        tensors[f"out.{i}.f0"] = f0.astype(np.float32)
        tensors[f"out.{i}.pulses"] = dsp.pulses(f0).astype(np.float32)
        tensors[f"out.{i}.waveform"] = waveform(wide, f0, noise.astype(np.float32)).astype(np.float32)
        frames = len(f0)
        described.append({"text": text, "phonemes": phonemes, "speed": speed, "frames": frames, "samples": dsp.HOP * frames})
    with open(tts.model_path, "rb") as file:
        asset = hashlib.sha256(file.read()).hexdigest()
    config = {"cases": described, "asset_sha256": asset, "sample_rate": dsp.SR, "n_fft": dsp.N_FFT, "hop": dsp.HOP}
    save_file(tensors, out, {
        "kind": "hibari_synth",
        "config": json.dumps(config),
        "source": "hibari-tts 0.2.1 (Apache-2.0)",
        "seed": str(SEED),
        "dtype": "float32 reference, CPU, 1 thread",
        "f16_outputs": json.dumps([f"out.{i}.{name}" for i in range(len(cases)) for name in SPECTRA]),
        "description": "ids -> spectra [601,F] and f0 [F] (network of the given sha256); spectra, f0 and noise [601,F,2] "
        "(real, imaginary) as they are stored -> pulse train -> waveform",
        "tolerance": "network: SNR 40 dB for lh, ln, lr, 30 dB for theta, phi, f0 0.5 Hz; pulses 2e-2 on 99.9 % of the "
        "samples; waveform: SNR 60 dB",
    })


if __name__ == "__main__":
    main(sys.argv[1])
