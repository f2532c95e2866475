// Written by scripts/generate_models.mjs from packages/ and models/; do not edit.
// deno-fmt-ignore-file
import type { ModelPackage } from "./model_package.ts";

type Model = "image-corridor-nano" | "corridor-nano" | "corridor-nano-actions";

/** The packages that hold models, by the model's id. */
export const modelPackages: Readonly<Record<Model, ModelPackage>> = {
  "image-corridor-nano": {
    name: "@svc/image-corridor",
    version: "0.1.0",
    sha256: "f0c64f45c3c2ebb78b96c3db464cb81f973a337958da9dd597f484b02c743535",
    files: [
      {
        path: "model_index.json",
        bytes: 680,
        sha256: "ee57dfb114ca3efcb59e9a5b7590b550538d902a78af32cd7c9cf671b025e91b"
      },
      {
        path: "scheduler/scheduler_config.json",
        bytes: 270,
        sha256: "da5fa9c65c0ab6284a6df9d54dff153e3b74ee3492fed71cef259e8095031ed9"
      },
      {
        path: "text_encoder/config.json",
        bytes: 379,
        sha256: "2aeaf18192998b5e14452d2d092c5f470cb90b4df7615391623932bcf6cbe00e"
      },
      {
        path: "text_encoder/model.safetensors",
        bytes: 528072,
        sha256: "14e76bd0069c1a9184057cf38f18d49eb4d469f94447cc92a52adee80afc319f"
      },
      {
        path: "tokenizer/chat_template.jinja",
        bytes: 97,
        sha256: "f25be7e78f8712199348d6e353758520129c39f06bba2e544a1651a2db6691d5"
      },
      {
        path: "tokenizer/tokenizer.json",
        bytes: 13810,
        sha256: "ce89b2db0cae9065dfdf651318f82836e0031a72554cb68914236bf1b2ba9da7"
      },
      {
        path: "tokenizer/tokenizer_config.json",
        bytes: 74,
        sha256: "d96e309ba309fd9d994676ce78997c40d20321783e33d5322a566000b06987c2"
      },
      {
        path: "transformer/config.json",
        bytes: 419,
        sha256: "b2a169e564d1c4d087316e19f679da47fd894d426218beb0af770f06dc4f5056"
      },
      {
        path: "transformer/diffusion_pytorch_model.safetensors",
        bytes: 3257872,
        sha256: "471c2f12a083a2a8930f506cac33c9f3f6d5108dac6fedfd936f75aa2737f823"
      },
      {
        path: "vae/config.json",
        bytes: 463,
        sha256: "5c66bc50f0b6eee8677b54269b12b664415f9cdfbe760417127af359eb3af609"
      },
      {
        path: "vae/diffusion_pytorch_model.safetensors",
        bytes: 1289138,
        sha256: "0050071078804537db3681eb244af8897efd43099ef7f36fa30af4e8386c583f"
      }
    ]
  },
  "corridor-nano": {
    name: "@svc/world-corridor",
    version: "0.1.0",
    sha256: "e3ae79d99df6bd10f062226dc986e32e98d82e77d1af607d481a404c67a4196e",
    files: [
      {
        path: "base/config.json",
        bytes: 17550,
        sha256: "7d4ba44b724e07d3c95d660b942145cd05ad4d1315f61c8117f0ec4f1d733c94"
      },
      {
        path: "base/courtyard/config.json",
        bytes: 1363,
        sha256: "10d4d5056127d5bd35eb1ee772e281bc7fe9d62d58968129a938584798632256"
      },
      {
        path: "base/courtyard/t5_encoder.safetensors",
        bytes: 97516,
        sha256: "ea578067755b36cc8d172cf9f902c6ea55177197e56e817a5c62cf3248d7356e"
      },
      {
        path: "base/courtyard/tokenizer.json",
        bytes: 2949,
        sha256: "56286fb23dcbe0940bcac0702e0758a34c6dc009957c64106fe52abc215b0aa1"
      },
      {
        path: "base/courtyard/vae.safetensors",
        bytes: 2124456,
        sha256: "30458d7c44594528eec641ecfffeb17ac6759e32c8ea828572930cba53766f6e"
      },
      {
        path: "base/places/blue.png",
        bytes: 17740,
        sha256: "893641773b971dfcccd26a64fed0dd681be1bcd4597e85d77676309295ac1489"
      },
      {
        path: "base/places/day.png",
        bytes: 15119,
        sha256: "440a26bd0f031f2359faed9bfe26efbcc89b00aac02d1953530ede5ced422e62"
      },
      {
        path: "base/places/dusk.png",
        bytes: 13384,
        sha256: "e4255f76c8557cd82aa7c8dc8d50faeb66da7f55d819c1b59a78dbf79ce08a92"
      },
      {
        path: "base/places/night.png",
        bytes: 21106,
        sha256: "c015a0e12b1e95218ca2259189dcd3db2866694179bd5d6b6c0ff38c55098c97"
      },
      {
        path: "base/places/red.png",
        bytes: 18708,
        sha256: "9d682059747c6fe61aa930a247215bbb4cbab179ef9d95a2a19eea3a9d445665"
      },
      {
        path: "base/places/white.png",
        bytes: 19713,
        sha256: "43a627e48d888f96068cd880118a18611919284d1d8b1e47fcaa511faaa64883"
      },
      {
        path: "base/source.png",
        bytes: 43693,
        sha256: "31a25c4a0d98a906ddd1a0ca359563efff9377afcfe6c2cfe4b46d0c75d6ca94"
      },
      {
        path: "base/t5_encoder.safetensors",
        bytes: 96790,
        sha256: "9cb4dc3b04d417fcaecef0323dc61a3bd2fd15e6d7e8de3c4784325d56fa4ae6"
      },
      {
        path: "base/tokenizer.json",
        bytes: 2663,
        sha256: "98a1df040a053cd59c1da2b0efa8c0b47b5f60a0e1d850d9965842263aa65b75"
      },
      {
        path: "base/vae.safetensors",
        bytes: 2135816,
        sha256: "62936ed034ed33418a39751f696ad99ca7d6289f88db2e748f964c2ede63ccd7"
      },
      {
        path: "causal/config.json",
        bytes: 249,
        sha256: "ecc61ebd082dd8f0167b694680197ad85c96bcc8853d0dbbdc9ab4b7b048abc9"
      },
      {
        path: "causal/courtyard/config.json",
        bytes: 249,
        sha256: "ecc61ebd082dd8f0167b694680197ad85c96bcc8853d0dbbdc9ab4b7b048abc9"
      },
      {
        path: "causal/courtyard/model.safetensors",
        bytes: 5059488,
        sha256: "5b6d0cbff3fcff5dc2d16de74a0c710257e22b867bc110bd7d26843d1796e1bb"
      },
      {
        path: "causal/model.safetensors",
        bytes: 5059488,
        sha256: "700d28287c126eee48ba1d1a20455f11482db06345d49920541e889485847600"
      }
    ]
  },
  "corridor-nano-actions": {
    name: "@svc/world-corridor-actions",
    version: "0.1.0",
    sha256: "f3e9000ca4889cd0e0cbf4d6ba9abd3dec8d5a2c548e7cc8a80eddee88639963",
    files: [
      {
        path: "config.json",
        bytes: 607,
        sha256: "0bebba809b169d3969dec1d40bb369d47b68db46fee02400f400b9a1a02fd350"
      },
      {
        path: "scheduler/scheduler_config.json",
        bytes: 293,
        sha256: "25d21de0fa9c4a314edaba611c8768fa687a8a73989e0f8bf3a9318d58d286cf"
      },
      {
        path: "source.png",
        bytes: 43693,
        sha256: "31a25c4a0d98a906ddd1a0ca359563efff9377afcfe6c2cfe4b46d0c75d6ca94"
      },
      {
        path: "tokenizer.json",
        bytes: 42057,
        sha256: "fdfea22deed0743ba9cbb66fd70215fc42f571ab5867e0c7ffd806dcb13032c0"
      },
      {
        path: "transformer/config.json",
        bytes: 774,
        sha256: "b92c61ecf8fcf3968b701be7134ecdb751bc32530a1aebde22f61b03d30dc48e"
      },
      {
        path: "transformer/diffusion_pytorch_model-00001-of-00002.safetensors",
        bytes: 1884592,
        sha256: "cddbbb6862b8e89b442930c806493da331546e80ca9ff29b388cc34f5cec3f48"
      },
      {
        path: "transformer/diffusion_pytorch_model-00002-of-00002.safetensors",
        bytes: 1850760,
        sha256: "000dfc5a99f2eb47e4eb19ec8769088b22c7b8e3d025e07578c8e466533738dd"
      },
      {
        path: "transformer/diffusion_pytorch_model.safetensors.index.json",
        bytes: 20459,
        sha256: "1b17da2615e6c7dd65aeebbcbe6d5334a73f1a2ab5a83a716ca837343f22c5e0"
      },
      {
        path: "vae/config.json",
        bytes: 1168,
        sha256: "96677483c5d1e5fc4f2acf4a8a7f7b7686d2ca8be8c5c53d61a579768b28f185"
      },
      {
        path: "vae/diffusion_pytorch_model.safetensors",
        bytes: 2117624,
        sha256: "704543229f6ccf1d89f36b5df858167996c073f9dc0ebd40bb937043f6b3522a"
      },
      {
        path: "vision_encoder/model.safetensors",
        bytes: 69576,
        sha256: "9829640402839e111a55c57f8b1fa85035d15428685b59e0511cfc6a7cfdf009"
      }
    ]
  }
};
