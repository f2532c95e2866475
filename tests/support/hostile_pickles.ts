import { global } from "./pickle_bytes.ts";

const MILLION = 2 ** 20;

/** `first` once, then `again` as often as `bytes` bytes have room for. */
function repeated(first: readonly number[], again: readonly number[], bytes: number): Uint8Array<ArrayBuffer> {
  const pickle = new Uint8Array(bytes);
  pickle.set(first);
  for (let at = first.length; at + again.length <= bytes; at += again.length) pickle.set(again, at);
  return pickle;
}

/** Pickles that ask for more objects and entries than a model has, by what they ask for. */
export function hostilePickles(): readonly (readonly [what: string, pickle: Uint8Array<ArrayBuffer>])[] {
  const list = (
    length: number,
    item: readonly number[],
  ) => [0x28, ...Array.from({ length }, () => item).flat(), 0x6c, 0x71, 0, 0x30];
  const pair = [0x4e, 0x4e, 0x86];
  const ordered = [...global("collections.OrderedDict"), 0x71, 1, 0x30];
  const size = [...global("torch.Size"), 0x71, 1, 0x30];
  const device = [...global("torch.device"), 0x71, 1, 0x30];
  const call = [0x68, 1, 0x68, 0, 0x85, 0x52, 0x30];
  const spread = [0x68, 1, 0x68, 0, 0x52, 0x30];
  return [
    ["dictionaries", repeated([], [0x7d], MILLION)],
    ["sets", repeated([], [0x8f], MILLION)],
    ["one value under many numbers", repeated([0x4e], [0x94], 13 * MILLION)],
    ["a number far away", repeated([0x4e], [0x72, 255, 255, 255, 255], MILLION)],
    ["marks", repeated([], [0x28], 13 * MILLION)],
    ["nothing, and nothing else", repeated([], [0x4e], 13 * MILLION)],
    ["a dictionary of many pairs, again and again", repeated([...list(50_000, pair), ...ordered], call, 2 * MILLION)],
    ["a size of many axes, again and again", repeated([...list(100_000, [0x4e]), ...size], call, 2 * MILLION)],
    ["a device of many names, again and again", repeated([...list(200, [0x4b, 1]), ...device], spread, 2 * MILLION)],
  ];
}
