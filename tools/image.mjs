// npm run image: builds the container image `penstock` with the first builder that is installed. Further arguments go to the builder.
import { spawnSync } from 'node:child_process'
import { main, root, run } from './node.mjs'

/** `--format docker` keeps HEALTHCHECK, which the OCI format has no place for. */
const builders = {
  podman: ['build', '--format', 'docker'],
  buildah: ['build', '--format', 'docker'],
  docker: ['build'],
}

main(async () => {
  const builder = Object.keys(builders).find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0)
  if (!builder) throw new Error('Building the image needs podman, buildah or docker. Install one of them and try again.')
  return run(builder, [...builders[builder], '-f', 'deploy/Containerfile', '-t', 'penstock', ...process.argv.slice(2), '.'], { cwd: root })
})
