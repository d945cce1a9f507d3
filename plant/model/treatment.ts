import type { Conditions } from './conditions.ts'
import { approach, clamp, fluctuate, noise, type Random } from './random.ts'
import type { Water } from './water.ts'

export const newTreatment = () => ({
  temperature: 12,
  rawTurbidity: 14,
  /** NTU that a failing sensor adds. */
  sensorDrift: 0,
  coagulant: { isOn: true, dose: 32, flow: 0, level: 30, isFilling: false, total: 0 },
  mixer: { isOn: true, current: 4.2 },
  settledTurbidity: 1.6,
  ph: 7.3,
  sludge: 0.35,
  isSludgeValveOpen: false,
  chlorine: {
    isOn: true,
    setPoint: 0.55,
    residual: 0.55,
    flow: 0,
    stroke: 40,
    level: 30,
    isFilling: false,
    total: 0,
    gas: 0.02,
    isAirlocked: false,
    leak: 0,
    isFanOn: false,
  },
  uv: { isOn: true, lamps: [true, true, true, true], intensity: 180, fouling: 4, transmittance: 92, ballast: 38, hours: 0, power: 0 },
  conductivity: 430,
})
export type Treatment = ReturnType<typeof newTreatment>

/** Day tanks of coagulant and hypochlorite, litres. */
const coagulantTank = 400
export const hypochloriteTank = 100
/** % a second while a day tank is filled from the store. */
const refill = 0.1

type Tank = { level: number; isFilling: boolean }
/** Takes litres out; the day shift fills the tank up, and who is there does when it is nearly empty. */
const draw = (tank: Tank, litres: number, size: number, now: Conditions, dt: number) => {
  if (tank.level < 12 || (now.hour > 6 && now.hour < 6.2)) tank.isFilling = true
  if (tank.level > 95) tank.isFilling = false
  tank.level = clamp(tank.level - (litres / size) * 100 + (tank.isFilling ? refill * dt : 0), 0, 100)
}

const stepCoagulation = (t: Treatment, w: Water, now: Conditions, dt: number, random: Random) => {
  const c = t.coagulant
  // 10 % solution: mg/L times m³/h is g/h, 100 g in a litre.
  c.flow = approach(c.flow, c.isOn && c.level > 0 ? (c.dose * w.rawFlow) / 1000 : 0, dt, 5)
  c.total += (c.flow * dt) / 3600
  draw(c, (c.flow * dt) / 3600, coagulantTank, now, dt)
  const dose = w.rawFlow > 5 ? (c.flow * 1000) / w.rawFlow : c.dose
  const mixing = t.mixer.isOn ? 1 : 0.4
  t.mixer.current = t.mixer.isOn ? fluctuate(t.mixer.current, 4.2, dt, 2, 0.06, random) : approach(t.mixer.current, 0, dt, 2)
  const removed = mixing * (0.55 + 0.4 * Math.exp(-(((dose - 35) / 25) ** 2)))
  t.settledTurbidity = approach(t.settledTurbidity, Math.max(0.4, t.rawTurbidity * (1 - removed)), dt, 120)
  t.ph = fluctuate(t.ph, 7.8 - 0.012 * dose, dt, 90, 0.001, random)
  t.sludge = clamp(t.sludge + (w.rawFlow * t.rawTurbidity * dt) / 3600 / 90_000 - (t.isSludgeValveOpen ? dt * 0.004 : 0), 0, 1)
  if (t.sludge > 0.6 || (now.hour > 1 && now.hour < 1.02)) t.isSludgeValveOpen = true
  if (t.sludge < 0.2) t.isSludgeValveOpen = false
}

/** Dosing is proportional to flow and trimmed by the residual; chlorine decays and mixes in the tank. */
const stepChlorine = (t: Treatment, w: Water, now: Conditions, dt: number, random: Random) => {
  const c = t.chlorine
  const trim = clamp(1 + 3 * (c.setPoint - c.residual), 0, 2.5)
  c.stroke = approach(c.stroke, c.isOn ? clamp(c.setPoint * 72 * trim, 0, 100) : 0, dt, 10)
  const isDosing = c.isOn && !c.isAirlocked && c.level > 0
  c.flow = approach(c.flow, isDosing ? (c.stroke / 100) * (w.clearIn / 400) * 6.9 : 0, dt, 4)
  c.total += (c.flow * dt) / 3600
  draw(c, (c.flow * dt) / 3600, hypochloriteTank, now, dt)
  // 12.5 % solution: 125 g/L into the inflow, m³/h.
  const dosed = w.clearIn > 5 ? (c.flow * 125) / w.clearIn : 0
  const exchange = Math.max(0.15, w.clearIn / 400)
  c.residual = Math.max(0, fluctuate(c.residual, dosed * 0.78, dt, 150 / exchange, 0.002, random))
  c.gas = approach(c.gas, 0.02 + c.leak, dt, 25)
  c.isFanOn = c.gas > 0.3 || (c.isFanOn && c.gas > 0.1)
  if (c.isFanOn) c.gas = approach(c.gas, 0.02, dt, 60)
}

const stepUv = (t: Treatment, w: Water, dt: number, random: Random) => {
  const u = t.uv
  const lit = u.isOn ? u.lamps.filter(Boolean).length / u.lamps.length : 0
  u.transmittance = clamp(94 - t.settledTurbidity * 1.2 + noise(random) * 0.02, 60, 99)
  u.intensity = approach(u.intensity, 225 * lit * (1 - u.fouling / 100) * (u.transmittance / 94) ** 2, dt, 12)
  u.power = lit * 11.5
  u.ballast = approach(u.ballast, t.temperature + 8 + 26 * lit, dt, 120)
  if (lit > 0) u.hours += dt / 3600
  for (const f of w.filters) f.turbidity = approach(f.turbidity, (0.06 + 0.55 * f.dirt ** 3) * t.settledTurbidity ** 0.7, dt, 20)
}

/** Turbidity rises with rain; everything downstream follows. */
export const stepTreatment = (t: Treatment, w: Water, now: Conditions, dt: number, random: Random) => {
  t.temperature = approach(t.temperature, now.rawTemperature, dt, 1800)
  t.rawTurbidity = clamp(fluctuate(t.rawTurbidity, now.rawTurbidity, dt, 900, 0.11, random), 1, 80)
  t.conductivity = fluctuate(t.conductivity, 430 - now.rain * 4, dt, 400, 0.75, random)
  stepCoagulation(t, w, now, dt, random)
  stepChlorine(t, w, now, dt, random)
  stepUv(t, w, dt, random)
}
