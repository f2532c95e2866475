import assert from "node:assert/strict";
import { test } from "node:test";
import { languageCode, languageName, WHISPER_LANGUAGES } from "../../../lib/protocol/transcription/languages.ts";
import { subRip, webVtt } from "../../../lib/protocol/transcription/subtitles.ts";
import type { Transcript, TranscriptSegment } from "../../../lib/protocol/transcription/transcript.ts";
import {
  formatTranscript,
  TranscriptEvents,
  transcriptFrame,
  verboseJson,
} from "../../../lib/protocol/transcription/transcription_format.ts";

function segment(start: number, end: number, text: string): TranscriptSegment {
  return {
    start,
    end,
    text,
    tokens: [7, 8],
    seek: 0,
    temperature: 0.2,
    avgLogprob: -0.25,
    compressionRatio: 1.1,
    noSpeechProb: 0.01,
  };
}

const transcript: Transcript = {
  task: "transcribe",
  language: "en",
  duration: 4.5000001,
  segments: [segment(0, 1.2000000000000002, " Good morning."), segment(1.2, 4.1, " The boat is late.")],
  words: [{ word: "Good", start: 0.1, end: 0.4000000001 }, { word: "morning.", start: 0.4, end: 0.9 }],
};

test("json is the text and the language where it is known", () => {
  const { contentType, body } = formatTranscript(transcript, "json");
  assert.equal(contentType, "application/json");
  assert.deepEqual(JSON.parse(body), { text: "Good morning. The boat is late.", language: "en" });
  assert.deepEqual(JSON.parse(formatTranscript({ ...transcript, language: undefined }, "json").body), {
    text: "Good morning. The boat is late.",
  });
});

test("text is the bare text", () => {
  assert.deepEqual(formatTranscript(transcript, "text"), {
    contentType: "text/plain; charset=utf-8",
    body: "Good morning. The boat is late.",
  });
});

test("verbose_json has all fields of OpenAI's segments, with times of whole milliseconds", () => {
  const found = JSON.parse(formatTranscript(transcript, "verbose_json").body);
  assert.deepEqual(found, {
    task: "transcribe",
    language: "english",
    duration: 4.5,
    text: "Good morning. The boat is late.",
    segments: [[0, 1.2, " Good morning."], [1.2, 4.1, " The boat is late."]].map(([start, end, text], id) => ({
      id,
      seek: 0,
      start,
      end,
      text,
      tokens: [7, 8],
      temperature: 0.2,
      avg_logprob: -0.25,
      compression_ratio: 1.1,
      no_speech_prob: 0.01,
    })),
    usage: { type: "duration", seconds: 5 },
  });
});

test("verbose_json lists what was asked for", () => {
  const words = [{ word: "Good", start: 0.1, end: 0.4 }, { word: "morning.", start: 0.4, end: 0.9 }];
  const only = verboseJson(transcript, ["word"]);
  assert.deepEqual([only.words, "segments" in only], [words, false]);
  const both = verboseJson(transcript, ["segment", "word"]);
  assert.deepEqual([both.words, (both.segments as unknown[]).length], [words, 2]);
  assert.equal(verboseJson({ ...transcript, language: undefined }).language, "unknown");
});

test("subtitles have cues of at least a millisecond, none of them empty", () => {
  const segments = [segment(-0.2, -0.1, " a"), segment(1, 1, " \n "), segment(2, 1.5, "b\n\n\rc\u2028d")];
  assert.equal(
    subRip({ segments, duration: 3 }),
    "1\n00:00:00,000 --> 00:00:00,001\na\n\n2\n00:00:02,000 --> 00:00:02,001\nb\nc\nd\n\n",
  );
  assert.equal(formatTranscript({ ...transcript, segments }, "vtt").contentType, "text/vtt; charset=utf-8");
  assert.equal(formatTranscript({ ...transcript, segments }, "srt").contentType, "application/x-subrip; charset=utf-8");
});

test("silence is one empty cue", () => {
  assert.equal(webVtt({ segments: [], duration: 0 }), "WEBVTT\n\n00:00:00.000 --> 00:00:00.001\n\n\n");
  assert.equal(subRip({ segments: [], duration: 1.5 }), "1\n00:00:00,000 --> 00:00:01,500\n\n\n");
});

test("the deltas of a stream are, joined, the text of its end", () => {
  for (const texts of [[" Good", " ", "morning. ", "", "Late."], [], ["  "], ["東京", "です。"]]) {
    const events = new TranscriptEvents();
    const segments = texts.map((text) => segment(0, 1, text));
    const deltas = segments.flatMap((one) => events.segment(one) ?? []);
    const joined = deltas.map((event) => event.type === "transcript.text.delta" ? event.delta : "").join("");
    const done = events.done({ segments, duration: 1.2 });
    assert.equal(done.type, "transcript.text.done");
    assert.equal(done.type === "transcript.text.done" && done.text, joined);
  }
  assert.equal(
    transcriptFrame({ type: "transcript.text.delta", delta: "a\nb" }),
    'event: transcript.text.delta\ndata: {"type":"transcript.text.delta","delta":"a\\nb"}\n\n',
  );
});

test("languages are read as codes and as names", () => {
  assert.equal(WHISPER_LANGUAGES.length, 100);
  for (const code of WHISPER_LANGUAGES) {
    assert.equal(languageCode(code), code);
    assert.equal(languageCode(languageName(code).toUpperCase()), code);
  }
  const read = ["de-AT", "zh_Hans", " German ", "Mandarin", "nb", "jv", "yue"].map(languageCode);
  assert.deepEqual(read, ["de", "zh", "de", "zh", "no", "jw", "yue"]);
  for (const none of ["", "xx", "klingon", "e", "constructor", "de ".repeat(1000)]) {
    assert.equal(languageCode(none), undefined);
  }
});
