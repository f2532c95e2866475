/**
 * A request that was made, as lines that make it again: curl, the `openai` package, this SDK. The key is never in them.
 *
 * @module
 */

/** What the lines are made from. */
export interface MadeRequest {
  /** Such as `/v1/embeddings`. */
  readonly path: string;
  /** The JSON body; of a form, its texts. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The file of a form. */
  readonly file?: string;
}

/** The server of a request. */
export interface MadeAt {
  /** Address of the server without a slash at its end. */
  readonly base: string;
  /** Whether it requires a key, which the lines read from `SVC_API_KEY`. */
  readonly keyed: boolean;
}

/** A line for a POSIX shell. */
export function curlLine({ path, body, file }: MadeRequest, { base, keyed }: MadeAt): string {
  const parts = [`curl -sS ${body["stream"] ? "-N " : ""}${quoted(base + path)}`];
  if (keyed) parts.push(`-H "Authorization: Bearer $SVC_API_KEY"`);
  if (file === undefined) {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`);
  } else {
    parts.push(`-F ${quoted(`file=@${file}`)}`);
    for (const [name, value] of Object.entries(body)) parts.push(`-F ${quoted(`${name}=${value}`)}`);
  }
  if (path === "/v1/audio/speech") parts.push(`-o speech.${body["response_format"] ?? "wav"}`);
  return parts.join(" \\\n  ");
}

/** A program with the `openai` package, for Node. */
export function openaiCode({ path, body, file }: MadeRequest, { base, keyed }: MadeAt): string {
  const key = keyed ? "process.env.SVC_API_KEY" : `"none"`;
  const own = file === undefined ? literal(body) : `{
  file: createReadStream(${JSON.stringify(file)}),
${literal(body).slice(2)}`;
  const lines: Record<string, string> = {
    "/v1/chat/completions": `const stream = await client.chat.completions.create(${own});
for await (const { choices: [choice] } of stream) process.stdout.write(choice?.delta.content ?? "");`,
    "/v1/embeddings": `const { data } = await client.embeddings.create(${own});
console.log(data.map(({ embedding }) => embedding.length));`,
    "/v1/images/generations": `const stream = await client.images.generate(${own});
for await (const event of stream) {
  if (event.type === "image_generation.completed") await writeFile("image.png", event.b64_json, "base64");
}`,
    "/v1/audio/speech": `const speech = await client.audio.speech.create(${own});
await writeFile("speech.wav", Buffer.from(await speech.arrayBuffer()));`,
    "/v1/audio/transcriptions": `const { text } = await client.audio.transcriptions.create(${own});
console.log(text);`,
  };
  const imports = [
    `import OpenAI from "openai";`,
    ...(file === undefined ? [] : [`import { createReadStream } from "node:fs";`]),
    ...(lines[path]?.includes("writeFile") ? [`import { writeFile } from "node:fs/promises";`] : []),
  ];
  return `${imports.join("\n")}

const client = new OpenAI({ baseURL: ${JSON.stringify(`${base}/v1`)}, apiKey: ${key} });
${lines[path] ?? ""}
`;
}

/** A program with this SDK, which runs the model in its own process; undefined for what it has no method for. */
export function sdkCode({ path, body }: MadeRequest): string | undefined {
  const { stream: _, stream_options: __, encoding_format: ___, ...own } = body;
  const lines: Record<string, string> = {
    "/v1/chat/completions": `for await (const { choices: [choice] } of models.stream(${literal(own)})) {
  process.stdout.write(choice?.delta.content ?? "");
}`,
    "/v1/embeddings": `const { data } = await models.embed(${literal(own)});
console.log(data.map(({ embedding }) => embedding.length));`,
  };
  return lines[path] && `import { openModels } from "@svc/sdk";

const models = await openModels();
${lines[path]}
await models.close();
`;
}

/** JSON as TypeScript is written: names without quotes where they need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
