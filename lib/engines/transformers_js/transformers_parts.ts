/**
 * What a language model on transformers.js is made of.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import type { TemplateSources } from "../../protocol/mod.ts";
import type { Constrainer } from "../contract/language_model.ts";
import type { TokenTable } from "../constrained_decoding/token_table.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import type { TransformersFamily } from "./transformers_family.ts";
import type { LibraryModel, LibraryProcessor, TransformersLibrary } from "./transformers_library.ts";

/** The parts of a model. */
export interface TransformersParts {
  readonly library: TransformersLibrary;
  readonly profile: ChatModelProfile;
  readonly family: TransformersFamily;
  readonly template: TemplateSources;
  readonly device: string;
  readonly tokenizer: Tokenizer;
  readonly tokens: TokenTable;
  readonly endTokens: ReadonlySet<number>;
  readonly model: LibraryModel;
  readonly processor: LibraryProcessor | undefined;
  /** What its template writes for an image. */
  readonly imageToken: number | undefined;
  readonly constrainer: Constrainer;
  readonly prefixCache: boolean;
}
