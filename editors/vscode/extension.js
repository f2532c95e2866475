// The extension: it starts `svc manifest lsp` and leaves everything else to it.
import { workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** @type {LanguageClient | undefined} */
let client;

export async function activate() {
  const settings = workspace.getConfiguration("svc.manifest");
  const [command, ...args] = settings.get("command");
  // Without a pattern the server recognises manifests by their members.
  const pattern = settings.get("files") || undefined;
  const cwd = workspace.workspaceFolders?.[0]?.uri.fsPath;
  client = new LanguageClient(
    "svc-manifest",
    "svc provider manifests",
    { command, args, options: { cwd, shell: process.platform === "win32" } },
    {
      documentSelector: ["json", "jsonc"].map((language) => ({ scheme: "file", language, pattern })),
      initializationOptions: { everyDocument: pattern !== undefined },
    },
  );
  await client.start();
}

export async function deactivate() {
  await client?.stop();
}
