/**
 * Response headers of diffusion models.
 *
 * @module
 */
import type { WireDiffusion } from "./chat_wire.ts";

/** The statistics as response headers; the time of the first draft only if there was one. */
export function diffusionHeaders(diffusion: WireDiffusion): Record<string, string> {
  const { seed, canvasTokens, denoisingSteps, workTokens, workTokensPerSecond, firstDraftSeconds } = diffusion;
  return {
    "x-svc-diffusion-seed": String(seed),
    "x-svc-diffusion-canvas-tokens": String(canvasTokens),
    "x-svc-diffusion-denoising-steps": String(denoisingSteps),
    "x-svc-diffusion-work-tokens": String(workTokens),
    "x-svc-diffusion-work-tokens-per-second": workTokensPerSecond.toFixed(3),
    ...firstDraftSeconds === undefined ? {} : { "x-svc-diffusion-first-draft-seconds": firstDraftSeconds.toFixed(3) },
  };
}
