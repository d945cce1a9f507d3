import { newColdRoom, stepColdRoom } from './cold-room.ts'
import { stepFaults } from './faults.ts'
import { newMeter, stepMeter } from './meter.ts'
import type { Random } from './random.ts'
import { newTreatment, stepTreatment } from './treatment.ts'
import { newWater, stepWater } from './water.ts'
import { newWeather, stepWeather } from './weather.ts'

/** Everything there is, at `seconds` since 1970. `devices` answer over the network, but for those that are silent. */
export const newWorld = (seconds: number, devices: number) => ({
  seconds,
  devices,
  weather: newWeather(),
  water: newWater(),
  treatment: newTreatment(),
  coldRoom: newColdRoom(),
  intakeMeter: newMeter(184_320),
  deliveryMeter: newMeter(402_771),
  faults: [] as { name: string; pick: number; seconds: number }[],
  silent: new Set<number>(),
})
export type World = ReturnType<typeof newWorld>

/** Longest step for which the balances stay stable, s. */
const longest = 0.5

/** Moves the world by dt seconds, in place. The same start and the same random numbers give the same world. */
export const step = (w: World, dt: number, random: Random) => {
  for (let left = dt; left > 1e-9; left -= longest) advance(w, Math.min(left, longest), random)
}

const advance = (w: World, dt: number, random: Random) => {
  w.seconds += dt
  const hour = (w.seconds / 3600) % 24
  stepFaults(w, dt, random)
  stepWeather(w.weather, hour, dt, random)
  stepWater(w.water, hour, dt, random)
  stepTreatment(w.treatment, w.water, w.weather.temperature, w.weather.rain, dt, random)
  stepColdRoom(w.coldRoom, w.weather.temperature, dt, random)
  const power = (pumps: readonly { power: number }[]) => pumps.reduce((sum, p) => sum + p.power, 0)
  stepMeter(w.intakeMeter, power(w.water.intake), 3.5 + w.treatment.mixer.current * 0.5, dt, random)
  stepMeter(w.deliveryMeter, power(w.water.delivery) + w.coldRoom.power, 4 + w.treatment.uv.power, dt, random)
}
