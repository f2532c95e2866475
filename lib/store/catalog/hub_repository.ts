/**
 * Hub repositories, as far as this version needs them.
 *
 * @module
 */
import * as v from "valibot";
import { show } from "../../errors/show.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** A file of a repository. */
export interface HubFile {
  readonly path: string;
  readonly bytes: number;
  /** Git object id of its content; undefined for large files. */
  readonly gitOid: string | undefined;
  /** Of large files only. */
  readonly sha256: string | undefined;
}

/** A repository at one commit. */
export interface HubRepository {
  /** Such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly name: string;
  readonly commit: string;
  /** The hub's name for it. */
  readonly license: string | undefined;
  /** Whether access requires accepting terms. */
  readonly gated: boolean;
  readonly files: readonly HubFile[];
}

/** Whether a name has the form `owner/name`. */
export function isRepositoryName(name: string): boolean {
  return /^[\w.-]{1,96}\/[\w.-]{1,96}$/.test(name) && !/(^|\/)\.\.?(\/|$)/.test(name);
}

const hash = (length: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${length}}$`)));
const size = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The hub's description of a repository. Commits are also names of folders. */
const repositorySchema = v.object({
  sha: v.pipe(v.string(), v.regex(/^[0-9a-zA-Z]{1,64}$/)),
  gated: v.nullish(v.union([v.boolean(), v.string()]), false),
  cardData: v.nullish(v.looseObject({ license: v.nullish(v.unknown()), license_name: v.nullish(v.unknown()) })),
});

/** The hub's description of a file. */
const fileSchema = v.object({
  path: v.string(),
  size,
  oid: hash(40),
  lfs: v.nullish(v.object({ oid: hash(64), size })),
});

/**
 * Validates and combines the hub's answers.
 *
 * @throws {SvcError} `repository_unavailable` when it is not what a hub says.
 */
export function readRepository(name: string, info: unknown, entries: readonly unknown[]): HubRepository {
  const repository = v.safeParse(repositorySchema, info);
  const files = v.safeParse(v.array(fileSchema), entries);
  if (!repository.success || !files.success) {
    throw new SvcError(
      "repository_unavailable",
      `Cannot pull ${show(name)}: the server is not a model hub, expected another HF_ENDPOINT`,
    );
  }
  const { sha, gated, cardData } = repository.output;
  const license = cardData?.license === "other" ? cardData.license_name ?? "other" : cardData?.license;
  return {
    name,
    commit: sha,
    license: typeof license === "string" ? license : undefined,
    gated: gated !== false,
    files: files.output.map(({ path, size, oid, lfs }) => ({
      path,
      bytes: lfs?.size ?? size,
      gitOid: lfs ? undefined : oid,
      sha256: lfs?.oid,
    })),
  };
}

/** Licenses that require no more than attribution, by the ids of the hub; the values are those of SPDX. */
const permissive: ReadonlyMap<string, string> = new Map(Object.entries({
  "apache-2.0": "Apache-2.0",
  "mit": "MIT",
  "bsd-2-clause": "BSD-2-Clause",
  "bsd-3-clause": "BSD-3-Clause",
  "isc": "ISC",
  "zlib": "Zlib",
  "unlicense": "Unlicense",
  "cc0-1.0": "CC0-1.0",
  "cc-by-4.0": "CC-BY-4.0",
  "cdla-permissive-2.0": "CDLA-Permissive-2.0",
}));

/** The SPDX identifier if there is one, else the hub's own name. */
export function licenseName(hubLicense: string): string {
  return permissive.get(hubLicense.toLowerCase()) ?? hubLicense;
}

/** Whether the license must be accepted before the model is used; an unknown license may require anything. */
export function needsAcceptance(license: string | undefined, gated: boolean): boolean {
  return gated || license === undefined || !permissive.has(license.toLowerCase());
}
