import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Area, above, configure, startArea } from './harness.ts'

let area: Area
let p: number
let owner: number
beforeAll(async () => {
  area = await startArea()
  p = await area.makePoint({ AlarmLow: null, AlarmHigh: null })
  owner = area.kit.people.get('owner')!.id
})
afterAll(() => area.kit.close())

const email = [{ Method: 3 }]
const push = (more: object = {}) => ({ PushUsers: [owner], PushMethods: email, ...more })
const steps = (...Steps: object[]) => ({ StepPush: { Enabled: 1, Steps } })

describe('a push is refused', () => {
  const refused: [string, object, string][] = [
    ['without people', { PushUsers: [] }, 'PushUsers'],
    ['without a way', { PushMethods: [] }, 'PushMethods'],
    ['for somebody of another tenant', { PushUsers: [-1] }, 'PushUsers'],
    ['by voice, which no channel speaks', { PushMethods: [{ Method: 6 }] }, 'PushMethods.0.Method'],
    ['to a robot that is not named', { PushMethods: [{ Method: 5 }] }, 'PushMethods.0.TemplateId'],
    ['by a template that is not there', { PushMethods: [{ Method: 3, TemplateId: 999 }] }, 'PushMethods.0.TemplateId'],
    ['with half of anti-shake', { AntiShakeDuration: 5 }, 'AntiShakeFrequency'],
    ['repeated without a pause', { PushStyle: 2 }, 'RepeatMinutes'],
    ['with a pause that nothing uses', { PushStyle: 1, RepeatMinutes: 5 }, 'RepeatMinutes'],
    ['quiet all day', { NoDisturb: { Enabled: 1, Start: '08:00', End: '08:00', Mode: 1 } }, 'NoDisturb.End'],
    [
      'with steps out of order',
      steps({ Delay: 10, PushUsers: [1], PushMethods: email }, { Delay: 5, PushUsers: [1], PushMethods: email }),
      'StepPush.Steps.1.Delay',
    ],
  ]
  it.each(refused)('%s', async (_, more, field) => {
    const theirs = area.kit.people.get('stranger')!.id
    const AlarmPush = JSON.parse(
      JSON.stringify(push(more)).replaceAll('[-1]', `[${theirs}]`).replaceAll('"PushUsers":[1]', `"PushUsers":[${owner}]`),
    )
    const body = { RuleName: 'Refused', RuleConfigure: configure([above(p)]), IsSend: 1, AlarmPush }
    const answer = await area.kit.call('owner', 'POST', '/Alarm/AlarmRule', body)
    expect(answer).toMatchObject({ Succeeded: false, StatusCode: 400 })
    expect(Object.keys(answer.Details?.Fields ?? {})).toContain(`AlarmPush.${field}`)
  })
})
