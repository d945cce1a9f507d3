import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openKept } from './lookers.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('an answer that is over leaves the memory with the next one: a drawing takes megabytes', async () => {
  let now = 0
  const kept = openKept<object>(() => now, 2000)
  const read = async () => new WeakRef(await kept('first', async () => ({})))
  const first = await read()
  now = 3000
  await kept('second', async () => ({}))
  await new Promise(setImmediate)
  collect()
  expect(first.deref()).toBeUndefined()
})
