// Texts that a pattern takes seconds to refuse. While it runs, the server does nothing else.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, startHouse } from '../house.ts'
import { served } from '../two-tenants.operations.ts'
import { least } from './least.ts'

let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

const braces = (count: number) => `${'{a}'.repeat(count)}{`
/** Each took between one and seven seconds, or was no refusal but an error of the server. */
const requests: [what: string, method: string, path: string, body: object][] = [
  ['a sender of mail', 'PUT', '/System/WechatConfig/MessagePush', { EmailFrom: `${'@'.repeat(60_000)}\n` }],
  ['addresses of a batch', 'POST', '/Project/CommonPara/BatchAdd', { Items: [{ ParaName: 'a', Address: braces(40_000) }] }],
  ['a number or an expression in braces', 'PUT', '/ProModel/ModelPara', { Id: 1, UploadPeriod: 'x'.repeat(5000) }],
  ['an announcement', 'POST', '/System/Notice', { PushTitle: 'x', PushContent: `<${'a'.repeat(19_900)}` }],
]

it.each(requests)('%s of any length is judged within milliseconds', async (_, method, path, body) => {
  const took = await least(700, async () => {
    const began = performance.now()
    const { StatusCode } = await house.call(house.admin, method, path, body)
    expect([200, 400]).toContain(StatusCode)
    return performance.now() - began
  })
  expect(took).toBeLessThan(700)
})

it('every pattern refuses texts of its greatest length within milliseconds', async () => {
  const operations = await served(house.origin, house.admin)
  const patterns = new Map<string, number>()
  const collect = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null) return
    const { pattern, maxLength = 1000 } = schema as { pattern?: unknown; maxLength?: number }
    if (typeof pattern === 'string') patterns.set(pattern, Math.max(patterns.get(pattern) ?? 0, maxLength))
    for (const inner of Object.values(schema)) collect(inner)
  }
  for (const { body, query } of operations) collect([body, query])
  expect(patterns.size).toBeGreaterThan(20)
  const pumps = ['a', '1', '@', '{a}', '1,', 'a=1;', 'a=1 x;', ' ', '.', '1.', '::', '/', '\\']
  const slow = [...patterns].flatMap(([pattern, length]) => {
    const expression = new RegExp(pattern, 'u')
    const took = pumps.flatMap((pump) =>
      ['', '!', '{', '\n'].map((tail) => {
        // Other work takes time of the clock, not of this process.
        const began = process.cpuUsage()
        expression.test(pump.repeat((2 * length) / pump.length) + tail)
        return process.cpuUsage(began).user / 1000
      }),
    )
    return took.toSorted((a, b) => b - a)[1]! > 100 ? [pattern] : []
  })
  expect(slow).toEqual([])
})
