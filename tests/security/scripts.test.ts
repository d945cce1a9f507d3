// Scripts that QuickJS cannot interrupt end the thread that all companies share. They do so a few times, not for ever.
import { afterAll, expect, it } from 'vitest'
import { mostKills, offMs } from '../../sandbox/limits.ts'
import { hashOfScript, openSandbox, type Script } from '../../sandbox/sandbox.ts'

let clock = Date.UTC(2026, 0, 1)
const sandbox = openSandbox({ now: () => clock })
afterAll(() => sandbox.close())

const script = (body: string, tenant: number): Script => {
  const code = `function parse(topic, payload) { ${body} }`
  return { tenant, code, hash: hashOfScript(code) }
}
const parse = (of: Script, v = 0) =>
  sandbox.parse(of, { input: 'json', topic: 't', payload: Buffer.from(`{"v":${v}}`), meta: { time: clock, gateway: 'F', device: '' } })
/** Sorts in one piece each: QuickJS asks for the time once in thousands of them, far beyond what a call may take. */
const hanging = (tenant: number, n = 0) =>
  script(`if (payload.v === 7) return null; const a = new Float64Array(1e6); for (;;) a.sort(); ${n}`, tenant)
const good = (tenant: number) => script('return { Items: [{ V: { key: payload.v } }] }', tenant)
const reasons = async (all: Promise<{ fault?: { reason: string } }>[]) =>
  Object.groupBy(
    (await Promise.all(all)).map(({ fault }) => fault?.reason ?? 'fine'),
    (reason) => reason,
  )

it('a script that ends the thread is off at once, with all its messages that wait; a good one between does not save it', async () => {
  const of = hanging(1)
  const all = await reasons([
    ...Array.from({ length: 30 }, (_, i) => parse(of, i % 3 ? 7 : 0)),
    ...Array.from({ length: 50 }, () => parse(good(2))),
  ])
  expect([all.timeout?.length, all.fine?.length, all.off?.length]).toEqual([1, 50, 29])
  expect((await parse(of, 7)).fault?.reason).toBe('off')
  expect((await parse(good(1))).fault).toBeUndefined()
  clock += offMs + 1
  expect((await parse(of, 7)).fault).toBeUndefined()
})

it('a company with more of them, tried or in use, is off as a whole, and others are not', async () => {
  const tried = Array.from({ length: 4 }, (_, n) =>
    sandbox.test(hanging(3, n), { input: 'json', topic: 't', payload: Buffer.from('{}'), meta: { time: clock, gateway: 'F', device: '' } }),
  )
  const all = await reasons([...tried, ...Array.from({ length: 4 }, (_, n) => parse(hanging(3, 10 + n)))])
  expect([all.timeout?.length, all.off?.length]).toEqual([mostKills, 8 - mostKills])
  expect([(await parse(good(3))).fault?.reason, (await parse(good(4))).fault]).toEqual(['off', undefined])
  clock += offMs + 1
  expect((await parse(good(3))).fault).toBeUndefined()
})
