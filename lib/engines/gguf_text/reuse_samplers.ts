/**
 * Samplers of llama.cpp that are used again.
 *
 * @module
 */

/** What chooses a token. */
export interface NativeSampler {
  applyConfig(config: Readonly<Record<string, unknown>>): unknown;
  dispose(): void;
}

/** The part of node-llama-cpp's addon that makes them. */
export interface SamplerBindings {
  AddonSampler: new (model: object) => NativeSampler;
}

/** As many as choose tokens at the same time. */
const KEPT = 16;

/** A sampler draws from the beginning again when its seed changes; answers have other ones. */
const OTHER_SEED = 2 ** 32 - 1;

/**
 * node-llama-cpp makes a sampler for every controlled evaluation, with a list of all tokens: 2 MB for 150,000, fresh from
 * the system each time and not given back before garbage is collected. Making it takes a millisecond of each token. So
 * those that are done are kept, with their configuration reset, for the next evaluation of their model.
 *
 * @param llama What `getLlama` returns. Its addon is no public part of it: where it has another form, nothing changes.
 */
export function reuseSamplers(llama: object): void {
  const { _bindings: bindings } = llama as { readonly _bindings?: Partial<SamplerBindings> };
  const Native = bindings?.AddonSampler;
  if (bindings === undefined || typeof Native !== "function" || reusing.has(Native)) return;
  const kept: { readonly model: object; readonly sampler: NativeSampler; readonly destroy: () => void }[] = [];
  const Reused = new Proxy(Native, {
    construct(target, [model]: [object]) {
      const at = kept.findLastIndex((one) => one.model === model);
      if (at >= 0) return kept.splice(at, 1)[0].sampler;
      const sampler = new target(model);
      const destroy = sampler.dispose.bind(sampler);
      const keep = (): void => {
        if (kept.some((one) => one.sampler === sampler)) return;
        sampler.applyConfig({ seed: OTHER_SEED });
        kept.push({ model, sampler, destroy });
        if (kept.length > KEPT) kept.shift()?.destroy();
      };
      return Object.defineProperty(sampler, "dispose", { value: keep });
    },
  });
  reusing.add(Reused);
  bindings.AddonSampler = Reused;
}

const reusing = new WeakSet<object>();
