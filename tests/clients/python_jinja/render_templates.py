"""Renders templates as transformers renders chat templates: reads JSON with `templates` and `conversations` from the
standard input and writes, for each template, a list of what each conversation gives: a text, or an object with `error`.
"""
import copy
import datetime
import json
import sys

from jinja2 import nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime.datetime(2026, 11, 21, 4, 5, 6)


class Generation(Extension):
    """The blocks that mark what an assistant wrote; they show what is in them."""

    tags = {"generation"}

    def parse(self, parser):
        lineno = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_generation"), [], [], body).set_lineno(lineno)

    def _generation(self, caller):
        return caller()


def environment():
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(
            value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
        )

    def raise_exception(message):
        raise TemplateError(message)

    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = lambda format: NOW.strftime(format)
    return made


def rendered(template, variables):
    try:
        # A copy: the filter `indent` extends a list that it is given by mistake.
        return template.render(**copy.deepcopy(variables))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    given = json.load(sys.stdin)
    jinja = environment()
    results = []
    for source in given["templates"]:
        try:
            template = jinja.from_string(source)
        except Exception as error:
            results.append([{"error": f"{type(error).__name__}: {error}"}] * len(given["conversations"]))
            continue
        results.append([rendered(template, variables) for variables in given["conversations"]])
    json.dump(results, sys.stdout)


main()
