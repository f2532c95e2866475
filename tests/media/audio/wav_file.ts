/** WAV files for tests. */

export interface WavOptions {
  readonly tag: number;
  readonly bits: number;
  readonly channels?: number;
  readonly sampleRate?: number;
  /** Puts the tag into the extensible form. */
  readonly extensible?: boolean;
  /** Chunks before the samples. */
  readonly before?: readonly (readonly [id: string, bytes: number])[];
  /** What the header says of the size of the samples; the truth when left out. */
  readonly size?: number;
  readonly id?: "RIFF" | "RF64";
}

/** A WAV file around the bytes of its samples. */
export function wavFile(samples: Uint8Array, options: WavOptions): Uint8Array {
  const { tag, bits, channels = 1, sampleRate = 16_000, extensible = false, before = [], id = "RIFF" } = options;
  const frame = channels * Math.ceil(bits / 8);
  const format = [
    ...u16(extensible ? 0xfffe : tag),
    ...u16(channels),
    ...u32(sampleRate),
    ...u32(sampleRate * frame),
    ...u16(frame),
    ...u16(bits),
    ...extensible ? [...u16(22), ...u16(bits), ...u32(0), ...u16(tag), ...new Array(14).fill(0)] : [],
  ];
  const wide = id === "RF64"
    ? chunk("ds64", [...u32(0), ...u32(0), ...u32(samples.length), ...new Array(16).fill(0)])
    : [];
  const head = [
    ...wide,
    ...before.flatMap(([name, count]) => chunk(name, new Array(count).fill(0x41))),
    ...chunk("fmt ", format),
    ...letters("data"),
    ...u32(options.size ?? samples.length),
  ];
  const riff = options.size === undefined ? 4 + head.length + samples.length : 0;
  const bytes = new Uint8Array(12 + head.length + samples.length);
  bytes.set([...letters(id), ...u32(riff), ...letters("WAVE"), ...head]);
  bytes.set(samples, 12 + head.length);
  return bytes;
}

/** A chunk, filled up to an even size. */
export function chunk(id: string, contents: readonly number[]): number[] {
  return [...letters(id), ...u32(contents.length), ...contents, ...contents.length % 2 ? [0] : []];
}

/** 16-bit samples. */
export function pcm16(values: readonly number[]): Uint8Array {
  return new Uint8Array(Int16Array.from(values, (v) => Math.round(Math.max(-1, Math.min(v, 1)) * 32_767)).buffer);
}

export function letters(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

function u16(value: number): number[] {
  return [value & 255, value >> 8];
}

function u32(value: number): number[] {
  return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
}
