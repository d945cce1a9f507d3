import { describe, expect, it, test } from 'vitest'
import { compile } from './compile.ts'
import { Rules } from './engine.ts'
import { cronGate, windowGate } from './gate.ts'
import { configure, plant } from './rules.fixture.ts'

const utc = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`)
const window = (zone: string, start: string, end: string, more = {}) => {
  const minutes = (t: string) => Number(t.slice(0, 2)) * 60 + Number(t.slice(3))
  return windowGate({ zone, start: minutes(start), end: minutes(end), ...more }) as Extract<
    ReturnType<typeof windowGate>,
    { kind: 'window' }
  >
}

describe('windows', () => {
  test.each([
    [
      'within a day',
      window('UTC', '08:00', '10:00'),
      ['2026-06-01 08:00', '2026-06-01 09:59:59.999'],
      ['2026-06-01 07:59:59.999', '2026-06-01 10:00'],
    ],
    [
      'over midnight',
      window('UTC', '22:00', '06:00'),
      ['2026-06-01 22:00', '2026-06-02 05:59'],
      ['2026-06-01 21:59', '2026-06-02 06:00', '2026-06-02 12:00'],
    ],
    ['the same start and end: all day', window('UTC', '08:00', '08:00'), ['2026-06-01 08:00', '2026-06-01 07:59'], []],
    ['in the rule’s zone', window('Asia/Shanghai', '08:00', '10:00'), ['2026-06-01 00:00'], ['2026-06-01 08:00']],
    [
      'in a zone of quarter-hours',
      window('Asia/Kathmandu', '08:00', '10:00'),
      ['2026-06-01 02:15'],
      ['2026-06-01 02:14', '2026-06-01 04:15'],
    ],
    [
      'on weekdays, by the day it begins',
      window('UTC', '22:00', '06:00', { weeks: [6] }),
      ['2026-06-05 23:00', '2026-06-06 05:00'],
      ['2026-06-06 23:00', '2026-06-05 05:00'],
    ],
    [
      'between dates, the last night included',
      window('UTC', '22:00', '06:00', { startDate: '2026-06-02', endDate: '2026-06-03' }),
      ['2026-06-02 22:00', '2026-06-04 05:59'],
      ['2026-06-02 05:00', '2026-06-04 22:00'],
    ],
    [
      'with the hour that is skipped in spring',
      window('Europe/Madrid', '01:30', '03:30'),
      ['2026-03-29 00:30', '2026-03-29 01:00', '2026-03-29 01:29'],
      ['2026-03-29 00:29', '2026-03-29 01:30'],
    ],
    [
      'beginning in the skipped hour: at its end',
      window('Europe/Madrid', '02:30', '04:00'),
      ['2026-03-29 01:00', '2026-03-29 01:59'],
      ['2026-03-29 00:59', '2026-03-29 02:00'],
    ],
    [
      'with the hour that comes twice in autumn: both',
      window('Europe/Madrid', '02:15', '02:45'),
      ['2026-10-25 00:15', '2026-10-25 01:44'],
      ['2026-10-25 00:14', '2026-10-25 01:45'],
    ],
  ] as const)('%s', (_, gate, inside, outside) => {
    for (const at of inside) expect(gate.open(utc(at)), at).toBe(true)
    for (const at of outside) expect(gate.open(utc(at)), at).toBe(false)
  })

  it('know when they open next', () => {
    expect(window('UTC', '08:00', '10:00').opening(utc('2026-06-01 09:00'))).toBe(utc('2026-06-02 08:00'))
    expect(window('Europe/Madrid', '02:30', '04:00').opening(utc('2026-03-29 00:00'))).toBe(utc('2026-03-29 01:00'))
    expect(window('UTC', '08:00', '10:00', { weeks: [2] }).opening(utc('2026-06-02 09:00'))).toBe(utc('2026-06-08 08:00'))
    expect(window('UTC', '08:00', '10:00', { endDate: '2026-06-01' }).opening(utc('2026-06-01 09:00'))).toBeUndefined()
  })
})

describe('rules with a gate', () => {
  const base = utc('2026-06-01 06:00')
  const at = (time: string, value: number, n: number) => ({ point: 1, time: utc(`2026-06-01 ${time}`), value, quality: 0, n })
  const summary = (events: { kind: string; time: number }[]) =>
    events.map((e) => `${e.kind} ${new Date(e.time).toISOString().slice(11, 16)}`)

  it('a condition that holds when the window opens raises at that moment; one that is active when it closes ends when its condition does', () => {
    const engine = new Rules()
    const EnableRule = { TimeZone: 'UTC', StartTime: '08:00', EndTime: '10:00' }
    engine.put(compile(5, 1, configure([{}], { EnableType: 1, EnableRule }), plant), base)
    const events = [
      ...engine.judge([at('07:00', 11, 1)]),
      ...engine.tick(utc('2026-06-01 11:00')),
      ...engine.judge([at('11:30', 5, 2), at('12:00', 11, 3)]),
    ]
    expect(summary(events)).toEqual(['raised 08:00', 'recovered 11:30'])
  })

  it('with a cron expression it is judged once at each time, and not between', () => {
    const engine = new Rules()
    const EnableRule = { TimeZone: 'Asia/Shanghai', Cron: '0 0 16 * * ?' }
    engine.put(compile(5, 1, configure([{}], { EnableType: 2, EnableRule }), plant), base)
    const events = [
      ...engine.judge([at('07:00', 11, 1), at('07:30', 5, 2), at('07:50', 11, 3)]),
      ...engine.tick(utc('2026-06-01 09:00')),
      ...engine.judge([at('09:30', 5, 4)]),
    ]
    expect(summary(events)).toEqual(['raised 08:00'])
    expect(summary(engine.tick(utc('2026-06-02 08:30')))).toEqual(['recovered 08:00'])
  })

  it('an absence of days costs a cron of seconds no more than a step', () => {
    const gate = cronGate('* * * * * ?', 'UTC') as Extract<ReturnType<typeof cronGate>, { kind: 'cron' }>
    let asked = 0
    const { next } = gate
    gate.next = (time) => {
      asked++
      return next(time)
    }
    const engine = new Rules()
    const applied = compile(5, 1, configure([{}], { EnableType: 2, EnableRule: { TimeZone: 'UTC', Cron: '* * * * * ?' } }), plant)
    engine.put({ ...applied, rule: { ...applied.rule, gate } }, base)
    engine.tick(base + 30 * 86_400_000)
    expect(asked).toBeLessThan(10)
  })
})
