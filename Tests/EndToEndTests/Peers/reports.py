"""Reads reports with the libraries that others read them with; prints what they found in each.

Arguments: kind=path for junit, tap and otlp.
"""

import json
import sys

from google.protobuf import json_format
from junitparser import JUnitXml
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tap.parser import Parser


def junit(path):
    report = JUnitXml.fromfile(path)
    print("junit", report.tests, report.failures, report.errors, report.skipped)
    for suite in report:
        for case in suite:
            print("junit", case.name, "/".join(type(result).__name__ for result in case.result) or "Passed")


def tap(path):
    for line in Parser().parse_file(path):
        if line.category == "test":
            word = "skip" if line.skip else "todo" if line.todo else "ok" if line.ok else "not ok"
            print("tap", word, line.description)
        elif line.category in ("plan", "version", "bail", "unknown"):
            print("tap", line.category, line)


def otlp(path):
    # The names of the fields and their types are judged; ids are hexadecimal in OTLP's JSON and base64 in protobuf's.
    text = json.load(open(path))
    request = json_format.ParseDict(text, ExportTraceServiceRequest())
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                assert span.start_time_unix_nano <= span.end_time_unix_nano
                print("otlp", span.name, span.status.code, len(span.events))


for argument in sys.argv[1:]:
    kind, path = argument.split("=", 1)
    {"junit": junit, "tap": tap, "otlp": otlp}[kind](path)
