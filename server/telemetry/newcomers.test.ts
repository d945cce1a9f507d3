import { expect, test } from 'vitest'
import { createNewcomers } from './newcomers.ts'

test('a gateway is new for ten seconds, and again after a minute of silence', () => {
  let now = 0
  const isNew = createNewcomers(() => now)
  const at = (ms: number, sn = 'PUMPHOUSE1') => {
    now = ms
    return isNew(sn)
  }
  expect([at(0), at(9_000), at(11_000), at(70_000)]).toEqual([true, true, false, false])
  expect([at(70_000, 'PUMPHOUSE2'), at(131_000), at(132_000), at(142_000)]).toEqual([true, true, true, false])
})
