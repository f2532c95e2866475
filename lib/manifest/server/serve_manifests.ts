/**
 * The language server of manifests.
 *
 * @module
 */
import {
  createConnection,
  type ServerCapabilities,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { standardStreams } from "../../platform/terminal/terminal.ts";
import { VERSION } from "../../platform/processes/version.ts";
import { completionsAt, correctionsOf, diagnosticsOf, hoverAt, isManifest } from "./language_features.ts";

/**
 * Serves an editor over standard input and output until it says goodbye, which ends the process. Documents never leave
 * the process; nothing but what the editor sends is read. It reports on what is a manifest by its members; with the
 * initialization option `everyDocument` on each document that the editor sends, as one that chooses them by name.
 */
export function serveManifests(): void {
  const { input, output } = standardStreams();
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const capabilities: ServerCapabilities = {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['"', ":"] },
    hoverProvider: true,
    codeActionProvider: { codeActionKinds: ["quickfix"] },
  };
  let everyDocument = false;
  const isOurs = (document: TextDocument): boolean => everyDocument || isManifest(document);
  connection.onInitialize(({ initializationOptions }) => {
    everyDocument = initializationOptions?.everyDocument === true;
    return { capabilities, serverInfo: { name: "svc manifest", version: VERSION } };
  });
  documents.onDidChangeContent(({ document }) => {
    void connection.sendDiagnostics({
      uri: document.uri,
      version: document.version,
      diagnostics: isOurs(document) ? diagnosticsOf(document) : [],
    });
  });
  documents.onDidClose(({ document: { uri } }) => void connection.sendDiagnostics({ uri, diagnostics: [] }));
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document && isOurs(document) ? completionsAt(document, position) : undefined;
  });
  connection.onHover(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document && isOurs(document) ? hoverAt(document, position) : undefined;
  });
  connection.onCodeAction(({ textDocument: { uri }, context }) => correctionsOf(uri, context.diagnostics));
  documents.listen(connection);
  connection.listen();
}
