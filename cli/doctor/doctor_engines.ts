import { LLAMA_NODE_PACKAGE, loadLlamaNode } from "../../lib/engines/gguf_text/images/llama_node_library.ts";
import { openLlama } from "../../lib/engines/gguf_text/open_llama.ts";
import { openSession } from "../../lib/engines/onnx_sessions/open_session.ts";
import { loadTransformers, TRANSFORMERS_PACKAGE } from "../../lib/engines/transformers_js/transformers_library.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { offerMountedDriver } from "../../lib/platform/machine/mounted_driver.ts";
import { vulkanManifests } from "../../lib/platform/machine/vulkan_driver.ts";
import { ENCODER_NAMES } from "../../lib/media/video/h264.ts";
import { openMedia } from "../../lib/media/video/open_media.ts";
import { loadOnnxRuntime } from "../../lib/compute/onnx/load_onnxruntime.ts";
import { lowerGraph } from "../../lib/compute/onnx/lower_graph.ts";
import { splitGraph } from "../../lib/compute/onnx/split_graph.ts";
import { missingDevices } from "../../lib/app/models/engine/missing_devices.ts";
import { describeGpus, openGpu } from "../../lib/compute/device/open_device.ts";
import { Graph, mul } from "../../lib/compute/tensor/mod.ts";
import type { Capability, Finding } from "./doctor_report.ts";

/** Devices of ONNX Runtime besides the CPU, and how to enable them. */
const accelerators = {
  cuda:
    'run "npm install onnxruntime-node && npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12" on Linux with CUDA 12',
  tensorrt:
    'install TensorRT 10 and what cuda needs, then run "npm install onnxruntime-node && npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12"',
  webgpu: "install the driver of the GPU, on Linux one for Vulkan",
  coreml: "install onnxruntime-node again",
  dml: "install onnxruntime-node again",
} as const;

/** Graphs of our own, such as worlds, run on WebGPU without ONNX Runtime; text models do not try TensorRT. */
const purposes: Readonly<Record<keyof typeof accelerators, string>> = {
  cuda: "ONNX models and worlds on a GPU",
  tensorrt: "worlds on a GPU",
  webgpu: "ONNX models on a GPU",
  coreml: "ONNX models and worlds on a GPU",
  dml: "ONNX models and worlds on a GPU",
};

/** The systems that can have a device; on others its absence is not reported. */
const systems: Readonly<Record<keyof typeof accelerators, readonly string[]>> = {
  cuda: ["linux"],
  tensorrt: ["linux"],
  webgpu: ["linux", "darwin", "win32"],
  coreml: ["darwin"],
  dml: ["win32"],
};

/** The engines and devices of models. */
export function engineCapabilities(): readonly Capability[] {
  offerMountedDriver();
  return [
    {
      name: "onnxruntime-node",
      purpose: "runs ONNX models, and worlds without a GPU",
      required: true,
      check: async () => {
        try {
          const { env } = await loadOnnxRuntime();
          const { device } = await tryDevice("cpu");
          return { ok: true, detail: `${env.versions.node ?? ""} works on the ${device}` };
        } catch (error) {
          return { ok: false, reason: messageOf(error), remedy: 'run "npm install onnxruntime-node"' };
        }
      },
    },
    ...(Object.keys(accelerators) as (keyof typeof accelerators)[]).filter((device) =>
      systems[device].includes(thisPlatform().platform)
    ).map((device) => ({
      name: `onnxruntime-node on ${device}`,
      purpose: purposes[device],
      required: false,
      check: () => checkDevice(device),
    })),
    {
      name: "node-llama-cpp",
      purpose: "runs GGUF models",
      required: false,
      check: async () => {
        try {
          const { llama, device } = await openLlama("auto", missingDevices());
          await llama.dispose();
          return { ok: true, detail: `works on ${device}` };
        } catch (error) {
          return { ok: false, reason: messageOf(error), remedy: 'run "npm install node-llama-cpp"' };
        }
      },
    },
    {
      name: "@huggingface/transformers",
      purpose: "runs Qwen-VL, Gemma 3n with images and encoder-decoders",
      required: false,
      check: async () => {
        try {
          await loadTransformers();
          return { ok: true, detail: "is installed" };
        } catch (error) {
          const remedy = `run "npm install ${TRANSFORMERS_PACKAGE}"`;
          return { ok: false, reason: messageOf(error).replace(/, install it .*$/, ""), remedy };
        }
      },
    },
    {
      name: "@fugood/llama.node",
      purpose: "images in chats with GGUF models",
      required: false,
      check: async () => {
        try {
          await loadLlamaNode();
          return { ok: true, detail: "is installed" };
        } catch (error) {
          const remedy = `run "npm install ${LLAMA_NODE_PACKAGE}"`;
          return { ok: false, reason: messageOf(error).replace(/, install it .*$/, ""), remedy };
        }
      },
    },
    {
      name: "GPU for worlds",
      purpose: "worlds through WebGPU",
      required: false,
      check: async () => {
        const opening = await openGpu();
        const { count, names } = await describeGpus();
        const listed = count > 0 ? `; adapters for --adapter: ${names}` : "";
        const manifests = vulkanManifests();
        const driver = manifests.length > 0 ? `; Vulkan drivers: ${manifests.join(", ")}` : "";
        if (!opening.ok) return { ...opening, reason: `${opening.reason}${listed}${driver}` };
        const { label, tiles } = opening.device;
        opening.device.dispose();
        const others = count > 1 ? " (the first of them is used: a discrete GPU before an integrated one)" : "";
        const why = tiles?.reason ? `; no matrix units: ${tiles.reason}` : "";
        return { ok: true, detail: `${label}${why}${listed}${others}${driver}` };
      },
    },
    ...ENCODER_NAMES.map((encoder) => ({
      name: `video encoder ${encoder}`,
      purpose: encoder === "wasm" ? "MP4 of worlds everywhere" : "MP4 of worlds, faster",
      required: false,
      check: () => checkEncoder(encoder),
    })),
  ];
}

async function checkDevice(device: keyof typeof accelerators): Promise<Finding> {
  const remedy = accelerators[device];
  const library = device === "tensorrt" ? "cuda" : device; // what brings one brings the other
  const missing = missingDevices().find((one) => one.device === library);
  // Its message ends with the remedy.
  if (missing) return { ok: false, reason: missing.reason.split(", ")[0], remedy };
  const built = (await loadOnnxRuntime()).listSupportedBackends().some(({ name }) => name === device);
  if (!built) return { ok: false, reason: "the library for this platform is built without it", remedy };
  try {
    await tryDevice(device);
    return { ok: true, detail: "works" };
  } catch (error) {
    return { ok: false, reason: messageOf(error), remedy };
  }
}

/** Opens a model of one multiplication. */
async function tryDevice(device: string): Promise<{ readonly device: string }> {
  const graph = new Graph();
  graph.output("y", mul(graph.input("x", [2]), 3));
  const { session } = await openSession({ bytes: lowerGraph(splitGraph(graph)[0]).bytes, folder: "" }, {
    device,
    threads: 1,
  });
  await session.release();
  return { device };
}

async function checkEncoder(encoder: string): Promise<Finding> {
  const media = openMedia({ encoder });
  try {
    await media.prepare();
    return { ok: true, detail: "works" };
  } catch (error) {
    const remedy = encoder === "ffmpeg"
      ? "install ffmpeg with libx264, or leave it: another encoder is used"
      : encoder === "napi-webcodecs"
      ? 'run "npm install @napi-rs/webcodecs", or leave it: another encoder is used'
      : "another encoder is used";
    return { ok: false, reason: messageOf(error), remedy };
  } finally {
    await media.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
