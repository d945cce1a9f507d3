import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defrostEvery, newColdRoom, stepColdRoom } from './cold-room.ts'
import { conditionsAt, day } from './conditions.ts'
import { faultsOf } from './faults.ts'
import { meet } from './pump.ts'
import { seeded } from './random.ts'
import { newTreatment, stepTreatment } from './treatment.ts'
import { basinArea, chamberArea, newWater, stepWater, towerArea, type Water } from './water.ts'
import { newWorld, step, type World } from './world.ts'

const start = Date.UTC(2026, 10, 21, 6) / 1000
const stored = (w: Water) => w.basinLevel * basinArea + (w.chamberA + w.chamberB) * chamberArea + w.towerLevel * towerArea

const run = (seed: number, minutes: number, look: (w: World) => void = () => {}) => {
  const world = newWorld(start, 12)
  const random = seeded(seed)
  for (let i = 0; i < minutes * 120; i++) {
    step(world, 0.5, random)
    look(world)
  }
  return world
}

describe('water', () => {
  test('is neither made nor lost between river and town', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const w = newWater()
        const random = seeded(seed)
        const before = stored(w) - w.rawTotal + w.outletTotal
        for (let i = 0; i < 7200; i++) stepWater(w, conditionsAt(start + i / 2), 0.5, random)
        expect(stored(w) - w.rawTotal + w.outletTotal + w.overflowed).toBeCloseTo(before, 3)
      }),
      { numRuns: 10 },
    )
  })

  test('never falls below the floor of a tank, even if everything is pumped out', () => {
    const w = newWater()
    const random = seeded(3)
    for (let i = 0; i < 14_400; i++) {
      for (const pump of w.intake) pump.isTripped = true
      for (const pump of w.delivery) pump.isOn = true
      stepWater(w, conditionsAt(start + 13 * 3600 + i / 2), 0.5, random)
      expect(Math.min(w.basinLevel, w.chamberA, w.chamberB, w.towerLevel, w.outletFlow)).toBeGreaterThanOrEqual(0)
    }
    expect(w.basinLevel).toBeLessThan(0.3)
  })

  test('meets the pumps where their curve crosses that of the pipe', () => {
    const curve = { shutOff: 62, slope: 3.2e-4, bestFlow: 210 }
    const head = meet([1, 1], curve, 38, 1.5e-5)
    const flow = 2 * Math.sqrt((62 - head) / 3.2e-4)
    expect(head).toBeCloseTo(38 + 1.5e-5 * flow ** 2, 6)
    expect(meet([0, 0], curve, 38, 1.5e-5)).toBeCloseTo(38, 6)
  })

  test('goes through a second pump only when one does not keep the level', () => {
    const w = run(5, 30).water
    const running = w.delivery.filter((p) => p.current > 1)
    expect(running.length).toBeGreaterThanOrEqual(1)
    for (const p of running) expect(p.flow).toBeGreaterThan(50)
  })
})

test('chlorine falls below its limit with an airlock and comes back without', () => {
  const w = newWater()
  const t = newTreatment()
  const random = seeded(1)
  const noon = conditionsAt(start + 6 * 3600)
  const pass = (minutes: number) => {
    for (let i = 0; i < minutes * 120; i++) {
      stepWater(w, noon, 0.5, random)
      stepTreatment(t, w, noon, 0.5, random)
    }
    return t.chlorine.residual
  }
  expect(pass(20)).toBeGreaterThan(0.4)
  t.chlorine.isAirlocked = true
  expect(pass(5)).toBeLessThan(0.3)
  t.chlorine.isAirlocked = false
  expect(pass(20)).toBeGreaterThan(0.4)
})

describe('the cold room', () => {
  const after = (minutes: number, change: Partial<ReturnType<typeof newColdRoom>>) => {
    const room = Object.assign(newColdRoom(), change)
    const random = seeded(1)
    const air: number[] = []
    for (let i = 0; i < minutes * 120; i++) {
      stepColdRoom(room, 18, 0.5, random)
      air.push(room.air)
    }
    return { room, air }
  }

  test('keeps its temperature within the hysteresis while the door is shut', () => {
    const { air } = after(20, {})
    expect(Math.max(...air)).toBeLessThan(-18)
    expect(Math.min(...air)).toBeGreaterThan(-22)
  })
  test('warms beyond its limit when the door stays open', () => {
    expect(after(4, { isDoorOpen: true }).room.air).toBeGreaterThan(-15)
  })
  test('follows a new set point', () => {
    expect(after(40, { setPoint: -10 }).room.air).toBeGreaterThan(-15)
  })
  test('defrosts by itself and ends it', () => {
    const { room } = after(4.5, { iceSeconds: defrostEvery })
    expect(room.isDefrosting).toBe(false)
    expect(room.iceSeconds).toBeLessThan(60)
  })
})

test('energy and totals only grow', () => {
  let before = { energy: 0, total: 0, cold: 0 }
  run(2, 60, (w) => {
    const now = { energy: w.deliveryMeter.activeEnergy, total: w.water.rawTotal, cold: w.coldRoom.energyKwh }
    expect(now.energy).toBeGreaterThanOrEqual(before.energy)
    expect(now.total).toBeGreaterThanOrEqual(before.total)
    expect(now.cold).toBeGreaterThanOrEqual(before.cold)
    before = now
  })
})

test('a handful of faults a day come, pass and clear, each kind within a month', () => {
  const days = Array.from({ length: 30 }, (_, i) => faultsOf(start / day + i - ((start / day) % 1)))
  for (const faults of days) expect(faults.length).toBeLessThanOrEqual(5)
  expect(new Set(days.flat().map((f) => f.name)).size).toBe(10)
  for (const { name, start, end } of days.slice(0, 4).flat()) {
    const w = newWorld(start - 60, 12)
    const active: boolean[] = []
    while (w.seconds < end + 60) {
      step(w, 5, seeded(1), 5)
      active.push(w.faults.some((f) => f.name === name))
    }
    expect([active[0], active.includes(true), active.at(-1)]).toEqual([false, true, false])
  }
})

test('the same seed gives the same plant', () => {
  const plain = (w: World) => JSON.stringify({ ...w, silent: [...w.silent] })
  expect(plain(run(9, 5))).toBe(plain(run(9, 5)))
  expect(plain(run(9, 5))).not.toBe(plain(run(10, 5)))
})

test('short live steps and the long ones of the past give curves of the same roughness', () => {
  const signals: Record<string, (w: World) => number> = {
    turbidity: (w) => w.treatment.rawTurbidity,
    conductivity: (w) => w.treatment.conductivity,
    demand: (w) => w.water.townDemand,
    frequency: (w) => w.deliveryMeter.frequency,
    voltage: (w) => w.deliveryMeter.voltages[0]!,
    wind: (w) => w.weather.wind,
  }
  const names = Object.keys(signals)
  /** Root mean square of the changes from one minute to the next, over three hours. */
  const roughness = (longest: number) => {
    const world = newWorld(start, 12)
    const random = seeded(7)
    step(world, 3600, random, longest)
    let last = names.map((name) => signals[name]!(world))
    const sums = names.map(() => 0)
    for (let minute = 0; minute < 180; minute++) {
      step(world, 60, random, longest)
      const now = names.map((name) => signals[name]!(world))
      now.forEach((value, i) => {
        sums[i]! += (value - last[i]!) ** 2
      })
      last = now
    }
    return sums.map((sum) => Math.sqrt(sum / 180))
  }
  const [live, past] = [roughness(0.5), roughness(15)]
  names.forEach((name, i) => {
    expect({ name, isAlike: live[i]! / past[i]! > 0.6 && live[i]! / past[i]! < 1.7, live: live[i], past: past[i] }).toMatchObject({
      isAlike: true,
    })
  })
})
