/**
 * Decodes the latents of a clip as they become ready.
 *
 * @module
 */
import { f32 } from "../../compute/tensor/mod.ts";
import { type DecoderHistory, releaseAll } from "../world/device_state.ts";
import type { FrameDecoder } from "../video_vae/frame_decoder.ts";

/** The frames of one latent. */
export interface ClipFrames {
  /** RGB, 0 to 255 and not rounded, [count,H,W,3]. */
  readonly data: Float32Array;
  /** Number of frames. */
  readonly count: number;
}

/** Options of {@linkcode decodeClip}. */
export interface DecodeClipOptions {
  /** Stops the work between two latents, or inside one where the device can be stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called for the first latent with one frame, then for every other with four. */
  readonly onFrames: (frames: ClipFrames) => void;
}

/**
 * Decodes the known first latent [z,h,w] and the others [N,z,h,w], one after another: shown frames never change when
 * more follow. `decoder` takes one latent per call.
 *
 * @throws the signal's reason when it aborts before the last part of a latent's run.
 */
export async function decodeClip(
  decoder: FrameDecoder,
  first: Float32Array,
  others: Float32Array,
  { signal, onFrames }: DecodeClipOptions,
): Promise<void> {
  let history: DecoderHistory | undefined;
  try {
    for (let i = 0; i <= others.length / first.length; i++) {
      signal?.throwIfAborted();
      const latent = i === 0 ? first : others.subarray((i - 1) * first.length, i * first.length);
      const past = history;
      history = undefined; // which the decoder lets go of as it goes
      const { frames, count, history: next } = await decoder.decode(f32(decoder.shape, latent), past, signal);
      history = next;
      onFrames({ data: frames, count });
    }
  } finally {
    releaseAll(history?.values() ?? []);
  }
}
