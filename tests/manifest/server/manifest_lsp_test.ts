import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isManifest } from "../../../lib/manifest/server/language_features.ts";
import { programArguments } from "../../support/program_arguments.ts";
import { ROOT } from "../../support/server_process.ts";

// deno-lint-ignore no-explicit-any -- messages of the protocol, whose contents are what is tested
type Message = any;

/** An editor by hand: messages with their length before them, as the protocol has them. */
class Editor {
  readonly #child: ChildProcess;
  readonly #arrived: Message[] = [];
  #wake = () => {};
  #next = 1;

  constructor(child: ChildProcess) {
    this.#child = child;
    let buffer = Buffer.alloc(0);
    child.stdout!.on("data", (part: Buffer) => {
      buffer = Buffer.concat([buffer, part]);
      for (;;) {
        const at = buffer.indexOf("\r\n\r\n");
        const [, length] = /Content-Length: (\d+)/.exec(buffer.toString("latin1", 0, Math.max(0, at))) ?? [];
        if (length === undefined || buffer.length < at + 4 + Number(length)) break;
        this.#arrived.push(JSON.parse(buffer.toString("utf8", at + 4, at + 4 + Number(length))));
        buffer = buffer.subarray(at + 4 + Number(length));
        this.#wake();
      }
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  async request(method: string, params: unknown): Promise<Message> {
    const id = this.#next++;
    this.#send({ id, method, params });
    const { result, error } = await this.#find((message) => message.id === id);
    assert.equal(error, undefined);
    return result;
  }

  async diagnostics(version: number): Promise<Message[]> {
    const { params } = await this.#find(({ method, params }) =>
      method === "textDocument/publishDiagnostics" && params.version === version
    );
    return params.diagnostics;
  }

  async #find(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#arrived.find(wanted);
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin!.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
}

const uri = "file:///plugin/manifest.json";
const TEXT = `{
  "contract_version": "svc/plugin-graph-provider.v2",
  "provider_idd": "svc-a",
  "nodes": [{ "ki": "a.b", "requirements": { "accelerator_backends": ["cdua"], "network_access": "" } }]
}`;

/** The place of a mark in the text, as the protocol has it. */
function positionOf(text: string, mark: string, within = 0): { line: number; character: number } {
  const before = text.slice(0, text.indexOf(mark) + within).split("\n");
  return { line: before.length - 1, character: before.at(-1)!.length };
}

test("an editor gets findings as the validator has them, completions, descriptions and corrections", async () => {
  const program = [...programArguments(), join(ROOT, "cli/main.ts"), "manifest", "lsp"];
  const child = spawn(process.execPath, program, { stdio: ["pipe", "pipe", "inherit"], cwd: ROOT });
  const exited = once(child, "exit");
  const editor = new Editor(child);
  const { capabilities, serverInfo } = await editor.request("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  });
  assert.equal(serverInfo.name, "svc manifest");
  assert.ok(capabilities.hoverProvider && capabilities.completionProvider && capabilities.codeActionProvider);
  editor.notify("initialized", {});
  editor.notify("textDocument/didOpen", { textDocument: { uri, languageId: "json", version: 1, text: TEXT } });

  const found = await editor.diagnostics(1);
  const misspelled = found.find(({ data }) => data?.meant === "provider_id");
  assert.deepEqual(misspelled.range, {
    start: positionOf(TEXT, '"provider_idd"'),
    end: positionOf(TEXT, '"provider_idd"', 14),
  });
  assert.equal(misspelled.code, "additional_property");
  assert.ok(found.some(({ code }) => code === "const"));

  const actions = await editor.request("textDocument/codeAction", {
    textDocument: { uri },
    range: misspelled.range,
    context: { diagnostics: found },
  });
  const [edit] = actions.find(({ title }: Message) => title === 'Change to "provider_id"').edit.changes[uri];
  assert.deepEqual(edit, { range: misspelled.range, newText: '"provider_id"' });
  assert.ok(actions.some(({ title }: Message) => title === 'Change to "cuda"'));

  const at = (position: unknown) => ({ textDocument: { uri }, position });
  const names = await editor.request("textDocument/completion", at(positionOf(TEXT, '"ki"', 2)));
  const kind = names.find(({ label }: Message) => label === "kind");
  assert.deepEqual([kind.detail, kind.textEdit.newText], ["required", '"kind"']);
  assert.ok(!names.some(({ label }: Message) => label === "requirements"), "it is there already");
  const words = await editor.request("textDocument/completion", at(positionOf(TEXT, '"cdua"', 3)));
  assert.deepEqual(words.map(({ label }: Message) => label), ['"metal"', '"cuda"', '"rocm"', '"cpu"']);
  const hover = await editor.request("textDocument/hover", at(positionOf(TEXT, '"accelerator_backends"', 3)));
  assert.match(hover.contents.value, /Accelerators that the node can use/);

  // An unfinished text is a finding too, and completions still work.
  const text = '{ "contract_version": "svc/plugin-graph-provider.v1", "pro';
  editor.notify("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ text }] });
  assert.ok((await editor.diagnostics(2)).length > 0);
  const rest = await editor.request("textDocument/completion", at({ line: 0, character: text.length }));
  assert.deepEqual(rest.map(({ label }: Message) => label), ["provider_id", "provider_version", "nodes"]);

  await editor.request("shutdown", null);
  editor.notify("exit", undefined);
  assert.deepEqual(await exited, [0, null]);
});

test("isManifest() recognises manifests by their members, whole and while they are typed, and no other JSON", () => {
  const of = (text: string) => isManifest(TextDocument.create("file:///x.json", "json", 1, text));
  for (
    const text of [
      '{"nodes": []}',
      '\ufeff{"provider_id": 1}',
      '{ "contract_version": "x", "pro',
      '{"a": 1, "nodes" : [',
      TEXT,
    ]
  ) assert.equal(of(text), true, text);
  for (
    const text of [
      "{}",
      "[]",
      "null",
      "",
      "{",
      '{"name": "app", "version": "1"}',
      '{"a": {"nodes": []}}',
      '["nodes"]',
      '{"a": "nodes"}',
    ]
  ) assert.equal(of(text), false, text);
});
