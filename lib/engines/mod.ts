/**
 * Engines of local models: the language model interface, chats, and constrained decoding. Files, processes and native
 * libraries are injected.
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
export type { SchemaObject } from "./output_grammar/schema/schema_rules.ts";
export type * from "./constrained_decoding/token_constraint.ts";
