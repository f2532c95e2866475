/**
 * Consistency checks of the transformer's configuration.
 *
 * @module
 */
import type { ActionTransformerConfig } from "./config.ts";

/**
 * One sentence per inconsistent number.
 *
 * @param patchNumbers The length of a patch according to the file.
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
