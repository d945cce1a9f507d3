import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'

const [every, day] = [300_000, 86_400_000]

/** Past readings every five minutes, loaded one UTC day at a time. */
export const loadLevels = async (telemetry: Telemetry, points: readonly number[], from: number, to: number) => {
  const midnight = Math.ceil((from + 1) / day) * day
  for (const [lo, hi] of [
    [from, Math.min(to, midnight)],
    [midnight, to],
  ] as const) {
    const moments = Array.from({ length: Math.max(0, Math.floor((hi - lo) / every)) }, (_, i) => ({
      time: lo + i * every,
      value: 20 + (i % 7),
    }))
    const rows = points.flatMap((point) => moments.map((of) => ({ point, ...of, quality: 0 })))
    if (!rows.length) continue
    await telemetry.load(
      (async function* () {
        yield rows
      })(),
    )
  }
}

type Data = <T>(method: string, path: string, body?: unknown) => Promise<T>
/** Key figures of the last whole day and the first group, as a new report would have them. */
export const keyFigures = async (data: Data) => {
  const [group] = (await data<{ Items: { Id: number }[] }>('GET', 'ReportGroup/SettingList')).Items
  const body = { GroupId: group!.Id, Period: 'day', Language: 'en', Blocks: [{ Type: 'keyFigures' }] }
  const { Parts } = await data<{ Parts: { Figures?: { Value: number }[] }[] }>('POST', 'ReportTemplate/Preview', body)
  return Parts[1]!.Figures!.map(({ Value }) => Value)
}
