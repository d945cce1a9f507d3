import { approach, type Random } from './random.ts'

/** A centrifugal pump with its motor. */
export type Pump = {
  /** What operator or level control asks for. */
  isOn: boolean
  isTripped: boolean
  /** Share of full speed, 0 to 1. */
  speed: number
  speedSet: number
  /** m³/h. */
  flow: number
  /** kW at the terminals. */
  power: number
  /** A per phase, 400 V. */
  current: number
  /** °C. */
  bearing: number
  /** mm/s. */
  vibration: number
  hours: number
  /** 0 new, 1 worn out: warm and shaking. */
  wear: number
}

export const newPump = (speedSet: number): Pump => ({
  isOn: false,
  isTripped: false,
  speed: 0,
  speedSet,
  flow: 0,
  power: 0,
  current: 0,
  bearing: 20,
  vibration: 0,
  hours: 0,
  wear: 0,
})

/** Head at full speed is shutOff - slope Q² (m, Q in m³/h); at other speeds by the affinity laws. */
export type Curve = { shutOff: number; slope: number; bestFlow: number }

/** Flow of a pump against a head, m³/h; a check valve keeps it from turning round. */
export const flowAt = (speed: number, head: number, curve: Curve) =>
  Math.sqrt(Math.max(0, (speed ** 2 * curve.shutOff - head) / curve.slope))

/** Head in the common header where the pumps' flow is what the pipe takes: static + resistance Q². */
export const meet = (speeds: readonly number[], curve: Curve, staticHead: number, resistance: number) => {
  const pumping = speeds.filter((speed) => speed ** 2 * curve.shutOff > staticHead)
  const [speed] = pumping
  if (speed === undefined) return staticHead
  // Pumps of one speed share the flow equally: Q = n √((h₀ - h) / slope) has a solution in closed form.
  if (pumping.every((other) => Math.abs(other - speed) < 1e-9)) {
    const n2 = pumping.length ** 2
    return staticHead + (resistance * n2 * (speed ** 2 * curve.shutOff - staticHead)) / (curve.slope + n2 * resistance)
  }
  let low = staticHead
  let high = staticHead + curve.shutOff
  for (let i = 0; i < 30; i++) {
    const head = (low + high) / 2
    const pumped = pumping.reduce((sum, s) => sum + flowAt(s, head, curve), 0)
    if (pumped > Math.sqrt((head - staticHead) / resistance)) low = head
    else high = head
  }
  return low
}

/** Hydraulic power over an efficiency that is best at bestFlow and falls to either side (kW). */
const shaftPower = (pump: Pump, head: number, curve: Curve) => {
  const off = pump.flow / Math.max(1, curve.bestFlow * pump.speed) - 1
  const efficiency = Math.max(0.25, 0.78 - 0.45 * off * off)
  const idle = 2 * pump.speed ** 3
  return idle + (1000 * 9.81 * (pump.flow / 3600) * head) / efficiency / 1000
}

/** Speed follows the command; flow and head are what the hydraulics say. */
export const turn = (pump: Pump, dt: number) => {
  const target = pump.isOn && !pump.isTripped ? pump.speedSet : 0
  pump.speed = approach(pump.speed, target, dt, 3)
  if (pump.speed < 0.005) pump.speed = 0
}

export const load = (pump: Pump, flow: number, head: number, curve: Curve, dt: number, random: Random) => {
  pump.flow = flow
  const running = pump.speed > 0.05
  pump.power = running ? shaftPower(pump, head, curve) / 0.93 : 0
  const factor = 0.65 + 0.22 * Math.min(1, pump.power / 40)
  pump.current = running ? (pump.power * 1000) / (Math.sqrt(3) * 400 * factor) : 0
  pump.bearing = approach(pump.bearing, 20 + pump.speed * 42 + pump.wear * 45 * pump.speed, dt, 90)
  pump.vibration = running ? 1.2 + pump.speed * 1.4 + pump.wear * 9 + random() * 0.25 : 0
  if (running) pump.hours += dt / 3600
}
