import { expect, test } from 'vitest'
import { decodeAnswers, decodeUp, encodeAnswer } from './frames.ts'
import { openOutstanding } from './outstanding.ts'

const turn = () => new Promise((done) => setImmediate(done))
const message = (text: string, sn = 'PUMPHOUSE1') => ({ sn, kind: 'data' as const, session: 3, payload: Buffer.from(text) })
/** What a NATS server receives, and a stopped clock. */
const opened = () => {
  const sent: string[] = []
  const frames: Buffer[] = []
  const clock = { now: 0 }
  const outstanding = openOutstanding(
    (frame) => {
      frames.push(frame)
      for (const { payload } of decodeUp(frame)) sent.push(payload.toString())
      return true
    },
    () => clock.now,
    () => 100_000,
  )
  return { sent, frames, clock, outstanding }
}

test('messages of one turn leave in one frame, which holds them whole', async () => {
  const { frames, outstanding } = opened()
  for (const text of ['a', '', 'ü'.repeat(1000)]) void outstanding.ask(1, message(text))
  await turn()
  expect(frames.length).toBe(1)
  expect(decodeUp(frames[0]!)).toEqual(
    ['a', '', 'ü'.repeat(1000)].map((text, i) => ({ seq: i + 1, session: 3, sn: 'PUMPHOUSE1', kind: 'data', payload: Buffer.from(text) })),
  )
})

test('a message waits for its answer, and is answered once', async () => {
  const { outstanding } = opened()
  const [taken, refused] = [outstanding.ask(1, message('a')), outstanding.ask(1, message('b'))]
  const answer = { isTaken: true, readings: 5, acks: ['{"MsgId":"a"}', '{"MsgId":"ü"}'] }
  const [first, second] = decodeAnswers(
    Buffer.concat([encodeAnswer({ seq: 1, ...answer }), encodeAnswer({ seq: 2, ...answer, isTaken: false, acks: [] })]),
  )
  expect(first).toEqual({ seq: 1, ...answer })
  expect(outstanding.answered(first!)?.sn).toBe('PUMPHOUSE1')
  expect(outstanding.answered(first!)).toBeUndefined()
  outstanding.answered(second!)
  expect(await taken).toBe(5)
  await expect(refused).rejects.toThrow(/could not keep/)
})

test('without an answer a message is sent again after 0.5 s, then less and less often; at once to another owner', async () => {
  const { sent, clock, outstanding } = opened()
  void outstanding.ask(1, message('a'))
  await turn()
  const times: number[] = []
  for (clock.now = 0; clock.now < 13_000; clock.now += 100) {
    const before = sent.length
    outstanding.tick()
    await turn()
    if (sent.length > before) times.push(clock.now)
  }
  expect(times).toEqual([500, 1500, 3500, 7500, 11_500])
  outstanding.sendAllAgain()
  await turn()
  expect(sent.length).toBe(7)
})

test('a window of bytes is under way; behind it gateways take turns', async () => {
  const { sent, outstanding } = opened()
  outstanding.setWindow(20_000)
  for (let i = 0; i < 5; i++) void outstanding.ask(1, message('x'.repeat(9000), 'FLOODING01'))
  void outstanding.ask(2, message('small'))
  await turn()
  expect(sent.map((text) => text.length)).toEqual([9000, 9000, 9000])
  expect(outstanding.waiting()).toMatchObject({ queued: 3 })
  for (const seq of [1, 2]) outstanding.answered({ seq, isTaken: true, readings: 1, acks: [] })
  await turn()
  expect(sent[3]).toBe('small')
})

test('a message that NATS does not take fails at once, and holds no part of the window', async () => {
  const { sent, outstanding } = opened()
  outstanding.setWindow(1000)
  const large = [1, 2, 3].map(() => outstanding.ask(1, message('x'.repeat(100_000))))
  for (const each of large) await expect(each).rejects.toThrow(/NATS takes no message of 100024 bytes/)
  void outstanding.ask(2, message('small'))
  await turn()
  expect([sent, outstanding.waiting().queued]).toEqual([['small'], 0])
})

test('frames that are cut off are refused', () => {
  const whole = encodeAnswer({ seq: 1, isTaken: true, readings: 1, acks: ['{}'] })
  expect(() => decodeAnswers(whole.subarray(0, -1))).toThrow()
  expect(() => decodeUp(Buffer.from([0, 0, 0, 1]))).toThrow()
})
