#!/bin/bash
# A Debian package from its installation to its purge, on a copy of this computer's files that nothing outside sees:
# unshare --mount --pid --fork package_life.sh PACKAGE FOLDER SWIFT-LIBRARIES
# Prints a line for each thing that was true, and at the end the files that are left, without those of dpkg.
set -euo pipefail
package=$1 folder=$2 libraries=$3
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/changed" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/changed,workdir=$folder/work" "$folder/root"
root=$folder/root
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
# A debug build is linked with Swift's own libraries, which no package has.
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LD_LIBRARY_PATH="$libraries" "$@"; }
cp "$package" "$root/showcaller.deb"

in_root dpkg --install /showcaller.deb >/dev/null
echo installed
in_root showcaller check /usr/share/showcaller/playlists/cafe.yaml >/dev/null 2>&1 && echo checked
in_root showcaller completions bash | cmp -s - "$root/usr/share/bash-completion/completions/showcaller" && echo completions
# As the service has it with DynamicUser=yes.
for kind in lib cache; do
  mkdir -p "$root/var/$kind/private/showcaller" && ln -s private/showcaller "$root/var/$kind/showcaller"
done
cp -r "$root"/usr/share/showcaller/playlists/. "$root/etc/showcaller/playlists/"
echo '# mine' >>"$root/etc/showcaller/hosts"
in_root env -C /tmp XDG_STATE_HOME=/var/lib XDG_CACHE_HOME=/var/cache XDG_CONFIG_HOME=/etc \
  showcaller serve --virtual --speed 60x --from '2026-11-23 07:00' --for 5m --json /etc/showcaller/playlists/cafe.yaml \
  >"$root/tmp/served" 2>/dev/null
grep -q '"event":"showing"' "$root/tmp/served" && [ -e "$root/var/lib/private/showcaller/media-secret" ] && echo served

in_root dpkg --remove showcaller >/dev/null
[ ! -e "$root/usr/bin/showcaller" ] && [ -e "$root/etc/showcaller/hosts" ] && echo removed
in_root dpkg --install /showcaller.deb >/dev/null
grep -q '# mine' "$root/etc/showcaller/hosts" && echo 'settings kept'
in_root dpkg --purge showcaller >/dev/null 2>&1
echo purged
cd "$folder/changed"
find . \( -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache/man -o -path ./tmp \) -prune -o ! -type d ! -type c -printf '%P\n' | grep -v '^showcaller.deb$' || true
