import { prepareAtOnce } from "../../lib/engines/onnx_encoder/token_sequence.ts";
import type { OperationEngine } from "../../lib/engines/contract/chat_engine.ts";
import type { ModelProfile } from "../../lib/engines/contract/model_profile.ts";
import { embed, rerank } from "../../lib/engines/onnx_encoder/encoder_operations.ts";
import {
  handle,
  type Operation,
  type OperationHandler,
  type OperationHandlers,
  type OperationListener,
} from "../../lib/engines/contract/operation.ts";
import { FakeProcess } from "./fake_process.ts";

/** An engine whose operations are functions of the test. */
export class FakeOperationEngine extends FakeProcess implements OperationEngine {
  readonly kind = "operations";
  readonly profile: ModelProfile;
  readonly inputs: unknown[] = [];
  failure: unknown;
  readonly #handlers: OperationHandlers;

  constructor(profile: ModelProfile, handlers: OperationHandlers) {
    super();
    this.profile = profile;
    this.#handlers = handlers;
  }

  async perform<Input, Event, Output>(
    { name }: Operation<Input, Event, Output>,
    input: Input,
    { onEvent, onProgress, folder = "" }: OperationListener<Event>,
    signal: AbortSignal,
  ): Promise<Output> {
    this.inputs.push(input);
    if (this.failure) throw this.failure;
    const call = {
      signal,
      folder,
      prepare: prepareAtOnce,
      progress: (fraction: number, stage: string) => onProgress?.(fraction, stage),
      send: async (event: Event) => {
        signal.throwIfAborted();
        await onEvent?.(event);
      },
    };
    return await (this.#handlers[name] as unknown as OperationHandler<Input, Event, Output>)(input, call);
  }
}

/** Vectors that encode the length of each text, and scores that the texts name. */
export const fakeOperations: OperationHandlers = {
  ...handle(embed, ({ texts }) =>
    Promise.resolve({
      vectors: texts.map((text) => Float32Array.of(text === "NaN" ? NaN : text.length, 0.5, -1)),
      promptTokens: texts.join("").length,
    })),
  ...handle(rerank, ({ query, texts }) =>
    Promise.resolve({
      scores: texts.map((text) => text === "NaN" ? NaN : Number(text) || 0),
      promptTokens: query.length + texts.length,
    })),
};
