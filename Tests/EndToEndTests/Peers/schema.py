"""Judges documents by the editor schema with an implementation that is not ours.

First line of standard input: the schema's path. Each further line: the path of a YAML document. Prints `valid`,
`invalid` or `unreadable` and the path for each, with the first complaint. YAML is read by the 1.2 core rules, as
editors do: PyYAML's own rules are those of 1.1.
"""

import json
import re
import sys

import jsonschema
import yaml


class Core(yaml.SafeLoader):
    """YAML 1.2 core: true/false, null, decimal numbers; no base 60, no yes/no, no dates; no key twice."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if not all(isinstance(key, str) for key in keys):
            raise yaml.YAMLError("a key that is no scalar")
        if len(set(keys)) < len(keys):
            raise yaml.YAMLError("duplicate key")
        return {self.construct_object(key, True): self.construct_object(value, True) for key, value in node.value}


for tag, pattern, first in [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", "-+.0123456789"),
]:
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))

Core.add_constructor("tag:yaml.org,2002:map", lambda loader, node: loader.construct_mapping(node))
Core.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Core.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value.replace(".inf", "inf").replace(".nan", "nan")))
Core.add_constructor("tag:yaml.org,2002:bool", lambda loader, node: node.value.lower() == "true")

lines = sys.stdin.read().split("\n")
with open(lines[0]) as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for path in filter(None, lines[1:]):
    try:
        with open(path, encoding="utf-8") as file:
            document = yaml.load(file, Loader=Core)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        print(f"unreadable {path} {type(error).__name__}")
        continue
    complaint = jsonschema.exceptions.best_match(validator.iter_errors(document))
    if complaint is None:
        print(f"valid {path}")
    else:
        place = "/".join(map(str, complaint.absolute_path))
        print(f"invalid {path} {place}: {complaint.message}"[:300].replace("\n", " "))
