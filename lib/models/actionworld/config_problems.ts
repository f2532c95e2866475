/**
 * Whether the numbers of the transformer's configuration fit together.
 *
 * @module
 */
import type { ActionTransformerConfig } from "./config.ts";

/**
 * One sentence for every number that does not fit the others.
 *
 * @param patchNumbers What the file says of the length of a patch.
 */
export function transformerProblems(t: ActionTransformerConfig, patchNumbers: number): string[] {
  const problems: string[] = [];
  const expect = (ok: boolean, field: string, is: unknown, expected: string) => {
    if (!ok) problems.push(`transformer/config.json: ${field} is ${is}, expected ${expected}`);
  };
  const width = t.numHeads * t.headDim;
  expect(t.hiddenSize === width, "hidden_size", t.hiddenSize, `${width}: num_attention_heads * head_dim`);
  expect(
    t.numHeads % t.numKeyHeads === 0,
    "num_key_value_heads",
    t.numKeyHeads,
    `a divisor of num_attention_heads ${t.numHeads}`,
  );
  const [time, row, column] = t.ropeAxes;
  expect(
    time + row + column === t.headDim / 2 && row === column && time >= row,
    "rope_axes_dim",
    `[${t.ropeAxes}]`,
    `three numbers with the sum ${t.headDim / 2} (head_dim / 2), the last two equal and not above the first`,
  );
  const patch = t.latentChannels * t.patchSize ** 2;
  expect(patchNumbers === patch, "patch_latent_dim", patchNumbers, `${patch}: latent_channel * latent_patch_size^2`);
  return problems;
}
