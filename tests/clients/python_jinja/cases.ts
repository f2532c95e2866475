/**
 * Templates about what the Jinja library that was used before rendered otherwise than Python. What Python renders is in
 * `tests/goldens/data/jinja_cases.json`; `SVC_WRITE_GOLDENS=1 npm test -- jinja` writes it.
 */
const loop = (body: string, items = "[1, 2, 3, 4]") => `{% for x in ${items} %}${body}{% endfor %}|`;
const C = "{% continue %}";
const B = "{% break %}";
const at2 = (what: string) => `{% if x == 2 %}${what}{% endif %}`;

/** Loops with `continue` or `break`: what was printed stays. */
const control = [
  loop(`<{{ x }}>${at2(`two${C}`)}({{ x }})`),
  loop(`<{{ x }}>${at2(`two${B}`)}({{ x }})`),
  loop(`{{ x }}{% if x > 1 %}a{% if x == 2 %}b${C}{% else %}c${B}{% endif %}d{% endif %}e`),
  loop(`{{ x }}{% for y in 'ab' %}{{ y }}{% if y == 'a' %}-${C}{% endif %}.{% endfor %}${at2(B)};`),
  loop(`{{ x }}{% for y in 'abc' %}{{ y }}{% if y == 'b' %}!${B}{% endif %}.{% else %}none{% endfor %}${at2(C)};`),
  loop(`{{ loop.index }}{{ loop.last }}${at2(C)}{{ loop.revindex }},`),
  loop(`p${C}q{% else %}nothing`),
  loop(`p${B}q{% else %}nothing`),
  loop(`p{{ x }}{% if x < 4 %}${C}{% endif %}{% else %}nothing`),
  loop(`{% set s %}in{{ x }}${at2(C)}set{% endset %}[{{ s }}]`),
  loop(`a{% filter upper %}in{{ x }}${at2(C)}out{% endfilter %}z`),
  loop(`a{% filter upper %}in{{ x }}${at2(B)}out{% endfilter %}z`),
  loop(`a{% with y = x * 2 %}{{ y }}${at2(C)}w{% endwith %}z`),
  `{% macro m(l) %}{% for x in l %}{{ x }}${at2(`!${C}`)}.{% endfor %}{% endmacro %}` +
  loop("{{ m([1, 2, 3]) }};", "'ab'"),
  `{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}` + loop(`{{ x }}${at2(`!${B}`)}.`) + "{% endcall %}",
  `{% macro m(x) %}[{{ x }}{{ caller(x) }}]{% endmacro %}` +
  loop(`{% call(n) m(x) %}{% for y in range(n) %}{{ y }}{% if y %}${C}{% endif %}.{% endfor %}{% endcall %}${at2(B)}`),
  loop(`{% generation %}{% for y in 'ab' %}{{ y }}${C}{% endfor %}{% endgeneration %}${at2(C)};`),
  `{% set ns = namespace(n=0) %}` + loop(`{% set ns.n = ns.n + x %}{{ ns.n }}${at2(C)}${at2("never")},`) + "{{ ns.n }}",
  `{% for x in [1, [2, [3]], 4] recursive %}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{{ loop.depth }}${C}{% endif %};{% endfor %}`,
  loop(`{{ x }}${C}`, "[1, 2] if word"),
  loop(`{% if x is odd %}{{ x }}${C}{% elif x == 4 %}four${B}{% endif %}-{{ x }}-`, "range(9)"),
  loop(`  {% if x == 2 -%}\n  two\n  {%- continue %}\n  {% endif %}\n  {{- x }}\n`),
  loop(`{{ x }}${at2(B)}`, "range(5) if x != 1"),
  `{% break %}`,
  `{% for x in [1] %}{% macro m() %}{% continue %}{% endmacro %}{% endfor %}`,
  `{% for x in [1] %}{% generation %}{% break %}{% endgeneration %}{% endfor %}`,
  `{% for x in [] %}{% else %}{% break %}{% endfor %}`,
  loop(`a{% for y in [] %}{% else %}e${C}{% endfor %}z`),
];

/** Scopes of variables. */
const scopes = [
  "{% set a = 1 %}{% for x in [1, 2] %}{{ a }}{% set a = a + 1 %}{{ a }}{% endfor %}{{ a }}",
  "{% if true %}{% set a = 1 %}{% endif %}{{ a }}{% with %}{% set a = 2 %}{{ a }}{% endwith %}{{ a }}",
  "{% macro m() %}{{ x }}{{ y }}{% endmacro %}{% set y = 'y' %}{% for x in [1] %}{{ m() }}{% endfor %}",
  "{% macro m(a, b='d', c=a) %}{{ a }}{{ b }}{{ c }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1) }}{{ m(1, c=2, z=3) }}{{ m(1, 2, 3, 4) }}",
  "{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}{{ m(none) }}{{ m.name }}",
  "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}",
  "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=2) }}",
  "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set a, b = b, a %}{{ a }}{{ b }}{% set c = 1, %}{{ c }}",
  "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
  "{% set x | upper | trim %} abc {% endset %}[{{ x }}]{% set y %}{% set x = 1 %}{% endset %}{{ x }}",
  "{% set ns = namespace({'a': 1}, b=none) %}{{ ns.a }}{{ ns.b }}{% set ns.c = [1] %}{{ ns.c }}{{ ns }}",
  "{{ loop is defined }}{% for x in 'ab' %}{% for y in 'c' %}{{ loop.first }}{% endfor %}{{ loop.last }}{% endfor %}",
  "{% print 1, 'a' %}{{ 1, 2 }}{{ (1,) }}{{ () }}{{ [1, 2,] }}",
  "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.next() }}{% set j = joiner('|') %}{{ j() }}{{ j() }}",
  "{% for x in [1, 1, 2] %}{{ loop.changed(x) }}{{ loop.previtem }}{{ loop.nextitem is defined }}{{ loop.cycle('a', 'b') }}{% endfor %}",
  "{% for x in [none, none] %}{{ loop.nextitem is none }}{% endfor %}",
];

/** Space around tags. */
const space = [
  "a\n  {% if true %}\n  b\n  {% endif %}\n  c\n",
  "a\n  {%+ if true %}\n  b\n  {% endif +%}\n  c\n\n",
  "a  {{- ' b ' -}}  c\n  {{ 'd' }}\n{# e #}\n  {#- f -#}  g\n  {# h +#}\nz",
  "{{ '{% x %}\n' }}\n{{ '#}\n' }}|{{ '  {% y %}' }}",
  "  {% raw %}\n  {{ a }}  {% b %}\n  {% endraw %}\n  c",
  "a {%- raw -%}  {{ a }}  {%- endraw -%}  c{% raw %}{% endraw %}d",
  "\r\na\r\n{% if true %}\r\nb\r{% endif %}\r\n",
  "{% generation %}\n a {%- endgeneration %}\n\n b",
  "{% if true %}x{% endif %}\n\n{% if true -%}\n\n y{% endif %}",
  "\t {% set a = 1 %} \n{{ a }}  \n",
  "{{ {'a': {'b': 1}}}}{{ {'a': 1}['a'] }}",
];

/** Operators, numbers and texts. */
const expressions = [
  "{{ 1 < 2 < 3 }}{{ 3 > 2 == 2 }}{{ (1 < 2) < 3 }}{{ not 1 == 2 }}{{ 2 ** 3 ** 2 }}{{ -2 ** 2 }}{{ 1 - -1 }}{{ 1-1 }}",
  "{{ 7 // 2 }}{{ -7 // 2 }}{{ -7 % 3 }}{{ 7 / 2 }}{{ 8 / 2 }}{{ 2 ** -1 }}{{ 10 ** 20 }}{{ 1e16 }}{{ 1e-5 }}{{ 1.0 }}{{ 0.1 + 0.2 }}",
  "{{ 9007199254740993 + 0 }}{{ 1_000 }}{{ 0x1f }}{{ 0b11 }}{{ 1.5e3 }}{{ 2.50 }}{{ 'a' * 3 }}{{ [1] * 2 }}",
  "{{ 1 ~ 2 + 3 }}{{ 1 + 2 ~ 3 }}{{ 'a' ~ 1.0 ~ none ~ true }}{{ 'a' 'b' }}",
  "{{ 1 if false }}|{{ 1 if false else 2 if true else 3 }}{{ (1 if true) + 1 }}{{ missing or 'x' }}{{ 0 or none }}{{ 1 and [] }}",
  "{{ 1 == 1.0 }}{{ true == 1 }}{{ [1] == [1.0] }}{{ (1,) == [1] }}{{ {'a': 1} == {'a': 1.0} }}{{ 'a' != 1 }}{{ none == missing }}",
  "{{ 'a' in 'abc' }}{{ 'a' in {'a': 1} }}{{ 1 in [1.0] }}{{ [1] in [[1]] }}{{ 'x' not in missing }}{{ 'b' < 'a' }}{{ [1, 2] < [1, 3] }}",
  "{{ 1 < 'a' }}",
  "{{ missing.x }}",
  "{{ missing + 'x' }}",
  "{{ none.x }}|{{ none['x'] }}|{{ 5.x }}|{{ word.nothing }}|{{ [1].x }}",
  "{{ word[0] }}{{ word[-1] }}{{ word[99] }}|{{ word[::2] }}{{ word[::-1] }}{{ word[1:-1] }}{{ word[-3:] }}{{ [1, 2, 3][1:] }}{{ (1, 2)[::-1] }}",
  "{{ 'x😀y' | length }}{{ 'x😀y'[1] }}{{ 'x😀y'[::-1] }}{{ 'é\\u00e9\\x41\\t|\\d\\\\' }}{{ \"it's\" }}{{ ['it\\'s', 'a\\x00\\u200b'] }}",
  "{{ {'items': 1}.items() | list }}{{ {'items': 1}['items'] }}{{ {'a': 1}.get('b') }}{{ {'a': 1}.get('b', 2) }}{{ {1: 2}[1] }}{{ {1: 2}[1.0] }}",
  "{{ schema.properties.items() | list | length }}{{ schema.properties['items'].type }}{{ schema['required'][0] }}",
  "{{ {'a': 1}.keys() | list }}{{ {'a': 1}.values() | list }}{{ dict(a=1, b=2) }}{{ dict([('a', 1)]) }}{{ {'a': 1, 'a': 2} }}",
  "{{ [1].append(2) }}",
  "{{ {}.update({}) }}",
  "{{ ''.__class__ }}",
  "{{ range(3) }}{{ range(1, 7, 2) | list }}{{ range(3) | last }}{{ range(3)[1] }}{{ range(5, 0, -2) | list }}",
  "{{ true }}{{ True and none }}{{ [true, none, 1.0, 'a', (1,), {'k': [missing]}] }}",
  "{{ 'a' is in ['a'] }}{{ 4 is divisibleby 2 }}{{ 4 is divisibleby(3) }}{{ 1 is not odd }}{{ 1 is eq 1 }}{{ [] is sequence }}{{ {} is mapping }}",
  "{{ missing is sequence }}{{ missing is iterable }}{{ 1.0 is float }}{{ true is integer }}{{ true is number }}{{ none is none }}{{ 'A' is upper }}",
  "{{ not missing is defined }}{{ missing is defined or true }}{{ 3 is gt 2 and 2 is lt(3) }}{{ 'length' is filter }}{{ 'odd' is test }}",
];

/** Filters and methods. */
const filters = [
  "{{ 'x\\n\\ny' | indent }}|{{ 'x\\n\\ny' | indent(2, true, true) }}|{{ 'a\\nb\\n' | indent('> ') }}|{{ '' | indent(2, true) }}|",
  "{{ '\\n a \\n' | trim }}{{ 'xxaxx' | trim('x') }}{{ '  a\\n'.strip(' ') }}|{{ '\\n\\na\\n'.lstrip('\\n') }}{{ 'aab'.rstrip('b') }}",
  "{{ 'a-b c'.title() }}{{ \"it's a-b\" | title }}{{ 'ABC dEF' | capitalize }}{{ 'aB'.swapcase() }}{{ 'ß' | upper }}",
  "{{ 'a,b,,c'.split(',') }}{{ ' a  b '.split() }}{{ 'a b c'.split(' ', 1) }}{{ 'a b c'.rsplit(' ', 1) }}{{ 'a b c'.split(maxsplit=1) }}",
  "{{ 'a\\nb\\r\\nc\\n'.splitlines() }}{{ 'a=b=c'.partition('=') }}{{ 'a=b=c'.rpartition('=') }}{{ 'abc'.removeprefix('a').removesuffix('c') }}",
  "{{ 'abcabc'.find('c') }}{{ 'abcabc'.rfind('c') }}{{ 'abc'.find('z') }}{{ 'abcabc'.count('bc') }}{{ 'abc'.index('b') }}{{ ','.join(['a', 'b']) }}",
  "{{ 'abc'.startswith(('x', 'a')) }}{{ 'abc'.endswith('c') }}{{ 'abc'.startswith('b', 1) }}{{ '12'.isdigit() }}{{ 'ab'.isalpha() }}{{ ' '.isspace() }}",
  "{{ 'aXa'.replace('a', 'b', 1) }}{{ 'aXa' | replace('a', 'b', 1) }}{{ 'ab'.replace('', '-') }}{{ 5 | replace('5', 6) }}{{ '7'.zfill(3) }}{{ '-7'.zfill(4) }}",
  "{{ 'a'.center(4, '.') }}{{ 'ab'.center(5, '.') }}{{ 'a'.ljust(3) }}|{{ 'a'.rjust(3, '0') }}{{ 'a' | center(3) }}|",
  "{{ [3, 1, 2] | sort }}{{ ['b', 'A', 'a'] | sort }}{{ ['b', 'A'] | sort(case_sensitive=true) }}{{ [1, 2] | sort(reverse=true) }}{{ schema | dictsort }}",
  "{{ messages | map(attribute='role') | join(',') }}{{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
  "{{ messages | rejectattr('tool_calls', 'defined') | map(attribute='x', default='-') | list }}{{ ['a', ''] | select | list }}",
  "{{ [1, 2, 3] | select('odd') | list }}{{ [1, 2, 3] | reject('gt', 1) | list }}{{ ['a'] | map('upper') | first }}{{ [[1, 2]] | map('sum') | list }}",
  "{{ [1, 2] | select('odd') | length }}",
  "{% set g = ['a', 'b'] | map('upper') %}{{ g | join }}{{ g | join }}|",
  "{{ [1, 2, 3] | batch(2) | list }}{{ [1, 2, 3] | batch(2, 0) | list }}{{ [1, 2, 3] | slice(2) | list }}{{ ['a', 'A', 'b'] | unique | list }}",
  "{% for key, group in messages | groupby('role') %}{{ key }}{{ group | length }}{% endfor %}{{ [1, 2] | sum }}{{ ['b', 'a'] | min }}{{ [1, 2.5] | max }}",
  "{{ 2.5 | round }}{{ 3.5 | round }}{{ 2.675 | round(2) }}{{ 7 | round }}{{ 1.25 | round(1, 'ceil') }}{{ 3.7 | int }}{{ '3.9' | int }}{{ 'x' | int(5) }}{{ '1e2' | float }}",
  "{{ -3 | abs }}{{ '0x1f' | int(base=16) }}{{ 'x' | float }}{{ true | int }}{{ 3 | string + 'a' }}{{ 'a' | default('b') }}{{ '' | default('b', true) }}{{ none | d('x') }}",
  "{{ {'a': [1, 2.0, none, true], 'é': '<\\n\"'} | tojson }}{{ [] | tojson(indent=2) }}{{ {'b': {}, 'a': [1]} | tojson(indent=2, sort_keys=true) }}",
  "{{ 'é\\x7f' | tojson(ensure_ascii=true) }}{{ 1e22 | tojson }}{{ (1, 2) | tojson(separators=(',', ':')) }}{{ {1: 2, none: 3} | tojson }}",
  "{{ missing | tojson }}",
  "{{ '%s %d %5.2f|%-4s|%04d|%x|%%' % ('a', 7.9, 2.5, 'b', 5, 255) }}{{ '%(a)s' % {'a': 1} }}{{ '%s' % none }}{{ '%s-%r' | format(1, 'x') }}",
  "{{ '{} {1}'.format(1, 2) }}",
  "{{ '{0}{1!r}{a:>4}|{b:.2f}|{c:,}'.format(1, 'x', a='y', b=2.555, c=12345) }}{{ '{:05.1f}|{:<3}|{:^5}|{:+d}|{:x}|{{}}'.format(2.25, 'a', 'b', 3, 255) }}",
  "{{ 'foo bar baz qux' | truncate(9) }}{{ 'foo bar baz' | truncate(6, true, '', 0) }}{{ 'a b c' | wordcount }}{{ '<a&\"\\'>' | e }}{{ 'a b/ü' | urlencode }}",
  "{{ 'abc' | reverse }}{{ [1, 2] | reverse | list }}{{ 'abc' | list }}{{ 'abc' | first }}{{ [] | first }}|{{ [1, 2] | last }}{{ {'a': 1} | list }}{{ {'a': 1} | items | list }}",
  "{{ none | upper }}{{ 5 | lower }}{{ missing | upper }}|{{ missing | join }}|{{ missing | length }}{{ missing | list }}{{ word | attr('upper') is defined }}",
  "{{ none | join }}",
  "{% filter replace('a', 'b') | upper %}a{{ 'c' }}{% endfilter %}{{ ['a', 1] | join('-') }}{{ 'ab' | join('-') }}{{ [{'a': {'b': 1}}] | map(attribute='a.b') | list }}",
  "{{ strftime_now('%Y-%m-%d %H:%M:%S %B %b %A %a %y %j %I %p %e %-d') }}",
  "{{ raise_exception('no') }}",
];

/** All of them. */
export const CASES: readonly string[] = [...control, ...scopes, ...space, ...expressions, ...filters];
