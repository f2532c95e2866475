/** A violation as an error object. */
export interface RequestIssue {
  readonly kind: "missing" | "type" | "rule";
  readonly message: string;
  /** Path of the field, such as `messages[0].content`. */
  readonly param: string;
}
