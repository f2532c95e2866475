/**
 * Codes of access, of what does not exist, and of the present state.
 *
 * @module
 */

/** Codes of access, of what does not exist, and of the present state. */
export const stateErrors = {
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
    meaning: "The key is valid, but not for this: tenants cannot read metrics, and the operator's key has no worlds.",
    remedy: "Use the key of a tenant, or that of the operator for `/metrics`.",
  },
  license_not_accepted: {
    type: "permission_error",
    meaning: "The licence of a model has not been accepted.",
    remedy: "Read the licence, accept it and try again.",
  },
  origin_not_allowed: {
    type: "permission_error",
    meaning: "The `Origin` of the page is neither loopback nor allowed.",
    remedy: "Let the server allow the origin.",
  },
  path_not_allowed: {
    type: "permission_error",
    meaning: "A path is outside the folders that clients may name.",
    remedy: "Move the file, or let the server allow its folder.",
  },
  store_read_only: {
    type: "permission_error",
    meaning: "The model store is shared with other machines and is read-only here.",
    remedy: "Change it on the machine that fills it, or open the store for writing.",
  },
  peer_not_allowed: {
    type: "permission_error",
    meaning: "A server without a key received a request from another machine.",
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
    meaning: "The file was one of the oldest and was removed to stay within the storage limit.",
    remedy: "Fetch files earlier, or raise the limit.",
  },
  artifact_not_found: {
    type: "not_found_error",
    meaning: "There is no such result file, or it has expired.",
    remedy: "Send the request again; results are kept for one hour.",
  },
  media_not_found: {
    type: "not_found_error",
    meaning: "The job or session has no such file, or has not written it yet.",
    remedy: "Wait until the record lists it.",
  },
  model_not_found: {
    type: "not_found_error",
    meaning: "The model is neither installed nor in the catalog.",
    remedy: "Run `svc model pull <id>`, or correct the id.",
  },
  response_not_found: {
    type: "not_found_error",
    meaning: "The server keeps no response of this id, or no longer.",
    remedy: "Read responses soon, and ask for them to be stored.",
  },
  item_not_found: {
    type: "not_found_error",
    meaning: "The conversation of a realtime session has no item with this id.",
    remedy: "Use an id of an event `conversation.item.added`.",
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
  conversation_already_has_active_response: {
    type: "conflict_error",
    meaning: "A response of the realtime session is under way.",
    remedy: "Wait for its `response.done`, or cancel it.",
  },
  response_cancel_not_active: {
    type: "conflict_error",
    meaning: "No response of the realtime session is under way.",
    remedy: "Nothing needs to be cancelled.",
  },
  input_audio_buffer_commit_empty: {
    type: "conflict_error",
    meaning: "The buffer of a realtime session has less than a tenth of a second of sound.",
    remedy: "Append sound before it is committed; with server_vad the server commits by itself.",
  },
  session_expired: {
    type: "conflict_error",
    meaning: "A realtime session has reached its age.",
    remedy: "Open another session.",
  },
  nothing_to_undo: {
    type: "conflict_error",
    meaning: "There is no last move, or what undoes it is no longer kept.",
    remedy: "Make a move first, or restore a checkpoint.",
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
    meaning: "The session runs one operation at a time, and another one is running.",
    remedy: "Wait until it has ended, or cancel it.",
  },
  rollout_conflict: {
    type: "conflict_error",
    meaning: "The dataset has a batch rollout with the same id and another spec.",
    remedy: "Use another id, or another dataset.",
  },
  idempotency_key_reused: {
    type: "conflict_error",
    meaning: "The `Idempotency-Key` was used with another request.",
    remedy: "Use a new key for each new request; reuse a key only to send the same request again.",
  },
  default_world: {
    type: "conflict_error",
    meaning: "A server always has its first world, to which paths without an id refer.",
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
    remedy: "Keep walking: the world restarts from the last image that it showed.",
  },
  too_many_checkpoints: {
    type: "conflict_error",
    meaning: "The session has reached its maximum number of checkpoints.",
    remedy: "Delete one, or raise the limit.",
  },
  walk_too_large: {
    type: "conflict_error",
    meaning: "The videos of the walk are too large to be joined into one.",
    remedy: "Fetch the videos of its jobs.",
  },
} as const;
