"""Judges SARIF on standard input by a model made from its published schema; prints each result's place."""

import json
import sys

from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

text = sys.stdin.read()
Sarif.model_validate_json(text)
for run in json.loads(text)["runs"]:
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        print(
            f"{place['artifactLocation']['uri']}:{region['startLine']}:{region['startColumn']}-{region['endColumn']}"
            f" {result['level']} {result['ruleId']}"
        )
