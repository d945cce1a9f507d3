import { expect, it } from 'vitest'
import { createTallies } from './tallies.ts'

it('a message that is no text is kept as hex', () => {
  const tallies = createTallies(() => 1)
  const heard = (payload: Buffer) => {
    tallies.heard(1, { payload, topic: '', readings: 0, unmatched: 0, refused: 0, fault: undefined })
    const [{ Payload, IsHex } = { Payload: '', IsHex: 2 }] = tallies.messagesOf(1)
    return [Payload, IsHex]
  }
  expect(heard(Buffer.from('{"a":\t"ü"}\r\n'))).toEqual(['{"a":\t"ü"}\r\n', 0])
  expect(heard(Buffer.from([1, 3, 0x41]))).toEqual(['010341', 1])
  expect(heard(Buffer.from([0xff, 0x41]))).toEqual(['ff41', 1])
})

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
