/**
 * Errors that name options: a library calls them as its callers do, a command line by its flags.
 *
 * @module
 */

/** Options or the command line are invalid; the message names them and says what is valid. */
export class UsageError extends Error {
  /** Name of the class. */
  override name = "UsageError";
}

/** A sentence that names options of a library by a function: `(name) => \`Cannot use ${name("lora")}: …\``. */
export type OptionSentence = (name: (option: string) => string) => string;

/** The messages of errors that name options, each of which is between two of these marks. */
const texts = new WeakMap<Error, string>();
const MARK = "\u0000";

/**
 * Makes an error of a library that names its options, as `baseModel`; on a command line they are flags, which its shell
 * puts in their places with {@linkcode messageWith}.
 *
 * @param make Makes the error of its message; by default a {@linkcode UsageError}.
 */
export function optionError(sentence: OptionSentence): UsageError;
export function optionError<E extends Error>(sentence: OptionSentence, make: (message: string) => E): E;
export function optionError(
  sentence: OptionSentence,
  make: (message: string) => Error = (message) => new UsageError(message),
): Error {
  return withOptions(make(sentence((option) => `\`${option}\``)), sentence((option) => MARK + option + MARK));
}

/** The message of an error with its options named by `name`. */
export function messageWith(error: Error, name: (option: string) => string): string {
  return texts.get(error)?.replace(/\0([^\0]*)\0/g, (_, option: string) => name(option)) ?? error.message;
}

/** The message of an error with its options marked, as it is carried to another thread or process. */
export function markedOptions(error: Error): string | undefined {
  return texts.get(error);
}

/** Gives an error the message that {@linkcode markedOptions} took from another one. */
export function withOptions<E extends Error>(error: E, marked: string): E {
  texts.set(error, marked);
  return error;
}
