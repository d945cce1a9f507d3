import { expect, test } from 'vitest'
import { decodeUp } from './frames.ts'
import { openTargets, ownerTarget, placeOf, type Target } from './targets.ts'

const turn = () => new Promise((done) => setImmediate(done))
const message = (text: string, sn = 'PUMPHOUSE1', kind: 'data' | 'state' = 'data') => ({ sn, kind, session: 1, payload: Buffer.from(text) })
const opened = () => {
  const sent: { target: Target; seq: number; text: string }[] = []
  const targets = openTargets({
    send: (target, token, data) => {
      const messages = token === 'up' ? decodeUp(data as Buffer) : [{ seq: Number(data), payload: 'base' }]
      for (const { seq, payload } of messages) sent.push({ target, seq, text: payload.toString() })
      return true
    },
    now: () => 0,
    mostBytes: () => 100_000,
  })
  const at = (target: Target) => sent.filter((s) => s.target === target).map(({ text }) => text)
  return { sent, targets, at }
}
const answer = (seq: number) => ({ seq, isTaken: true, readings: 1, acks: [] })

test('readings go to an ingest process, all else to the owner; without processes all of it does', async () => {
  const { targets, at } = opened()
  void targets.ask(1, message('early'))
  targets.follow(['a'])
  void targets.ask(1, message('reading', 'PUMPHOUSE2'))
  void targets.ask(1, message('birth', 'PUMPHOUSE2', 'state'))
  await turn()
  expect([at(ownerTarget), at('a')]).toEqual([['early', 'birth'], ['reading']])
})

test('a gateway moves to another process once its messages are answered; later ones wait until then', async () => {
  const { targets, at, sent } = opened()
  const first = targets.ask(1, message('1'))
  await turn()
  targets.follow(['a'])
  const later = [targets.ask(1, message('2')), targets.ask(1, message('3'))]
  await turn()
  expect([at(ownerTarget), at('a'), targets.waiting().queued]).toEqual([['1'], [], 2])
  targets.answered(ownerTarget, answer(sent[0]!.seq))
  expect(await first).toBe(1)
  await turn()
  expect(at('a')).toEqual(['2', '3'])
  const lost = later.map((one) => expect(one).rejects.toThrow(/connection/))
  targets.follow(['b'])
  const held = expect(targets.ask(1, message('4'))).rejects.toThrow(/connection/)
  targets.clear()
  await Promise.all([...lost, held])
  expect(targets.waiting()).toEqual({ bytes: 0, queued: 0 })
})

test('messages of a process that is gone go to others, in their order, and are answered once', async () => {
  const { targets, at, sent } = opened()
  targets.follow(['a', 'b'])
  const sns = Array.from({ length: 40 }, (_, i) => `PUMPHOUSE${i}`)
  const asked = sns.flatMap((sn) => [1, 2, 3].map((n) => targets.ask(1, message(`${sn} ${n}`, sn))))
  await turn()
  const before = at('a')
  expect(before.length + at('b').length).toBe(120)
  expect(Math.min(before.length, at('b').length)).toBeGreaterThan(20)
  targets.follow(['b'])
  await turn()
  expect(at('b').slice(-before.length)).toEqual(before)
  // A late answer of the process that is gone counts for nothing.
  expect(targets.answered('a', answer(1))).toBeUndefined()
  for (const { target, seq } of sent) targets.answered(target, answer(seq))
  expect(await Promise.all(asked)).toEqual(asked.map(() => 1))
  expect(targets.waiting()).toEqual({ bytes: 0, queued: 0 })
})

test('where a process comes or goes, only its gateways move', () => {
  const sns = Array.from({ length: 3000 }, (_, i) => `SN${i}`)
  const share = (processes: string[]) => sns.map((sn) => placeOf(sn, processes))
  const [two, three] = [share(['a', 'b']), share(['a', 'b', 'c'])]
  for (const [i, place] of three.entries()) if (place !== 'c') expect(place).toBe(two[i])
  for (const process of ['a', 'b', 'c']) {
    const part = three.filter((place) => place === process).length / sns.length
    expect(part).toBeGreaterThan(0.28)
    expect(part).toBeLessThan(0.39)
  }
})
