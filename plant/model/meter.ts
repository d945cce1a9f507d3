import { fluctuate, type Random } from './random.ts'

/** A three phase meter on a 230/400 V feeder. kW, kvar, kVA, A, V, Hz. */
export const newMeter = () => ({
  voltages: [230, 231, 229],
  currents: [0, 0, 0],
  active: 0,
  reactive: 0,
  apparent: 0,
  factor: 1,
  frequency: 50,
  activeEnergy: 0,
  reactiveEnergy: 0,
  /** A dip of the grid, V. */
  sag: 0,
})
export type Meter = ReturnType<typeof newMeter>

/** Share of what flows that cables and transformer lose, and kW and kvar that the transformer takes without load. */
export const losses = { share: 0.012, idle: 0.9, idleReactive: 1.5 }

/** base: kW that lamps and instruments take. Energy only grows. */
export const stepMeter = (meter: Meter, motors: number, base: number, dt: number, random: Random) =>
  measure(meter, motors + base, motors * 0.55 + base * 0.2, dt, random)

/** The sum of all feeders plus cable and transformer losses. */
export const stepIncomer = (meter: Meter, sag: number, feeders: readonly Feeder[], dt: number, random: Random) => {
  const sum = (of: 'active' | 'reactive') => feeders.reduce((all, feeder) => all + feeder[of], 0) * (1 + losses.share)
  meter.sag = sag
  measure(meter, sum('active') + losses.idle, sum('reactive') + losses.idleReactive, dt, random)
}

/** A sub-meter: power and energy alone. */
export const newFeeder = () => ({ active: 0, reactive: 0, activeEnergy: 0, reactiveEnergy: 0 })
export type Feeder = ReturnType<typeof newFeeder>
export const stepFeeder = (meter: Feeder, motors: number, base: number, dt: number) =>
  count(meter, motors + base, motors * 0.55 + base * 0.2, dt)

const count = (meter: Feeder, active: number, reactive: number, dt: number) => {
  meter.active = active
  meter.reactive = reactive
  meter.activeEnergy += (active * dt) / 3600
  meter.reactiveEnergy += (reactive * dt) / 3600
}

const measure = (meter: Meter, active: number, reactive: number, dt: number, random: Random) => {
  count(meter, active, reactive, dt)
  meter.apparent = Math.hypot(meter.active, meter.reactive)
  meter.factor = meter.apparent > 0 ? meter.active / meter.apparent : 1
  meter.frequency = fluctuate(meter.frequency, 50, dt, 8, 0.015, random)
  const { voltages, currents } = meter
  for (let i = 0; i < 3; i++) {
    const voltage = fluctuate(voltages[i]!, 231 - i - meter.sag - meter.apparent * 0.02, dt, 2, 0.4, random)
    voltages[i] = voltage
    currents[i] = ((meter.apparent * 1000) / 3 / voltage) * (1 + (i - 1) * 0.015)
  }
}
