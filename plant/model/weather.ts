import type { Conditions } from './conditions.ts'
import { approach, clamp, fluctuate, noise, type Random } from './random.ts'

export const newWeather = (c: Conditions) => ({
  temperature: c.temperature,
  humidity: c.humidity,
  pressure: c.pressure,
  wind: c.wind,
  gust: c.wind * 1.4,
  direction: c.direction,
  /** mm/h. */
  rain: c.rain,
  rainTotal: 0,
  /** W/m². */
  radiation: c.radiation,
})
export type Weather = ReturnType<typeof newWeather>

/** What the station's instruments make of the weather: slow thermometers, a restless vane. */
export const stepWeather = (w: Weather, c: Conditions, dt: number, random: Random) => {
  w.radiation = c.radiation
  w.rain = c.rain
  w.rainTotal += (w.rain * dt) / 3600
  w.temperature = approach(w.temperature, c.temperature, dt, 300)
  w.humidity = clamp(approach(w.humidity, c.humidity, dt, 300), 5, 100)
  w.pressure = approach(w.pressure, c.pressure, dt, 60)
  w.wind = Math.max(0, fluctuate(w.wind, c.wind, dt, 10, 0.35, random))
  w.gust = Math.max(w.wind, approach(w.gust, w.wind * (1.2 + 0.5 * random()), dt, 5))
  w.direction = (c.direction + noise(random) * 4 + 360) % 360
}

/** Magnus formula over water, °C. */
export const dewPoint = ({ temperature: t, humidity }: Weather) => {
  const g = Math.log(humidity / 100) + (17.62 * t) / (243.12 + t)
  return (243.12 * g) / (17.62 - g)
}
