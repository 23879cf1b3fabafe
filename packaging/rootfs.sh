#!/bin/sh
# Makes the folder that the last stage of the Containerfile copies over Debian: packaging/rootfs.sh BINARY FOLDER.
set -eu
umask 022
binary=$(realpath "$1")
root=$(realpath -m "$2")
here=$(dirname "$(realpath "$0")")

make -s -C "$here/.." install BINARY="$binary" DESTDIR="$root" PREFIX=/usr
# There is no systemd and no shell to complete in a container.
rm -r "$root/usr/lib" "$root/usr/share/bash-completion" "$root/usr/share/zsh" "$root/usr/share/fish"
find "$root/usr/share/showcaller" \( -name '*.jsonl' -o -name '*.sig' \) -delete
install -d "$root/etc/showcaller/playlists"
# The user of the Containerfile; only root can give folders away.
for folder in state cache; do
  case $folder in state) path=$root/var/lib/showcaller ;; cache) path=$root/var/cache/showcaller ;; esac
  install -d -m 700 "$path"
  [ "$(id -u)" != 0 ] || chown 65532:65532 "$path"
done
