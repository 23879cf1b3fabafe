#!/bin/sh
# The arguments by which an image says what it was built from: podman build $(packaging/image-arguments.sh) -t showcaller .
# SOURCE_URL names the repository, if it has another than `origin`.
set -eu
cd "$(dirname "$(realpath "$0")")/.."

version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/showcaller/ShowcallerCommand.swift)
revision=$(git rev-parse HEAD)
[ -z "$(git status --porcelain)" ] || revision=$revision-changed
created=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
source=${SOURCE_URL:-$(git remote get-url origin 2>/dev/null || true)}
# A name and a password in the address are nobody's business.
source=$(printf %s "$source" | sed 's#//[^/@]*@#//#')
echo "--build-arg VERSION=$version --build-arg REVISION=$revision --build-arg CREATED=$created --build-arg SOURCE=${source:-unknown}"
