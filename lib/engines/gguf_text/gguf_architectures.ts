/**
 * Architectures of GGUF models.
 *
 * @module
 */

/** Those of the version of llama.cpp that is installed, by its names. */
export const GGUF_ARCHITECTURES: ReadonlySet<string> = new Set(
  [
    "llama llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bert modern-bert nomic-bert",
    "nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3",
    "qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe phi2 phi3 phimoe plamo plamo2 plamo3 codeshell orion",
    "internlm2 minicpm minicpm3 gemma gemma2 gemma3 gemma3n gemma4 gemma4-assistant gemma-embedding starcoder2",
    "mamba mamba2 jamba falcon-h1 xverse command-r cohere2 cohere2moe dbrx olmo olmo2 olmoe muse-glimmer openelm",
    "arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 chatglm glm4 glm4moe glm-dsa bitnet t5",
    "t5encoder jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe rwkv6 rwkv6qwen2 rwkv7",
    "arwkv7 granite granitemoe granitehybrid graniteswitch chameleon wavtokenizer-dec plm bailingmoe bailingmoe2",
    "dots1 arcee afmoe laguna ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 smollm3 gpt-oss",
    "lfm2 lfm2moe dream smallthinker llada llada-moe seed_oss grovemoe apertus minimax-m2 minimax-m3 cogvlm rnd1",
    "pangu-embedded mistral3 eagle3 dflash mistral4 paddleocr mimo2 step35 llama-embed maincoder kimi-linear",
    "talkie mellum nanbeige qwen3tts clip",
  ].flatMap((line) => line.split(" ")),
);

/** What does not continue a text, and why. */
const others: Readonly<Record<string, string>> = {
  "clip": "the part of a model that looks at images",
  "dream": "a diffusion model",
  "llada": "a diffusion model",
  "llada-moe": "a diffusion model",
  "rnd1": "a diffusion model",
  "eagle3": "a draft for another model",
  "dflash": "a draft for another model",
  "gemma4-assistant": "a draft for another model",
  "t5": "an encoder-decoder",
  "qwen3tts": "a speech model",
  "wavtokenizer-dec": "a speech model",
};

/** Why llama.cpp cannot chat with models of an architecture; undefined where it can. */
export function architectureProblem(architecture: string): string | undefined {
  if (others[architecture] !== undefined) return `it is ${others[architecture]} (${architecture})`;
  if (GGUF_ARCHITECTURES.has(architecture)) return undefined;
  return `its architecture is ${
    JSON.stringify(architecture.slice(0, 80))
  }, which this version of llama.cpp does not know`;
}
