// Written by scripts/generate_models.mjs from packages/ and models/; do not edit.
// deno-fmt-ignore-file
import type { ModelPackage } from "./model_package.ts";

type Model = "image-corridor-nano" | "corridor-nano" | "corridor-nano-actions";

/** The packages that hold models, by the model's id. */
export const modelPackages: Readonly<Record<Model, ModelPackage>> = {
  "image-corridor-nano": {
    name: "@svc/image-corridor",
    version: "0.1.0",
    sha256: "6f67c22b82d4e84b82117c0095fbdf408cc8e316ad16aeb61e08ab4947a204d0",
    files: [
      {
        path: "model_index.json",
        bytes: 661,
        sha256: "9cce3fe8072532fe88b446aadf74666924ee5d280c121aaf67f492493d896a9b"
      },
      {
        path: "scheduler/scheduler_config.json",
        bytes: 270,
        sha256: "da5fa9c65c0ab6284a6df9d54dff153e3b74ee3492fed71cef259e8095031ed9"
      },
      {
        path: "text_encoder/config.json",
        bytes: 379,
        sha256: "f7eeca3d948b0ab17f9341943c0277284fe28d7adf19a67ae1d38d697f631158"
      },
      {
        path: "text_encoder/model.safetensors",
        bytes: 516552,
        sha256: "a227a070923be591ff62234c7048cb9bda7cd70dd66083e1d2285d01cd34fb83"
      },
      {
        path: "tokenizer/chat_template.jinja",
        bytes: 97,
        sha256: "f25be7e78f8712199348d6e353758520129c39f06bba2e544a1651a2db6691d5"
      },
      {
        path: "tokenizer/tokenizer.json",
        bytes: 11902,
        sha256: "256f95a3396c8e60a19b7918f787352841cfc889741394685e3ac7eea4f5e146"
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
        sha256: "409db2593f9cb2f2a85c5699c6a65a1afd152f991b1e2d8c2acaee573be6cad0"
      },
      {
        path: "vae/config.json",
        bytes: 463,
        sha256: "5c66bc50f0b6eee8677b54269b12b664415f9cdfbe760417127af359eb3af609"
      },
      {
        path: "vae/diffusion_pytorch_model.safetensors",
        bytes: 1289138,
        sha256: "b646371adc041a0bbca1357d3bf1455ed7bad5386970e97938d9b59c90c64e08"
      }
    ]
  },
  "corridor-nano": {
    name: "@svc/world-corridor",
    version: "0.1.0",
    sha256: "0b079afec8904916d6ccc3696553c51d545e4777e7eb3eab79aeb536d04039fe",
    files: [
      {
        path: "base/config.json",
        bytes: 13310,
        sha256: "13efd9f84c9a878cf592c972b89e725d86623888d4a261af89205e8238712801"
      },
      {
        path: "base/places/blue.png",
        bytes: 17740,
        sha256: "893641773b971dfcccd26a64fed0dd681be1bcd4597e85d77676309295ac1489"
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
        sha256: "5d5753705773bae0056cc810ab18057211f6fa608e50a8f1e35787dd42aaadb1"
      },
      {
        path: "base/tokenizer.json",
        bytes: 2663,
        sha256: "98a1df040a053cd59c1da2b0efa8c0b47b5f60a0e1d850d9965842263aa65b75"
      },
      {
        path: "base/vae.safetensors",
        bytes: 2050232,
        sha256: "4e9a6c0d584772063312ba1150244c68ed80690a0cec8167b98024720c4bf1f1"
      },
      {
        path: "causal/config.json",
        bytes: 249,
        sha256: "ecc61ebd082dd8f0167b694680197ad85c96bcc8853d0dbbdc9ab4b7b048abc9"
      },
      {
        path: "causal/model.safetensors",
        bytes: 5047416,
        sha256: "adaf4270e7f5fa9369a542831beb33009061c4b4e9c6cf95882ab83d7c059fc7"
      }
    ]
  },
  "corridor-nano-actions": {
    name: "@svc/world-corridor-actions",
    version: "0.1.0",
    sha256: "441935254df8a5cb3ec57f63afef180714688b64740a890bea21623109527d60",
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
        bytes: 1840632,
        sha256: "994e5932c055b240a380b5375fcd27856c74786be32b12b9d7eb8c24f324dd6e"
      },
      {
        path: "transformer/diffusion_pytorch_model.safetensors.index.json",
        bytes: 20551,
        sha256: "0864635151e9baecda7899a6cfdc0c1b891e0dc1dfb960ae599312ba0a3cc6e4"
      },
      {
        path: "vae/config.json",
        bytes: 1168,
        sha256: "96677483c5d1e5fc4f2acf4a8a7f7b7686d2ca8be8c5c53d61a579768b28f185"
      },
      {
        path: "vae/diffusion_pytorch_model.safetensors",
        bytes: 2047184,
        sha256: "f2b7af6625b5f002b42694df7cc0d6a1fce351cbc99a9cbbade90ff0155bbee1"
      },
      {
        path: "vision_encoder/model.safetensors",
        bytes: 69576,
        sha256: "9829640402839e111a55c57f8b1fa85035d15428685b59e0511cfc6a7cfdf009"
      }
    ]
  }
};
