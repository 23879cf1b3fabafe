#!/bin/sh
# Makes a Debian package of what `make install` installs: packaging/deb.sh BINARY OUT-FOLDER. `make deb` calls it.
# COMPRESSION_LEVEL: of xz, 0 to 9; 6 unless it is set.
set -eu
umask 022
binary=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# The program says which version it is; nothing else has the number.
version=$("$binary" --version | cut -d' ' -f2)
# Who packages it, as Debian's tools are told.
maintainer="${DEBFULLNAME:-Showcaller maintainers} <${DEBEMAIL:-maintainers@showcaller.invalid}>"
architecture=$(dpkg --print-architecture)
# The day of the last change, so that the same sources make the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || stat -c %Y "$here/../CHANGELOG.md")}
export SOURCE_DATE_EPOCH

make -s -C "$here/.." install BINARY="$binary" DESTDIR="$root" PREFIX=/usr
documents=$root/usr/share/doc/showcaller
# Debian has its places for these.
rm "$documents/LICENSE"
gzip -9n "$root/usr/share/man/man1/showcaller.1"
mkdir -p "$root/lib/systemd/system"
mv "$root/usr/lib/systemd/system/showcaller.service" "$root/lib/systemd/system/"
rm -r "$root/usr/lib"
# Ledgers of whoever built it.
find "$root/usr/share/showcaller" \( -name '*.jsonl' -o -name '*.sig' \) -delete
find "$documents" "$root/usr/share/showcaller" -type f -exec chmod 644 {} +

install -D -m 644 "$here/debian/copyright" "$documents/copyright"
sed "s/@VERSION@/$version/; s/@MAINTAINER@/$maintainer/; s/@DATE@/$(date -u -R -d "@$SOURCE_DATE_EPOCH")/" "$here/debian/changelog" |
  gzip -9n >"$documents/changelog.gz"
mv "$documents/CHANGELOG.md" "$documents/NEWS.md"
install -d "$root/etc/showcaller/playlists"
install -m 644 "$here/debian/hosts" "$root/etc/showcaller/hosts"

# What the program is linked with, as Debian names it; a debug build has Swift's libraries, which Debian has no name for. The libraries of mDNS and MQTT are loaded when first asked for, so
# nothing shows that they are wanted.
mkdir -p "$work/debian"
printf 'Source: showcaller\n\nPackage: showcaller\nArchitecture: any\n' >"$work/debian/control"
linked=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info root/usr/bin/showcaller \
  2>"$work/shlibdeps.log" | sed -n 's/^shlibs:Depends=//p') || { cat "$work/shlibdeps.log" >&2; exit 1; }
[ -n "$linked" ] || { echo "dpkg-shlibdeps names no library" >&2; exit 1; }

# A search path for libraries is of the computer that built it.
chrpath -d "$root/usr/bin/showcaller" >/dev/null

mkdir "$root/DEBIAN"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/md5sums"
echo /etc/showcaller/hosts >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do install -m 755 "$here/debian/$script" "$root/DEBIAN/$script"; done
size=$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
sed "s/@VERSION@/$version/; s/@MAINTAINER@/$maintainer/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; s/@LINKED@/$linked/" \
  "$here/debian/control" >"$root/DEBIAN/control"

package=$out/showcaller_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz -z"${COMPRESSION_LEVEL:-6}" --build "$root" "$package" >/dev/null
echo "$package"
