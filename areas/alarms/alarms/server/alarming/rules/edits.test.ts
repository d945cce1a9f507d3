import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { Rules } from './engine.ts'
import { base, configure, one, plant, run, stored } from './rules.fixture.ts'

describe('severity', () => {
  const steps = configure([{}], {
    Severity: [
      { AlarmLevel: 2, ParamValue: 20 },
      { AlarmLevel: 3, ParamValue: 30 },
    ],
  })
  it('rises with the value while the alarm is active, and never falls', () => {
    const events = run(steps, one([11, 25, 12, 40, 5, 35]))
    expect(events.map((e) => [e.kind, e.level])).toEqual([
      ['raised', 1],
      ['level', 2],
      ['level', 3],
      ['recovered', 3],
      ['raised', 3],
    ])
  })
})

describe('live edits', () => {
  const newest = () => ({ time: base, value: 50 })
  it('a new rule looks at the newest readings; a changed one keeps its alarm or ends it; a removed one ends it', () => {
    const engine = new Rules()
    const put = (limit: number, at: number) =>
      engine.put(compile(5, 1, configure([{ ParamValue: limit }]), plant), base + at, newest).map((e) => e.kind)
    expect(put(10, 0)).toEqual(['raised'])
    expect(put(20, 1)).toEqual(['level'])
    expect(put(60, 2)).toEqual(['recovered'])
    expect(put(40, 3)).toEqual(['raised'])
    expect(engine.remove(5, base + 4).map((e) => e.kind)).toEqual(['recovered'])
    expect(engine.judge(stored([[1, 9, 99]]))).toEqual([])
  })

  it('muted points raise nothing; no-data timers restart when they are back', () => {
    const engine = new Rules()
    engine.put(compile(5, 1, configure([{ TriggerStyle: 3, Duration: 10 }]), plant), base)
    expect(engine.mute([1], true, base + 1000)).toEqual([])
    expect(engine.tick(base + 60_000)).toEqual([])
    expect(engine.mute([1], false, base + 60_000)).toEqual([])
    expect(engine.tick(base + 69_000)).toEqual([])
    expect(engine.tick(base + 71_000).map((e) => [e.kind, e.time - base])).toEqual([['raised', 70_000]])
  })
})
