/**
 * What is described of each path.
 *
 * @module
 */

/** What a request or an answer carries: a component schema, or a media type with a schema of its own. */
export type Content = { readonly schema: string } | { readonly array: string } | { readonly type: string };

/** An answer that is no error. */
export interface Answer {
  readonly description: string;
  readonly content?: Content | readonly Content[];
  /** Names of the component headers it has besides `x-request-id`. */
  readonly headers?: readonly string[];
}

/** One method of one path. */
export interface Operation {
  readonly method: "get" | "post" | "patch" | "delete";
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Answers without a token. */
  readonly open?: boolean;
  readonly body?: { readonly content: Content; readonly required: boolean };
  /** Request headers, by the names of their component parameters. */
  readonly headers?: readonly string[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** Codes of the errors by status, besides those that follow from the rest. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
}
