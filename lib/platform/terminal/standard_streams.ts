import process from "node:process";

/** Standard input and output as streams, for a protocol that owns both. */
export function standardStreams(): { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream } {
  return { input: process.stdin, output: process.stdout };
}
