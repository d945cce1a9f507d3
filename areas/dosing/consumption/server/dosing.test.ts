import { expect, it } from 'vitest'
import { doseOf, kgOf } from '../../chemicals/amounts.ts'
import { draw } from '../batches.ts'
import { forecastOf } from '../forecast.ts'
import { fallenIn, risesIn } from '../tank.ts'

const kg = { Unit: 'kg', Density: null } as const

it('a dose is kg × 1000 / m³; without water, or litres without a density, there is none', () => {
  expect(doseOf(kg, 118, 5900)).toBe(20)
  expect(doseOf({ Unit: 't', Density: null }, 0.118, 5900)).toBeCloseTo(20, 12)
  expect(doseOf({ Unit: 'L', Density: 1.2 }, 100, 6000)).toBe(20)
  expect(doseOf({ Unit: 'L', Density: null }, 100, 6000)).toBeNull()
  for (const water of [0, null, undefined]) expect(doseOf(kg, 118, water)).toBeNull()
  expect(kgOf({ Unit: 'L', Density: 1.2 })).toBe(1.2)
})

it('what comes first is used first, at its price and concentration; a batch is used from its delivery on', () => {
  const batches = [
    { at: 10, qty: 100n, price: 2n, concentration: 10 },
    { at: 20, qty: 100n, price: 3n, concentration: 20 },
    { at: 90, qty: 100n, price: 9n, concentration: 30 },
  ]
  const otherwise = { price: 1n, concentration: 5 }
  const parts = [5, 15, 30, 40].map((end, i) => ({ end, qty: [40n, 80n, 80n, 80n][i]! }))
  expect(draw(batches, 0n, parts, otherwise)).toEqual([
    { cost: 40n, unpriced: 0n, dry: 2 },
    { cost: 160n, unpriced: 0n, dry: 8 },
    { cost: 20n * 2n + 60n * 3n, unpriced: 0n, dry: 14 },
    // 40 are left; the third batch is not there yet.
    { cost: 40n * 3n + 40n, unpriced: 0n, dry: 10 },
  ])
  expect(draw(batches, 190n, [{ end: 95, qty: 20n }], otherwise)).toEqual([{ cost: 10n * 3n + 10n * 9n, unpriced: 0n, dry: 5 }])
  expect(
    draw(
      [],
      0n,
      [
        { end: 1, qty: 7n },
        { end: 2, qty: null },
      ],
      { price: null, concentration: null },
    ),
  ).toEqual([
    { cost: 0n, unpriced: 7n, dry: null },
    { cost: 0n, unpriced: 0n, dry: 0 },
  ])
  // Costs of the parts of a range add up to its cost, wherever it is split.
  const whole = draw(batches, 13n, [{ end: 99, qty: 250n }], otherwise)[0]!.cost
  const cut = draw(
    batches,
    13n,
    Array.from({ length: 250 }, () => ({ end: 99, qty: 1n })),
    otherwise,
  )
  expect(cut.reduce((sum, { cost }) => sum + cost, 0n)).toBe(whole)
})

it('a falling level is consumption, a rise of a twentieth of the tank a delivery, and less than that is noise', () => {
  const time = [0, 1, 2, 3, 4, 5, 6, 7].map((h) => h * 3_600_000)
  const levels = { time, qty: [500, 490, 491, 481, 700, 900, 900, 890] }
  const rises = risesIn(levels, 50)
  expect(rises).toEqual([{ start: time[3], end: time[5], qty: 419 }])
  expect(fallenIn(levels, rises, [0, time[3]!, time[7]! + 1])).toEqual([
    { qty: 19, missing: 0 },
    { qty: 10, missing: 0 },
  ])
  const gap = { time: [0, 20 * 3_600_000], qty: [500, 440] }
  expect(fallenIn(gap, [], [0, 24 * 3_600_000])).toEqual([{ qty: 60, missing: 60 }])
  expect(fallenIn({ time: [], qty: [] }, [], [0, 1])).toEqual([{ qty: null, missing: 0 }])
})

it('days left are the stock by the mean of the last 7 days, between those of the busiest and the quietest week', () => {
  const used = [...Array(7).fill(50), ...Array(7).fill(25), ...Array(7).fill(40), 30, 50, 40, 40, 40, 40, 40]
  const asked = { stock: 400, reserve: 100, leadDays: 3, tankSize: 1000, used }
  expect(forecastOf(asked)).toEqual({
    ...{ dailyUse: 40, days: 10, low: 8, high: 16 },
    // 300 above the reserve last 6 days of 50; 3 days of them the order takes.
    ...{ orderIn: 3, orderQty: 1000 - (400 - 120), state: 2 },
  })
  expect(forecastOf({ ...asked, stock: 250 })).toMatchObject({ orderIn: 0, state: 3 })
  expect(forecastOf({ ...asked, stock: 4000 })).toMatchObject({ state: 1, orderQty: 0 })
  expect(forecastOf({ ...asked, stock: 0 })).toMatchObject({ days: 0, state: 3 })
  expect(forecastOf({ ...asked, used: [...used.slice(0, 21), 30, null, null, 50, null, null, null] })).toMatchObject({
    dailyUse: 40,
    days: 10,
  })
  for (const nothing of [Array(28).fill(null), Array(28).fill(0)])
    expect(forecastOf({ ...asked, used: nothing })).toMatchObject({ days: null, state: 0 })
})
