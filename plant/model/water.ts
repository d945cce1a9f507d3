import type { Conditions } from './conditions.ts'
import { type Curve, flowAt, load, meet, newPump, type Pump, turn } from './pump.ts'
import { approach, clamp, fluctuate, noise, type Random } from './random.ts'

// Lengths in m, volumes in m³, flows in m³/h.
export const basinArea = 45
export const basinDepth = 3.2
export const chamberArea = 25
export const chamberDepth = 3.2
export const towerArea = 8
export const towerDepth = 5
const towerFoot = 40

const intakeCurve: Curve = { shutOff: 26, slope: 1.6e-4, bestFlow: 270 }
const deliveryCurve: Curve = { shutOff: 62, slope: 3.2e-4, bestFlow: 210 }

export type Filter = {
  flow: number
  pressure: number
  level: number
  turbidity: number
  /** 0 clean to 1 blind. */
  dirt: number
  runMinutes: number
  backwashSeconds: number
  backwashes: number
  isAsked: boolean
}
const newFilter = (dirt: number): Filter => ({
  flow: 0,
  pressure: 0.1,
  level: 1.5,
  turbidity: 0.2,
  dirt,
  runMinutes: dirt * 2400,
  backwashSeconds: 0,
  backwashes: 0,
  isAsked: false,
})

export const newWater = () => ({
  riverLevel: 3.1,
  rawFlow: 0,
  rawTotal: 0,
  intake: [newPump(0.95), newPump(0.9)],
  basinLevel: 2.2,
  basinOut: 0,
  filters: [newFilter(0.45), newFilter(0.45), newFilter(0.45)],
  backwashAt: 0.52,
  chamberA: 2.1,
  chamberB: 2.05,
  clearIn: 0,
  clearTotal: 0,
  delivery: [newPump(0.96), newPump(0.96), newPump(0.96)],
  deliverySpeed: 0.96,
  header: 40,
  deliveryFlow: 0,
  outletTotal: 0,
  valve: 1,
  townDemand: 300,
  outletFlow: 0,
  towerLevel: 3,
  /** An operator's command holds until level control asks for the opposite. */
  overflowed: 0,
})
export type Water = ReturnType<typeof newWater>

/** Starts below one level, stops above another, in between as it was. */
const level = (pump: Pump, value: number, startBelow: number, stopAbove: number) => {
  if (value < startBelow) pump.isOn = true
  else if (value > stopAbove) pump.isOn = false
}

/** Pumps in the order in which they are asked; they take turns every so many hours. */
const onDuty = (pumps: readonly Pump[], { seconds }: Conditions, hours: number) => {
  const lead = Math.floor(seconds / 3600 / hours) % pumps.length
  return [...pumps.slice(lead), ...pumps.slice(0, lead)]
}

/** What is in a tank, never less than nothing; what would not fit runs over. */
const fill = (height: number, area: number, depth: number, net: number, dt: number, w: Water) => {
  const next = height + (net * dt) / 3600 / area
  if (next > depth) w.overflowed += (next - depth) * area
  return clamp(next, 0, depth)
}
/** Outflow that empties at most what is there. */
const atMost = (flow: number, height: number, area: number, inflow: number, dt: number) =>
  Math.min(flow, inflow + (height * area * 3600) / dt)

const stepFilter = (f: Filter, w: Water, share: number, isNight: boolean, dt: number, random: Random) => {
  if (f.backwashSeconds > 0) {
    f.backwashSeconds -= dt
    f.flow = approach(f.flow, 0, dt, 4)
    f.dirt = approach(f.dirt, 0.02, dt, 120)
    f.pressure = approach(f.pressure, 0.03, dt, 5)
    if (f.backwashSeconds > 0) return
    f.runMinutes = 0
    f.backwashes++
  } else if (
    f.isAsked ||
    (isNight && f.runMinutes > 720 && !w.filters.some((other) => other.backwashSeconds > 0)) ||
    (f.pressure > w.backwashAt && !w.filters.some((other) => other.backwashSeconds > 0))
  ) {
    f.backwashSeconds = 600
    f.isAsked = false
  }
  f.flow = approach(f.flow, share, dt, 8)
  f.dirt = clamp(f.dirt + (f.flow * dt) / 3600 / 3800, 0, 1)
  f.pressure = (0.06 + 0.62 * f.dirt ** 1.5) * (f.flow / 120) ** 1.2 + noise(random) * 0.002
  f.pressure = clamp(f.pressure, 0, 1)
  f.runMinutes += dt / 60
  f.level = approach(f.level, 1.2 + f.dirt * 1.2, dt, 30)
}

/** One step of the way from river to town. Volumes balance: what leaves a tank enters the next one. */
export const stepWater = (w: Water, now: Conditions, dt: number, random: Random) => {
  w.riverLevel = clamp(now.riverLevel + noise(random) * 0.004, 0.9, 5.5)
  const [first, second] = onDuty(w.intake, now, 6)
  level(first!, w.basinLevel, 2.1, 2.75)
  level(second!, w.basinLevel, 1.8, 2.55)
  for (const pump of w.intake) turn(pump, dt)
  const lift = 9 - w.riverLevel
  const rawHead = meet(
    w.intake.map((p) => p.speed),
    intakeCurve,
    lift,
    2e-5,
  )
  for (const pump of w.intake) load(pump, flowAt(pump.speed, rawHead, intakeCurve), rawHead, intakeCurve, dt, random)
  w.rawFlow = w.intake.reduce((sum, p) => sum + p.flow, 0)
  w.rawTotal += (w.rawFlow * dt) / 3600

  // Backwashing waits for cheap energy, one filter at a time. Filters take what the clear water tank has room for; the basin gives what it has.
  const isNight = now.hour > 2 && now.hour < 5
  const working = w.filters.filter((f) => f.backwashSeconds <= 0)
  const room = clamp((3 - (w.chamberA + w.chamberB) / 2) / 0.8, 0, 1)
  const wanted = clamp(460 * room * clamp(w.basinLevel / 1.5, 0, 1), 0, 190 * working.length)
  for (const f of w.filters) stepFilter(f, w, working.length ? wanted / working.length : 0, isNight, dt, random)
  w.basinOut = atMost(
    w.filters.reduce((sum, f) => sum + f.flow, 0),
    w.basinLevel,
    basinArea,
    w.rawFlow,
    dt,
  )
  w.basinLevel = fill(w.basinLevel, basinArea, basinDepth, w.rawFlow - w.basinOut, dt, w)
  w.clearIn = w.basinOut
  w.clearTotal += (w.clearIn * dt) / 3600

  const [lead, next, last] = onDuty(w.delivery, now, 8)
  level(lead!, w.towerLevel, 3.6, 4.5)
  level(next!, w.towerLevel, 2.9, 4.0)
  level(last!, w.towerLevel, 2.2, 3.4)
  const isDry = w.chamberA + w.chamberB < 0.3
  for (const pump of w.delivery) {
    pump.speedSet = isDry ? 0 : w.deliverySpeed
    turn(pump, dt)
  }
  w.header = meet(
    w.delivery.map((p) => p.speed),
    deliveryCurve,
    towerFoot + w.towerLevel,
    1.5e-5 + 4e-4 * (1 - w.valve) ** 2,
  )
  for (const pump of w.delivery) load(pump, flowAt(pump.speed, w.header, deliveryCurve), w.header, deliveryCurve, dt, random)
  const pumped = w.delivery.reduce((sum, p) => sum + p.flow, 0)
  const stored = (w.chamberA + w.chamberB) / 2
  w.deliveryFlow = atMost(pumped, stored, 2 * chamberArea, w.clearIn, dt)
  const exchange = 900 * (w.chamberA - w.chamberB)
  w.chamberA = fill(w.chamberA, chamberArea, chamberDepth, w.clearIn * 0.52 - w.deliveryFlow / 2 - exchange, dt, w)
  w.chamberB = fill(w.chamberB, chamberArea, chamberDepth, w.clearIn * 0.48 - w.deliveryFlow / 2 + exchange, dt, w)

  w.townDemand = Math.max(60, fluctuate(w.townDemand, now.demand, dt, 40, 2, random))
  w.outletFlow = atMost(w.townDemand, w.towerLevel, towerArea, w.deliveryFlow, dt)
  w.outletTotal += (w.outletFlow * dt) / 3600
  w.towerLevel = fill(w.towerLevel, towerArea, towerDepth, w.deliveryFlow - w.outletFlow, dt, w)
}
