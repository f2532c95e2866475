/**
 * Every type and code of error, with its HTTP status, what it means and how to go on. `docs/errors.md` is made from it.
 *
 * @module
 */

/** The class of an error, which decides its HTTP status. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "rate_limit_error"
  | "memory_pressure_error"
  | "model_unavailable_error"
  | "server_error";

/** What all codes of a type share. */
export interface ErrorTypeRow {
  /** The HTTP status where a code has none of its own. */
  readonly status: number;
  readonly meaning: string;
}

/** One reason for an error. */
export interface ErrorRow {
  readonly type: ErrorType;
  /** The HTTP status where it is not that of the type. */
  readonly status?: number;
  /** Seconds after which the same request may succeed, for the header `Retry-After`. */
  readonly retryAfter?: number;
  readonly meaning: string;
  /** How to go on. */
  readonly remedy: string;
}

/** All types, in the order of their statuses. */
export const errorTypes: Readonly<Record<ErrorType, ErrorTypeRow>> = {
  invalid_request_error: { status: 400, meaning: "The request itself is invalid; sending it again changes nothing." },
  authentication_error: { status: 401, meaning: "The request has no valid API key." },
  permission_error: { status: 403, meaning: "The request is understood and not allowed." },
  not_found_error: { status: 404, meaning: "What the request names does not exist." },
  conflict_error: { status: 409, meaning: "The request is valid, but not in the present state." },
  rate_limit_error: {
    status: 429,
    meaning: "There are too many requests; the header `Retry-After` says when to retry.",
  },
  server_error: { status: 500, meaning: "The server failed; its log has details under the response's `x-request-id`." },
  memory_pressure_error: { status: 503, meaning: "There is not enough free memory." },
  model_unavailable_error: { status: 503, meaning: "The model cannot be loaded or used." },
};

/** All codes but those of single fields, for which see {@linkcode fieldErrorRow}. */
export const errorTable = {
  // Requests
  audio_damaged: {
    type: "invalid_request_error",
    meaning: "An audio file is truncated or contradicts its header.",
    remedy: "Export the audio again, or send another file.",
  },
  audio_decoder_missing: {
    type: "invalid_request_error",
    meaning: "The server's machine has no decoder for the audio format.",
    remedy: "Convert the audio to WAV, or install ffmpeg or the package that the message names on the server.",
  },
  audio_encoder_missing: {
    type: "invalid_request_error",
    meaning: "The server's machine has no encoder for the audio format.",
    remedy: "Install ffmpeg or the package that the message names on the server, or request `wav`.",
  },
  audio_too_long: {
    type: "invalid_request_error",
    meaning: "The audio is longer than the limit that the message names.",
    remedy: "Split it and send the parts.",
  },
  audio_unsupported: {
    type: "invalid_request_error",
    meaning: "The file is not audio in a supported format.",
    remedy: "Convert it to WAV, FLAC, MP3 or Ogg.",
  },
  body_too_large: {
    type: "invalid_request_error",
    status: 413,
    meaning: "The body exceeds the route's limit, which the message names.",
    remedy: "Send a smaller body.",
  },
  checkpoint_refused: {
    type: "invalid_request_error",
    meaning: "A file of weights is damaged, or holds something other than tensors and plain values.",
    remedy: "Get the file again from where it is published; a file with code in it is not read.",
  },
  client_disconnected: {
    type: "invalid_request_error",
    status: 499,
    meaning: "The client disconnected before the response was complete.",
    remedy: "Send the request again and keep the connection open.",
  },
  preparation_timeout: {
    type: "invalid_request_error",
    meaning: "Messages, tools and schema of a chat, or texts to embed or rank, take too long to turn into tokens.",
    remedy: "Simplify the schema, or shorten what the message names.",
  },
  context_length_exceeded: {
    type: "invalid_request_error",
    meaning: "The prompt or text has more tokens than the model's context; the message has both numbers.",
    remedy: "Shorten the input, or use a model with a longer context. Input is never truncated silently.",
  },
  duplicate_field: {
    type: "invalid_request_error",
    meaning: "A field is given twice, possibly in both spellings.",
    remedy: "Give it once.",
  },
  empty_body: {
    type: "invalid_request_error",
    meaning: "A body that must not be empty is.",
    remedy: "Send the bytes of the image as the body.",
  },
  empty_text: {
    type: "invalid_request_error",
    meaning: "A text has no tokens.",
    remedy: "Send a text that is not empty.",
  },
  expectation_failed: {
    type: "invalid_request_error",
    status: 417,
    meaning: "The header `expect` has another value than `100-continue`.",
    remedy: "Omit the header.",
  },
  headers_too_large: {
    type: "invalid_request_error",
    status: 431,
    meaning: "The headers of a request are larger than the HTTP parser takes.",
    remedy: "Send fewer or shorter headers.",
  },
  image_damaged: {
    type: "invalid_request_error",
    meaning: "An image is truncated or contradicts its header.",
    remedy: "Save the image again, or send another.",
  },
  image_not_found: {
    type: "invalid_request_error",
    meaning: "There is no file at the path of an image, or it cannot be read.",
    remedy: "Check the path, which is resolved on the server's machine.",
  },
  image_too_large: {
    type: "invalid_request_error",
    meaning: "An image, or all images of a request together, has too many bytes or pixels.",
    remedy: "Scale the image down.",
  },
  image_too_thin: {
    type: "invalid_request_error",
    meaning: "The image is so narrow that the requested number of tokens leaves no patch on its short side.",
    remedy: "Ask for more tokens, or crop the image.",
  },
  image_unsupported: {
    type: "invalid_request_error",
    meaning: "The bytes are not in a supported image format.",
    remedy: "Convert the image to PNG, JPEG or WebP.",
  },
  images_not_placed: {
    type: "invalid_request_error",
    meaning: "The model's chat template does not place all images in the prompt.",
    remedy: "Send fewer images, or put them into messages of the user.",
  },
  incomplete_body: {
    type: "invalid_request_error",
    meaning: "The connection ended before the body was complete.",
    remedy: "Send the request again.",
  },
  invalid_checkpoint_id: {
    type: "invalid_request_error",
    meaning: "The id of a checkpoint is not a UUID.",
    remedy: "Use an id from `GET /v1/world/session/checkpoints`.",
  },
  invalid_idempotency_key: {
    type: "invalid_request_error",
    meaning: "The header `Idempotency-Key` is empty, too long or has other characters than visible ASCII.",
    remedy: "Use 1 to 255 visible ASCII characters, such as a UUID.",
  },
  invalid_rollout_spec: {
    type: "invalid_request_error",
    meaning: "A batch rollout cannot be submitted; the message says which line is wrong, and why.",
    remedy: "Correct the line, and submit the file again.",
  },
  invalid_world_id: {
    type: "invalid_request_error",
    meaning: "The id of a world is not a UUID.",
    remedy: "Use an id from `GET /v1/world/session/worlds`.",
  },
  invalid_chunk_index: {
    type: "invalid_request_error",
    meaning: "The index of a chunk is not a whole number.",
    remedy: "Use a `block_index` from the chunks of the job.",
  },
  invalid_content_encoding: {
    type: "invalid_request_error",
    meaning: "The body is not what its `content-encoding` says: it is damaged or ends early.",
    remedy: "Compress the body again, or send it as it is.",
  },
  invalid_id: {
    type: "invalid_request_error",
    meaning: "A model id has characters or a length that are not allowed.",
    remedy: "Use letters, digits, dots and dashes as the message says.",
  },
  invalid_image: {
    type: "invalid_request_error",
    meaning: "An image of a chat cannot be decoded, or the model takes none of its shape.",
    remedy: "Send a PNG, JPEG or WebP that other programs can open; cut an image that is much longer than wide.",
  },
  invalid_job_id: {
    type: "invalid_request_error",
    meaning: "The id of a job is not a UUID.",
    remedy: "Use the `job_id` of the 202 response.",
  },
  invalid_json: {
    type: "invalid_request_error",
    meaning: "The body is not valid JSON in UTF-8, or not an object with a plausible number of fields.",
    remedy: "Send one JSON object.",
  },
  invalid_multipart: {
    type: "invalid_request_error",
    meaning:
      "The body is not a valid form: its boundary is missing, a part is damaged, or it ends before the last boundary.",
    remedy: "Let the HTTP library build the multipart/form-data body and set its content type.",
  },
  invalid_settings: {
    type: "invalid_request_error",
    meaning: "A runtime setting is unknown, out of bounds or not for this model; `param` names it.",
    remedy: "Correct the setting as the message says.",
  },
  malformed_request: {
    type: "invalid_request_error",
    meaning: "What came is not an HTTP request, or its path or host is invalid.",
    remedy: "Check what was sent.",
  },
  method_not_allowed: {
    type: "invalid_request_error",
    status: 405,
    meaning: "The path exists, the method does not; the header `Allow` lists the methods.",
    remedy: "Use one of the methods of `Allow`.",
  },
  missing_field: {
    type: "invalid_request_error",
    meaning: "A required field is missing; `param` names it.",
    remedy: "Add the field.",
  },
  object_not_separable: {
    type: "invalid_request_error",
    meaning: "The image has no transparent background, or nothing but transparent pixels.",
    remedy: "Remove the background, or send `already_framed` as true.",
  },
  object_too_small: {
    type: "invalid_request_error",
    meaning: "The object in an image is one pixel wide or high.",
    remedy: "Send a larger image.",
  },
  output_folder_missing: {
    type: "invalid_request_error",
    meaning: "The folder of an output file does not exist.",
    remedy: "Create the folder, or choose another.",
  },
  range_not_satisfiable: {
    type: "invalid_request_error",
    status: 416,
    meaning: "The range begins beyond the end of the file.",
    remedy: "Use the size in the header `Content-Range`.",
  },
  request_timeout: {
    type: "invalid_request_error",
    status: 408,
    meaning: "A request did not arrive whole in time.",
    remedy: "Send it again, without pauses.",
  },
  source_required: {
    type: "invalid_request_error",
    meaning: "The session has no image to start from.",
    remedy: "Give `source_image`, or upload a source first.",
  },
  surface_empty: {
    type: "invalid_request_error",
    meaning: "The density of the object never crosses the threshold, so it has no surface.",
    remedy: "Try another image or `density_threshold`.",
  },
  surface_too_large: {
    type: "invalid_request_error",
    meaning: "The surface of an object has more triangles than the server returns.",
    remedy: "Lower `resolution`, or change `density_threshold`.",
  },
  template_refused: {
    type: "invalid_request_error",
    meaning: "The model's chat template refuses the messages, for example because of the order of their roles.",
    remedy: "Change the messages as the message says.",
  },
  too_many_tokens: {
    type: "invalid_request_error",
    meaning: "The image would be cut into more patches than the model takes; the message has the number.",
    remedy: "Lower `token_count` or `resolution_level`.",
  },
  unknown_field: {
    type: "invalid_request_error",
    meaning: "There is no such field; the message names the closest one.",
    remedy: "Correct or remove the field.",
  },
  unsuitable_files: {
    type: "invalid_request_error",
    meaning: "The files are not those of a model that an engine serves, or of a model for another task.",
    remedy: "Name files in one of the layouts that the message lists.",
  },
  unsupported_content_encoding: {
    type: "invalid_request_error",
    status: 415,
    meaning: "The body is compressed in a way that the server does not decode; `accept-encoding` lists those it does.",
    remedy: "Compress the body with gzip, deflate or br, or send it as it is.",
  },
  unsupported_content_type: {
    type: "invalid_request_error",
    status: 415,
    meaning: "The content type is not one that the route reads.",
    remedy: "Send the content type that the message names.",
  },
  unsupported_for_backend: {
    type: "invalid_request_error",
    meaning: "The kind of world model behind the session cannot do this.",
    remedy: "Use what the message suggests, or a server with the other backend.",
  },
  unsupported_model: {
    type: "invalid_request_error",
    meaning: "No engine of this version serves the model.",
    remedy: "Choose another model.",
  },
  unsupported_parameter: {
    type: "invalid_request_error",
    meaning: "A field would change the output, and this server or model cannot honour it; `param` names it.",
    remedy: "Remove the field, or choose a model that supports it.",
  },
  video_decoder_missing: {
    type: "invalid_request_error",
    meaning: "The server's machine has no decoder for the video's codec.",
    remedy: "Convert the video to H.264, or install `@napi-rs/webcodecs` or ffmpeg on the server.",
  },
  video_damaged: {
    type: "invalid_request_error",
    meaning: "A video is truncated, contradicts its header or changes its frame size.",
    remedy: "Save the video again, or send another.",
  },
  video_too_large: {
    type: "invalid_request_error",
    meaning: "A video has more bytes or pixels than the limit that the message names.",
    remedy: "Lower `max_frames`, or send a smaller one.",
  },
  video_unsupported: {
    type: "invalid_request_error",
    meaning: "The file is not a video in a supported format.",
    remedy: "Convert the video to MP4 with H.264.",
  },
  view_count_invalid: {
    type: "invalid_request_error",
    meaning: "The number of views is not one that the route takes.",
    remedy: "Send as many views as the message says.",
  },
  view_not_square: {
    type: "invalid_request_error",
    meaning: "A view of an object is not square.",
    remedy: "Crop or pad it.",
  },
  view_too_thin: {
    type: "invalid_request_error",
    meaning: "After resizing, a view is narrower than one patch.",
    remedy: "Raise `process_resolution`, or crop the view.",
  },
  views_too_large: {
    type: "invalid_request_error",
    meaning: "All views together have more pixels than the limit that the message names.",
    remedy: "Lower `process_resolution`, or send fewer or smaller views.",
  },
  wrong_model_task: {
    type: "invalid_request_error",
    meaning: "The model is for another task than the route.",
    remedy: "Choose a model for the task of the route.",
  },
  wrong_type: {
    type: "invalid_request_error",
    meaning: "A field has a value of the wrong type; `param` names it.",
    remedy: "Send the type that the message names.",
  },

  // Access
  invalid_api_key: {
    type: "authentication_error",
    meaning: "The bearer token is not the server's key.",
    remedy: "Send the key that the server was started with.",
  },
  missing_api_key: {
    type: "authentication_error",
    meaning: "There is no `Authorization` header.",
    remedy: "Send `Authorization: Bearer <key>`.",
  },
  host_not_allowed: {
    type: "permission_error",
    meaning: "The `Host` header of a request to a server without a key is not a loopback name.",
    remedy: "Use `127.0.0.1` or `localhost`, or start the server with an API key.",
  },
  key_not_allowed: {
    type: "permission_error",
    meaning: "The key is right, but not for this: tenants read no metrics, and the operator's key has no worlds.",
    remedy: "Use the key of a tenant, or that of the operator for `/metrics`.",
  },
  license_not_accepted: {
    type: "permission_error",
    meaning: "The licence of a model has not been accepted.",
    remedy: "Read the licence and repeat the command with `--accept-model-license`.",
  },
  origin_not_allowed: {
    type: "permission_error",
    meaning: "The `Origin` of the page is neither loopback nor allowed.",
    remedy: "Start the server with `--allow-origin`.",
  },
  path_not_allowed: {
    type: "permission_error",
    meaning: "A path is outside the folders that clients may name.",
    remedy: "Move the file, or start the server with `--allow-path`.",
  },
  store_read_only: {
    type: "permission_error",
    meaning: "The store of models is shared with other machines, and nothing is changed in it from here.",
    remedy: "Change it on the machine that fills it, or start without `--read-only-store` and `SVC_READ_ONLY_STORE`.",
  },
  peer_not_allowed: {
    type: "permission_error",
    meaning: "A server without a key was asked from another machine.",
    remedy: "Start the server with an API key.",
  },

  // What does not exist
  checkpoint_not_found: {
    type: "not_found_error",
    meaning: "The session has no checkpoint of this id.",
    remedy: "List the checkpoints.",
  },
  job_expired: {
    type: "not_found_error",
    meaning: "The job is older than those that are kept.",
    remedy: "Read jobs soon after they end.",
  },
  job_not_found: {
    type: "not_found_error",
    meaning: "The session has had no job of this id.",
    remedy: "Use the `job_id` of the 202 response.",
  },
  rollout_not_found: {
    type: "not_found_error",
    meaning: "There is no such dataset or batch rollout, or it is not done.",
    remedy: "Check the names of dataset and rollout; `svc rollout status` says what is done.",
  },
  world_not_found: {
    type: "not_found_error",
    meaning: "The server has no world of this id.",
    remedy: "Use an id of `GET /v1/worlds`; a deleted one does not come back.",
  },
  media_expired: {
    type: "not_found_error",
    status: 410,
    meaning: "The file was removed, as one of the oldest, to stay within `--keep-files`.",
    remedy: "Fetch files earlier, or start the server with a larger `--keep-files`.",
  },
  artifact_not_found: {
    type: "not_found_error",
    meaning: "There is no such file of a result, or its hour is over.",
    remedy: "Send the request again; results are kept for one hour.",
  },
  media_not_found: {
    type: "not_found_error",
    meaning: "The job or session has no such file, or not yet.",
    remedy: "Wait until the record lists it.",
  },
  model_not_found: {
    type: "not_found_error",
    meaning: "The model is neither installed nor in the catalog.",
    remedy: "Run `svc model pull <id>`, or correct the id.",
  },
  path_not_found: {
    type: "not_found_error",
    meaning: "The server has no such path.",
    remedy: "See `/openapi.json` for all paths.",
  },
  start_not_found: {
    type: "not_found_error",
    meaning: "The model brings no image to start from.",
    remedy: "Upload a source image.",
  },

  // The present state
  alias_taken: {
    type: "conflict_error",
    meaning: "Another model has this name.",
    remedy: "Choose another alias or id.",
  },
  already_installed: {
    type: "conflict_error",
    meaning: "A model of this id is installed.",
    remedy: "Choose another id, or remove the model first.",
  },
  edge_frames_lost: {
    type: "conflict_error",
    meaning: "The frames of the move to invert cannot be read any more.",
    remedy: "Give an image or model-space actions with the move, which then is not replayed.",
  },
  size_exceeds_memory: {
    type: "invalid_request_error",
    meaning: "Frames of this size need more memory than the machine has, or than the server may use.",
    remedy: "Choose a size that the message names.",
  },
  geometry_changed: {
    type: "conflict_error",
    meaning: "A continued session keeps its size and frame rate.",
    remedy: "Omit them, or reset the session.",
  },
  load_cancelled: {
    type: "conflict_error",
    meaning: "The model was unloaded while the request waited for it.",
    remedy: "Send the request again.",
  },
  model_in_use: {
    type: "conflict_error",
    meaning: "Requests use the model.",
    remedy: "Wait until they have ended.",
  },
  nothing_to_undo: {
    type: "conflict_error",
    meaning: "The last move has no exact inverse.",
    remedy: "Make a move that has one, or restore a checkpoint.",
  },
  no_current_state: {
    type: "conflict_error",
    meaning: "The session has not generated a state yet.",
    remedy: "Make a move first.",
  },
  output_exists: {
    type: "conflict_error",
    meaning: "There is a file at the path of the output; files are never replaced.",
    remedy: "Choose another path.",
  },
  session_busy: {
    type: "conflict_error",
    meaning: "The session does one thing at a time, and another one is running.",
    remedy: "Wait until it has ended, or cancel it.",
  },
  rollout_conflict: {
    type: "conflict_error",
    meaning: "The dataset has a batch rollout with the same id and another spec.",
    remedy: "Use another id, or another dataset.",
  },
  idempotency_key_reused: {
    type: "conflict_error",
    meaning: "The `Idempotency-Key` came with another request before.",
    remedy: "Use a new key for a new request; the same one only to send a request again.",
  },
  default_world: {
    type: "conflict_error",
    meaning: "A server always has its first world, which paths without an id mean.",
    remedy: "Reset its session instead of deleting it.",
  },
  session_closed: {
    type: "conflict_error",
    meaning: "The session is shutting down.",
    remedy: "Start the server again.",
  },
  session_cold: {
    type: "conflict_error",
    meaning: "The model is not loaded.",
    remedy: "Prepare the session first.",
  },
  state_invalid: {
    type: "conflict_error",
    meaning: "The state of a world that was kept is damaged, or was made by another model, version or device.",
    remedy: "Go on: the world begins anew from the picture that it showed last.",
  },
  too_many_checkpoints: {
    type: "conflict_error",
    meaning: "The session has as many checkpoints as it may keep.",
    remedy: "Delete one, or start the server with a larger `--max-checkpoints`.",
  },
  walk_too_large: {
    type: "conflict_error",
    meaning: "The videos of the walk are too large to be joined into one.",
    remedy: "Fetch the videos of its jobs.",
  },

  // Load
  queue_full: {
    type: "rate_limit_error",
    retryAfter: 5,
    meaning: "As many requests wait as the queue holds.",
    remedy: "Retry later.",
  },
  rate_limit_exceeded: {
    type: "rate_limit_error",
    meaning: "The client's address has sent as many requests within a minute as it may.",
    remedy: "Wait as long as `Retry-After` says.",
  },
  quota_exceeded: {
    type: "rate_limit_error",
    retryAfter: 30,
    meaning: "The tenant has or does as much as its quota allows; the message names the quota.",
    remedy: "Wait as long as `Retry-After` says, delete what is done with, or ask for a larger quota.",
  },
  rollout_line_full: {
    type: "rate_limit_error",
    retryAfter: 60,
    meaning: "As many batch rollouts wait as a fleet takes.",
    remedy: "Submit the same file later: those that were taken are not taken twice.",
  },
  waiting_line_full: {
    type: "rate_limit_error",
    retryAfter: 30,
    meaning: "As many worlds of a fleet wait for a worker as `--line` allows.",
    remedy: "Retry later, or add workers.",
  },
  too_many_worlds: {
    type: "rate_limit_error",
    retryAfter: 60,
    meaning: "The server has as many worlds as `--max-worlds` allows.",
    remedy: "Delete one that is done with, or start the server with a larger `--max-worlds`.",
  },
  too_many_event_streams: {
    type: "rate_limit_error",
    retryAfter: 15,
    meaning: "As many event streams are open as the server holds.",
    remedy: "Close one, or poll the session and its jobs.",
  },
  memory_pressure: {
    type: "memory_pressure_error",
    retryAfter: 15,
    meaning: "The model does not fit into the free memory now.",
    remedy: "Unload other models, end other programs, or use a smaller model.",
  },

  // Models
  model_device_unavailable: {
    type: "model_unavailable_error",
    meaning: "The device that was asked for is not there.",
    remedy: "Install its driver, or choose `--device cpu`.",
  },
  model_invalid: {
    type: "model_unavailable_error",
    meaning: "Files or tensors of the model are missing or invalid; the message lists all of them.",
    remedy: "Install the model again.",
  },
  model_invalid_config: {
    type: "model_unavailable_error",
    meaning: "A configuration file of the model is invalid.",
    remedy: "Correct it, or install the model again.",
  },
  model_unavailable: {
    type: "model_unavailable_error",
    meaning: "The model cannot be loaded: files are missing, or its engine fails.",
    remedy: "The message has the reason of the engine, the server's log more: install or repair what they name.",
  },
  template_invalid: {
    type: "model_unavailable_error",
    meaning: "The model has no chat template or an invalid one.",
    remedy: "Install a model with a chat template.",
  },

  // The server
  broken_record: {
    type: "server_error",
    meaning: "The record of an installed model cannot be read.",
    remedy: "Remove the model with `svc model rm` and install it again.",
  },
  broken_settings: {
    type: "server_error",
    meaning: "The settings file of the model store cannot be read.",
    remedy: "Repair or delete the file that the message names.",
  },
  corrupt_download: {
    type: "server_error",
    meaning: "A downloaded file is not the announced one.",
    remedy: "Pull the model again.",
  },
  device_lost: {
    type: "server_error",
    meaning: "The GPU was lost or reset.",
    remedy: "Prepare the session again.",
  },
  disk_full: {
    type: "server_error",
    meaning: "The disk has too little free space.",
    remedy: "Free space on the disk.",
  },
  engine_crashed: {
    type: "server_error",
    meaning: "The process of the model's engine ended unexpectedly.",
    remedy: "Send the request again; the server's log has the reason.",
  },
  internal_error: {
    type: "server_error",
    meaning: "An unexpected error; the response says nothing else about it.",
    remedy: "Look into the server's log under the response's `x-request-id`.",
  },
  invalid_output: {
    type: "server_error",
    meaning: "The model's output is not what was required, such as JSON of a schema.",
    remedy: "Send the request again, simplify the schema, or use a larger model.",
  },
  model_worker_died: {
    type: "server_error",
    meaning: "The worker of the world model stopped.",
    remedy: "Send the move again: the world goes on where it was; with `--journal off`, from the image it shows.",
  },
  repository_unavailable: {
    type: "server_error",
    meaning: "The repository of a model cannot be read.",
    remedy: "Check its name, the network and `HF_TOKEN`.",
  },
  world_failed: {
    type: "server_error",
    status: 503,
    meaning: "Several workers of a fleet could not open the world; the message has the last reason.",
    remedy: "See the workers' logs; the next request tries again.",
  },
  world_moved: {
    type: "conflict_error",
    status: 421,
    meaning: "A worker of a fleet was asked for a world that another one has.",
    remedy: "Ask a gateway, which knows where the world is.",
  },
  fleet_unavailable: {
    type: "server_error",
    status: 503,
    retryAfter: 5,
    meaning: "The NATS server of the fleet does not answer, has no room left, or has lost the fleet's streams.",
    remedy: "Retry later; the operator looks at the NATS server and its disk.",
  },
  world_waiting: {
    type: "server_error",
    status: 503,
    retryAfter: 5,
    meaning: "The world waits for a worker of its fleet; the message says at which place.",
    remedy: "Retry later, or add workers.",
  },
  server_stopping: {
    type: "server_error",
    status: 503,
    retryAfter: 5,
    meaning: "The server is stopping.",
    remedy: "Retry when it runs again.",
  },
  template_failed: {
    type: "server_error",
    meaning: "The model's chat template failed on these messages or made an empty prompt.",
    remedy: "Change the messages, or use another model.",
  },
  write_failed: {
    type: "server_error",
    meaning: "A file could not be written.",
    remedy: "Look into the server's log for the reason.",
  },
} as const;

/** The same rows by any word. */
export const errorRows: Readonly<Record<string, ErrorRow>> = errorTable;

/** A stable word for one reason. */
export type ErrorCode = keyof typeof errorTable;

/** The codes of a type. */
export type ErrorCodeOf<T extends ErrorType> = {
  [C in ErrorCode]: (typeof errorTable)[C]["type"] extends T ? C : never;
}[ErrorCode];

/** The code of a field with an invalid value, `invalid_` and the name of the field; made by `invalidField` alone. */
export type FieldErrorCode = `invalid_${string}` & { readonly field: true };

/** The row of all {@linkcode FieldErrorCode}s. */
export const fieldErrorRow: ErrorRow = {
  type: "invalid_request_error",
  meaning: "The value of the field breaks a rule; `param` is the path of the field.",
  remedy: "Send a value that the message describes.",
};

/** Codes that clients of the servers make themselves, without a response that carries one. */
export const clientErrorTable: Readonly<Record<string, Pick<ErrorRow, "meaning" | "remedy">>> = {
  job_cancelled: { meaning: "The job was cancelled.", remedy: "Start it again." },
  unexpected_response: {
    meaning: "The response is not one of a server of this project.",
    remedy: "Check the URL and what listens there.",
  },
  unreachable: {
    meaning: "There was no response, or it ended early.",
    remedy: "Check that the server runs and the URL is right.",
  },
};
