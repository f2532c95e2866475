/**
 * The model API as a service without HTTP: models by name, chats, embeddings, reranking, loaded models. Store, clock,
 * engines and client files are injected.
 *
 * @module
 */
export type * from "../../engines/contract/chat_engine.ts";
export type { EngineCounters } from "../../engines/contract/language_model.ts";
export type * from "../../engines/contract/model_profile.ts";
export type { StartModel } from "./api_runtime.ts";
export type { BenchmarkSummary, BenchmarkTotals, ModelBenchmark } from "./benchmark_stats.ts";
export type { CacheStats, Reported } from "./request_stats.ts";
export { type ImageFile, MAX_CHAT_IMAGE_BYTES, type ReadImage } from "./chat_images.ts";
export type { ChatEvents, ChatReply, PreparedChat } from "./chat_service.ts";
export { type LastRequest, lastRequest } from "./request_stats.ts";
export * from "./model_api.ts";
export type { ModelApiOptions } from "./model_api_options.ts";
export type { ModelEntry } from "./model_list.ts";
export type { FrontEndInfo, Modality, ModelListEntry, OpenAiCompatibility, VoiceEntry } from "./model_list.ts";
export type { Capability, ProcessStatus, RuntimeReport } from "./runtime_report.ts";
export type { PreparedSpeech } from "./audio/speech_service.ts";
export type { MakeSoundFolder, RealtimeClient } from "./realtime/realtime_service.ts";
export type { RealtimeSession } from "./realtime/realtime_session.ts";
export type { SettingsRecord } from "./settings_service.ts";
export { MAX_TEXT_BYTES, MAX_TEXTS } from "./text/text_requests.ts";
export type { VisionAnswer, WireArtifact } from "./vision/vision_answer.ts";
export { visionActions, visionPaths, type VisionRoute } from "./vision/vision_fields.ts";
export type * from "./vision/vision_files.ts";
export type { PreparedVision } from "./vision/vision_service.ts";
export type { PreparedTranscription, TranscriptionForm } from "./audio/transcription_service.ts";
export type { PreparedCompletion } from "./text/completion_service.ts";
export type { PromptAnswer, TokenPiece } from "./text/prompt_service.ts";
export type { EmbeddingList, PreparedTexts, RerankList } from "./text/text_services.ts";
