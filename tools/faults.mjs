// npm run test:faults: the faults that npm test has a few of, as often as they are promised. At most 20 minutes.

import { join } from 'node:path'
import { install, main, newNode, root, run } from './node.mjs'

main(async () => {
  await install()
  const reporters = ['--reporter=default', '--reporter=./tools/fault-table.mjs']
  // Most of the time of a kill is waiting: three at a time suit two cores.
  const args = ['run', '--project=faults', '--maxWorkers=3', ...reporters, ...process.argv.slice(2)]
  return run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { env: { ...process.env, FAULT_ROUNDS: 'long' } })
})
