/**
 * Code of others that packages have compiled in, as WebAssembly or natively: their manifests name only their own licence.
 * tests/project/notices_test.ts finds every package with such code and asks for its row.
 */

/**
 * @typedef {{ name: string, licence: string, source: string, copyright?: string, within?: string }} Component
 */

const EMSCRIPTEN = {
  name: "Emscripten's runtime",
  licence: "MIT OR NCSA",
  source: "https://emscripten.org",
  copyright: "2010-2014 Emscripten authors, see its AUTHORS file",
};
const OGG = {
  name: "libogg",
  licence: "BSD-3-Clause",
  source: "https://github.com/xiph/ogg",
  copyright: "2002, Xiph.org Foundation",
};
const FLAC = {
  name: "libFLAC",
  licence: "BSD-3-Clause",
  source: "https://github.com/xiph/flac",
  copyright: "2000-2009 Josh Coalson, 2011-2025 Xiph.Org Foundation",
};
const OPUS = {
  name: "libopus",
  licence: "BSD-3-Clause",
  source: "https://github.com/xiph/opus",
  copyright:
    "2001-2023 Xiph.Org, Skype Limited, Octasic, Jean-Marc Valin, Timothy B. Terriberry, CSIRO, Gregory Maxwell, Mark Borgerding, Erik de Castro Lopo, Mozilla, Amazon",
};
const LLAMA = { name: "llama.cpp and ggml", licence: "MIT", source: "https://github.com/ggml-org/llama.cpp" };
const EIGEN = { name: "Eigen", licence: "MPL-2.0", source: "https://gitlab.com/libeigen/eigen" };
const DAWN = {
  name: "Dawn",
  licence: "BSD-3-Clause",
  source: "https://dawn.googlesource.com/dawn",
  copyright: "2017-2025 The Dawn & Tint Authors",
};
const DXC = {
  name: "DirectX Shader Compiler",
  licence: "NCSA",
  source: "https://github.com/microsoft/DirectXShaderCompiler",
  copyright: "2003-2015 University of Illinois at Urbana-Champaign, Microsoft Corporation",
};
const FFMPEG = { name: "FFmpeg", licence: "LGPL-2.1-or-later", source: "https://ffmpeg.org" };
const ONNX_RUNTIME = [
  {
    name: "ONNX Runtime",
    licence: "MIT",
    source: "https://github.com/microsoft/onnxruntime",
    copyright: "Microsoft Corporation",
  },
  { name: "ONNX", licence: "Apache-2.0", source: "https://github.com/onnx/onnx" },
  {
    name: "Protocol Buffers",
    licence: "BSD-3-Clause",
    source: "https://github.com/protocolbuffers/protobuf",
    copyright: "2008 Google Inc.",
  },
  { name: "Abseil", licence: "Apache-2.0", source: "https://github.com/abseil/abseil-cpp" },
  EIGEN,
  {
    name: "other libraries of ONNX Runtime",
    licence: "MIT",
    source: "https://github.com/microsoft/onnxruntime/blob/v1.30.0/ThirdPartyNotices.txt",
    copyright: "Microsoft Corporation and those named there",
  },
];
const VIPS = {
  name: "libvips",
  within: "glib, librsvg, pango, libheif, libexif, fribidi (LGPL), cairo (MPL) and others that its README names",
  licence: "LGPL-3.0-or-later AND MPL-2.0",
  source: "https://github.com/lovell/sharp-libvips",
};

/**
 * By package; a name that ends in `*` is that of all packages that begin so. An empty list: the code is the package's own.
 *
 * @type {Readonly<Record<string, readonly Component[]>>}
 */
export const COMPILED_IN = {
  "@huggingface/blake3-jit": [],
  "@huggingface/transformers": [],
  "@huggingface/hub": [
    { name: "hash-wasm", licence: "MIT", source: "https://github.com/Daninet/hash-wasm", copyright: "2020 Dani Biró" },
    { name: "lz4js", licence: "ISC", source: "https://github.com/Benzinga/lz4js", copyright: "2019 John Chadwick" },
  ],
  "@img/sharp-libvips-*": [VIPS],
  "@img/sharp-wasm32": [VIPS, EMSCRIPTEN],
  "@img/sharp-win32-*": [VIPS],
  "@img/sharp-*": [],
  "@mlc-ai/web-xgrammar": [
    { name: "XGrammar", licence: "Apache-2.0", source: "https://github.com/mlc-ai/xgrammar" },
    { name: "DLPack", licence: "Apache-2.0", source: "https://github.com/dmlc/dlpack" },
    {
      name: "PicoJSON",
      licence: "BSD-2-Clause",
      source: "https://github.com/kazuho/picojson",
      copyright: "2009-2010 Cybozu Labs, Inc., 2011-2014 Kazuho Oku",
    },
    EMSCRIPTEN,
  ],
  "@wasm-audio-decoders/common": [{
    name: "puff",
    licence: "Zlib",
    source: "https://github.com/madler/zlib",
    copyright: "2002-2013 Mark Adler",
  }],
  "@wasm-audio-decoders/flac": [
    FLAC,
    OGG,
    EMSCRIPTEN,
  ],
  "@wasm-audio-decoders/ogg-vorbis": [
    {
      name: "libvorbis",
      licence: "BSD-3-Clause",
      source: "https://github.com/xiph/vorbis",
      copyright: "2002-2020 Xiph.org Foundation",
    },
    OGG,
    EMSCRIPTEN,
  ],
  "gearhash-jit": [],
  "h264-mp4-encoder": [
    { name: "minih264", licence: "CC0-1.0", source: "https://github.com/lieff/minih264" },
    {
      name: "libmp4v2",
      licence: "MPL-1.1",
      source: "https://github.com/TrevorSundberg/h264-mp4-encoder (submodule)",
    },
    EMSCRIPTEN,
  ],
  "mpg123-decoder": [{
    name: "libmpg123",
    licence: "LGPL-2.1-only",
    source: "https://www.mpg123.de",
    copyright: "1995-2023 the mpg123 project, Michael Hipp",
  }, EMSCRIPTEN],
  "onnxruntime-node": [
    ...ONNX_RUNTIME,
    DAWN,
    DXC,
    {
      name: "DirectML.dll and dxil.dll (Windows)",
      licence: "LicenseRef-Microsoft-DirectML",
      source: "https://github.com/microsoft/DirectML",
    },
  ],
  "onnxruntime-web": [...ONNX_RUNTIME, EMSCRIPTEN],
  "opus-decoder": [OPUS, EMSCRIPTEN],
  "@fugood/llama.node": [LLAMA],
  "@mediabunny/aac-encoder": [FFMPEG, EMSCRIPTEN],
  "@mediabunny/flac-encoder": [FLAC, EMSCRIPTEN],
  "@mediabunny/mp3-encoder": [
    { name: "LAME", licence: "LGPL-2.0-or-later", source: "https://lame.sourceforge.io" },
    EMSCRIPTEN,
  ],
  "@napi-rs/webcodecs": [
    FFMPEG,
    { name: "x264", licence: "GPL-2.0-or-later", source: "https://www.videolan.org/developers/x264.html" },
    { name: "x265", licence: "GPL-2.0-or-later", source: "https://bitbucket.org/multicoreware/x265_git" },
  ],
  "node-llama-cpp": [LLAMA],
  "opusscript": [OPUS, EMSCRIPTEN],
  "webgpu": [
    DAWN,
    DXC,
    {
      name: "d3dcompiler_47.dll (Windows)",
      licence: "LicenseRef-Microsoft-D3DCompiler",
      source: "https://learn.microsoft.com/windows/win32/direct3d",
    },
  ],
};

/** What `deno compile` adds to a binary. */
export const DENO_RUNTIME = [
  {
    name: "Deno's runtime",
    licence: "MIT",
    source: "https://github.com/denoland/deno",
    copyright: "2018-2026 the Deno authors",
  },
  {
    name: "V8",
    licence: "BSD-3-Clause",
    source: "https://chromium.googlesource.com/v8/v8",
    copyright: "2014, the V8 project authors",
  },
  {
    name: "wgpu",
    licence: "MIT OR Apache-2.0",
    source: "https://github.com/gfx-rs/wgpu",
    copyright: "2025 The gfx-rs developers",
  },
];

/** The row of a package; undefined when it has none. */
export function compiledInto(/** @type {string} */ name) {
  const found = Object.keys(COMPILED_IN)
    .filter((key) => key === name || (key.endsWith("*") && name.startsWith(key.slice(0, -1))))
    .sort((a, b) => b.length - a.length)[0];
  return found === undefined ? undefined : COMPILED_IN[found];
}
