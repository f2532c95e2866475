/**
 * The picture enlarged smoothly: sharpened where it has little contrast, then bicubically, by the GPU.
 *
 * @module
 */
import { byId } from "../ui/dom.ts";
import type { Size } from "./stage_box.ts";

/** Contrast-adaptive sharpening (CAS) of the frame at its own size, where the blur of a decoder is. */
const SHARPEN = `
  precision mediump float;
  uniform sampler2D picture;
  uniform vec2 pixel;
  varying vec2 at;
  void main() {
    vec3 middle = texture2D(picture, at).rgb;
    vec3 up = texture2D(picture, at - vec2(0.0, pixel.y)).rgb;
    vec3 down = texture2D(picture, at + vec2(0.0, pixel.y)).rgb;
    vec3 left = texture2D(picture, at - vec2(pixel.x, 0.0)).rgb;
    vec3 right = texture2D(picture, at + vec2(pixel.x, 0.0)).rgb;
    vec3 least = min(middle, min(min(up, down), min(left, right)));
    vec3 most = max(middle, max(max(up, down), max(left, right)));
    vec3 room = clamp(min(least, 1.0 - most) / max(most, 0.004), 0.0, 1.0);
    vec3 contrast = most - least;
    // One weight for all colours, so that edges keep theirs; steps of a gradient are no edges.
    float edge = smoothstep(0.008, 0.04, max(contrast.r, max(contrast.g, contrast.b)));
    float weight = sqrt(min(room.r, min(room.g, room.b))) * edge * -0.18;
    gl_FragColor = vec4((middle + (up + down + left + right) * weight) / (1.0 + 4.0 * weight), 1.0);
  }`;

/** Catmull-Rom along one axis: four pixels, so that a CPU that stands in for a GPU reads few. */
const ENLARGE = `
  precision highp float;
  uniform sampler2D picture;
  uniform vec2 axis;
  uniform vec2 pixel;
  varying vec2 at;
  void main() {
    float place = dot(at / pixel, axis) - 0.5;
    float f = fract(place);
    vec2 one = axis * pixel;
    vec2 middle = at - one * f;
    float w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
    float w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    float w2 = f * (0.5 + f * (2.0 - 1.5 * f));
    float w3 = f * f * (-0.5 + 0.5 * f);
    gl_FragColor = vec4(
      texture2D(picture, middle - one).rgb * w0 + texture2D(picture, middle).rgb * w1 +
      texture2D(picture, middle + one).rgb * w2 + texture2D(picture, middle + 2.0 * one).rgb * w3, 1.0);
  }`;

const CORNERS = `
  attribute vec2 corner;
  varying vec2 at;
  uniform float up;
  void main() {
    at = vec2(0.5 + 0.5 * corner.x, 0.5 + 0.5 * up * corner.y);
    gl_Position = vec4(corner, 0.0, 1.0);
  }`;

/** Most pixels to draw: what a CPU that stands in for a GPU draws in a few milliseconds; a browser enlarges the rest. */
const MOST_PIXELS = 768 * 512;
/** Most pixels to draw on a GPU. */
const MOST_PIXELS_OF_GPU = 4096 * 2304;

const STORED = "svc.smooth";

/**
 * Draws every frame of the video, or the still picture before it, onto a canvas over both. Without WebGL, and while the
 * context is lost, the browser enlarges them in its own way.
 */
export class SmoothPicture {
  readonly #canvas = byId("smooth", HTMLCanvasElement);
  readonly #video = byId("video", HTMLVideoElement);
  readonly #still = byId("still", HTMLImageElement);
  readonly #button = byId("smooth-on", HTMLButtonElement);
  readonly #onSwitch: (on: boolean) => void;
  #pen: Pen | undefined;
  #isOn: boolean;

  /** @param onSwitch Called now and whenever it is switched on or off. */
  constructor(onSwitch: (on: boolean) => void) {
    this.#onSwitch = onSwitch;
    this.#isOn = localStorage.getItem(STORED) !== "off";
    this.#button.addEventListener("click", () => {
      this.#isOn = !this.#isOn;
      localStorage.setItem(STORED, this.#isOn ? "on" : "off");
      this.#switched();
    });
    this.#pen = openPen(this.#canvas);
    this.#canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // else it never comes back
      this.#pen = undefined;
      this.draw();
    });
    this.#canvas.addEventListener("webglcontextrestored", () => {
      this.#pen = openPen(this.#canvas);
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.#canvas.parentElement!);
    const { requestVideoFrameCallback } = HTMLVideoElement.prototype;
    if (requestVideoFrameCallback !== undefined) this.#follow();
    this.#switched();
  }

  /** Draws what is shown now, once the still picture has changed or gone. */
  draw(): void {
    const still = !this.#still.hidden;
    const size = still
      ? { width: this.#still.naturalWidth, height: this.#still.naturalHeight }
      : { width: this.#video.videoWidth, height: this.#video.videoHeight };
    const shows = this.#isOn && this.#pen !== undefined && size.width > 0 && (still || this.#video.readyState >= 2) &&
      this.#fit(this.#pen.mostPixels, size) && this.#pen.draw(still ? this.#still : this.#video, size);
    // Nothing is drawn where there is no picture yet; the last frame stays while a video looks for its next.
    this.#canvas.hidden = !shows && !(this.#isOn && this.#pen && size.width > 0 && !still && !this.#canvas.hidden);
    for (const other of [this.#video, this.#still]) {
      if (this.#canvas.hidden) other.removeAttribute("aria-hidden");
      else other.setAttribute("aria-hidden", "true"); // the canvas has their name
    }
  }

  #follow(): void {
    this.#video.requestVideoFrameCallback(() => {
      if (this.#still.hidden) this.draw();
      this.#follow();
    });
  }

  #switched(): void {
    this.#button.setAttribute("aria-pressed", String(this.#isOn));
    this.#onSwitch(this.#isOn);
    this.draw();
  }

  /** Gives the canvas the size that it has on the screen; false where the picture is not enlarged. */
  #fit(mostPixels: number, { width, height }: Size): boolean {
    const { clientWidth, clientHeight } = this.#canvas.parentElement!;
    const [wide, high] = [clientWidth * devicePixelRatio, clientHeight * devicePixelRatio];
    if (wide <= width || high <= height) return false;
    const less = Math.min(1, Math.sqrt(mostPixels / (wide * high)));
    const [columns, rows] = [Math.round(wide * less), Math.round(high * less)];
    // Setting a size clears the canvas, so it is set only when it changes.
    if (this.#canvas.width !== columns) this.#canvas.width = columns;
    if (this.#canvas.height !== rows) this.#canvas.height = rows;
    return true;
  }
}

/** What draws on the canvas. */
interface Pen {
  readonly mostPixels: number;
  /** Draws a picture over the whole canvas; false where the browser does not give its pixels away. */
  draw(picture: TexImageSource, size: Size): boolean;
}

function openPen(canvas: HTMLCanvasElement): Pen | undefined {
  const gl = canvas.getContext("webgl", { alpha: false, antialias: false, depth: false });
  if (!gl || gl.isContextLost()) return undefined;
  const [sharpen, enlarge] = [programOf(gl, SHARPEN), programOf(gl, ENLARGE)];
  if (!sharpen || !enlarge) return undefined;
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const given = textureOf(gl);
  const [sharpened, widened] = [new Target(gl), new Target(gl)];
  /** Draws a texture of a size over the whole of a target, the canvas by default. */
  const pass = (program: Program, texture: WebGLTexture, size: Size, axis: readonly [number, number], to?: Target) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, to?.buffer ?? null);
    gl.useProgram(program.program);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform2f(program.pixel, 1 / size.width, 1 / size.height);
    gl.uniform2f(program.axis, ...axis);
    gl.uniform1f(program.up, to ? 1 : -1); // a canvas has its first row at the bottom
    const { width, height } = to?.size ?? canvas;
    gl.viewport(0, 0, width, height);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  return {
    mostPixels: isSoftware(gl) ? MOST_PIXELS : MOST_PIXELS_OF_GPU,
    draw(picture, size) {
      const wide = { width: canvas.width, height: size.height };
      sharpened.resize(size);
      widened.resize(wide);
      gl.bindTexture(gl.TEXTURE_2D, given);
      try {
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, picture);
      } catch {
        return false;
      }
      pass(sharpen, given, size, [0, 0], sharpened);
      pass(enlarge, sharpened.texture, size, [1, 0], widened);
      pass(enlarge, widened.texture, wide, [0, 1]);
      return true;
    },
  };
}

/** A texture that is drawn on. */
class Target {
  readonly texture: WebGLTexture;
  readonly buffer: WebGLFramebuffer;
  readonly #gl: WebGLRenderingContext;
  #size: Size = { width: 0, height: 0 };

  constructor(gl: WebGLRenderingContext) {
    this.#gl = gl;
    this.texture = textureOf(gl);
    this.buffer = gl.createFramebuffer();
  }

  get size(): Size {
    return this.#size;
  }

  resize({ width, height }: Size): void {
    if (width === this.#size.width && height === this.#size.height) return;
    const gl = this.#gl;
    this.#size = { width, height };
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, width, height, 0, gl.RGB, gl.UNSIGNED_BYTE, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
  }
}

interface Program {
  readonly program: WebGLProgram;
  readonly pixel: WebGLUniformLocation | null;
  readonly axis: WebGLUniformLocation | null;
  readonly up: WebGLUniformLocation | null;
}

function programOf(gl: WebGLRenderingContext, fragment: string): Program | undefined {
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, CORNERS], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(type);
    if (!shader) return undefined;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, "corner");
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return undefined;
  const [pixel, axis, up] = ["pixel", "axis", "up"].map((name) => gl.getUniformLocation(program, name));
  return { program, pixel, axis, up };
}

/** A texture of any size whose edge continues beyond it. */
function textureOf(gl: WebGLRenderingContext): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  }
  return texture;
}

function isSoftware(gl: WebGLRenderingContext): boolean {
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = named ? String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}
