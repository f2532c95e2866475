/**
 * What layers lose, as a table.
 *
 * @module
 */
import { HALF_ROUNDING } from "../../goldens/half_tolerance.ts";
import type { HalfError, LayerError } from "./layer_errors.ts";

/** The worst of the same layer in several blocks. */
export interface FamilyError extends LayerError {
  readonly count: number;
}

/** Headings of {@linkcode layerRows}. */
export const HEADINGS: readonly string[] = [
  ...["layer", "in", "largest", "alone: max abs", "rel. L2", "of largest"],
  ...["chain: max abs", "rel. L2", "of largest", "depth", "growth"],
];

/** Difference in the chain in units of the expected growth, see `half_tolerance.ts`. */
export function growthOf({ chained, depth }: LayerError): number {
  return chained.ofLargest / (HALF_ROUNDING * Math.sqrt(1 + depth));
}

/** A line for each layer of all blocks together, every number the worst of them. */
export function worstOfFamilies(layers: readonly LayerError[]): (FamilyError & { readonly growth: number })[] {
  const families = Map.groupBy(layers, ({ name }) => familyOf(name));
  return Array.from(families, ([name, members]) => {
    const most = (number: (layer: LayerError) => number) => Math.max(...members.map(number));
    const worst = (part: "alone" | "chained"): HalfError => ({
      maxAbs: most((layer) => layer[part].maxAbs),
      relative: most((layer) => layer[part].relative),
      ofLargest: most((layer) => layer[part].ofLargest),
    });
    return {
      ...{ name, count: members.length, largest: most(({ largest }) => largest), depth: most(({ depth }) => depth) },
      ...{ alone: worst("alone"), chained: worst("chained"), growth: most(growthOf) },
    };
  });
}

/** The cells of each line. */
export function layerRows(layers: readonly (FamilyError & { readonly growth?: number })[]): string[][] {
  return layers.map((layer) => [
    layer.name,
    `${layer.count}`,
    `${Number(layer.largest.toPrecision(3))}`,
    ...cells(layer.alone),
    ...cells(layer.chained),
    `${layer.depth}`,
    (layer.growth ?? growthOf(layer)).toFixed(2),
  ]);
}

function cells({ maxAbs, relative, ofLargest }: HalfError): string[] {
  return [maxAbs, relative, ofLargest].map((x) => x.toExponential(1));
}

/** A layer's name without the number of its block; stages of an autoencoder keep theirs. */
function familyOf(name: string): string {
  return name
    .replace(/\b(blocks|layers|middle)\.\d+/, "$1.*")
    .replace(/((?:up|down)samples\.\d+\.(?:up|down)samples)\.\d+/, "$1.*")
    .replace(/residual\.\d+/, "residual.*");
}
