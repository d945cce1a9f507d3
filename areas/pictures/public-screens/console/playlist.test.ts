import { expect, it } from 'vitest'
import type { PlaylistEntry } from '../../televisions/contract.ts'
import { following, isDue } from './playlist.ts'

const entry = (more: Partial<PlaylistEntry> = {}): PlaylistEntry => ({ Kind: 3, Seconds: 10, ...more })

it('an entry is due within its hours, also over midnight', () => {
  const due = (of: PlaylistEntry) => Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isDue(of, hour))
  expect(due(entry())).toHaveLength(24)
  expect(due(entry({ From: 6, To: 8 }))).toEqual([6, 7])
  expect(due(entry({ From: 22, To: 2 }))).toEqual([0, 1, 22, 23])
  expect(due(entry({ To: 1 }))).toEqual([0])
})

it('entries follow each other, those that are not due are passed over', () => {
  const playlist = [entry(), entry({ From: 6, To: 8 }), entry()]
  expect([following(playlist, -1, 12), following(playlist, 0, 12), following(playlist, 2, 12)]).toEqual([0, 2, 0])
  expect(following(playlist, 0, 7)).toBe(1)
  expect(following([entry({ From: 6, To: 8 })], 0, 12)).toBeUndefined()
  expect(following([entry()], 0, 12)).toBe(0)
})
