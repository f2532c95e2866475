/**
 * The description of a path.
 *
 * @module
 */

/** The body of a request or an answer: a component schema, or a media type with a schema of its own. */
export type Content =
  | { readonly schema: string }
  | { readonly array: string }
  /** A body of one of these component schemas. */
  | { readonly anyOf: readonly string[] }
  | { readonly type: string }
  /** A form with the fields of a component schema; texts and files. */
  | { readonly form: string }
  /** A stream of server-sent events: the component schemas of their data, which are JSON, by the names of the events. */
  | { readonly events: Readonly<Record<string, string>> };

/** A success response. */
export interface Answer {
  readonly description: string;
  readonly content?: Content | readonly Content[];
  /** Names of its component headers besides `x-request-id`. */
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
  /** Has no fields: JSON that a client sends nevertheless is looked at. */
  readonly noFields?: boolean;
  /** Request headers, by the names of their component parameters. */
  readonly headers?: readonly string[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** The component schema of all errors, where it is another one than usual; {@linkcode errors} is not read then. */
  readonly failure?: string;
  /** Error codes by status, besides those implied by the other members. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
}
