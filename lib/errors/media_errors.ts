/**
 * Codes of pictures, videos, audio and views that a request brings.
 *
 * @module
 */

/** Codes of pictures, videos, audio and views that a request brings. */
export const mediaErrors = {
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
  invalid_chunk_index: {
    type: "invalid_request_error",
    meaning: "The index of a chunk is not a whole number.",
    remedy: "Use a `block_index` from the chunks of the job.",
  },
  invalid_image: {
    type: "invalid_request_error",
    meaning: "An image of a chat cannot be decoded, or the model does not take its shape.",
    remedy: "Send a PNG, JPEG or WebP that other programs can open; cut an image that is much longer than wide.",
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
} as const;
