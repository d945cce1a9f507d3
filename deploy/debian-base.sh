#!/usr/bin/env bash
# Makes an image `penstock-base` of Debian 12 and npm's own packages of Node, without a registry of images:
#   deploy/debian-base.sh && npm run image -- --build-arg BASE=localhost/penstock-base
# Needs root, podman, debootstrap, and the packages that npm start installs.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase --include=ca-certificates bookworm "$root"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
install -m 0755 node_modules/node-linux-*/bin/node "$root/usr/local/bin/node"
npm install --global --prefix "$root/usr/local" --ignore-scripts npm@11
chroot "$root" useradd --uid 1000 --user-group --create-home --shell /bin/bash node
tar -C "$root" -c . | podman import --change 'CMD ["bash"]' - localhost/penstock-base
