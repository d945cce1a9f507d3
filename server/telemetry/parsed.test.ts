import { expect, it } from 'vitest'
import { rowsOfReason } from './decode.ts'
import { createParsedReader } from './parsed.ts'

it('50,000 wrong readings of one message are few rows, and all are counted', () => {
  const read = createParsedReader({ get: () => undefined, ofGateway: () => [], onChange: () => () => undefined })
  const refusal = { reason: 'notANumber', detail: 'k', payload: 'x' } as const
  const message = {
    readings: Array.from({ length: 50_000 }, (_, i) => ({ point: i + 1, time: null, value: 1 })),
    refusals: [...Array.from({ length: 50_000 }, () => refusal), { reason: 'tenantClosed', detail: '', payload: '', count: 7 } as const],
  }
  const { refused, refusals } = read('gateway-1', message, 0)
  expect([refused, refusals.reduce((n, { count = 1 }) => n + count, 0)]).toEqual([100_007, 100_007])
  expect(refusals.length).toBe(2 * (rowsOfReason + 1) + 1)
})
