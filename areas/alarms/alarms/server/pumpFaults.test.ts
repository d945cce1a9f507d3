// A recorded pump, 1 Hz: limits from the recording without a fault, judged on recordings with one fault each (SKAB, labelled by row).
// The pump ran at another operating point there, so flow and both accelerometers alarm from the first row on, which counts as false.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Alarm, type Area, base, configure, openJournal, startArea } from './harness.ts'

const folder = fileURLToPath(new URL('../../../../../shared/data/skab/', import.meta.url))
const faults = ['other-1', 'valve1-0', 'valve1-1']

type Recording = { times: number[]; sensors: { name: string; values: number[] }[]; faulty: boolean[] }
const read = (name: string): Recording => {
  const [head, ...lines] = readFileSync(`${folder}${name}.csv`, 'utf8').trim().split('\n')
  const rows = lines.map((line) => line.split(';'))
  const started = Date.parse(`${rows[0]![0]!.replace(' ', 'T')}Z`)
  return {
    times: rows.map((r) => base + Date.parse(`${r[0]!.replace(' ', 'T')}Z`) - started),
    sensors: head!
      .split(';')
      .slice(1, 9)
      .map((sensor, i) => ({ name: sensor, values: rows.map((r) => Number(r[i + 1])) })),
    faulty: rows.map((r) => Number(r[9] ?? 0) === 1),
  }
}

/** Moments at which something begins and ends: the thresholds and nothing else. */
const crossings = ({ times }: Recording, values: number[], isOut: (value: number, before: boolean) => boolean) => {
  const starts: number[] = []
  const ends: number[] = []
  let out = false
  for (const [i, value] of values.entries()) {
    const is = isOut(value, out)
    if (is !== out) (is ? starts : ends).push(times[i]!)
    out = is
  }
  return { starts, ends }
}

/** Alarms that begin outside of the labelled span, and s from its first row to the first that begins inside. */
const rated = ({ times, faulty }: Recording, starts: number[]) => {
  const [from, to] = [times[faulty.indexOf(true)]!, times[faulty.lastIndexOf(true)]!]
  const inside = starts.filter((t) => t >= from && t <= to).toSorted((a, b) => a - b)
  return { false: starts.length - inside.length, inside: inside.length, delay: inside.length ? (inside[0]! - from) / 1000 : '-' }
}

describe.skipIf(!existsSync(folder))('recorded pump faults (skipped where the recordings are absent)', () => {
  let area: Area
  let good: Recording
  beforeAll(async () => {
    area = await startArea()
    good = read('anomaly-free-anomaly-free')
  })
  afterEach(() => area.reset())
  afterAll(() => area?.kit.close())

  it.each(faults)(
    '%s: rules raise and recover exactly where the raw thresholds are crossed, limits and durations less often',
    async (name) => {
      const recording = read(name)
      const points = []
      for (const { name: ParaName, values } of good.sensors) {
        const [AlarmLow, AlarmHigh] = [Math.min(...values), Math.max(...values)]
        const Id = await area.makePoint({ ParaName, AlarmLow, AlarmHigh, ProjectLow: AlarmLow, ProjectHigh: AlarmHigh })
        points.push({ Id, AlarmLow, AlarmHigh })
        const outside = { TriggerStyle: 1, OperateSymbol: 8, ParamValue: AlarmLow, ParamValue2: AlarmHigh, AlarmParams: [{ ParaId: Id }] }
        for (const condition of [{ TriggerCondition: 1 }, { TriggerCondition: 2, Duration: 5 }])
          await area.kit.data('owner', 'POST', '/Alarm/AlarmRule', {
            ...{
              RuleName: condition.Duration ? 'Lasting' : 'Outside',
              Status: 1,
              RuleConfigure: configure([{ ...outside, ...condition }]),
            },
          })
      }
      const journal = openJournal()
      const { alarms } = area.start(journal, {}, true)
      await alarms.idle()
      for (const [i, time] of recording.times.entries()) {
        area.setClock(time)
        journal.write(...points.map(({ Id }, k) => ({ point: Id, time, value: recording.sensors[k]!.values[i]!, quality: 0 })))
        await alarms.idle()
      }
      const report: Record<string, object> = {}
      const all: Record<string, number[]> = { raw: [], rule: [], limit: [], lasting: [] }
      for (const [k, { Id, AlarmLow, AlarmHigh }] of points.entries()) {
        const found = await area.alarmsOf(Id)
        const of = (which: (a: Pick<Alarm, 'AlmRuleId' | 'RuleName'>) => boolean) => found.filter(which)
        const startsOf = (alarms: typeof found) => alarms.map((a) => a.StartTime.getTime())
        const { values } = recording.sensors[k]!
        const raw = crossings(recording, values, (v) => v < AlarmLow || v > AlarmHigh)
        const rule = of((a) => a.RuleName === 'Outside')
        expect(startsOf(rule)).toEqual(raw.starts)
        expect(rule.flatMap((a) => a.RecoverTime?.getTime() ?? [])).toEqual(raw.ends)
        const limit = startsOf(of((a) => a.AlmRuleId === null))
        const lasting = startsOf(of((a) => a.RuleName === 'Lasting'))
        // Finding 11: 1 % of the range.
        const band = (AlarmHigh - AlarmLow) / 100
        const high = crossings(recording, values, (v, before) => v > AlarmHigh - (before ? band : 0))
        const low = crossings(recording, values, (v, before) => v < AlarmLow + (before ? band : 0))
        expect(limit.toSorted()).toEqual([...high.starts, ...low.starts].toSorted())
        expect(lasting.length).toBeLessThanOrEqual(raw.starts.length)
        for (const [way, starts] of Object.entries({ raw: raw.starts, rule: startsOf(rule), limit, lasting })) all[way]!.push(...starts)
      }
      for (const [way, starts] of Object.entries(all)) report[way] = rated(recording, starts)
      console.info(name, report)
      expect(report.rule).toEqual(report.raw)
      expect(all.limit!.length).toBeLessThanOrEqual(all.raw!.length)
    },
  )
})
