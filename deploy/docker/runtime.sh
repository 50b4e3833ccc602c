# Copies what Node needs from its base image to /runtime: no shell, npm or package manager.
set -eu
to=/runtime
mkdir -p $to/tmp $to/data $to/app/.compiled
chmod 1777 $to/tmp
# Only the sandbox uses /data; a new volume inherits its owner.
chown 10001:10001 $to/data $to/app/.compiled
for link in $(find / -maxdepth 1 -type l); do
  mkdir -p "$to/$(readlink "$link")"
  cp -a "$link" $to
done
node=$(command -v node)
for file in "$node" /etc/nsswitch.conf /etc/os-release $(ldd "$node" | grep -o '/[^ ]*'); do
  cp -L --parents "$file" $to
done
