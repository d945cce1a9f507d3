// npm run test:soak: half an hour of load with long cuts. SOAK_MINUTES and SOAK_GATEWAYS make it smaller.
import { join } from 'node:path'
import { install, main, newNode, root, run } from './node.mjs'

main(async () => {
  await install()
  const args = ['run', '--project=soak', '--reporter=default', '--reporter=./tools/fault-table.mjs']
  return run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), ...args])
})
