/**
 * The hub that models are pulled from.
 *
 * @module
 */
import { HubApiError, listFiles, listModels, modelInfo } from "@huggingface/hub";
import { type HubRepository, readRepository } from "./catalog/hub_repository.ts";
import { show } from "../errors/show.ts";
import { SvcError } from "../errors/svc_error.ts";

/** More than any model has. */
const MAX_FILES = 10_000;

/** Hits of each format. */
const MAX_HITS = 20;

/** How to reach a hub. */
export interface HubOptions {
  /** Such as `https://huggingface.co`. */
  readonly url: string;
  /** An access token; undefined for public repositories only. */
  readonly token: string | undefined;
}

/** Content being received. */
export interface HubContent {
  /** Offset of the first byte: 0 from servers that do not support ranges. */
  readonly start: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** A repository that a search found. */
export interface HubHit {
  /** Such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly name: string;
  readonly format: "onnx" | "gguf";
  readonly downloads: number;
  /** Whether access requires accepting terms. */
  readonly gated: boolean;
}

/** A hub, such as that of Hugging Face. */
export interface Hub {
  readonly url: string;
  /**
   * The contents of a repository.
   *
   * @param revision Branch, tag or commit.
   * @throws {SvcError} `repository_unavailable`.
   */
  describe(repository: string, revision: string, signal: AbortSignal): Promise<HubRepository>;
  /**
   * The repositories with ONNX or GGUF weights whose names have a word, the most downloaded first.
   *
   * @throws {SvcError} `repository_unavailable`.
   */
  search(word: string, signal: AbortSignal): Promise<HubHit[]>;
  /**
   * A file from an offset on.
   *
   * @throws {SvcError} `repository_unavailable` when asking again is of no use.
   * @throws {Error} when it may help.
   */
  read(repository: HubRepository, path: string, start: number, signal: AbortSignal): Promise<HubContent>;
}

/** @throws {SvcError} `repository_unavailable` if the token or address is invalid. */
export function openHub({ url, token }: HubOptions): Hub {
  if (token !== undefined && !token.startsWith("hf_")) {
    throw unavailable("use HF_TOKEN: it does not start with hf_", "expected a token of the hub");
  }
  const hubUrl = url.replace(/(?<!\/)\/+$/, "");
  if (!/^https?:\/\//.test(hubUrl) || !URL.canParse(hubUrl)) {
    throw unavailable(`use HF_ENDPOINT: it is ${show(url)}`, "expected an address such as https://huggingface.co");
  }
  const access = { hubUrl, ...(token ? { accessToken: token } : {}) };
  const withSignal = (signal: AbortSignal): typeof fetch => (input, init) => fetch(input, { ...init, signal });
  return {
    url: hubUrl,
    async describe(repository, revision, signal) {
      const options = { ...access, fetch: withSignal(signal) };
      try {
        const info = await modelInfo({
          ...options,
          name: repository,
          revision,
          additionalFields: ["sha", "cardData"],
        });
        const entries: unknown[] = [];
        const listing = { ...options, repo: repository, revision: info.sha, recursive: true };
        for await (const entry of listFiles(listing)) {
          if (entry.type === "file") entries.push(entry);
          if (entries.length > MAX_FILES) {
            throw unavailable(
              `pull ${repository}: it has more than ${MAX_FILES} files`,
              "expected those of one model",
            );
          }
        }
        return readRepository(repository, info, entries);
      } catch (error) {
        signal.throwIfAborted();
        const cause = explain(error, `pull ${repository}`, `${hubUrl}/${repository}`, token !== undefined);
        throw cause instanceof SvcError ? cause : unreachable(`pull ${repository}`, hubUrl, cause);
      }
    },
    async search(word, signal) {
      const hits: HubHit[] = [];
      try {
        for (const format of ["onnx", "gguf"] as const) {
          const search = { query: word, tags: [format] };
          const listing = listModels({
            ...access,
            fetch: withSignal(signal),
            search,
            sort: "downloads",
            limit: MAX_HITS,
          });
          for await (const { name, downloads, gated } of listing) {
            if (hits.some((hit) => hit.name === name)) continue;
            hits.push({ name: String(name), format, downloads: Number(downloads) || 0, gated: Boolean(gated) });
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        const cause = explain(error, `search for ${show(word)}`, hubUrl, token !== undefined);
        throw cause instanceof SvcError ? cause : unreachable(`search for ${show(word)}`, hubUrl, cause);
      }
      return hits.sort((a, b) => b.downloads - a.downloads);
    },
    async read({ name, commit }, path, start, signal) {
      const action = `pull ${name}: its file ${show(path)}`;
      const place = `${hubUrl}/${name}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
      // Large files are on another server: the range is forwarded, the token is not.
      const response = await fetch(place, {
        headers: {
          "accept-encoding": "identity",
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(start > 0 ? { range: `bytes=${start}-` } : {}),
        },
        signal,
      });
      if (response.body && response.status === 206) return { start, stream: response.body };
      if (response.body && response.status === 200) return { start: 0, stream: response.body };
      await response.body?.cancel();
      if (response.status === 404) throw unavailable(`${action} no longer exists`, "pull it again");
      const error = new HubApiError(place, response.status, undefined, `the server answered ${response.status}`);
      throw explain(error, action, `${hubUrl}/${name}`, token !== undefined);
    },
  };
}

/** The error for the user, or the original error when a retry may help. */
function explain(error: unknown, action: string, page: string, hasToken: boolean): unknown {
  if (!(error instanceof HubApiError)) return error;
  const { statusCode, message } = error;
  if (statusCode === 401 || statusCode === 403) {
    const remedy = hasToken
      ? `accept its terms at ${page} with the account of HF_TOKEN`
      : `check the name; if it is private or gated, accept its terms at ${page} and set HF_TOKEN`;
    return unavailable(
      `${action}: the hub answered ${statusCode}, which means no such repository or no access`,
      remedy,
    );
  }
  if (statusCode === 404) {
    return unavailable(`${action}: the hub has no such repository or revision`, `check the name at ${page}`);
  }
  if (statusCode === 429 || statusCode >= 500 || statusCode < 400) return error;
  return unavailable(`${action}: the hub answered ${statusCode} (${show(message)})`, `see ${page}`);
}

function unreachable(action: string, hubUrl: string, error: unknown): SvcError {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  const problem = `${hubUrl} cannot be reached (${cause?.message || message})`;
  return unavailable(`${action}: ${problem}`, "check the network or HF_ENDPOINT, or try again later");
}

function unavailable(problem: string, remedy: string): SvcError {
  return new SvcError("repository_unavailable", `Cannot ${problem}, ${remedy}`);
}
