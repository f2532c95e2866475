/**
 * Which test files run in which step of `npm test`. Every one runs on Node, most of them by default. On Deno run by default
 * those that touch the platform, and in the step `deno-more` the others, except for `onNodeOnly`, `networks` and
 * `kernels`.
 */

/** Files that compare times: they run when nothing else does. */
export const alone = [
  "tests/api/http/hostile_bodies_test.ts",
  "tests/http/multipart/multipart_parser_test.ts",
  "tests/platform/listen_test.ts",
  "tests/project/expressions_test.ts",
  "tests/servers/event_connection_test.ts",
  "tests/servers/speech_process_test.ts",
  "tests/world/http/hostile_bodies_test.ts",
];

/**
 * Whole networks on a GPU that software plays, and whole models whose answers are judged one by one: minutes, while every
 * operator of theirs, and each engine with a smaller model, is in the default steps.
 */
export const networks = [
  "tests/app/images/embedded_images_test.ts",
  "tests/engines/gguf_text/images/gguf_images_test.ts",
  "tests/engines/gguf_text/images/gguf_projectors_test.ts",
  "tests/engines/gguf_text/token_chooser_test.ts",
  "tests/engines/onnx_text/device_kv_test.ts",
  "tests/examples/walk_cloud_test.ts",
  "tests/models/actionworld/actionworld_on_webgpu_test.ts",
  "tests/models/actionworld/corridor_nano_actions_test.ts",
  "tests/models/arworld/arworld_on_webgpu_test.ts",
  "tests/models/flux2/goldens_on_webgpu_test.ts",
  "tests/models/flux2/quantized_pipeline_test.ts",
  "tests/models/vision/goldens_on_webgpu_test.ts",
  "tests/proof/gpu/packed_proof_test.ts",
];

/**
 * Kernels of large products and of attention, some with loops that stand for the matrices of a GPU: software takes up to
 * ten seconds to compile each. Every operator on small tensors is in the default steps.
 */
export const kernels = [
  "tests/compute/webgpu/attention_kernels_test.ts",
  "tests/compute/webgpu/load_weight_test.ts",
  "tests/compute/webgpu/matrix_kernels_test.ts",
  "tests/compute/webgpu/matrix_tiles_test.ts",
  "tests/compute/webgpu/tiles_test.ts",
  "tests/compute/webgpu/unchecked_test.ts",
];

/** Those of both that Deno runs too, in the step `deno-more`. */
export const alsoOnDeno = [
  "tests/compute/webgpu/load_weight_test.ts",
  "tests/compute/webgpu/matrix_kernels_test.ts",
  "tests/compute/webgpu/tiles_test.ts",
  "tests/compute/webgpu/unchecked_test.ts",
  "tests/engines/gguf_text/images/gguf_images_test.ts",
  "tests/engines/gguf_text/images/gguf_projectors_test.ts",
  "tests/engines/onnx_text/device_kv_test.ts",
  "tests/models/actionworld/corridor_nano_actions_test.ts",
];

/**
 * Whether a file is long and adds little on a second runtime: what a whole model computes is the sum of operators, which
 * are compared on both, a protocol over virtual time is arithmetic, and each kind of server starts in other files too.
 * It runs on Node.
 */
export const onNodeOnly = (/** @type {string} */ file) =>
  [
    "tests/app/images/image_server_test.ts",
    "tests/app/real_models/real_models_test.ts",
    "tests/app/shared_engine_test.ts",
    "tests/cli/transcribe_command_test.ts",
    "tests/cli/vision_command_test.ts",
    "tests/clients/openai_node_test.ts",
    "tests/fleet/fleet_test.ts",
    "tests/fleet/schedules_test.ts",
    "tests/engines/speech/english_phonemes_test.ts",
    "tests/engines/speech/hibari_model_test.ts",
    "tests/engines/speech/round_trip_test.ts",
    "tests/engines/speech/turns_of_a_voice_test.ts",
    "tests/engines/transcription/moonshine_test.ts",
    "tests/engines/transcription/whisper_test.ts",
    "tests/eval/corridor_judge_test.ts",
    "tests/eval/courtyard_judge_test.ts",
    "tests/models/arworld/corridor_nano_test.ts",
    "tests/models/vision/goldens_test.ts",
    "tests/models/vision/open_models_test.ts",
    "tests/servers/kokoro_process_test.ts",
    "tests/servers/same_world_test.ts",
    "tests/servers/speech_process_test.ts",
  ].includes(file);

/**
 * Rooms of what neither a runtime nor a driver changes: both runtimes compute with the same V8, and what a model computes
 * is the sum of operators, which are compared on both.
 */
const arithmetic = [
  "compute/tensor",
  "engines/output_grammar",
  "errors",
  "eval",
  "goldens",
  "json",
  "manifest",
  "models",
  "page",
  "project",
  "proof",
  "protocol",
  "scheduling",
  "site",
  "world/plan",
  "world/protocol",
  "world/session",
];

/**
 * Whether a file runs on Deno in a step of its own, which CI runs: it is arithmetic, or it takes seconds and other files
 * on Deno touch the same of the platform, be it HTTP, processes, sockets, media, the CPU's runtime or the GPU.
 */
export const onDenoWhenNamed = (/** @type {string} */ file) =>
  arithmetic.some((room) => file.startsWith(`tests/${room}/`)) ||
  [
    "tests/api/http/api_fuzz_test.ts",
    "tests/app/sdk/open_models_media_test.ts",
    "tests/cli/open_webui/quickstart_test.ts",
    "tests/cli/plan/plan_command_test.ts",
    "tests/cli/model_pull_world_test.ts",
    "tests/cli/walk/walk_command_test.ts",
    "tests/compute/onnx/lower_conv_test.ts",
    "tests/engines/gguf_text/gguf_families_test.ts",
    "tests/engines/onnx_embedding/embedding_gemma_test.ts",
    "tests/engines/onnx_text/decoder_test.ts",
    "tests/engines/onnx_text/open_onnx_text_model_test.ts",
    "tests/examples/entry_point_pages_test.ts",
    "tests/examples/walk_test.ts",
    "tests/fleet/nats/late_answers_test.ts",
    "tests/fleet/nats/nats_broker_test.ts",
  ].includes(file);
