/**
 * Engines of local models: what a language model is to the chat protocol, chats with it, and answers that keep to a
 * schema. Files, processes and native libraries are given to it.
 *
 * @module
 */
export type * from "./text/chat_engine.ts";
export { ChatModel, type ChatRandom } from "./text/chat_model.ts";
export type * from "./process/engine_settings.ts";
export { GrammarConstrainer, type XGrammarModule } from "./constrained_decoding/grammar_constrainer.ts";
export type * from "./text/language_model.ts";
export type * from "./files/model_files.ts";
export * from "./files/model_profile.ts";
export { type TriedDevice } from "./onnx_sessions/open_session.ts";
export { checkSchema, type OutputGrammar, outputGrammar } from "./output_grammar/output_grammar.ts";
export type { SchemaObject } from "./output_grammar/schema_rules.ts";
export type * from "./constrained_decoding/token_constraint.ts";
