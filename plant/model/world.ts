import { drawOf, newColdRoom, stepColdRoom } from './cold-room.ts'
import { buildingPower, conditionsAt } from './conditions.ts'
import { type Fault, stepFaults } from './faults.ts'
import { newFeeder, newMeter, stepFeeder, stepIncomer, stepMeter } from './meter.ts'
import type { Random } from './random.ts'
import { newTreatment, stepTreatment } from './treatment.ts'
import { newWater, stepWater } from './water.ts'
import { newWeather, stepWeather } from './weather.ts'

/** Everything there is, at `seconds` since 1970. `devices` answer over the network, but for those that are silent. */
export const newWorld = (seconds: number, devices: number) => ({
  seconds,
  devices,
  weather: newWeather(conditionsAt(seconds)),
  water: newWater(),
  treatment: newTreatment(),
  coldRoom: newColdRoom(),
  intakeMeter: newMeter(),
  deliveryMeter: newMeter(),
  treatmentMeter: newFeeder(),
  coldStoreMeter: newFeeder(),
  buildingMeter: newFeeder(),
  incomerMeter: newMeter(),
  faults: [] as Fault[],
  silent: new Set<number>(),
})
export type World = ReturnType<typeof newWorld>

/** Moves the world by dt seconds, in place. The same start and random numbers give the same world. In steps of 30 s the balances are still stable. */
export const step = (w: World, dt: number, random: Random, longest = 0.5) => {
  for (let left = dt; left > 1e-9; left -= longest) advance(w, Math.min(left, longest), random)
}

/** s from one cleaning of the lamps' sleeves to the next. */
const cleaning = 16 * 86_400

const advance = (w: World, dt: number, random: Random) => {
  w.seconds += dt
  const now = conditionsAt(w.seconds)
  stepFaults(w)
  stepWeather(w.weather, now, dt, random)
  stepWater(w.water, now, dt, random)
  stepTreatment(w.treatment, w.water, now, dt, random)
  w.treatment.uv.fouling = 2 + 22 * ((w.seconds / cleaning) % 1)
  stepColdRoom(w.coldRoom, w.weather.temperature, dt, random)
  const power = (pumps: readonly { power: number }[]) => pumps.reduce((sum, p) => sum + p.power, 0)
  stepMeter(w.intakeMeter, power(w.water.intake), 3.5 + w.treatment.mixer.current * 0.5, dt, random)
  const cold = drawOf(w.coldRoom)
  stepMeter(w.deliveryMeter, power(w.water.delivery) + cold, 4 + w.treatment.uv.power, dt, random)
  stepFeeder(w.treatmentMeter, dosing(w), w.treatment.uv.power, dt)
  stepFeeder(w.coldStoreMeter, cold, 0.1, dt)
  const building = buildingPower(now)
  stepFeeder(w.buildingMeter, building * 0.6, building * 0.4, dt)
  stepIncomer(w.incomerMeter, w.intakeMeter.sag, [w.intakeMeter, w.deliveryMeter, w.buildingMeter], dt, random)
}

/** kW of the dosing pumps. */
const dosing = ({ treatment: { chlorine, coagulant } }: World) => (chlorine.stroke > 1 ? 0.3 : 0) + (coagulant.flow > 0.1 ? 0.3 : 0)
