/**
 * What requests to local models hold: the fields of the routes of a model server, with files as bytes.
 *
 * @module
 */

/** The fields of a request as `POST /v1/chat/completions` takes them; without `model`, the opened one answers. */
export interface ChatBody {
  /** Id or alias of an installed model. */
  readonly model?: string;
  /** The conversation, as in the OpenAI interface. */
  readonly messages: readonly object[];
  /** Further fields of the request. */
  readonly [field: string]: unknown;
}

/** The fields of a request as `POST /v1/embeddings` takes them. */
export interface EmbeddingBody {
  /** Id or alias of an installed model, or the path of its folder. */
  readonly model: string;
  /** The texts. */
  readonly input: string | readonly string[];
  /** Further fields of the request. */
  readonly [field: string]: unknown;
}

/** The fields of a request as `POST /v1/rerank` takes them. */
export interface RerankBody {
  /** Id or alias of an installed model, or the path of its folder. */
  readonly model: string;
  /** The query. */
  readonly query: string;
  /** The documents to rank. */
  readonly documents: readonly string[];
  /** Further fields of the request. */
  readonly [field: string]: unknown;
}

/**
 * The fields of a request as `POST /v1/images/generations` takes them; with `image`, as `POST /v1/images/edits`. Images
 * are files of any format that `./media` decodes.
 */
export interface ImageBody {
  /** Id or alias of an installed model, or the path of its folder; the best installed one by default. */
  readonly model?: string;
  /** What the image shows, or how it changes. */
  readonly prompt: string;
  /** `WIDTHxHEIGHT` in multiples of 16; `1024x1024` by default. */
  readonly size?: string;
  /** Repeats an image; text for numbers above 2^53 - 1. */
  readonly seed?: number | string;
  /** What to avoid; only for models with a second pass. */
  readonly negative_prompt?: string;
  /** Denoising steps, 1 to 100; the model's own number by default. */
  readonly steps?: number;
  /** How closely to follow the prompt; only for models with a second pass. */
  readonly guidance_scale?: number;
  /** The image to edit, or several as references. */
  readonly image?: Uint8Array | Blob | readonly (Uint8Array | Blob)[];
  /** Accepted without effect: the whole image is edited. */
  readonly mask?: Uint8Array | Blob;
  /** How much of the first image may change, 0 to 1; without it all images are references. */
  readonly strength?: number;
  /** Previews that a stream has before its image, 0 to 100; none by default. */
  readonly partial_images?: number;
}

/** The fields of a request as `POST /v1/audio/speech` takes them. */
export interface SpeechBody {
  /** Id or alias of an installed model, or the path of its folder; the best installed one by default. */
  readonly model?: string;
  /** The text to speak, of at most 32 KiB. */
  readonly input: string;
  /** Name of a voice, or a description such as `a calm old man`. */
  readonly voice?: string;
  /** How to speak, in free words. */
  readonly instructions?: string;
  /** `wav` by default. */
  readonly response_format?: "wav" | "mp3" | "opus" | "aac" | "flac" | "pcm";
  /** 0.25 to 4; 1 by default. */
  readonly speed?: number;
}

/** The fields of a request as `POST /v1/audio/transcriptions` takes them. */
export interface TranscriptionBody {
  /** Id or alias of an installed model, or the path of its folder; the best installed one by default. */
  readonly model?: string;
  /** A sound file, or a video with sound. */
  readonly file: Uint8Array | Blob;
  /** Code of the language, such as `en`; found by the model by default. */
  readonly language?: string;
  /** Text that came before, or words to expect. */
  readonly prompt?: string;
  /** `translate` puts the words into English; `transcribe` by default. */
  readonly task?: "transcribe" | "translate";
  /** Format of `Transcription.formatted`; `verbose_json` by default, `json` in a stream. */
  readonly response_format?: "json" | "verbose_json" | "text" | "srt" | "vtt";
  /** 0 to 1; 0 by default. */
  readonly temperature?: number;
  /** Tokens of a window of sound, 1 to 4096; 448 by default. */
  readonly max_tokens?: number;
  /** With `word`, the transcription has times of words; takes `verbose_json`. */
  readonly timestamp_granularities?: readonly ("segment" | "word")[];
}

/** The fields of vision requests by their names, as the routes below `/v1/vision` take them. */
export interface VisionBodies {
  /** Depth, normals and points of one image: `/v1/vision/geometry`. */
  readonly geometry: {
    readonly model?: string;
    readonly image: Uint8Array | Blob;
    readonly resolution_level?: number;
    readonly token_count?: number;
    readonly max_points?: number;
  };
  /** Cameras, depth and points of up to 16 views of a place: `/v1/vision/geometry/multiview`. */
  readonly multiview: {
    readonly model?: string;
    readonly image: readonly (Uint8Array | Blob)[];
    readonly process_resolution?: number;
    readonly reference_view?: string;
    readonly confidence_percentile?: number;
    readonly max_points?: number;
    /** Known cameras, with `schemaVersion`. */
    readonly cameras?: object;
  };
  /** A mesh from one image: `/v1/vision/image-to-3d`. */
  readonly imageTo3d: {
    readonly model?: string;
    readonly image: Uint8Array | Blob;
    readonly resolution?: number;
    readonly density_threshold?: number;
    readonly foreground_ratio?: number;
    readonly already_framed?: boolean;
    readonly vertex_colors?: boolean;
  };
  /** A mesh from four or six views of an object: `/v1/vision/image-to-3d-multiview`. */
  readonly viewsTo3d: {
    readonly model?: string;
    readonly image: readonly (Uint8Array | Blob)[];
    readonly resolution?: number;
    readonly vertex_colors?: boolean;
    /** Cameras of sixteen numbers each, with `schemaVersion`. */
    readonly cameras?: object;
  };
  /** The depth of every frame of a video: `/v1/vision/depth-video`. */
  readonly depthVideo: {
    readonly model?: string;
    readonly video: Uint8Array | Blob;
    readonly input_size?: number;
    readonly max_frames?: number;
  };
}
