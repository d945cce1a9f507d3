// npm run test:faults: the faults that npm test has a few of, as often as they are promised. At most 20 minutes.

import { join } from 'node:path'
import { install, main, newNode, root, run } from './node.mjs'

main(async () => {
  await install()
  const reporters = ['--reporter=default', '--reporter=./tools/fault-table.mjs']
  const args = ['run', '--project=server', ...reporters, ...(process.argv.length > 2 ? process.argv.slice(2) : ['tests/faults'])]
  return run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { env: { ...process.env, FAULT_ROUNDS: 'long' } })
})
