/** What a card can do by its data sheet: dense TFLOP/s of 16-bit products in tensor cores, of 32-bit ones, and GB/s. */
export interface Peaks {
  readonly half: number;
  readonly single: number;
  readonly bandwidth: number;
}

/** By a part of the name; the first that fits. */
const CARDS: readonly (readonly [RegExp, Peaks])[] = [
  [/H200/i, { half: 989, single: 67, bandwidth: 4800 }],
  [/H100.*PCIe/i, { half: 756, single: 51, bandwidth: 2000 }],
  [/H100/i, { half: 989, single: 67, bandwidth: 3350 }],
  [/A100/i, { half: 312, single: 19.5, bandwidth: 2039 }],
  [/L40S/i, { half: 362, single: 91.6, bandwidth: 864 }],
  [/RTX 4090/i, { half: 165, single: 82.6, bandwidth: 1008 }],
  [/RTX 3090/i, { half: 71, single: 35.6, bandwidth: 936 }],
];

/** The peaks of a card (NVIDIA's data sheets, without sparsity); undefined for one that is not listed. */
export function peaksOf(card: string): Peaks | undefined {
  return CARDS.find(([name]) => name.test(card))?.[1];
}
