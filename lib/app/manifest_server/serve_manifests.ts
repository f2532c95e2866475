/**
 * The language server of manifests.
 *
 * @module
 */
import { createConnection, TextDocuments, TextDocumentSyncKind } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { standardStreams } from "../../platform/terminal/standard_streams.ts";
import { VERSION } from "../../platform/processes/version.ts";
import { completionsAt, correctionsOf, diagnosticsOf, hoverAt } from "./language_features.ts";

/**
 * Serves an editor over standard input and output until it says goodbye, which ends the process. Documents never leave
 * the process; nothing but what the editor sends is read.
 */
export function serveManifests(): void {
  const { input, output } = standardStreams();
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['"', ":"] },
      hoverProvider: true,
      codeActionProvider: { codeActionKinds: ["quickfix"] },
    },
    serverInfo: { name: "svc manifest", version: VERSION },
  }));
  documents.onDidChangeContent(({ document }) => {
    void connection.sendDiagnostics({
      uri: document.uri,
      version: document.version,
      diagnostics: diagnosticsOf(document),
    });
  });
  documents.onDidClose(({ document: { uri } }) => void connection.sendDiagnostics({ uri, diagnostics: [] }));
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document && completionsAt(document, position);
  });
  connection.onHover(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document && hoverAt(document, position);
  });
  connection.onCodeAction(({ textDocument: { uri }, context }) => correctionsOf(uri, context.diagnostics));
  documents.listen(connection);
  connection.listen();
}
