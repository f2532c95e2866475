/**
 * The thread that grammars are compiled and matched in.
 *
 * @module
 */
import { serveGrammars } from "../../../engines/constrained_decoding/grammar_service.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { loadXGrammar } from "./load_xgrammar.ts";

serveGrammars(await parentPort(), loadXGrammar);
