/**
 * Engines of local models: what a language model is to the chat protocol, chats with it, and answers that keep to a
 * schema. Files, processes and native libraries are given to it.
 *
 * @module
 */
export type * from "./chat_engine.ts";
export { ChatModel, type ChatRandom } from "./chat_model.ts";
export type * from "./engine_settings.ts";
export { GrammarConstrainer, type XGrammarModule } from "./grammar_constrainer.ts";
export type * from "./language_model.ts";
export type * from "./model_files.ts";
export * from "./model_profile.ts";
export { type TriedDevice } from "./onnx_sessions/open_session.ts";
export { checkSchema, type OutputGrammar, outputGrammar } from "./output_grammar/output_grammar.ts";
export type { SchemaObject } from "./output_grammar/schema_rules.ts";
export type * from "./token_constraint.ts";
