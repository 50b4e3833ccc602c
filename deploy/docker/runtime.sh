# Gathers in /runtime what Node needs of its base, and nothing else: no shell, no npm, no package manager.
set -eu
to=/runtime
mkdir -p $to/tmp $to/data $to/app/.compiled
chmod 1777 $to/tmp
# /data is the sandbox's only; a new volume takes the owner of the folder.
chown 10001:10001 $to/data $to/app/.compiled
# /lib, /lib64 are links into /usr.
for link in $(find / -maxdepth 1 -type l); do
  mkdir -p "$to/$(readlink "$link")"
  cp -a "$link" $to
done
node=$(command -v node)
for file in "$node" /etc/nsswitch.conf /etc/os-release $(ldd "$node" | grep -o '/[^ ]*'); do
  cp -L --parents "$file" $to
done
