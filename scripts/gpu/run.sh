#!/bin/bash
# Proves the GPU of a bare Linux x86-64 machine: `OUT=folder bash .gpu/run.sh`. Needs bash and coreutils, xz or python3 to
# unpack, dpkg or python3 where the Vulkan loader is missing. Ends within nine minutes.
# $OUT gets run.log, parts.log, summary.json and report.md. Variables, all optional:
#   SVC_PROOF_WORK=folder     where the pack is unpacked: /tmp/svc-gpu
#   SVC_PROOF_PARTS=a,b       only these parts, for a second call
#   SVC_PROOF_SMALL=1         a rehearsal on the software adapter that the environment names
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${OUT:-$PWD/out}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
WORK=${SVC_PROOF_WORK:-/tmp/svc-gpu}
APP=$WORK/app
SECONDS=0
LONGEST=530
# Without a home directory NVIDIA's driver has no cache for its shaders.
export HOME=${HOME:-/tmp}
# Dawn rounds timestamps by default.
export SVC_DAWN_DISABLE=${SVC_DAWN_DISABLE:-timestamp_quantization}
mkdir -p "$WORK"
exec > >(tee "$OUT/run.log") 2>&1
say() { echo "[+${SECONDS}s] $*"; }
have() { command -v "$1" > /dev/null 2>&1; }
small() { [ "${SVC_PROOF_SMALL:-}" = 1 ]; }

unxz_to() { # file.xz target
  if have xz; then xz -dc "$1" > "$2"
  elif have python3; then python3 -c 'import lzma, shutil, sys
with lzma.open(sys.argv[1]) as a, open(sys.argv[2], "wb") as b: shutil.copyfileobj(a, b, 1 << 20)' "$1" "$2"
  else say "Cannot unpack $1: neither xz nor python3 is here"; return 1
  fi
}

undeb() { # folder of .deb files, target
  local file
  mkdir -p "$2"
  for file in "$1"/*.deb; do
    [ -e "$file" ] || continue
    if have dpkg && dpkg -x "$file" "$2" 2> /dev/null; then continue; fi
    python3 -c 'import io, lzma, sys, tarfile
raw, at = open(sys.argv[1], "rb").read(), 8
while at < len(raw):
    name, size = raw[at:at + 16].decode().strip().rstrip("/"), int(raw[at + 48:at + 58])
    body = raw[at + 60:at + 60 + size]
    if name.startswith("data.tar"):
        data = lzma.decompress(body) if name.endswith(".xz") else body
        tarfile.open(fileobj=io.BytesIO(data)).extractall(sys.argv[2])
    at += 60 + size + size % 2' "$file" "$2" || say "Cannot unpack $file"
  done
}

add_libraries() { export LD_LIBRARY_PATH="$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; }

say "$(uname -srm); $(grep -m1 PRETTY_NAME /etc/os-release 2> /dev/null); $(nproc) cores"
have nvidia-smi && nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,power.limit --format=csv

# ---- the pack, unless an earlier call on this machine unpacked it
NODE=$WORK/node
if ! cmp -s "$HERE/made.txt" "$WORK/made.txt"; then
  rm -rf "$APP"
  mkdir -p "$APP"
  (unxz_to "$HERE/app.tar.xz" "$WORK/app.tar" && tar xf "$WORK/app.tar" -C "$APP" && rm "$WORK/app.tar") &
  unxz_to "$HERE/node.xz" "$NODE" || exit 1
  wait $! || { say "Cannot unpack app.tar.xz"; exit 1; }
  mkdir -p "$APP/node_modules/webgpu/dist/linux-x64"
  unxz_to "$HERE/dawn.node.xz" "$APP/node_modules/webgpu/dist/linux-x64/dawn.node" || exit 1
  chmod +x "$NODE"
  cp "$HERE/made.txt" "$WORK/made.txt"
  say "unpacked to $WORK"
fi
if ! "$NODE" --version > /dev/null 2>&1; then
  say "Node does not start ($("$NODE" --version 2>&1 | head -1)): trying the C++ library of the pack; if $WORK may not hold programs, set SVC_PROOF_WORK"
  undeb "$HERE/debs/spare" "$WORK/spare"
  add_libraries "$WORK/spare/usr/lib/x86_64-linux-gnu:$WORK/spare/lib/x86_64-linux-gnu"
fi
say "Node $("$NODE" --version 2>&1)"

# ---- the Vulkan loader and the driver
if ! small; then
  if ! ldconfig -p 2> /dev/null | grep -q libvulkan.so.1; then
    if [ "$(id -u)" = 0 ]; then undeb "$HERE/debs" / && ldconfig
    else undeb "$HERE/debs" "$WORK/loaders"; add_libraries "$WORK/loaders/usr/lib/x86_64-linux-gnu"; fi
    say "the loaders of the pack are unpacked"
  fi
  for manifest in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /usr/share/vulkan/icd.d/nvidia_icd.json \
    /etc/vulkan/icd.d/nvidia_icd.json; do
    [ -e "$manifest" ] && { export VK_DRIVER_FILES=$manifest VK_ICD_FILENAMES=$manifest; break; }
  done
  EGL=/usr/local/nvidia/share/glvnd/egl_vendor.d/10_nvidia.json
  [ -e "$EGL" ] && export __EGL_VENDOR_LIBRARY_FILENAMES=$EGL
  [ -d /usr/local/nvidia/lib64 ] && add_libraries /usr/local/nvidia/lib64
fi
say "VK_DRIVER_FILES=${VK_DRIVER_FILES:-} LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}"

finds_gpu() { timeout 60 "$NODE" "$APP/tests/proof/gpu/adapter_part.mjs" > "$WORK/adapter.log" 2>&1; }

diagnose() {
  say "WebGPU found no GPU:"
  tail -5 "$WORK/adapter.log"
  ls -l /dev/nvidia* /dev/dri 2>&1 | head -20
  ldconfig -p 2> /dev/null | grep -E 'libvulkan|libGLX|libEGL|libX11|libXext'
  timeout 5 find /usr /etc /opt \( -name '*_icd*.json' -o -name 'libGLX_nvidia*' -o -name 'libEGL_nvidia*' \) 2> /dev/null | head -20
}

# Drivers ask for libraries of X11 that a machine without a display may not have.
second_try() {
  say "second try, with the X11 libraries of the pack"
  undeb "$HERE/debs" "$WORK/loaders"
  undeb "$HERE/debs/spare" "$WORK/x11"
  # The machine's own C++ library is newer or equal where Node starts.
  rm -f "$WORK"/x11/usr/lib/x86_64-linux-gnu/libstdc++* "$WORK"/x11/{usr/,}lib/x86_64-linux-gnu/libgcc_s*
  add_libraries "$WORK/loaders/usr/lib/x86_64-linux-gnu:$WORK/x11/usr/lib/x86_64-linux-gnu"
  finds_gpu && return
  local egl
  egl=$(timeout 5 find /usr /opt -name 'libEGL_nvidia.so.0' 2> /dev/null | head -1)
  [ -n "$egl" ] || return 1
  say "third try, with a manifest for $egl"
  printf '{"file_format_version":"1.0.1","ICD":{"library_path":"%s","api_version":"1.3.0"}}' "$egl" > "$WORK/egl_icd.json"
  export VK_DRIVER_FILES=$WORK/egl_icd.json VK_ICD_FILENAMES=$WORK/egl_icd.json
  finds_gpu
}

if ! small && ! finds_gpu; then
  diagnose
  second_try || say "still no GPU, the proof says so"
fi

# ---- the parts
ARGUMENTS=()
small || ARGUMENTS+=(--seconds $((LONGEST - SECONDS)))
[ -n "${SVC_PROOF_PARTS:-}" ] && ARGUMENTS+=(--parts "$SVC_PROOF_PARTS")
"$NODE" "$APP/tests/proof/gpu/run_parts.mjs" "$OUT" ${ARGUMENTS[@]+"${ARGUMENTS[@]}"}
STATUS=$?
# The end of what is printed is the result, where nothing but that comes back.
head -c 8000 "$OUT/report.md" 2> /dev/null
say "ended with $STATUS"
sync
exec 1>&- 2>&-
sleep 1 # for tee
exit $STATUS
