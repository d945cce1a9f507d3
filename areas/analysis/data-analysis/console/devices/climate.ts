// Temperature and humidity of the same place, and the dew point of its air. Pure.
import type { ParaInfo, Series } from '../../../../../contract/telemetry.ts'

const [a, b] = [17.62, 243.12]
/** At which air of this temperature (°C) and relative humidity (%) begins to drop its water: Magnus' formula over water. */
export const dewPoint = (temperature: number, humidity: number): number | null => {
  if (!(humidity > 0) || temperature <= -b) return null
  const g = Math.log(Math.min(100, humidity) / 100) + (a * temperature) / (b + temperature)
  return (b * g) / (a - g)
}

export const isHumidity = ({ ParaUnitName }: Pick<ParaInfo, 'ParaUnitName'>) => ParaUnitName.includes('%')
const isCelsius = ({ ParaUnitName }: Pick<ParaInfo, 'ParaUnitName'>) => /^(°C|℃)$/.test(ParaUnitName)

/** The first temperature and the first humidity of each device that has both. */
export const pairsOf = (points: readonly ParaInfo[]) =>
  [...Map.groupBy(points, (p) => p.DeviceId).values()].flatMap((of) => {
    const temperature = of.find(isCelsius)
    const humidity = of.find(isHumidity)
    return temperature && humidity ? [{ temperature, humidity }] : []
  })

/** The dew point in each bucket in which both have a mean. */
export const dewPoints = (temperature: Series | undefined, humidity: Series | undefined): { Time: number[]; Value: number[] } => {
  const at = new Map((humidity?.Time ?? []).map((time, i) => [time, humidity!.Mean?.[i] ?? null]))
  const answer: { Time: number[]; Value: number[] } = { Time: [], Value: [] }
  for (const [i, time] of (temperature?.Time ?? []).entries()) {
    const [t, h] = [temperature!.Mean?.[i] ?? null, at.get(time) ?? null]
    const dew = t === null || h === null ? null : dewPoint(t, h)
    if (dew === null) continue
    answer.Time.push(time)
    answer.Value.push(dew)
  }
  return answer
}

/** So wide are the buckets of a range, ms. */
export const bucketOf = ({ start, end }: { start: number; end: number }) => Math.max(1, Math.ceil((end - start) / 400 / 60_000)) * 60_000
