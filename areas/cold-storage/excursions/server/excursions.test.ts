import { expect, it } from 'vitest'
import { apartMs, excursionsOf, holdMs, meanKinetic, type Reading, type Side } from '../excursions.ts'

const minute = 60_000
const band = () => ({ low: 2, high: 8 })
const at = (value: number | null, ...minutes: number[]): Reading[] => minutes.map((time) => ({ time: time * minute, value }))
const inOrder = (...all: Reading[][]) => all.flat().sort((a, b) => a.time - b.time)

it('the mean kinetic temperature of 2 and 8 °C is 5.536, and of 20, 25 and 30 °C 25.858', () => {
  const equal = (...values: number[]) => meanKinetic(values.map((value) => ({ value, weight: 1 })))!
  expect(equal(2, 8)).toBeCloseTo(5.536, 3)
  expect(equal(20, 25, 30)).toBeCloseTo(25.858, 3)
  expect(equal(5, 5, 5)).toBeCloseTo(5, 9)
  expect(
    meanKinetic([
      { value: 2, weight: 3 },
      { value: 8, weight: 3 },
    ]),
  ).toBeCloseTo(5.536, 3)
  expect(meanKinetic([])).toBeNull()
})

it('an excursion begins with the first reading beyond the limit and ends with the first one within', () => {
  const [one, ...none] = excursionsOf(inOrder(at(8, 0), at(9, 10), at(11, 12), at(8, 20)), band, 100 * minute)
  expect(none).toEqual([])
  expect(one).toMatchObject({ side: 1, begin: 10 * minute, end: 20 * minute, ended: 1, peak: 11, peakAt: 12 * minute, limit: 8 })
  expect(one).toMatchObject({ outsideMs: 10 * minute, degreeMinutes: 1 * 2 + 3 * 8 })
  expect(one!.mkt).toBeGreaterThan(10.5)
})

it('two that are less than 5 minutes apart are one, and five minutes keep them apart', () => {
  const twice = (apart: number) => excursionsOf(inOrder(at(9, 0), at(5, 2), at(9, 2 + apart), at(5, 10 + apart)), band, 100 * minute)
  expect(twice(4.9)).toMatchObject([{ begin: 0, outsideMs: 10 * minute, degreeMinutes: 10 }])
  expect(twice(5)).toMatchObject([{ end: 2 * minute }, { begin: 7 * minute }])
})

it('a gap is not within the band: what it ends has not recovered', () => {
  expect(excursionsOf(inOrder(at(9, 0), at(5, 90)), band, 200 * minute)).toMatchObject([{ end: holdMs, ended: 2, outsideMs: holdMs }])
  // A reading without a value also ends the excursion.
  expect(excursionsOf(inOrder(at(9, 0), at(null, 10), at(5, 90)), band, 200 * minute)).toMatchObject([{ end: 10 * minute, ended: 2 }])
  expect(excursionsOf(at(9, 0), band, 20 * minute)).toMatchObject([{ end: 20 * minute, ended: 0 }])
  expect(excursionsOf(at(9, 0), band, 30 * minute)).toMatchObject([{ end: 30 * minute, ended: 2 }])
})

it('too cold and too warm are two, and no limit on a side means none there', () => {
  const readings = inOrder(at(9, 0), at(1, 5), at(5, 10))
  expect(excursionsOf(readings, band, 60 * minute)).toMatchObject([
    { side: 1, degreeMinutes: 5 },
    { side: 2, degreeMinutes: 5, peak: 1 },
  ])
  expect(excursionsOf(readings, () => ({ low: null, high: 8 }), 60 * minute)).toMatchObject([{ side: 1 }])
})

/** Checks every minute. Slow but simple. */
const oracle = (readings: readonly Reading[], until: number) => {
  const count = until / minute
  const held = Array.from({ length: count }, (_, m) => {
    const last = readings.findLast(({ time }) => time <= m * minute)
    return last && m * minute - last.time < holdMs ? last.value : null
  })
  return ([1, 2] as Side[])
    .flatMap((side) => {
      const excess = (m: number) => (held[m] === null || held[m] === undefined ? 0 : Math.max(0, side === 1 ? held[m] - 8 : 2 - held[m]))
      const outside = held.flatMap((_, m) => (excess(m) > 0 ? [m] : []))
      const groups: number[][] = []
      for (const m of outside) {
        const last = groups.at(-1)
        if (last && (m - last.at(-1)! - 1) * minute < apartMs) last.push(m)
        else groups.push([m])
      }
      return groups.map((group) => ({
        ...{ side, begin: group[0]! * minute, end: (group.at(-1)! + 1) * minute, outsideMs: group.length * minute },
        degreeMinutes: Math.round(group.reduce((sum, m) => sum + excess(m), 0) * 1000) / 1000,
        mkt: Math.round(meanKinetic(group.map((m) => ({ value: held[m]!, weight: 1 })))! * 1000) / 1000,
      }))
    })
    .sort((a, b) => a.begin - b.begin || a.side - b.side)
}

it('equals an oracle that looks at every minute', () => {
  let state = 7
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  for (let round = 0; round < 60; round++) {
    const readings: Reading[] = []
    for (let m = 0; m < 900; m += 1 + Math.floor(random() ** 4 * 50))
      readings.push({ time: m * minute, value: random() < 0.05 ? null : Math.round((5 + 5 * Math.sin(m / 40) * random()) * 10) / 10 })
    const until = 900 * minute
    const found = excursionsOf(readings, band, until).map(({ side, begin, end, outsideMs, degreeMinutes, mkt }) => ({
      ...{ side, begin, end, outsideMs, degreeMinutes, mkt },
    }))
    const expected = oracle(readings, until)
    expect(found.map(({ mkt: _, degreeMinutes: __, ...rest }) => rest)).toEqual(
      expected.map(({ mkt: _, degreeMinutes: __, ...rest }) => rest),
    )
    for (const [i, { mkt, degreeMinutes }] of expected.entries()) {
      expect(found[i]!.mkt).toBeCloseTo(mkt, 2)
      expect(found[i]!.degreeMinutes).toBeCloseTo(degreeMinutes, 2)
    }
  }
})
