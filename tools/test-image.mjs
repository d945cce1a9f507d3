// npm run test:image: starts the image that npm run image has built, the way deploy/compose.yaml does, and tries to break it.
import { join } from 'node:path'
import { install, main, newNode, root, run } from './node.mjs'

main(async () => {
  await install()
  return run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project=image', ...process.argv.slice(2)])
})
