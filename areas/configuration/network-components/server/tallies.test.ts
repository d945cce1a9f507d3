import { expect, it } from 'vitest'
import { createTallies } from './tallies.ts'

it('doors together hold so much of messages and keys; who was silent for the longest forgets, and its counts stay', () => {
  const tallies = createTallies(() => 1, 200_000)
  const message = { payload: Buffer.alloc(16_384, 'x'), topic: '', readings: 0, unmatched: 1, refused: 0, fault: undefined }
  for (let id = 1; id <= 20; id++) {
    tallies.see(id, 'd', 'k', 1)
    tallies.heard(id, message)
  }
  const kept = Array.from({ length: 20 }, (_, i) => tallies.messagesOf(i + 1).length)
  expect([kept[0], kept[19], kept.reduce((sum, n) => sum + n, 0)]).toEqual([0, 1, 5])
  expect(tallies.stateOf(1)).toMatchObject({ Messages: 1, Unmatched: 1, Seen: 0 })
  // Adopted, dropped and evicted keys free their memory.
  for (let id = 1; id <= 20; id++) tallies.drop(id)
  for (let n = 0; n < 200; n++) {
    tallies.see(30, 'd', `k${n}`, 1)
    tallies.adopted(30, [{ Device: 'd', Key: `k${n}` }])
    tallies.heard(30, { ...message, payload: Buffer.from('x') })
  }
  tallies.heard(31, message)
  expect(tallies.messagesOf(30).length).toBe(50)
})
