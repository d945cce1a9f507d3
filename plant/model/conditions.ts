// Weather, river and town: pure functions of time, so that the plant's past and its present come from the same curves.
import { demoZone } from '../../contract/demo-plant.ts'
import { clamp } from './random.ts'

/** A number in [0, 1), the same for the same pair for ever. */
export const chance = (series: number, n: number) => {
  let t = (Math.imul(series, 0x9e3779b1) ^ Math.imul(n, 0x85ebca6b)) >>> 0
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

/** Wanders smoothly between -1 and 1; about so many seconds from one turn to the next. */
const wander = (series: number, seconds: number, period: number) => {
  const at = seconds / period
  const n = Math.floor(at)
  const share = at - n
  const from = chance(series, n)
  return 2 * (from + (chance(series, n + 1) - from) * share * share * (3 - 2 * share)) - 1
}

const clock = new Intl.DateTimeFormat('en', { timeZone: demoZone, hourCycle: 'h23', hour: 'numeric', timeZoneName: 'longOffset' })
const read = (seconds: number) => {
  const text = clock.formatToParts(seconds * 1000).find((p) => p.type === 'timeZoneName')!.value
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? ['', '+', '0', '0']
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}
export const day = 86_400
let today = { start: -1, from: 0, to: 0 }
/** s that the plant's clocks are ahead of UTC. Only on two days of a year is that a question. */
const offsetAt = (seconds: number) => {
  const start = Math.floor(seconds / day) * day
  if (today.start !== start) today = { start, from: read(start), to: read(start + day) }
  return today.from === today.to ? today.from : read(seconds)
}

/** What acts on the plant at a moment (epoch s): temperatures °C, rain mm/h, wind m/s, radiation W/m², flows m³/h. */
export const conditionsAt = (seconds: number) => {
  const local = seconds + offsetAt(seconds)
  const hour = (local / 3600) % 24
  const weekday = (Math.floor(local / day) + 4) % 7
  const isWeekend = weekday === 0 || weekday === 6
  /** 1 in the middle of July, -1 in January. */
  const season = Math.cos(((local / day - 196) / 365.25) * 2 * Math.PI)
  const front = wander(1, seconds, 3.5 * day)
  const wet = front * 0.7 + wander(2, seconds, 6 * 3600) * 0.6 - season * 0.12
  const rain = wet < 0.76 ? 0 : (wet - 0.76) * 12 * (0.75 + 0.5 * wander(3, seconds, 1500))
  const cloud = clamp(0.42 - season * 0.12 + wet * 0.6, 0, 1)
  const rises = 6.5 - season * 1.4
  const sun = Math.max(0, Math.sin(((hour - rises) / (26 - 2 * rises)) * Math.PI))
  const radiation = sun * (740 + season * 260) * (1 - 0.75 * cloud)
  const swing = (4.5 + season * 1.5) * (1 - 0.5 * cloud)
  const temperature = 13.5 + season * 8.5 + wander(4, seconds, 4 * day) * 4 + swing * Math.sin(((hour - 9) / 12) * Math.PI) - rain * 0.25
  const bell = (at: number, width: number) => Math.exp(-(((hour - at) / width) ** 2))
  const morning = isWeekend ? 45 * bell(9.5, 2) : 60 * bell(7.5, 1.5)
  const industry = isWeekend ? 0 : 32 * clamp((hour - 6) * 2, 0, 1) * clamp((21 - hour) * 2, 0, 1)
  const household = (205 + 70 * Math.sin(((hour - 8) / 12) * Math.PI) + morning + 65 * bell(20, 2)) * (1 + 0.13 * season)
  return {
    seconds,
    hour,
    temperature,
    rain,
    cloud,
    radiation,
    humidity: clamp(78 - season * 8 - sun * 22 + wet * 16 + wander(5, seconds, 7 * 3600) * 6, 20, 99),
    pressure: 1015 - front * 13 + wander(6, seconds, 20 * 3600) * 2,
    wind: Math.max(
      0.3,
      3.4 + front * 2.2 + sun * 1.2 + wander(7, seconds, 5 * 3600) * 2.2 + Math.max(0, wander(8, seconds, 2 * day) - 0.72) * 24,
    ),
    direction: (230 + wander(9, seconds, day) * 110 + wander(10, seconds, 3600) * 20 + 360) % 360,
    riverLevel: clamp(3 - season * 0.45 + wander(11, seconds, 12 * day) * 0.6 + front * 0.25, 1.4, 5.2),
    rawTurbidity: clamp(12 - season * 2 + front * 3 + wander(12, seconds, 9 * 3600) * 1.5 + rain * 3.6, 2, 75),
    rawTemperature: 12.5 + season * 6.5 + wander(4, seconds, 4 * day) * 1.2,
    demand: Math.max(70, household + industry + wander(13, seconds, 2400) * 16 + wander(14, seconds, 7200) * 12),
  }
}
export type Conditions = ReturnType<typeof conditionsAt>

/** Where totals begin: epoch day of 1 January 2024. */
const firstDay = 19_723
/** m³ that a mean day takes. */
export const meanDemand = 5900
const sums = [{ demand: 0, rain: 0, building: 0 }]
/** kW of lamps, offices, heating and cooling in the building. */
export const buildingPower = ({ hour, temperature }: Pick<Conditions, 'hour' | 'temperature'>) =>
  2.2 + 5.5 * clamp(hour - 6, 0, 1) * clamp(18 - hour, 0, 1) + 0.35 * Math.max(0, 16 - temperature) + 0.5 * Math.max(0, temperature - 24)

/** What the town has taken by 00:00 UTC of a day, in mean days, what has fallen, mm, and what the building has taken, kWh. */
export const sumsBefore = (epochDay: number) => {
  for (let n = sums.length; n <= epochDay - firstDay; n++) {
    const sum = { ...sums[n - 1]! }
    const start = (firstDay + n - 1) * day
    for (let at = 450; at < day; at += 900) {
      const now = conditionsAt(start + at)
      sum.demand += now.demand / 4 / meanDemand
      sum.rain += now.rain / 4
      sum.building += buildingPower(now) / 4
    }
    sums.push(sum)
  }
  return sums[Math.max(0, epochDay - firstDay)]!
}
