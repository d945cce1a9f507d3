import { afterEach, expect, test } from 'vitest'
import { ownTurn } from './ownTurn.ts'

let counting: NodeJS.Immediate
afterEach(() => clearImmediate(counting))

test('pieces that many wait for come one a turn of the event loop, in their order', async () => {
  let turn = 0
  const count = () => {
    turn++
    counting = setImmediate(count)
  }
  count()
  const turns: number[] = []
  await Promise.all(Array.from({ length: 30 }, () => ownTurn().then(() => turns.push(turn))))
  expect(new Set(turns).size).toBe(30)
  expect(turns).toEqual(turns.toSorted((a, b) => a - b))
})
