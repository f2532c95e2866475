"""Drives a model API server as Python programs do. Arguments: base URL, API key, and `speech` where
the server has a voice. Ends with status 0 when all is well."""

import base64
import json
import pathlib
import sys

import openai

BASE_URL, API_KEY, *MORE = sys.argv[1:]
CHAT = "tiny-chat"
GREETING = "Hello! I am a tiny model, and I say what my script says."
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    for name in ["get_weather", "get_time"]
]


def connect(key):
    return openai.OpenAI(base_url=f"{BASE_URL}/v1", api_key=key, max_retries=0)


client = connect(API_KEY)


def ask(content, **fields):
    messages = [{"role": "user", "content": content}]
    return client.chat.completions.create(model=CHAT, messages=messages, **fields)


def lists_models():
    voices = ["speech-hibari"] if "speech" in MORE else []
    others = [CHAT, "tiny-embed", "tiny-image", "tiny-transcription"]
    assert [model.id for model in client.models.list()] == ["image-corridor-nano", *voices, *others]
    assert client.models.retrieve(CHAT).object == "model"


def completes_a_chat():
    completion = ask("hi")
    assert completion.choices[0].message.content == GREETING
    assert completion.choices[0].finish_reason == "stop"
    usage = completion.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens


def streams_with_usage():
    pieces, usage = [], None
    for chunk in ask("emoji, please", stream=True, stream_options={"include_usage": True}):
        usage = chunk.usage or usage
        if chunk.choices and chunk.choices[0].delta.content:
            pieces.append(chunk.choices[0].delta.content)
    assert "".join(pieces) == "Of course 😀: 你好，世界 — naïve café 👩‍👩‍👧, 東京タワー 🗼 and 안녕 🇫🇷.", pieces
    assert len(pieces) > 3 and usage.completion_tokens >= len(pieces)


def thinks_apart():
    message = ask("think about it").choices[0].message
    assert message.content == "The answer is 42."
    assert message.reasoning_content.strip() == "Seven times six makes forty-two."


def calls_a_tool():
    messages = [{"role": "user", "content": "the weather?"}]
    first = client.chat.completions.create(model=CHAT, messages=messages, tools=TOOLS).choices[0]
    assert first.finish_reason == "tool_calls"
    call = first.message.tool_calls[0]
    assert call.function.name == "get_weather"
    assert json.loads(call.function.arguments) == {"city": "Paris"}
    messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": "sunny, 21"}]
    second = client.chat.completions.create(model=CHAT, messages=messages, tools=TOOLS).choices[0]
    assert "sunny and 21 degrees" in second.message.content


def streams_two_calls():
    with client.chat.completions.stream(
        model=CHAT, messages=[{"role": "user", "content": "both, please"}], tools=TOOLS
    ) as stream:
        calls = stream.get_final_completion().choices[0].message.tool_calls
    assert [call.function.name for call in calls] == ["get_weather", "get_time"]


def holds_a_schema():
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
        "required": ["city", "degrees"],
        "additionalProperties": False,
    }
    shape = {"name": "weather", "strict": True, "schema": schema}
    completion = ask("json about Lisbon", response_format={"type": "json_schema", "json_schema": shape})
    value = json.loads(completion.choices[0].message.content)
    assert sorted(value) == ["city", "degrees"] and isinstance(value["degrees"], int), value


def embeds():
    response = client.embeddings.create(model="tiny-embed", input=["one", "two", "one"], encoding_format="float")
    first, second, third = [item.embedding for item in response.data]
    assert first == third and first != second
    assert response.usage.prompt_tokens > 0


def makes_images():
    made = client.images.generate(model="dall-e-3", prompt="a red hall", size="256x256", response_format="b64_json")
    png = base64.b64decode(made.data[0].b64_json)
    assert png[:4] == b"\x89PNG" and made.data[0].revised_prompt == "a red hall"
    edited = client.images.edit(
        model="gpt-image-1", prompt="blue", image=[("a.png", png), ("b.png", png)], mask=("m.png", png), size="256x256"
    )
    assert base64.b64decode(edited.data[0].b64_json)[:4] == b"\x89PNG"
    events = client.images.generate(
        model="gpt-image-1", prompt="a red hall", size="256x256", stream=True, partial_images=1
    )
    assert [event.type for event in events] == ["image_generation.partial_image", "image_generation.completed"]


def speaks():
    if "speech" not in MORE:
        return print("no voice: speech is not tried", flush=True)
    text = "The old man sat by the window. He watched the snow, and said nothing."
    fields = {"model": "tts-1", "voice": "alloy", "input": text, "response_format": "pcm"}
    whole = client.audio.speech.create(**fields).content
    assert 3 < len(whole) / 48000 < 8, len(whole)
    with client.audio.speech.with_streaming_response.create(**fields) as response:
        parts = list(response.iter_bytes())
        assert response.headers["content-type"] == "audio/pcm"
    assert b"".join(parts) == whole
    with client.audio.speech.with_streaming_response.create(**fields, stream_format="sse") as response:
        events = [json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: ")]
    assert [event["type"] for event in events][-1] == "speech.audio.done"
    assert b"".join(base64.b64decode(event["audio"]) for event in events[:-1]) == whole
    try:
        client.audio.speech.create(**{**fields, "response_format": "aiff"})
        raise AssertionError("aiff is not a format")
    except openai.BadRequestError as error:
        assert error.param == "response_format"


def transcribes():
    path = pathlib.Path(__file__).parents[2] / "fixtures" / "sounds" / "vorbis.webm"
    ask = lambda **fields: client.audio.transcriptions.create(
        **{"file": path, "model": "whisper-1", "language": "en", **fields}
    )
    text = ask().text
    assert text and ask(response_format="text").strip() == text
    assert ask(response_format="srt").startswith("1\n00:00:0")
    verbose = ask(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    assert verbose.language == "english" and verbose.segments[0].id == 0 and verbose.words
    events = list(ask(stream=True))
    assert "".join(event.delta for event in events[:-1]) == events[-1].text == text
    wrong = fails(openai.BadRequestError, lambda: ask(file=("talk.wav", b"%PDF-1.7")))
    assert wrong.code == "audio_unsupported" and "PDF" in wrong.message


def fails(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")


def sees_errors():
    assert fails(openai.AuthenticationError, lambda: connect("wrong").models.list()).code == "invalid_api_key"
    missing = lambda: client.chat.completions.create(model="none", messages=[{"role": "user", "content": "hi"}])
    assert fails(openai.NotFoundError, missing).code == "model_not_found"
    assert fails(openai.BadRequestError, lambda: ask("hi", temperature=2.1)).param == "temperature"
    wide = lambda: client.embeddings.create(model="tiny-embed", input="a", dimensions=3)
    assert fails(openai.BadRequestError, wide).type == "invalid_request_error"


def goes_away():
    pieces = 0
    with ask("go on forever", stream=True, max_tokens=4000) as stream:
        for _ in stream:
            pieces += 1
            if pieces == 5:
                break
    assert ask("hi").choices[0].message.content == GREETING


CHECKS = [
    lists_models,
    completes_a_chat,
    streams_with_usage,
    thinks_apart,
    calls_a_tool,
    streams_two_calls,
    holds_a_schema,
    embeds,
    makes_images,
    speaks,
    transcribes,
    sees_errors,
    goes_away,
]
for check in CHECKS:
    check()
    print(f"ok {check.__name__}", flush=True)
