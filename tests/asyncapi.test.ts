import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { asyncApiText, committed, examples, messages } from '../tools/asyncapi.ts'

test('docs/asyncapi.json matches the contract; node tools/asyncapi.ts regenerates it', () => {
  expect(committed()).toBe(asyncApiText())
})

test('the manual shows every message at least once, as the protocol wants it', () => {
  const shown = examples()
  for (const { way, kind, schema } of messages) {
    const check = Compile(schema)
    const mine = shown.filter((e) => e.way === way && e.kind === kind)
    expect(mine.length, `${way}/${kind}`).toBeGreaterThan(0)
    for (const { payload } of mine) expect(check.Errors(payload), `${way}/${kind}`).toEqual([])
  }
  expect(shown.filter((e) => !messages.some((m) => m.way === e.way && m.kind === e.kind))).toEqual([])
})
