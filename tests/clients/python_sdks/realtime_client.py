"""Drives /v1/realtime as Python programs do. Arguments: base URL, API key, and `speech` where the server has a voice.
Ends with status 0 when all is well."""

import asyncio
import base64
import json
import sys

import openai

BASE_URL, API_KEY, *MORE = sys.argv[1:]
GREETING = "Hello! I am a tiny model, and I say what my script says."


def connect(key=API_KEY):
    return openai.AsyncOpenAI(base_url=f"{BASE_URL}/v1", api_key=key).realtime.connect(model="tiny-chat")


async def say(connection, text):
    content = [{"type": "input_text", "text": text}]
    await connection.conversation.item.create(item={"type": "message", "role": "user", "content": content})


async def until(connection, kind):
    events = []
    async for event in connection:
        events.append(event)
        if event.type == "error":
            raise AssertionError(event.error)
        if event.type == kind:
            return events


async def converses():
    async with connect() as connection:
        await connection.session.update(session={"type": "realtime", "output_modalities": ["text"]})
        await say(connection, "hi")
        await connection.response.create()
        events = await until(connection, "response.done")
        text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        assert text == GREETING, text
        assert events[-1].response.status == "completed" and events[-1].response.usage.output_tokens > 0


async def calls_a_function():
    tool = {"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {}}}
    async with connect() as connection:
        await connection.session.update(session={"type": "realtime", "output_modalities": ["text"], "tools": [tool]})
        await say(connection, "the weather?")
        await connection.response.create()
        output = (await until(connection, "response.done"))[-1].response.output
        [call] = [item for item in output if item.type == "function_call"]
        assert call.name == "get_weather" and json.loads(call.arguments) == {"city": "Paris"}
        output = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny, 21"}
        await connection.conversation.item.create(item=output)
        await connection.response.create()
        [answer] = (await until(connection, "response.done"))[-1].response.output
        assert "sunny and 21 degrees" in answer.content[0].text


async def speaks():
    if "speech" not in MORE:
        return print("no voice: speech is not tried", flush=True)
    async with connect() as connection:
        await say(connection, "hi")
        await connection.response.create()
        events = await until(connection, "response.done")
        sound = b"".join(base64.b64decode(e.delta) for e in events if e.type == "response.output_audio.delta")
        assert 2 < len(sound) / 48000 < 10, len(sound)
        assert events[-1].response.output[0].content[0].transcript == GREETING


async def commits_sound():
    async with connect() as connection:
        audio = {"input": {"turn_detection": None, "transcription": {"model": "whisper-1"}}}
        await connection.session.update(session={"type": "realtime", "output_modalities": ["text"], "audio": audio})
        await connection.input_audio_buffer.append(audio=base64.b64encode(bytes(48000)).decode())
        await connection.input_audio_buffer.commit()
        events = await until(connection, "conversation.item.input_audio_transcription.completed")
        assert isinstance(events[-1].transcript, str)


async def sees_errors():
    async with connect() as connection:
        await connection.conversation.item.delete(item_id="none")
        async for event in connection:
            if event.type == "error":
                assert (event.error.code, event.error.param) == ("item_not_found", "item_id"), event.error
                break
    try:
        async with connect("wrong"):
            raise AssertionError("the key is wrong")
    except AssertionError:
        raise
    except Exception as error:
        assert "401" in str(error), error


for check in [converses, calls_a_function, speaks, commits_sound, sees_errors]:
    asyncio.run(check())
    print(f"ok {check.__name__}", flush=True)
