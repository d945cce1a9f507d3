import { approach, clamp, noise, type Random } from './random.ts'

export const newWeather = () => ({
  temperature: 16,
  humidity: 60,
  pressure: 1013,
  wind: 4,
  gust: 6,
  direction: 220,
  /** mm/h. */
  rain: 0,
  rainTotal: 512,
  /** W/m². */
  radiation: 0,
  /** 0 clear to 1 overcast; wanders. */
  cloud: 0.4,
  /** s of a shower that are left. */
  showerSeconds: 0,
})
export type Weather = ReturnType<typeof newWeather>

/** hour: of the day, with its fraction. */
export const stepWeather = (w: Weather, hour: number, dt: number, random: Random) => {
  const root = Math.sqrt(dt)
  const sun = Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI))
  w.cloud = clamp(w.cloud + noise(random) * 0.004 * root + (0.4 - w.cloud) * dt * 0.001, 0, 1)
  w.radiation = sun * 950 * (1 - 0.75 * w.cloud)
  if (w.showerSeconds > 0) w.showerSeconds -= dt
  else if (random() < (dt / 1800) * w.cloud) w.showerSeconds = 120 + random() * 300
  w.rain = approach(w.rain, w.showerSeconds > 0 ? 8 + 6 * random() : 0, dt, 30)
  if (w.rain < 0.01) w.rain = 0
  w.rainTotal += (w.rain * dt) / 3600
  w.temperature = approach(w.temperature, 13 + 7 * Math.sin(((hour - 9) / 12) * Math.PI) - w.rain * 0.2, dt, 900)
  w.humidity = clamp(approach(w.humidity, 85 - 25 * sun + w.rain, dt, 600), 5, 100)
  w.pressure = clamp(w.pressure + noise(random) * 0.003 * root + (1013 - w.pressure) * dt * 0.0001, 960, 1060)
  w.wind = clamp(w.wind + noise(random) * 0.15 * root + (4 - w.wind) * dt * 0.01, 0, 30)
  w.gust = Math.max(w.wind, approach(w.gust, w.wind * (1.2 + random()), dt, 5))
  w.direction = (w.direction + noise(random) * root + 360) % 360
}

/** Magnus formula over water, °C. */
export const dewPoint = ({ temperature: t, humidity }: Weather) => {
  const g = Math.log(humidity / 100) + (17.62 * t) / (243.12 + t)
  return (243.12 * g) / (17.62 - g)
}
