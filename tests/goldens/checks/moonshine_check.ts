/** Check of Moonshine, where its files are available. */
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { openMoonshine } from "../../../lib/engines/transcription/moonshine/open_onnx_moonshine_model.ts";
import { floats } from "../../../lib/engines/transcription/speech_decoder.ts";
import { moonshineFiles } from "../../support/moonshine_files.ts";
import { type Golden, GoldenSkip } from "../golden.ts";

interface SpokenCase {
  readonly text: string;
  readonly samples: number;
}

/** Waves to tokens and text; what the encoder gives by its direction. */
export async function checkMoonshine(golden: Golden): Promise<void> {
  const files = await moonshineFiles();
  if (!files.ok) {
    throw new GoldenSkip(`needs the recogniser's files: ${files.reason}; SVC_MOONSHINE can name their folder`);
  }
  const names = Object.keys(golden.config.asset_sha256 as object);
  const model = await openMoonshine(openModelFolder(files.folder, names), { device: "cpu", threads: 1 });
  try {
    for (const [i, { text }] of (golden.config.cases as SpokenCase[]).entries()) {
      const wave = golden.input(`${i}.wave`).data;
      const { hidden } = await model.encode(wave);
      golden.judge(`${i}.encoder`, 1 - cosine(floats(hidden), golden.expected(`${i}.encoder`).data), 1e-3);
      const found = await model.recognise(wave, 448, new AbortController().signal);
      golden.compare(`${i}.tokens`, found.tokens, 0);
      golden.check(`${i}.text`, [Number(found.text === text)], [1], 0);
    }
  } finally {
    await model.close();
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return NaN;
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
