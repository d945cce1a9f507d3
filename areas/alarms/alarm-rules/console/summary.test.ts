import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { RuleCondition } from '../alarm-configure.ts'
import { configureFaults } from '../alarm-configure.ts'
import { cleaned, emptyCondition, emptyConfigure, settled, templates } from './draft.ts'

vi.mock(import('../../../../console/words/words.ts'), async (original) => ({ ...(await original()), language: () => 'en' as const }))
const { durationText, sentenceOf, summaryOf } = await import('./summary.ts')

const table = JSON.parse(readFileSync(new URL('../words/en.json', import.meta.url), 'utf8')) as Record<string, string>
const t = (key: string, values: Record<string, unknown> = {}) =>
  (table[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
const point = { ParaId: 1, ParaName: 'Pressure', ParaDataType: 7 }
const condition = (c: Partial<RuleCondition>): RuleCondition => settled({ ...emptyCondition, AlarmParams: [point], ParamValue: 10, ...c })

describe('a rule as a sentence', () => {
  it.each([
    [{}, 'Pressure is above 10'],
    [{ TriggerCondition: 2, Duration: 90 }, 'Pressure is above 10 for 90 seconds'],
    [{ TriggerCondition: 3, Duration: 3600, Frequency: 3 }, 'Pressure is above 10 3 times within 1 hour'],
    [{ OperateSymbol: 8, ParamValue2: 20 }, 'Pressure is outside 10 to 20'],
    [{ TriggerStyle: 3, Duration: 300 }, 'Pressure sends no data for 5 minutes'],
    [{ TriggerStyle: 2 }, 'the change of Pressure is above 10'],
    [{ TriggerStyle: 4, Duration: 60 }, 'Pressure is above 10, checked every 1 minute'],
    [
      { OperateSymbol: 2, AlarmParams: [{ ParaId: 1, ParaName: 'Running', ParaDataType: 0 }], ParamValue: 0 },
      'Running is not point.state.0',
    ],
    [{ TriggerStyle: 2, AlarmParams: [{ ParaId: 1, ParaName: 'Running', ParaDataType: 0 }], ParamValue: 1 }, 'Running turns to Open'],
  ] as [Partial<RuleCondition>, string][])('%j', (c, text) =>
    expect(sentenceOf(condition(c), t, { states: (id) => (id === 1 ? { OneText: 'Open' } : undefined) })).toBe(text),
  )

  it('says how conditions go together and when it watches', () => {
    const configure = {
      ...emptyConfigure,
      EnableType: 1 as const,
      EnableRule: { TimeZone: 'UTC', StartTime: '22:00', EndTime: '06:00' },
      RuleList: [{ LogicSymbol: 2 as const, Conditions: [condition({}), condition({ TriggerStyle: 3, Duration: 60 })] }],
    }
    expect(summaryOf(configure, t)).toBe('Pressure is above 10 or Pressure sends no data for 1 minute; from 22:00 to 06:00, UTC')
  })

  it('names the device of each point, once for those of one device', () => {
    const device = (id: number) => ({ 1: 'Outlet', 2: 'Header' })[id]
    const of = (...points: [ParaId: number, DeviceId: number, ParaName: string][]) =>
      sentenceOf(condition({ AlarmParams: points.map(([ParaId, DeviceId, ParaName]) => ({ ParaId, DeviceId, ParaName })) }), t, { device })
    expect(of([1, 1, 'Pressure'], [2, 2, 'Pressure'])).toBe('Outlet · Pressure or Header · Pressure is above 10')
    expect(of([1, 1, 'Pressure'], [2, 1, 'Flow'])).toBe('Outlet · Pressure or Flow is above 10')
  })

  it('says of which model the devices are', () => {
    const ofModel = condition({ AlarmParams: [{ ParaName: 'Pressure' }], DeviceSelection: { Type: 2, ModelId: 6, ProjectId: 4 } })
    expect(sentenceOf(ofModel, t, { model: (id) => (id === 6 ? 'P-100' : undefined) })).toBe('Pressure of any P-100 device is above 10')
    expect(sentenceOf(ofModel, t)).toBe('Pressure of any … device is above 10')
  })

  it('says how long it must be over', () => {
    const configure = { ...emptyConfigure, HoldOff: 300, RuleList: [{ LogicSymbol: 1 as const, Conditions: [condition({})] }] }
    expect(summaryOf(configure, t)).toBe('Pressure is above 10; clears only after 5 minutes back to normal')
    expect(summaryOf(cleaned({ ...configure, EnableType: 2 }), t)).not.toContain('clears')
  })

  it('uses the largest unit that is whole', () => {
    expect([1, 60, 90, 7200, 86_400].map((s) => durationText(s, 'en'))).toEqual(['1 second', '1 minute', '90 seconds', '2 hours', '1 day'])
  })
})

describe('the editor', () => {
  it('hands over no field without an effect, whatever was chosen before', () => {
    const styles = [1, 2, 3, 4] as const
    for (const TriggerStyle of styles)
      for (const TriggerCondition of [1, 2, 3] as const)
        for (const OperateSymbol of [1, 3, 8] as const) {
          const full = {
            Duration: 5,
            Frequency: 3,
            ParamValue: 1,
            ParamValue2: 2,
            Deadband: 1,
            OperateSymbol,
            TriggerStyle,
            TriggerCondition,
          }
          const configure = cleaned({ ...emptyConfigure, RuleList: [{ LogicSymbol: 1, Conditions: [condition(full)] }] })
          expect(configureFaults(configure, { level: 2, isBool: () => false }), JSON.stringify(full)).toEqual([])
        }
  })

  it('begins templates that lack nothing but points and values', () => {
    for (const [name, template] of Object.entries(templates)) {
      const made = condition({ ParamValue: 5, ...template, ...(name === 'outOfRange' ? { ParamValue2: 9 } : {}) })
      expect(
        configureFaults({ ...emptyConfigure, RuleList: [{ LogicSymbol: 1, Conditions: [made] }] }, { level: 2, isBool: () => false }),
        name,
      ).toEqual([])
    }
  })
})
